"""Kernels that make the arrays of a batch of walks (`records`)."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, kernel, split_mix
from veil.search.walks.lanes.records import LaneEnds, LaneLog, LaneScratch, LaneShape, WalkLanes

ONE = np.uint64(1)


@kernel
def new_lanes(shape: LaneShape, count: Int, seed: np.uint64) -> WalkLanes:
    """Return lanes that are about to begin their first walks; each has random numbers of its own."""
    roles, width = len(shape.order), shape.width
    chain, rng = np.full(1, seed), np.empty(count, np.uint64)
    alive = np.zeros(width, np.uint64)
    for lane in range(count):
        rng[lane] = split_mix(chain, np.int64(0))
        alive[lane // 64] |= ONE << np.uint64(lane % 64)
    number = np.zeros(count, np.int64)
    return WalkLanes(
        alive, np.zeros(width, np.uint64), np.zeros(width, np.uint64), np.zeros((count, roles), np.uint64),
        np.zeros((count, roles), np.int64), rng, number.copy(), np.zeros(count, np.bool_), number.copy(),
        np.ones(count), np.ones(count), np.ones(count), np.ones(count), np.ones(count), np.ones(count), number.copy(),
        np.arange(count), number.copy(), number.copy(),
    )  # fmt: skip


@kernel
def new_scratch(shape: LaneShape, count: Int) -> LaneScratch:
    """Return scratch arrays for `count` lanes; a role may have no moves or percepts at all."""
    most = shape.most_moves
    return LaneScratch(
        np.zeros(64, np.uint64), np.zeros((count, shape.move_words.max()), np.uint64),
        np.zeros((count, shape.percept_words.max()), np.uint64), np.zeros(shape.width, np.uint64),
        np.zeros(shape.width, np.uint64), np.zeros(count, np.int64), np.zeros(count, np.uint64),
        np.zeros(count, np.int64), np.zeros(most, np.int64), np.zeros(most), np.zeros(most), np.zeros(most, np.bool_),
    )  # fmt: skip


@kernel
def new_log(size: Int) -> LaneLog:
    """Return a log with room for `size` entries."""
    return LaneLog(
        np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int32), np.empty(size, np.int32),
        np.empty(size, np.int32), np.empty(size), np.empty(size), np.empty(size),
    )  # fmt: skip


@kernel
def grow_log(log: LaneLog, used: Int) -> LaneLog:
    """Return a log with the same entries and room for twice as many."""
    longer = new_log(np.int64(2 * len(log.slot)))
    longer.before[:used], longer.slot[:used], longer.num_moves[:used] = (
        log.before[:used],
        log.slot[:used],
        log.num_moves[:used],
    )
    longer.chosen[:used], longer.role[:used] = log.chosen[:used], log.role[:used]
    longer.other[:used], longer.policy[:used] = log.other[:used], log.policy[:used]
    longer.chance[:used] = log.chance[:used]
    return longer


@kernel
def new_ends(walks: Int, roles: Int) -> LaneEnds:
    """Return room for the ends of `walks` walks."""
    return LaneEnds(
        np.empty(walks, np.int64), np.empty(walks, np.int64), np.empty(walks), np.empty(walks), np.empty((walks, roles))
    )
