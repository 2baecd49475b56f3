"""Random games from many states: their results, and their distribution over lanes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

MAX_LENGTH = 4096  # lengths of playouts are counted one by one up to here
MAX_QUOTA = 512  # games of one lane
SPREAD = 1024  # lanes that get one game each before any lane gets more
SPLIT = 25  # bits of a goal value's low part. Goal values have at most 50, so sums of either part have room for 2^38


class PlayoutTally(NamedTuple):
    """Sums over playouts, for kernels to count in. B states, R roles, G goal values of all roles, L lengths.

    A goal value is `high * 2^SPLIT + low`, and the parts are summed apart: goals of fifteen digits do not overflow.
    """

    goal_high_sum: np.ndarray  # [B, R]
    goal_low_sum: np.ndarray  # [B, R]
    goal_count: np.ndarray  # [G] playouts that ended with the value
    playouts: np.ndarray  # [B] that came to an end
    length_sum: np.ndarray  # [B] rounds
    length_count: np.ndarray  # [L] playouts per length; the last entry counts the longer ones too
    totals: np.ndarray  # [3] steps, stuck, cut


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random games from B states. R roles, G goal values of all roles."""

    goal_sum: np.ndarray  # [B, R] float, the nearest to the exact sum as long as a state has less than 2^28 playouts
    goal_count: np.ndarray  # [G] playouts from all states that ended with the value
    playouts: np.ndarray  # [B]
    length_sum: np.ndarray  # [B] rounds
    length_count: np.ndarray  # [MAX_LENGTH + 1] playouts by length
    steps: int
    stuck: int  # playouts in which a role had no legal move
    cut: int  # playouts that were ended after max_rounds


def empty_tally(num_states: int, num_roles: int, num_goals: int) -> PlayoutTally:
    """Return a tally of no playouts."""
    shape = (num_states, num_roles)
    return PlayoutTally(
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(num_goals, np.int64),
        np.zeros(num_states, np.int64),
        np.zeros(num_states, np.int64),
        np.zeros(MAX_LENGTH + 1, np.int64),
        np.zeros(3, np.int64),
    )


def share_out(num_states: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Distribute `count` playouts from every state over lanes: (the state of each lane, its number of playouts).

    The result depends on these numbers alone, so that playouts do not depend on the number of threads.
    """
    quota = min(MAX_QUOTA, max(1, num_states * count // SPREAD))
    per_state = -(-count // quota)
    share = np.full(per_state, count // per_state)
    share[: count % per_state] += 1
    return np.repeat(np.arange(num_states), per_state), np.tile(share, num_states)


def sum_tallies(tallies: list[PlayoutTally], rounds_before: int) -> Playouts:
    """Sum all tallies; `rounds_before` (0 or 1) rounds were played before the playouts and count as part of them."""
    total = [sum(parts[1:], start=parts[0].copy()) for parts in zip(*tallies, strict=True)]
    goal_high, goal_low, goal_count, playouts, length_sum, length_count, totals = total
    if rounds_before:
        length_sum = length_sum + playouts
        length_count = np.concatenate(([0], length_count[:-2], [length_count[-2:].sum()]))
    return Playouts(
        goal_sum=np.ldexp(goal_high.astype(float), SPLIT) + goal_low,
        goal_count=goal_count,
        playouts=playouts,
        length_sum=length_sum,
        length_count=length_count,
        steps=int(totals[0]),
        stuck=int(totals[1]),
        cut=int(totals[2]),
    )
