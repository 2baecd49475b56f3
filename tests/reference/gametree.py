"""Whole games as explicit trees of plain objects, the ground that the slow solvers in `solvers.py` stand on.

A tree is in *sequential form*: one role moves at each node. A round of GDL-II, in which all roles move at once, becomes
one node after the other:

1. `random` first (a chance node, all moves equally likely), then the other roles in the order of the rules.
2. Who has only one legal move gets no node. This holds for `random`, too.
3. A later mover does not see what earlier ones of the same round chose: the infoset of a decision is
   (role, record), with record = ((own move, frozenset of percepts), ...) of all *finished* rounds. Forced moves are
   part of the record although they have no node.

Moves stand in sorted order, so that "the first of the best moves" means the same to everybody. Chance probabilities
are `Fraction`s: a profile of `Fraction`s gives exact values, and one of floats gives floats.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any, ClassVar

from tests.reference.naive import NaiveGame

Infoset = tuple[str, Any]  # (role, what the role was told: anything that can be hashed)
Number = Any  # a `Fraction` where everything that goes in is exact, else a float; no type is common to both


@dataclass(eq=False)
class Chance:
    """A node where `random` moves."""

    children: dict[str, "Node"]
    probability: dict[str, Number]


@dataclass(eq=False)
class Decision:
    """A node where another role moves. All nodes with an equal infoset look the same to that role."""

    infoset: Infoset
    children: dict[str, "Node"]

    @property
    def role(self) -> str:
        return self.infoset[0]


@dataclass(eq=False)
class Terminal:
    """An end of the game, with what each role but `random` gets."""

    utility: dict[str, Number]
    children: ClassVar[dict[str, "Node"]] = {}


Node = Chance | Decision | Terminal


@dataclass(eq=False)
class Tree:
    """A game: the roles without `random`, in the order of the rules, and the first node."""

    roles: list[str]
    root: Node


# From rules to a tree


Root = tuple[frozenset[str], dict[str, tuple], Number]  # a state, the records of all roles in it, its probability


def build_tree(game: NaiveGame, limit: int = 100_000, roots: list[Root] | None = None) -> Tree:
    """Return the tree of the game in sequential form; with roots, the game that begins with a draw of one of them.

    Raises ValueError where there is no such tree: a role without a legal move in a state that is not terminal, a role
    whose legal moves differ between states it cannot tell apart, a terminal state in which a role has not exactly one
    goal value. Raises ValueError above so many terminals, too.
    """
    roles = [role for role in game.roles if role != "random"]
    order = ["random", *roles] if "random" in game.roles else roles
    moves_of: dict[tuple, list[str]] = {}  # (role, record) -> legal moves
    terminals = 0

    def start_round(state: frozenset[str], records: dict[str, tuple]) -> Node:
        nonlocal terminals
        if game.terminal(state):
            terminals += 1
            if terminals > limit:
                raise ValueError(f"more than {limit} terminals")
            goals = game.goals(state)
            return Terminal({role: the_goal(role, goals[role]) for role in roles})
        legal = {role: sorted(moves) for role, moves in game.legal(state).items()}
        for role in order:
            if not legal[role]:
                raise ValueError(f"{role} has no legal move in {sorted(state)}")
            if role != "random" and moves_of.setdefault((role, records[role]), legal[role]) != legal[role]:
                raise ValueError(f"{role} cannot know which moves are legal after {records[role]}")
        return choose(state, records, legal, {})

    def choose(state: frozenset[str], records: dict[str, tuple], legal: dict, joint: dict[str, str]) -> Node:
        """Return the node where the first role that is not in joint chooses."""
        if len(joint) == len(order):
            return end_round(state, records, joint)
        role = order[len(joint)]
        children = {move: choose(state, records, legal, {**joint, role: move}) for move in legal[role]}
        if len(children) == 1:
            return children[legal[role][0]]
        if role == "random":
            return Chance(children, {move: Fraction(1, len(children)) for move in children})
        return Decision((role, records[role]), children)

    def end_round(state: frozenset[str], records: dict[str, tuple], joint: dict[str, str]) -> Node:
        percepts = game.sees(state, joint)
        longer = {role: (*records[role], (joint[role], frozenset(percepts[role]))) for role in roles}
        return start_round(game.next(state, joint), longer)

    if roots is None:
        return Tree(roles, start_round(game.initial(), dict.fromkeys(roles, ())))
    worlds = {str(number): start_round(state, records) for number, (state, records, _) in enumerate(roots)}
    return Tree(roles, Chance(worlds, {str(number): chance for number, (*_, chance) in enumerate(roots)}))


def the_goal(role: str, values: set[str]) -> int:
    if len(values) != 1:
        raise ValueError(f"{role} has the goal values {sorted(values)} in a terminal state")
    return int(next(iter(values)))


# Trees written down by hand


def literal_tree(roles: list[str], literal: tuple) -> Tree:
    """Return the tree that a nested literal describes.

    A terminal is a tuple of numbers, one per role: `(1, -1)`.
    A decision is `(role, name, {move: literal})`; its infoset is (role, name).
    A chance node is `("random", {move: literal})`, or with other than equal probabilities
    `("random", {move: literal}, {move: probability})`.
    """

    def build(part: tuple) -> Node:
        if part[0] == "random":
            children = {move: build(child) for move, child in part[1].items()}
            equal = {move: Fraction(1, len(children)) for move in children}
            return Chance(children, part[2] if len(part) > 2 else equal)
        if part[0] in roles:
            role, name, children = part
            return Decision((role, name), {move: build(child) for move, child in children.items()})
        return Terminal(dict(zip(roles, part, strict=True)))

    tree = Tree(list(roles), build(literal))
    check_tree(tree)
    return tree


def matrix_game(rows: dict[str, dict[str, tuple]]) -> Tree:
    """Return the tree of a game with one round: `{move of "row": {move of "column": (utility, utility)}}`."""
    columns = {move: ("column", "column", replies) for move, replies in rows.items()}
    return literal_tree(["row", "column"], ("row", "row", columns))


def kuhn_poker() -> Tree:
    """Return Kuhn poker with cards 1 < 2 < 3, ante 1, bet 1. One chance node deals both cards.

    Infosets are (role, (own card, the moves so far)). The first role's value is -1/18 (Kuhn 1950).
    """

    def betting(cards: tuple[int, int], moves: str) -> tuple:
        sign = 1 if cards[0] > cards[1] else -1
        ends = {"pp": sign, "bb": 2 * sign, "pbb": 2 * sign, "bp": 1, "pbp": -1}
        if moves in ends:
            return ends[moves], -ends[moves]
        role = len(moves) % 2
        children = {move: betting(cards, moves + move) for move in "bp"}
        return ("first", "second")[role], (cards[role], moves), children

    deals = {f"{first}{second}": betting((first, second), "") for first, second in permutations((1, 2, 3), 2)}
    return literal_tree(["first", "second"], ("random", deals))


def non_locality(leaf: int = 1) -> Tree:
    """Return the game of Figure 1 in Lisy, Lanctot & Bowling (2015), with the leftmost leaf's value.

    "min" has one infoset, I. Its equilibrium there plays left with 1/3 if the leaf is 1, with 1/6 if it is 2, although
    the leaf is out of reach from I. The other leaves follow from the numbers in section 2.2.
    """
    after_left = ("min", "I", {"left": (3, -3), "right": (0, 0)})
    after_right = ("min", "I", {"left": (0, 0), "right": (3, -3)})
    ends = ("max", "M", {"left": (leaf, -leaf), "right": (0, 0)})
    goes_on = ("max", "M", {"left": after_left, "right": after_right})
    return literal_tree(["max", "min"], ("random", {"ends": ends, "goes on": goes_on}))


# Random trees


def random_tree(
    rng: random.Random,
    roles: int = 2,
    depth: int = 4,
    zero_sum: bool = False,
    most_moves: int = 3,
    leaf_chance: float = 0.1,
) -> Tree:
    """Return a random tree with perfect recall. The same rng state gives the same tree.

    Roles are called r0, r1, ...; each node belongs to one of them or to chance, all equally likely. After each move,
    the mover remembers it, and everybody independently notices nothing, "x" or "y". A role's infoset is the sequence
    of all it remembers and noticed, and the number of its moves (2 to most_moves) is drawn once per infoset. So
    perfect recall holds by construction, while nodes of one infoset may lie at different depths. Chance probabilities
    are unequal, utilities are integers from -9 to 9; with zero_sum, the last role gets minus the sum of the others.
    """
    names = [f"r{number}" for number in range(roles)]
    moves_of: dict[Infoset, list[str]] = {}

    def grow(left: int, records: dict[str, tuple]) -> Node:
        if left == 0 or (left < depth and rng.random() < leaf_chance):
            return Terminal(random_utility(rng, names, zero_sum))
        mover = rng.choice([*names, "random"])
        fresh = [f"m{number}" for number in range(rng.randint(2, most_moves))]
        if mover == "random":
            weight = {move: rng.randint(1, 4) for move in fresh}
            children = {move: grow(left - 1, told(records, mover, move)) for move in fresh}
            return Chance(children, {move: Fraction(weight[move], sum(weight.values())) for move in fresh})
        infoset = (mover, records[mover])
        moves = moves_of.setdefault(infoset, fresh)
        return Decision(infoset, {move: grow(left - 1, told(records, mover, move)) for move in moves})

    def told(records: dict[str, tuple], mover: str, move: str) -> dict[str, tuple]:
        own = {role: (move,) if role == mover else () for role in names}
        noticed = {role: rng.choice([(), ("x",), ("y",)]) for role in names}
        return {role: records[role] + own[role] + noticed[role] for role in names}

    return Tree(names, grow(depth, dict.fromkeys(names, ())))


def random_utility(rng: random.Random, roles: list[str], zero_sum: bool) -> dict[str, int]:
    utility = {role: rng.randint(-9, 9) for role in roles}
    if zero_sum:
        utility[roles[-1]] = -sum(utility[role] for role in roles[:-1])
    return utility


# Looking at a tree


def nodes(tree: Tree) -> Iterator[Node]:
    """Yield every node, parents before their children, children in the order of their moves."""

    def walk(node: Node) -> Iterator[Node]:
        yield node
        for child in node.children.values():
            yield from walk(child)

    return walk(tree.root)


def infosets(tree: Tree) -> dict[Infoset, list[Decision]]:
    """Return the nodes of each infoset, in the order of `nodes`."""
    result: dict[Infoset, list[Decision]] = {}
    for node in nodes(tree):
        if isinstance(node, Decision):
            result.setdefault(node.infoset, []).append(node)
    return result


def legal_moves(tree: Tree) -> dict[Infoset, list[str]]:
    """Return the moves of each infoset."""
    return {infoset: list(members[0].children) for infoset, members in infosets(tree).items()}


def count_nodes(tree: Tree) -> int:
    """Return the number of all nodes: chance, decision and terminal."""
    return sum(1 for _ in nodes(tree))


def count_terminals(tree: Tree) -> int:
    return sum(isinstance(node, Terminal) for node in nodes(tree))


def count_chance_nodes(tree: Tree) -> int:
    return sum(isinstance(node, Chance) for node in nodes(tree))


def count_infosets(tree: Tree) -> dict[str, int]:
    """Return the number of infosets of each role."""
    return {role: sum(owner == role for owner, _ in infosets(tree)) for role in tree.roles}


def count_slots(tree: Tree) -> dict[str, int]:
    """Return for each role the number of its (infoset, move) pairs."""
    legal = legal_moves(tree)
    return {role: sum(len(legal[infoset]) for infoset in legal if infoset[0] == role) for role in tree.roles}


def depth(tree: Tree) -> int:
    """Return the number of edges on the longest path."""

    def below(node: Node) -> int:
        return max((1 + below(child) for child in node.children.values()), default=0)

    return below(tree.root)


def has_perfect_recall(tree: Tree) -> bool:
    """Return whether all nodes of an infoset have the same own past: the role's earlier infosets and moves there."""
    past_of: dict[Infoset, tuple] = {}

    def walk(node: Node, past: dict[str, tuple]) -> bool:
        if isinstance(node, Decision):
            if past_of.setdefault(node.infoset, past[node.role]) != past[node.role]:
                return False
            longer = {move: (*past[node.role], (node.infoset, move)) for move in node.children}
            return all(walk(child, {**past, node.role: longer[move]}) for move, child in node.children.items())
        return all(walk(child, past) for child in node.children.values())

    return walk(tree.root, dict.fromkeys(tree.roles, ()))


def check_tree(tree: Tree) -> None:
    """Raise ValueError unless probabilities add up to 1, infosets agree on their moves, and recall is perfect."""
    legal = legal_moves(tree)
    for node in nodes(tree):
        if isinstance(node, Decision) and list(node.children) != legal[node.infoset]:
            raise ValueError(f"different moves in infoset {node.infoset}")
        if isinstance(node, Chance) and abs(sum(node.probability.values()) - 1) > 1e-12:
            raise ValueError(f"chance probabilities {node.probability}")
    if not has_perfect_recall(tree):
        raise ValueError("no perfect recall")
