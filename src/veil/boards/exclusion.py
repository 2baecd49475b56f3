"""Groups of fluents that exclude each other, watched in many random games: a lane is a game.

`watch_exclusion` plays games in blocks of lanes and marks every group of which two fluents held in one state. The other
groups may still break in states that random play does not reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from veil.clock import has_passed
from veil.engine.lanes import Machine

ROUNDS = 256  # of a block, between two checks of the clock


class Exclusion(NamedTuple):
    """The observations. G groups."""

    broken: np.ndarray  # [G] bool: two fluents of the group held at once
    games: int  # number of finished games


def watch_exclusion(
    machine: Machine, groups: Sequence[np.ndarray], games: int, seed: int, deadline: float | None = None
) -> Exclusion:
    """Play `games` random games; stop earlier at the deadline (of `perf_counter`), or if no group is left.

    Each group holds the numbers of some fluents [members]. Games without an end are played as long as the others.
    """
    from veil.engine.lanes import watch_block  # numba

    starts = np.concatenate(([0], np.cumsum([len(group) for group in groups]))).astype(np.int64)
    members = np.concatenate([np.zeros(0, np.int64), *groups]).astype(np.int64)
    broken = np.zeros(len(groups), np.bool_)
    states, words = machine.initial_states(), np.random.SeedSequence(seed).generate_state(2, np.uint64)
    ended, block, lanes = 0, 0, 64 * machine.width
    longest = max(1, games // lanes) * ROUNDS  # rounds, if games do not end
    while ended < games and block * ROUNDS < longest and not broken.all() and not (block and has_passed(deadline)):
        ended += int(watch_block(machine.code, machine.width, states, words, block, ROUNDS, starts, members, broken))
        block += 1
    return Exclusion(broken, ended)
