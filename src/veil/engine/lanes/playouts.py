"""Random games from many states: what they add up to, and how they are shared out among lanes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

MAX_LENGTH = 4096  # lengths of playouts are counted one by one up to here
MAX_QUOTA = 512  # games of one lane
SPREAD = 1024  # lanes that get a game each before a lane gets more than one


class PlayoutTally(NamedTuple):
    """What playouts add up to, for kernels to count in. B states, R roles, L lengths."""

    goal_sum: np.ndarray  # [B, R]
    goal_square_sum: np.ndarray  # [B, R]
    playouts: np.ndarray  # [B] that came to an end
    length_sum: np.ndarray  # [B] rounds
    length_count: np.ndarray  # [L] playouts per length; the last entry counts the longer ones too
    totals: np.ndarray  # [3] steps, stuck, cut


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random games from B states. R roles."""

    goal_sum: np.ndarray  # [B, R]
    goal_square_sum: np.ndarray  # [B, R]
    playouts: np.ndarray  # [B]
    length_sum: np.ndarray  # [B] rounds
    length_count: np.ndarray  # [MAX_LENGTH + 1] playouts by length
    steps: int
    stuck: int  # playouts in which a role had no legal move
    cut: int  # playouts that were ended after max_rounds


def empty_tally(num_states: int, num_roles: int) -> PlayoutTally:
    """A tally of no playouts."""
    shape = (num_states, num_roles)
    return PlayoutTally(
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros(num_states, np.int64),
        np.zeros(num_states, np.int64),
        np.zeros(MAX_LENGTH + 1, np.int64),
        np.zeros(3, np.int64),
    )


def share_out(num_states: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """`count` playouts from every state as lanes: (the state of each lane, how many playouts it has to play).

    Depends on the numbers alone, so that results do not depend on threads.
    """
    quota = min(MAX_QUOTA, max(1, num_states * count // SPREAD))
    per_state = -(-count // quota)
    share = np.full(per_state, count // per_state)
    share[: count % per_state] += 1
    return np.repeat(np.arange(num_states), per_state), np.tile(share, num_states)


def sum_tallies(tallies: list[PlayoutTally], rounds_before: int) -> Playouts:
    """All tallies together; `rounds_before` (0 or 1) were played before the playouts and count as part of them."""
    total = [sum(parts[1:], start=parts[0].copy()) for parts in zip(*tallies, strict=True)]
    goal_sum, goal_square_sum, playouts, length_sum, length_count, totals = total
    if rounds_before:
        length_sum = length_sum + playouts
        length_count = np.concatenate(([0], length_count[:-2], [length_count[-2:].sum()]))
    return Playouts(
        goal_sum=goal_sum,
        goal_square_sum=goal_square_sum,
        playouts=playouts,
        length_sum=length_sum,
        length_count=length_count,
        steps=int(totals[0]),
        stuck=int(totals[1]),
        cut=int(totals[2]),
    )
