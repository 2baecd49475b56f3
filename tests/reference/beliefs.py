"""What a role can know about a game, found slowly: the oracle that the samplers are tested against.

Numbers of equations, figures and sections are those of Schofield & Thielscher, General Game Playing with Imperfect
Information, JAIR 66 (2019). The conventions:

1. A *joint move* is a tuple of moves in the order of `game.roles`, a *history* a tuple of joint moves from the start.
   A *record* is what one role was told: a tuple of (own move, frozenset of percepts), one pair per round.
2. A history *explains* a record if every move in it is legal, the role's own moves and percepts are those of the
   record, and no state but possibly the last is terminal. Everybody knows whether the game is over: with over=False the
   last state is not terminal either, with over=True it is.
3. Moves are tried in sorted order wherever an rng does not say otherwise, so the same rng state gives the same result.
"""

import random
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from scipy.stats import chi2

from tests.reference.naive import NaiveGame

Joint = tuple[str, ...]
History = tuple[Joint, ...]
Record = tuple[tuple[str, frozenset[str]], ...]
Policy = Callable[[str, Record, list[str]], Mapping[str, Fraction]]
State = frozenset[str]


# Histories and records


def history_of(game: NaiveGame, joints: Iterable[Mapping[str, str] | Joint]) -> History:
    """Return the history of these joint moves, each written as `{role: move}` or already as a tuple."""
    return tuple(
        tuple(joint[role] for role in game.roles) if isinstance(joint, Mapping) else tuple(joint) for joint in joints
    )


def record_of(game: NaiveGame, history: Iterable[Mapping[str, str] | Joint], role: str) -> Record:
    """Return what the role is told by a history."""
    record, state = [], game.initial()
    for joint in history_of(game, history):
        percepts, state = play_round(game, state, joint)
        record.append((joint[game.roles.index(role)], percepts[role]))
    return tuple(record)


def play_round(game: NaiveGame, state: State, joint: Joint) -> tuple[dict[str, frozenset[str]], State]:
    """Return each role's percepts, and the state after the joint move."""
    does = dict(zip(game.roles, joint, strict=True))
    percepts = {role: frozenset(seen) for role, seen in game.sees(state, does).items()}
    return percepts, game.next(state, does)


def choices(game: NaiveGame, state: State, role: str, own_move: str) -> list[list[str]]:
    """Return for each role what it may play: the role itself its own move, the others any legal move.

    A role with an empty list cannot move. So it is with everybody once the game is over, and with the role itself if
    its own move is not legal here.
    """
    if game.terminal(state):
        return [[] for _ in game.roles]
    legal = game.legal(state)
    return [sorted(legal[who] & {own_move} if who == role else legal[who]) for who in game.roles]


# The whole infoset


def infoset(
    game: NaiveGame, role: str, record: Record, over: bool = False, policy: Policy | None = None
) -> dict[History, Fraction]:
    """Return every history that explains the record, with the probability that it is the true one (5)-(8).

    The probability is proportional to the product over all rounds and all other roles of the probability that the role
    chose its move: uniform over its legal moves, or policy(role, the role's own record so far, its legal moves in
    sorted order), where moves left out have probability 0. `random` never asks the policy, the rules say it is uniform.
    A history of probability 0 explains the record all the same and is listed; ValueError if all of them have it.
    """
    weights: dict[History, Fraction] = {}

    def extend(state: State, history: History, weight: Fraction, records: dict[str, Record]) -> None:
        if len(history) == len(record):
            if game.terminal(state) == over:
                weights[history] = weight
            return
        own_move, own_percepts = record[len(history)]
        moves = choices(game, state, role, own_move)
        for joint in product(*moves):
            percepts, after = play_round(game, state, joint)
            if percepts[role] != own_percepts:
                continue
            chance = Fraction(1)
            for who, move, legal in zip(game.roles, joint, moves, strict=True):
                if who != role:
                    chance *= probability(who, records[who], legal, move, policy)
            longer = {who: (*records[who], (move, percepts[who])) for who, move in zip(game.roles, joint, strict=True)}
            extend(after, (*history, joint), weight * chance, longer)

    extend(game.initial(), (), Fraction(1), dict.fromkeys(game.roles, ()))
    total = sum(weights.values())
    if weights and not total:
        raise ValueError("the policy plays none of the histories that explain the record")
    return {history: weight / total for history, weight in weights.items()}


def probability(role: str, record: Record, legal: list[str], move: str, policy: Policy | None) -> Fraction:
    """Return how likely a role is to choose this one of its legal moves."""
    if policy is None or role == "random":
        return Fraction(1, len(legal))
    return Fraction(policy(role, record, legal).get(move, 0))


def first_unexplained_round(game: NaiveGame, role: str, record: Record, over: bool = False) -> int | None:
    """Return the first round, counted from 1, such that no history explains the record up to and with it.

    After every round but the last the game is known to go on. So a round that can only have ended the game is itself
    the unexplained one if the record has more rounds after it. None if the whole record is explained.
    """
    for rounds in range(1, len(record) + 1):
        if not infoset(game, role, record[:rounds], over and rounds == len(record)):
            return rounds
    return None


# HyperPlay: one model, moved forward and backtracked


@dataclass
class Step:
    """One round of a HyperGame (Figure 3): what was told, and the joint moves in the model's state of that round."""

    my_move: str
    my_percepts: frozenset[str]
    is_last: bool  # whether the game was over after the round
    legal: list[Joint] = field(default_factory=list)  # in the order in which they are tested
    bad: set[Joint] = field(default_factory=set)  # tested, and known to lead nowhere


