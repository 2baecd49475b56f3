"""`InfosetTable`: infosets and their slots in arrays that grow, within a budget of memory.

Entries and slots double when they run out of room: slots grow in place (`growing_rows`), entries are moved to a new
array. A table may hold `max_bytes`, also while it grows (then the old and the new entries exist side by side). Under a
clock entries are moved only if there is time for it; otherwise at the next move of the match. A table that may not
grow is full: no infoset is added until it may grow, walks that come to an unknown one play out from there, and known
infosets go on learning.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from veil.limits import allowed_bytes, check_limit
from veil.search.walks.lanes.growing_rows import GrowingRows
from veil.search.walks.lanes.records import HASH_BITS, KEY, LAST, NUM_INFOSETS, NUM_SLOTS, TAG, LaneTable
from veil.search.walks.lanes.table_kernels import MAX_LOAD, SHIFT, TAG_MASK, find_record, move_entries

MAX_BYTES = 2 << 30
FIRST_ENTRIES, FIRST_SLOTS = 1 << 10, 1 << 12
SECONDS_PER_ENTRY = 1e-7  # to move one, at most; most of it is for new memory


class InfosetTable:
    """A `LaneTable` that grows."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        check_limit("bytes", max_bytes, "max_bytes")
        self.max_bytes = allowed_bytes(max_bytes)
        self.deadline: float | None = None  # a time of `perf_counter`: growth that would take longer is not begun
        self._entries = GrowingRows(FIRST_ENTRIES, (2,), np.uint64)
        self._slots = GrowingRows(FIRST_SLOTS, (4,), np.float64)
        self._moves = GrowingRows(FIRST_SLOTS, (), np.int32)
        self._counts = np.zeros(3, np.int64)

    @property
    def arrays(self) -> LaneTable:
        """The arrays for kernels. They are no longer valid when the table has grown."""
        return LaneTable(self._entries.array, self._slots.array, self._moves.array, self._counts)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.arrays)

    def __len__(self) -> int:
        return int(self._counts[NUM_INFOSETS])

    def make_room(self, infosets: int, slots: int) -> None:
        """Grow, so that `infosets` more infosets and `slots` more slots fit, as far as memory allows."""
        used, entries = int(self._counts[NUM_SLOTS]), len(self._entries.array)
        while len(self) + infosets > MAX_LOAD * entries:
            entries *= 2
        if entries > len(self._entries.array):
            self._grow_entries(entries)
        if used + slots > len(self._moves.array):
            self._grow_slots(max(2 * len(self._moves.array), used + slots))

    def warm_up(self) -> None:
        """Call the kernel of growing, so that it is ready when a clock runs."""
        self._grow_entries(len(self._entries.array))

    def slots_of(self, first: int) -> slice:
        """Return the slots of an infoset, given its first one."""
        end = first
        while self.arrays.moves[end] >= 0:
            end += 1
        return slice(first, end + 1)

    def find(self, role_id: int, key: int) -> list[int]:
        """Return the first slots of a role's infosets with this key, one for each set of legal moves."""
        return find_record(self.arrays.entries, key, role_id)

    def infosets(self) -> Iterator[tuple[int, int, int]]:
        """Return (role id, key, first slot) of all infosets, in the order in which they were added."""
        roles, keys, start = self.list_all()
        return zip(roles.tolist(), keys.tolist(), start[:-1].tolist(), strict=True)

    def list_all(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return roles [N], keys [N], start [N + 1] of all infosets in the order of their addition, without gaps."""
        used = self._entries.array[self._entries.array[:, TAG] != 0]
        first = (used[:, TAG] >> SHIFT).astype(np.int64)
        roles = ((used[:, TAG] & TAG_MASK) >> np.uint64(HASH_BITS)).astype(np.int64) - 1
        order = np.argsort(first)
        return roles[order], used[order, KEY], np.append(first[order], self._counts[NUM_SLOTS])

    def moves_of(self, slots: slice | np.ndarray) -> np.ndarray:
        """Return the moves [K] of slots."""
        return (self.arrays.moves[slots] & ~LAST).astype(np.int64)

    def _grow_entries(self, wanted: int) -> None:
        seconds = SECONDS_PER_ENTRY * len(self._entries.array)
        if self.nbytes + wanted * self._entries.row_bytes > self.max_bytes:
            return
        if self.deadline is not None and perf_counter() + seconds > self.deadline:
            return
        entries = GrowingRows(wanted, (2,), np.uint64)
        move_entries(self._entries.array, entries.array)
        self._entries = entries

    def _grow_slots(self, wanted: int) -> None:
        width = self._slots.row_bytes + self._moves.row_bytes
        wanted = min(wanted, len(self._moves.array) + (self.max_bytes - self.nbytes) // width)
        if wanted > len(self._moves.array):
            self._slots.grow(wanted)
            self._moves.grow(wanted)
