"""What `resolve` works on, found slowly: worlds of all orders with their probabilities, and the game below them.

1. A *world* is a history of as many rounds as the record, after which the game goes on. Its probability is that of
   chance times that of every role's moves, the own role's included.
2. Order one holds the worlds that explain the record. Order two adds all worlds in which another role has a record that
   it has in a world of order one; order three adds all worlds in which the own role has a record that it has in one of
   these, and so on. Probabilities stay in proportion.
3. The *subgame* of some worlds begins with a draw of one of them, and goes on by the rules; records go on, too.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from tests.reference.beliefs import History, Policy, Record, play_round, probability
from tests.reference.gametree import Tree, build_tree
from tests.reference.naive import NaiveGame

Worlds = dict[History, Fraction]


def all_worlds(game: NaiveGame, rounds: int, policy: Policy | None = None) -> Worlds:
    """Return every history of so many rounds after which the game goes on, with its probability."""
    worlds: Worlds = {}

    def extend(state: frozenset[str], history: History, chance: Fraction, records: dict[str, Record]) -> None:
        if game.terminal(state):
            return
        if len(history) == rounds:
            worlds[history] = chance
            return
        legal = game.legal(state)
        moves = [sorted(legal[role]) for role in game.roles]
        for joint in product(*moves):
            percepts, after = play_round(game, state, joint)
            played = zip(game.roles, joint, moves, strict=True)
            share = chance
            for role, move, choice in played:
                share *= probability(role, records[role], choice, move, policy)
            longer = {r: (*records[r], (move, percepts[r])) for r, move in zip(game.roles, joint, strict=True)}
            extend(after, (*history, joint), share, longer)

    extend(game.initial(), (), Fraction(1), dict.fromkeys(game.roles, ()))
    return worlds


def follow(game: NaiveGame, history: History) -> tuple[frozenset[str], dict[str, Record]]:
    """Return the state after a history, and the records of all roles but `random`."""
    state = game.initial()
    records: dict[str, Record] = {role: () for role in game.roles if role != "random"}
    for joint in history:
        percepts, state = play_round(game, state, joint)
        moves = dict(zip(game.roles, joint, strict=True))
        records = {role: (*own, (moves[role], percepts[role])) for role, own in records.items()}
    return state, records


def worlds_of_orders(
    game: NaiveGame, role: str, record: Record, orders: int, policy: Policy | None = None
) -> tuple[Worlds, bool]:
    """Return the worlds up to this order, with probabilities that add up to 1; and whether further orders add none."""
    everything = all_worlds(game, len(record), policy)
    records = {history: follow(game, history)[1] for history in everything}
    chosen = {history for history in everything if records[history][role] == record}

    def add(owners: list[str]) -> set[History]:
        held = {(owner, records[history][owner]) for history in chosen for owner in owners}
        return chosen | {h for h in everything if any((owner, records[h][owner]) in held for owner in owners)}

    others = [owner for owner in game.roles if owner not in (role, "random")]
    for order in range(2, orders + 1):
        chosen = add(others if order % 2 == 0 else [role])
    total = sum(everything[history] for history in chosen)
    is_closed = add(others) == chosen == add([role])
    return {history: everything[history] / total for history in everything if history in chosen}, is_closed


def subgame(game: NaiveGame, worlds: Worlds) -> Tree:
    """Return the tree of the game that begins with a draw of one of these worlds."""
    return build_tree(game, roots=[(*follow(game, history), chance) for history, chance in worlds.items()])


def mixed(policy: Policy, share: Fraction) -> Policy:
    """Return a policy with a share of uniform play."""

    def play(role: str, record: Record, legal: list[str]) -> dict[str, Fraction]:
        played = policy(role, record, legal)
        return {move: (1 - share) * played.get(move, Fraction(0)) + share / len(legal) for move in legal}

    return play


def made_up(number: int) -> Callable[[str, Record, list[str]], dict[str, Fraction]]:
    """Return a policy whose probabilities depend on role, record and this number, and have no other meaning."""

    def play(role: str, record: Record, legal: list[str]) -> dict[str, Fraction]:
        text = f"{number} {role} {[(move, sorted(seen)) for move, seen in record]}"
        weights = [1 + sum(map(ord, f"{text} {move}")) % 7 for move in legal]
        return {move: Fraction(weight, sum(weights)) for move, weight in zip(legal, weights, strict=True)}

    return play
