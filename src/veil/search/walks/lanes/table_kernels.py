"""Kernels of the table of infosets: find, insert, move to a larger table, read what is stored.

The place of a record's entry follows from its key; if a place is taken, the next one is tried. Key and tag decide
whether an entry is the wanted one (`records.LaneTable`).
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, borrowing, inlined, kernel, row_key
from veil.search.walks.lanes.records import (
    HASH_BITS,
    KEY,
    LAST,
    NUM_INFOSETS,
    NUM_SLOTS,
    REFUSED,
    ROLE_BITS,
    TAG,
    LaneTable,
)
from veil.search.walks.numbers import POLICY_SUM

MAX_LOAD = 0.6  # share of the entries that are in use at most
SHIFT = np.uint64(HASH_BITS + ROLE_BITS)
TAG_MASK = np.uint64((1 << (HASH_BITS + ROLE_BITS)) - 1)


@inlined
def make_check(legal: np.ndarray, lane: Int, words: Int, role: Int) -> np.uint64:
    """Return the lower part of a tag: the role and a hash of its legal moves, a packed row."""
    hashed = row_key(legal, lane, np.int64(0), words) >> np.uint64(64 - HASH_BITS)
    return (np.uint64(role + 1) << np.uint64(HASH_BITS)) | hashed


@inlined
def find_entry(entries: np.ndarray, key: np.uint64, check: np.uint64) -> np.int64:
    """Return the place of an infoset, or of the empty entry where it belongs."""
    mask = np.uint64(len(entries) - 1)
    place = key & mask
    while entries[place, TAG] != 0 and (entries[place, KEY] != key or entries[place, TAG] & TAG_MASK != check):
        place = (place + np.uint64(1)) & mask
    return np.int64(place)


@inlined
def first_slot(entries: np.ndarray, place: Int) -> np.int64:
    """Return the first slot of the infoset at a place; -1 if there is none."""
    tag = entries[place, TAG]
    return np.int64(tag >> SHIFT) if tag else np.int64(-1)


@borrowing
def insert_infoset(
    table: LaneTable, place: Int, key: np.uint64, check: np.uint64, moves: np.ndarray, count: Int
) -> np.int64:
    """Put an infoset with these moves into its empty entry (table changed); return its first slot, -1 without room."""
    first = table.counts[NUM_SLOTS]
    if table.counts[NUM_INFOSETS] + 1 > MAX_LOAD * len(table.entries) or first + count > len(table.slots):
        table.counts[REFUSED] += 1
        return np.int64(-1)
    table.entries[place, KEY] = key
    table.entries[place, TAG] = (np.uint64(first) << SHIFT) | check
    for k in range(count):
        table.moves[first + k] = moves[k]
        for column in range(table.slots.shape[1]):
            table.slots[first + k, column] = 0.0
    table.moves[first + count - 1] |= LAST
    table.counts[NUM_INFOSETS] += 1
    table.counts[NUM_SLOTS] += count
    return np.int64(first)


@borrowing
def add_infoset(
    table: LaneTable, key: np.uint64, check: np.uint64, moves: np.ndarray, count: Int
) -> tuple[np.int64, bool]:
    """Return (first slot of an infoset, -1 without room; whether it is new). An earlier lane may have added it."""
    place = find_entry(table.entries, key, check)
    slot = first_slot(table.entries, place)
    if slot >= 0:
        return slot, False
    return insert_infoset(table, place, key, check, moves, count), True


@borrowing
def move_entries(old: np.ndarray, new: np.ndarray) -> None:
    """Move all entries of a table into a larger, empty one (new changed in place)."""
    mask = np.uint64(len(new) - 1)
    for row in range(len(old)):
        if old[row, TAG]:
            place = old[row, KEY] & mask
            while new[place, TAG]:
                place = (place + np.uint64(1)) & mask
            new[place, KEY], new[place, TAG] = old[row, KEY], old[row, TAG]


def find_record(entries: np.ndarray, key: int, role: int) -> list[int]:
    """Return the first slots of a role's infosets with this key and any legal moves. No kernel: few are asked for."""
    place, found = key & (len(entries) - 1), list[int]()
    while tag := int(entries[place, TAG]):
        if int(entries[place, KEY]) == key and (tag & int(TAG_MASK)) >> HASH_BITS == role + 1:
            found.append(tag >> int(SHIFT))
        place = (place + 1) & (len(entries) - 1)
    return found


@kernel
def mean_of_moves(
    table: LaneTable, keys: np.ndarray, legal: np.ndarray, words: Int, role: Int, moves: np.ndarray,
    classes: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return the mean strategy's probability [N] of moves [N] at records with keys [N], and [N] of their classes.

    legal [N, words] packed, classes [moves of the role]. If the table knows nothing, the strategy is uniform.
    """
    own, kept = np.zeros(len(keys)), np.zeros(len(keys))
    for row in range(len(keys)):
        place = find_entry(table.entries, keys[row], make_check(legal, row, words, role))
        slot = first_slot(table.entries, place)
        total, wanted = 0.0, classes[moves[row]]
        is_last = slot < 0
        while not is_last:
            is_last = table.moves[slot] < 0
            move, weight = table.moves[slot] & ~LAST, table.slots[slot, POLICY_SUM]
            total += weight
            own[row] += weight if move == moves[row] else 0.0
            kept[row] += weight if classes[move] == wanted else 0.0
            slot += 1
        if total == 0.0:
            own[row], kept[row], total = 1.0, 0.0, 0.0
            for move in range(len(classes)):
                if (legal[row, move // 64] >> np.uint64(move % 64)) & np.uint64(1):
                    total += 1.0
                    kept[row] += 1.0 if classes[move] == wanted else 0.0
        own[row] /= total
        kept[row] /= total
    return own, kept
