"""Kernels that all choices in fleets share: random numbers of a lane, packed rows of legal moves, regret matching."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, borrowing, count_bits, inlined, lowest_bit, split_mix
from veil.search.walks.lanes.records import REGRET, FleetTable
from veil.search.walks.lanes.table_kernels import find_entry, first_slot, insert_infoset

TO_UNIT = 2.0**-53
ONE = np.uint64(1)


@inlined
def draw_unit(rng: np.ndarray, lane: Int) -> float:
    """A number in [0, 1) (rng [L] changed in place)."""
    return np.float64(split_mix(rng, lane) >> np.uint64(11)) * TO_UNIT


@inlined
def draw_index(rng: np.ndarray, lane: Int, count: Int) -> np.int64:
    """A number below count (rng [L] changed in place)."""
    return np.int64(draw_unit(rng, lane) * count)


@inlined
def draw_weighted(weights: np.ndarray, count: Int, total: float, rng: np.ndarray, lane: Int) -> np.int64:
    """An index in proportion to its weight, one with a positive weight; `total` is their sum (rng changed)."""
    left, last = draw_unit(rng, lane) * total, np.int64(0)
    for k in range(count):
        if weights[k] > 0.0:
            last = np.int64(k)
            left -= weights[k]
            if left < 0.0:
                break
    return last


@inlined
def list_ones(legal: np.ndarray, lane: Int, words: Int, moves: np.ndarray) -> np.int64:
    """The moves of a packed row, ascending (moves [K] changed in place): how many."""
    count = np.int64(0)
    for w in range(words):
        word = legal[lane, w]
        while word:
            moves[count] = 64 * w + lowest_bit(word)
            word &= word - np.uint64(1)
            count += 1
    return count


@inlined
def count_ones(legal: np.ndarray, lane: Int, words: Int) -> np.int64:
    """How many moves a packed row has."""
    count = np.int64(0)
    for w in range(words):
        count += count_bits(legal[lane, w])
    return count


@inlined
def find_move(legal: np.ndarray, lane: Int, index: Int) -> np.int64:
    """The move of a packed row that has so many before it."""
    w, left = np.int64(0), np.int64(index)
    word = legal[lane, 0]
    here = count_bits(word)
    while left >= here:
        left -= here
        w += 1
        word = legal[lane, w]
        here = count_bits(word)
    for _ in range(left):
        word &= word - ONE
    return 64 * w + lowest_bit(word)


@inlined
def list_lanes(which: np.ndarray, lanes: np.ndarray) -> np.int64:
    """The lanes of a set [W], ascending (lanes [L] changed in place): how many."""
    count = np.int64(0)
    for w in range(len(which)):
        word = which[w]
        while word:
            lanes[count] = 64 * w + lowest_bit(word)
            word &= word - ONE
            count += 1
    return count


@inlined
def leave_tree(tree: np.ndarray, lane: Int) -> None:
    """The walk of a lane goes on as a playout (tree [W] changed in place)."""
    tree[lane // 64] &= ~(ONE << np.uint64(lane % 64))


@inlined
def match_regrets(slots: np.ndarray, first: Int, count: Int, gamma: float, policy: np.ndarray) -> None:
    """sigma_gamma = gamma / |A(I)| + (1 - gamma) * regret matching (policy [K] changed in place)."""
    total = 0.0
    for k in range(count):
        total += max(slots[first + k, REGRET], 0.0)
    scale = (1.0 - gamma) / total if total > 0.0 else 0.0
    even = (gamma if total > 0.0 else 1.0) / count
    for k in range(count):
        policy[k] = even + scale * max(slots[first + k, REGRET], 0.0)


@borrowing
def add_infoset(
    table: FleetTable, key: np.uint64, check: np.uint64, moves: np.ndarray, count: Int
) -> tuple[np.int64, bool]:
    """(first slot of an infoset that an earlier lane may have added, whether it is new); -1 where there is no room."""
    place = find_entry(table.entries, key, check)
    slot = first_slot(table.entries, place)
    if slot >= 0:
        return slot, False
    return insert_infoset(table, place, key, check, moves, count), True
