"""Many random games side by side, with the statistics of a review.

A lane is a game. In every round all games that go on are judged, their legal moves are counted, and each plays a
uniformly random joint move. When a game ends, its goals are stored; a game in which a role is stuck, or that is too
long, is given up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from veil.engine import Game, draw_rows_uniformly
from veil.engine.lanes import unpack
from veil.intervals import find_half_width_of_ratio
from veil.match import Mean


class RandomRound(NamedTuple):
    """One round of B games that go on, or the last state of B games that are over. R roles."""

    games: np.ndarray  # [B] their numbers
    states: np.ndarray  # [B, words]
    legal: list[np.ndarray]  # [R][B, moves] bool
    joint: np.ndarray | None  # [B, R] move numbers; None if the games are over
    next_states: np.ndarray | None  # [B, words]
    percepts: tuple[np.ndarray, ...]  # [R][B, words]; empty if the games are over
    goals: np.ndarray  # [B, R] of games that are over


def play_random_games(game: Game, count: int, seed: int, max_rounds: int) -> Iterator[RandomRound]:
    """Yield the rounds of `count` random games, all at the same round.

    Games that are over come in records of their own.
    """
    machine, rng = game.machine, np.random.default_rng(seed)
    states, games = machine.initial_states(count), np.arange(count)
    for _ in range(max_rounds):
        judged = machine.judge(states)
        legal = machine.legal_bits(judged)
        over = judged.terminal
        if over.any():
            ended = [part[over] for part in legal]
            yield RandomRound(games[over], states[over], ended, None, None, (), judged.goals[over])
        goes_on = ~over & np.all([part.any(axis=1) for part in legal], axis=0)
        if not goes_on.any():
            return
        games, states, legal = games[goes_on], states[goes_on], [part[goes_on] for part in legal]
        joint = np.stack([draw_rows_uniformly(part, rng) for part in legal], axis=1)
        stepped = machine.step(states, joint)
        no_goals = np.zeros((0, joint.shape[1]))
        yield RandomRound(games, states, legal, joint, stepped.states, stepped.percepts, no_goals)
        states = stepped.states


@dataclass(slots=True)
class RandomTally:
    """Statistics of G random games. R roles."""

    games: int  # number of started games
    ended: int = 0
    lengths: list[int] = field(default_factory=list)  # rounds of the games that ended
    goals: list[np.ndarray] = field(default_factory=list)  # [R] of each of them
    was_legal: list[np.ndarray] = field(default_factory=list)  # [R][moves] bool: in some state
    was_seen: list[np.ndarray] = field(default_factory=list)  # [R][percepts] bool: in some game
    decisions: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # [R, G] with several legal moves
    choices: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # [R, G] legal moves in those

    decides_later: np.ndarray = field(default_factory=lambda: np.zeros(0, np.bool_))  # [R] after the first round

    def branching(self, role_id: int) -> Mean:
        """Return the mean number of legal moves per decision of a role; of None if it has nothing to decide."""
        decisions, choices = self.decisions[role_id], self.choices[role_id]
        total = int(decisions.sum())
        mean = float(choices.sum()) / total if total else None
        return Mean(mean, find_half_width_of_ratio(choices, decisions), self.games)


def tally_random_games(game: Game, count: int, seed: int, max_rounds: int) -> RandomTally:
    """Play `count` random games and return their statistics."""
    program = game.program
    roles = len(program.roles)
    tally = RandomTally(
        count,
        was_legal=[np.zeros(len(own), np.bool_) for own in program.moves],
        was_seen=[np.zeros(len(own), np.bool_) for own in program.percepts],
        decisions=np.zeros((roles, count), np.int64),
        choices=np.zeros((roles, count), np.int64),
        decides_later=np.zeros(roles, np.bool_),
    )
    rounds = 0
    for part in play_random_games(game, count, seed, max_rounds):
        if part.joint is None:
            tally.ended += len(part.states)
            tally.lengths += [rounds] * len(part.states)
            tally.goals += list(part.goals)
            continue
        rounds += 1
        for role_id in range(roles):
            sizes = part.legal[role_id].sum(axis=1)
            tally.was_legal[role_id] |= part.legal[role_id].any(axis=0)
            tally.was_seen[role_id] |= unpack(part.percepts[role_id], len(program.percepts[role_id])).any(axis=0)
            tally.decides_later[role_id] |= rounds > 1 and (sizes > 1).any()
            tally.decisions[role_id, part.games] += sizes > 1
            tally.choices[role_id, part.games] += np.where(sizes > 1, sizes, 0)
    return tally
