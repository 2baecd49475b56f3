"""How much is hidden: what a role does not know, in bits, and what its percepts tell it.

Random games are followed with the exact belief of every role (uniform opponents). After each round there are:

- uncertainty: the entropy of the state given the role's record, in bits; 0 if the role knows the state;
- information of a round's percepts: -log2 P(percepts | record before, own move), their surprise. The weights of an
  exact belief add up to the probability of its record, so this is a difference of two such sums.

A belief that grows beyond `max_worlds` is followed no further, and the review says so.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from veil.belief import ExactBelief, NoConsistentHistory, TooManyWorlds
from veil.engine import Game
from veil.intervals import find_half_width_of_ratio
from veil.match import Mean
from veil.vocabulary import RANDOM

LOG_2 = float(np.log(2.0))
NOTHING = 1e-9  # bits; less is rounding


@dataclass(slots=True)
class PerceptTally:
    """What a percept told, over all rounds in which it was seen."""

    rounds: int = 0
    information: float = 0.0  # bits, of the percepts of those rounds together
    left: float = 0.0  # bits of uncertainty after them
    doubtful: int = 0  # number of these rounds before which the role was uncertain

    def add(self, information: float, before: float, after: float) -> None:
        """Add a round: the information of its percepts, and the bits of uncertainty before and after it."""
        self.rounds += 1
        self.information += max(0.0, information)
        self.left += after
        self.doubtful += before > NOTHING


@dataclass(slots=True)
class HiddenTally:
    """What one role did not know. T rounds."""

    bits: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))  # by round, from 1
    percepts: dict[str, PerceptTally] = field(default_factory=lambda: defaultdict(PerceptTally))
    games: list[tuple[float, int]] = field(default_factory=list)  # sum of the bits, and rounds, of every game
    lost: int = 0  # games in which the belief grew beyond its limit

    def mean_bits(self) -> Mean:
        """Return the mean uncertainty in bits over all followed rounds; of None if there were none."""
        bits, rounds = ([game[place] for game in self.games] for place in (0, 1))
        mean = sum(bits) / sum(rounds) if sum(rounds) else None
        return Mean(mean, find_half_width_of_ratio(bits, rounds), len(self.games))

    def by_round(self) -> list[float]:
        """Return [T] mean bits after every round."""
        return [float(np.mean(self.bits[number])) for number in sorted(self.bits)]


def measure_hidden(
    game: Game, games: int, seed: int, *, max_rounds: int, max_worlds: int, deadline: float
) -> dict[str, HiddenTally]:
    """Follow `games` random games, or fewer until the deadline (of `perf_counter`); return the tallies by role."""
    tallies = {role: HiddenTally() for role in game.roles if role != RANDOM}
    rng = np.random.default_rng(seed)
    for number in range(games):
        if number and perf_counter() > deadline:
            break
        _follow(game, tallies, rng, max_rounds, max_worlds)
    return tallies


def _follow(
    game: Game, tallies: dict[str, HiddenTally], rng: np.random.Generator, max_rounds: int, max_worlds: int
) -> None:
    """Follow one random game (the tallies are changed in place)."""
    machine = game.machine
    beliefs = {role: ExactBelief(machine, game.names.role_id(role), max_worlds=max_worlds) for role in tallies}
    bits = dict.fromkeys(tallies, 0.0)  # of uncertainty, now
    states = machine.initial_states()
    for tally in tallies.values():
        tally.games.append((0.0, 0))
    for round_number in range(1, max_rounds + 1):
        judged = machine.judge(states)
        legal = [np.flatnonzero(bits[0]) for bits in machine.legal_bits(judged)]
        if judged.terminal[0] or not beliefs or not all(map(len, legal)):
            return
        joint = np.array([moves[rng.integers(len(moves))] for moves in legal])
        stepped = machine.step(states, joint[None, :])
        states = stepped.states
        is_over = bool(machine.judge(states).terminal[0])
        for role, belief in list(beliefs.items()):
            seen = stepped.percepts[belief.role][0]
            before = _log_evidence(belief)
            try:
                belief.observe(int(joint[belief.role]), seen, is_over)
                belief.drop_ended()
            except (TooManyWorlds, NoConsistentHistory):
                tallies[role].lost += 1
                del beliefs[role]
                continue
            information, was, bits[role] = (before - _log_evidence(belief)) / LOG_2, bits[role], _entropy(belief)
            tallies[role].bits[round_number].append(bits[role])
            total, rounds = tallies[role].games[-1]
            tallies[role].games[-1] = total + bits[role], rounds + 1
            for word in game.names.percept_words(belief.role, seen):
                tallies[role].percepts[word].add(information, was, bits[role])


def _log_evidence(belief: ExactBelief) -> float:
    """Return the log probability of the record, given the role's own moves."""
    return float(np.logaddexp.reduce(belief.log_weight))


def _entropy(belief: ExactBelief) -> float:
    """Return the bits of uncertainty about the state; histories that lead to the same state count as one."""
    weights = np.exp(belief.log_weight - _log_evidence(belief))
    _, state = np.unique(belief.states, axis=0, return_inverse=True)
    shares = np.bincount(state.ravel(), weights=weights)
    shares = shares[shares > 0.0]
    return max(0.0, float(-(shares * np.log2(shares)).sum()))
