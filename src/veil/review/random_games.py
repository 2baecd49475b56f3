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


class RandomRound(NamedTuple):
    """One round of B games that go on, or the last state of B games that are over. R roles."""

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
    states = machine.initial_states(count)
    for _ in range(max_rounds):
        judged = machine.judge(states)
        legal = machine.legal_bits(judged)
        over = judged.terminal
        if over.any():
            yield RandomRound(states[over], [part[over] for part in legal], None, None, (), judged.goals[over])
        goes_on = ~over & np.all([part.any(axis=1) for part in legal], axis=0)
        if not goes_on.any():
            return
        states, legal = states[goes_on], [part[goes_on] for part in legal]
        joint = np.stack([draw_rows_uniformly(part, rng) for part in legal], axis=1)
        stepped = machine.step(states, joint)
        yield RandomRound(states, legal, joint, stepped.states, stepped.percepts, np.zeros((0, joint.shape[1])))
        states = stepped.states


@dataclass(slots=True)
class RandomTally:
    """Statistics of random games. R roles."""

    games: int  # number of started games
    ended: int = 0
    lengths: list[int] = field(default_factory=list)  # rounds of the games that ended
    goals: list[np.ndarray] = field(default_factory=list)  # [R] of each of them
    was_legal: list[np.ndarray] = field(default_factory=list)  # [R][moves] bool: in some state
    was_seen: list[np.ndarray] = field(default_factory=list)  # [R][percepts] bool: in some game
    decisions: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))  # [R] with two legal moves or more
    choices: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))  # [R] legal moves in those

    def branching(self, role_id: int) -> float | None:
        """Return the mean number of legal moves per decision of a role; None if it has nothing to decide."""
        decisions = int(self.decisions[role_id])
        return float(self.choices[role_id]) / decisions if decisions else None


def tally_random_games(game: Game, count: int, seed: int, max_rounds: int) -> RandomTally:
    """Play `count` random games and return their statistics."""
    program = game.program
    roles = len(program.roles)
    tally = RandomTally(
        count,
        was_legal=[np.zeros(len(own), np.bool_) for own in program.moves],
        was_seen=[np.zeros(len(own), np.bool_) for own in program.percepts],
        decisions=np.zeros(roles, np.int64),
        choices=np.zeros(roles, np.int64),
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
            tally.decisions[role_id] += (sizes > 1).sum()
            tally.choices[role_id] += sizes[sizes > 1].sum()
    return tally