class HyperGame:
    """One model of the game, kept in agreement with what a role was told (Figures 3 and 4).

    Where the figures leave something open:

    - `legal` of a step holds the joint moves with the role's own move in its place; only the others' are guessed. The
      model may stand at the newest round before the role has moved there, so that step is set up when it is added.
    - A move is congruent if the role's percepts are those of the round and the game is over afterwards just if it was.
    - Undoing a move is impossible at the start: then nothing explains the record and the model is `lost` for good.
    - With a budget, an update stops before it would test more joint moves than that. The model is then off line
      (`round` is behind), and the next update goes on where this one stopped (section 3.7).
    """

    def __init__(self, game: NaiveGame, role: str, rng: random.Random) -> None:
        self.game, self.role, self.rng = game, role, rng
        self.path: list[Step] = []
        self.history: list[Joint] = []
        self.states: list[State] = [game.initial()]  # the model's state at the start of each round, and now
        self.lost = False

    @property
    def round(self) -> int:
        """How many rounds the model has played."""
        return len(self.history)

    def update(
        self, my_move: str, my_percepts: frozenset[str], is_last: bool = False, budget: int | None = None
    ) -> int:
        """Add a round to the record and advance the model through it. Return the number of joint moves tested."""
        self.path.append(Step(my_move, my_percepts, is_last))
        if self.round == len(self.path) - 1:
            self.reset_legal_and_bad()
        visited = 0
        while self.round < len(self.path) and not self.lost:
            step = self.path[self.round]
            for joint in step.legal:
                if joint in step.bad:
                    continue
                if visited == budget:
                    return visited
                visited += 1
                if self.do_if_congruent(joint, step):
                    break
                step.bad.add(joint)
            else:
                self.backtrack()
        return visited

    def do_if_congruent(self, joint: Joint, step: Step) -> bool:
        """Play the joint move in the model if it agrees with the step; return whether it did."""
        percepts, after = play_round(self.game, self.states[-1], joint)
        if percepts[self.role] != step.my_percepts or self.game.terminal(after) != step.is_last:
            return False
        self.history.append(joint)
        self.states.append(after)
        if self.round < len(self.path):
            self.reset_legal_and_bad()
        return True

    def reset_legal_and_bad(self) -> None:
        """Set up the step of the round in which the model now stands."""
        step = self.path[self.round]
        step.legal = list(product(*choices(self.game, self.states[-1], self.role, step.my_move)))
        self.rng.shuffle(step.legal)
        step.bad = set()

    def backtrack(self) -> None:
        """Undo the last joint move, all children of which are bad."""
        if not self.history:
            self.lost = True
            return
        bad = self.history.pop()
        self.states.pop()
        self.path[self.round].bad.add(bad)


def hyperplay(
    game: NaiveGame, role: str, record: Record, rng: random.Random, budget: int | None = None, over: bool = False
) -> tuple[History | None, list[int]]:
    """Return the history of one HyperGame after the record, and how many states each of its updates visited.

    One state is counted for each joint move tested for congruence. The history is None if nothing explains the record,
    or if the model is off line at the end because of the budget, which is the most states an update may visit.
    """
    if not record and game.terminal(game.initial()) != over:
        return None, []
    model = HyperGame(game, role, rng)
    visited = []
    for number, (my_move, my_percepts) in enumerate(record, start=1):
        visited.append(model.update(my_move, my_percepts, over and number == len(record), budget))
    return (tuple(model.history) if model.round == len(record) else None), visited


# Random sampling


def random_sample(
    game: NaiveGame, role: str, record: Record, rng: random.Random, tries: int, over: bool = False
) -> tuple[History | None, int]:
    """Return a history that explains the record, None if all tries failed, and the number of states visited (5.1).

    Each try starts at the root, draws every other role's move uniformly, and ends at the first round that does not
    agree with the record. One state is counted for each joint move played, the one that fails included.
    """
    visited = 0
    for _ in range(tries):
        state, history = game.initial(), []
        for own_move, own_percepts in record:
            moves = choices(game, state, role, own_move)
            if not all(moves):
                break
            joint = tuple(rng.choice(legal) for legal in moves)
            percepts, state = play_round(game, state, joint)
            visited += 1
            if percepts[role] != own_percepts:
                break
            history.append(joint)
        # A state that is terminal too early has no choices, so only the last one is left to be looked at.
        if len(history) == len(record) and game.terminal(state) == over:
            return tuple(history), visited
    return None, visited


# How samples are distributed


def uniform(members: Collection[Hashable]) -> dict[Hashable, Fraction]:
    """Return equal probabilities, the expectation of equation (18)."""
    return dict.fromkeys(members, Fraction(1, len(members)))


def chi_squared(counts: Mapping[Any, int], expected: Mapping[Any, Fraction | float]) -> tuple[float, float]:
    """Return Pearson's statistic (19), and the probability of one at least as large if the expectation is true.

    counts says how often each history was sampled, expected how likely each one is (`uniform`, or an infoset). What is
    not in counts was never sampled. What was sampled but cannot be makes the probability 0.
    """
    sampled = sum(counts.values())
    possible = {member: float(sampled * share) for member, share in expected.items() if share}
    if any(count and member not in possible for member, count in counts.items()):
        return float("inf"), 0.0
    statistic = sum((counts.get(member, 0) - mean) ** 2 / mean for member, mean in possible.items())
    # With one possible member there is nothing that could deviate.
    return statistic, float(chi2.sf(statistic, len(possible) - 1)) if len(possible) > 1 else 1.0
