"""What kinds of moves and kinds of percepts are worth to the role that has them.

A kind is the name of a move or a percept without its arguments: `bet`, `move`, `thief_at`. Its worth is the value of
the game to the role with it minus the value without it; all roles play the equilibrium of the game that is left.

- A move is taken away wherever the role has another legal move; the tree is cut and solved again.
- A percept is taken away by its rules: `sees` rules of other roles stay. The changed game is read, ground and solved.

In a game that is not solved, moves are judged by random play: the mean goal after a move of the kind minus the mean
after another move, at the first decision of a game at which both were possible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import sqrt
from time import perf_counter

import numpy as np

from veil.engine import Game, draw_rows_uniformly
from veil.errors import VeilError
from veil.intervals import find_half_width
from veil.lang import Literal, Rule, RuleSet, read_term
from veil.review.solved_game import SolvedGame, solve_game
from veil.signals import check_signals
from veil.vocabulary import RANDOM, Term, Var, arguments, signature

MAX_KINDS = 12  # of one role
VARIANT_PRECISION = 1e-4  # of the range of payoffs
SMALL_MARGIN = 0.02  # goals: a smaller error of a solver is not shown
BASIS = "the game solved with and without it"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionWorth:
    """The worth of one kind of move or percept to a role, in goals."""

    role: str
    kind: str
    value: float | None  # None: the role needs it to know its legal moves, or it is not known
    half: float | None = None
    basis: str = ""
    needed: bool = False


def list_kinds(words: list[str]) -> dict[str, list[str]]:
    """Return the words of every kind, in the order of the words."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for word in words:
        kinds[_kind_of(word)].append(word)
    return dict(kinds)


def find_move_worths(solved: SolvedGame, deadline: float) -> Iterator[OptionWorth]:
    """Yield the worth of every kind of move of every role that has several, until the deadline."""
    best = solved.values(frozenset(solved.roles))
    for role, role_id in zip(solved.roles, solved.tree.role_ids, strict=True):
        kinds = list_kinds(solved.tree.game.names.moves[role_id])
        for kind in list(kinds)[:MAX_KINDS] if len(kinds) > 1 else ():
            check_signals()
            banned = solved.slots_of_kind(role, frozenset(kinds[kind]))
            if not banned.any() or perf_counter() > deadline:
                continue
            found = solved.without(banned, max(0.2, deadline - perf_counter()))
            worth, error = (None, None) if found is None else (best[role] - found[0][role], found[1])
            yield _make_worth(solved, role, kind, worth, error)


def _make_worth(solved: SolvedGame, role: str, kind: str, worth: float | None, error: float | None) -> OptionWorth:
    """Return a worth from utilities: what a solver has left counts as nothing.

    `error` is that of the game without the option.
    """
    scale = solved.tree.game.utility.scale
    margin = None if solved.margin is None or error is None else (solved.margin + error) * scale
    if worth is None:
        return OptionWorth(role=role, kind=kind, value=None, basis=BASIS)
    value = 0.0 if abs(worth * scale) <= (margin or 0.0) else worth * scale
    half = margin if margin is not None and margin > SMALL_MARGIN else None
    return OptionWorth(role=role, kind=kind, value=value, half=half, basis=BASIS)


def find_percept_worths(
    solved: SolvedGame, max_nodes: int, deadline: float, say: Callable[[str], None] = lambda _: None
) -> Iterator[OptionWorth]:
    """Yield the worth of every kind of percept to every role, until the deadline."""
    game = solved.tree.game
    best = solved.values(frozenset(solved.roles))
    for role, role_id in zip(solved.roles, solved.tree.role_ids, strict=True):
        for kind in list(list_kinds(game.names.percepts[role_id]))[:MAX_KINDS]:
            check_signals()
            left = deadline - perf_counter()
            blind = hide_percepts(game, role, kind)
            if blind is None or left <= 0.0:
                continue
            say(f"{role} without {kind}")
            yield _judge_blind(blind, solved, role, kind, best[role], max_nodes, left)


