"""`InfosetTable`: infosets and their slots in arrays that grow, within a budget of memory.

Entries and slots double when they run out of room. A table may hold `max_bytes`, while it grows too (then the old and
the new array exist side by side). Where it may not grow, it is full: no infoset is added from then on, walks that come
to an unknown one play out from there, and what is known goes on learning.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from veil.limits import allowed_bytes, check_limit
from veil.search.fleet_records import HASH_BITS, KEY, LAST, NUM_INFOSETS, NUM_SLOTS, TAG, FleetTable

MAX_BYTES = 2 << 30
FIRST_ENTRIES, FIRST_SLOTS = 1 << 10, 1 << 12


class InfosetTable:
    """A `FleetTable` that grows."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        check_limit("bytes", max_bytes, "max_bytes")
        self.max_bytes = allowed_bytes(max_bytes)
        self.arrays = FleetTable(
            np.zeros((FIRST_ENTRIES, 2), np.uint64),
            np.zeros((FIRST_SLOTS, 4)),
            np.zeros(FIRST_SLOTS, np.int32),
            np.zeros(3, np.int64),
        )

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.arrays)

    def __len__(self) -> int:
        return int(self.arrays.counts[NUM_INFOSETS])

    def make_room(self, infosets: int, slots: int) -> None:
        """Grow, so that so many more have room; where memory does not allow it, as far as it does."""
        from veil.search.fleet_table_kernels import MAX_LOAD

        table = self.arrays
        if len(self) + infosets > MAX_LOAD * len(table.entries):
            self._grow_entries(2 * len(table.entries))
        if table.counts[NUM_SLOTS] + slots > len(table.slots):
            self._grow_slots(max(2 * len(table.slots), int(table.counts[NUM_SLOTS]) + slots))

    def slots_of(self, first: int) -> slice:
        """The slots of an infoset, given its first one."""
        end = first
        while self.arrays.moves[end] >= 0:
            end += 1
        return slice(first, end + 1)

    def find(self, role_id: int, key: int) -> int:
        """The first slot of a role's infoset; -1 where it is not in the table."""
        from veil.search.fleet_table_kernels import find_record

        return int(find_record(self.arrays.entries, np.uint64(key), role_id))

    def infosets(self) -> Iterator[tuple[int, int, int]]:
        """(role id, key, first slot) of everything, in the order in which it was added."""
        from veil.search.fleet_table_kernels import SHIFT, TAG_MASK

        used = self.arrays.entries[self.arrays.entries[:, TAG] != 0]
        first, roles = used[:, TAG] >> SHIFT, ((used[:, TAG] & TAG_MASK) >> np.uint64(HASH_BITS)) - np.uint64(1)
        for place in np.argsort(first).tolist():
            yield int(roles[place]), int(used[place, KEY]), int(first[place])

    def moves_of(self, slots: slice) -> np.ndarray:
        """[K] the moves of slots."""
        return (self.arrays.moves[slots] & ~LAST).astype(np.int64)

    def _grow_entries(self, wanted: int) -> None:
        from veil.search.fleet_table_kernels import move_entries

        old = self.arrays.entries
        if self.nbytes + wanted * old.itemsize * 2 > self.max_bytes:
            return
        entries = np.zeros((wanted, 2), np.uint64)
        move_entries(old, entries)
        self.arrays = self.arrays._replace(entries=entries)

    def _grow_slots(self, wanted: int) -> None:
        table, width = self.arrays, self.arrays.slots.itemsize * 4 + self.arrays.moves.itemsize
        wanted = min(wanted, (self.max_bytes - self.nbytes) // width)
        if wanted <= len(table.slots):
            return
        slots, moves, used = np.zeros((wanted, 4)), np.zeros(wanted, np.int32), int(table.counts[NUM_SLOTS])
        slots[:used], moves[:used] = table.slots[:used], table.moves[:used]
        self.arrays = table._replace(slots=slots, moves=moves)