def _judge_blind(
    blind: Game, solved: SolvedGame, role: str, kind: str, best: float, max_nodes: int, seconds: float
) -> OptionWorth:
    """Return the worth of a kind of percept, given the game without it."""
    method = solved.solution.method
    try:
        other = solve_game(blind, method, max_nodes=max_nodes, seconds=seconds, precision=VARIANT_PRECISION)
    except VeilError as error:
        needed = any(entry.code == "infoset-moves" for entry in error.problems)
        return OptionWorth(role=role, kind=kind, value=None, basis=BASIS, needed=needed)
    value = other.values(frozenset(other.roles)).get(role)
    return _make_worth(solved, role, kind, None if value is None else best - value, other.margin)


def hide_percepts(game: Game, role: str, kind: str) -> Game | None:
    """Return the game in which a role is not told percepts of a kind; None if no rule makes them for certain."""
    rules: list[Rule] = []
    found = False
    for rule in game.rules.rules:
        if rule.signature != ("sees", 2) or not _is_kind(arguments(rule.head)[1], kind):
            rules.append(rule)
            continue
        who, _ = arguments(rule.head)
        if isinstance(who, Var):
            apart = Literal(("distinct", who, game.role_term(role)), True, rule.node.offset)
            rules.append(rule._replace(body=(*rule.body, apart)))
            found = True
        elif who == game.role_term(role):
            found = True
        else:
            rules.append(rule)
    if not found:
        return None
    return Game(game.name, replace(game.rules, rule_set=RuleSet(rules)), game.limits, game.utility)


def measure_move_kinds(game: Game, games: int, seed: int, max_rounds: int) -> list[OptionWorth]:
    """Return what kinds of moves are worth under random play."""
    tallies: dict[tuple[int, str], list[list[float]]] = defaultdict(lambda: [[], []])
    kinds = [[_kind_of(word) for word in words] for words in game.names.moves]
    rng, machine = np.random.default_rng(seed), game.machine
    states, rows = machine.initial_states(games), np.arange(games)
    goals = np.full((games, len(game.roles)), np.nan)
    chosen: list[tuple[int, int, str, bool]] = []  # game, role, kind, whether it was chosen
    for _ in range(max_rounds):
        judged = machine.judge(states)
        goals[rows[judged.terminal]] = judged.goals[judged.terminal]
        legal = machine.legal_bits(judged)
        going = np.flatnonzero(~judged.terminal & np.all([part.any(axis=1) for part in legal], axis=0))
        if not len(going):
            break
        rows, legal = rows[going], [part[going] for part in legal]
        joint = np.stack([draw_rows_uniformly(part, rng) for part in legal], axis=1)
        chosen += _note_choices(game, kinds, legal, joint, rows)
        states = machine.step(states[going], joint).states
    seen: set[tuple[int, int, str]] = set()
    for number, role, kind, was in chosen:
        if (number, role, kind) not in seen and not np.isnan(goals[number, role]):
            seen.add((number, role, kind))
            tallies[role, kind][was].append(float(goals[number, role]))
    found = []
    for (role, kind), (without, with_it) in tallies.items():
        if min(len(without), len(with_it)) < 2:
            continue
        error = sqrt(np.var(with_it, ddof=1) / len(with_it) + np.var(without, ddof=1) / len(without))
        half = find_half_width(error, min(len(with_it), len(without)))
        worth = float(np.mean(with_it) - np.mean(without))
        basis = f"random play, chosen in {len(with_it):,} of {len(with_it) + len(without):,} games"
        found.append(OptionWorth(role=game.roles[role], kind=kind, value=worth, half=half, basis=basis))
    return found


def _note_choices(
    game: Game, kinds: list[list[str]], legal: list[np.ndarray], joint: np.ndarray, rows: np.ndarray
) -> Iterator[tuple[int, int, str, bool]]:
    """Yield (game, role, kind, whether it was chosen) for decisions between several kinds."""
    for role, name in enumerate(game.roles):
        if name == RANDOM or len(set(kinds[role])) < 2:
            continue
        words = np.array(kinds[role])
        for place in np.flatnonzero(legal[role].sum(axis=1) > 1).tolist():
            possible = set(words[legal[role][place]].tolist())
            for kind in possible if len(possible) > 1 else ():
                yield int(rows[place]), role, kind, kinds[role][joint[place, role]] == kind


def _kind_of(word: str) -> str:
    return signature(read_term(word))[0]


def _is_kind(term: Term, kind: str) -> bool:
    return not isinstance(term, Var) and signature(term)[0] == signature(read_term(kind))[0]
