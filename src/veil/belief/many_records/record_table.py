"""`Records`: what the roles of a game were told in simulations, by number and by key, in arrays that grow."""

from __future__ import annotations

import numpy as np

from veil.belief.many_records.records import NUM_RECORDS, UNKNOWN, RecordTable
from veil.engine import Machine
from veil.engine.lanes import START_KEY

FIRST_ROOM = 1 << 10  # records


class Records:
    """A `RecordTable` that contains the starts of all roles and grows with the records."""

    def __init__(self, machine: Machine) -> None:
        from veil.belief.many_records.table_kernels import add_record, find_entry_of  # imports numba

        self.words = int(np.diff(machine.percept_columns).max())
        self.arrays = _empty_table(FIRST_ROOM, self.words)
        for role in range(len(machine.program.roles)):
            entry = find_entry_of(self.arrays, role, START_KEY)
            add_record(self.arrays, entry, role, START_KEY, UNKNOWN, 0)

    def __len__(self) -> int:
        return int(self.arrays.used[NUM_RECORDS])

    def make_room(self, records: int) -> RecordTable:
        """Return the arrays, with room for `records` more records; arrays of earlier calls are no longer valid."""
        from veil.belief.many_records.table_kernels import fill_entries  # imports numba

        old, wanted = self.arrays, len(self) + records
        if wanted > len(old.key):
            self.arrays = _empty_table(max(wanted, 2 * len(old.key)), self.words)
            for name in old._fields[1:]:
                source = getattr(old, name)
                getattr(self.arrays, name)[: len(source)] = source
            fill_entries(self.arrays)
        return self.arrays

    def find(self, role: int, keys: np.ndarray) -> np.ndarray:
        """Return the numbers [N] of a role's records with these keys [N]. Raises `KeyError` if one is unknown."""
        from veil.belief.many_records.table_kernels import find_records  # imports numba

        numbers: np.ndarray = find_records(self.arrays, role, np.require(keys, np.uint64, ("C", "W")))
        if (numbers < 0).any():
            raise KeyError(int(keys[int(numbers.argmin())]))
        return numbers

    def observe(
        self, role: int, before: np.ndarray, own_moves: np.ndarray, percepts: np.ndarray, after: np.ndarray
    ) -> None:
        """Observe that records have grown: keys before [P], own moves [P], percepts [P, words], keys after [P]."""
        from veil.belief.many_records.table_kernels import observe_rounds  # imports numba

        table, earlier = self.make_room(len(after)), self.find(role, before)
        own_moves, percepts = np.require(own_moves, np.int64, "W"), np.require(percepts, np.uint64, ("C", "W"))
        observe_rounds(
            table, role, earlier, np.ascontiguousarray(own_moves), percepts, np.require(after, np.uint64, ("C", "W"))
        )


def _empty_table(room: int, words: int) -> RecordTable:
    """Return an empty table with room for `room` records."""
    numbers = {name: np.zeros(room, np.int64) for name in RecordTable._fields}
    numbers |= {
        "entry": np.full(1 << (2 * room - 1).bit_length(), UNKNOWN, np.int64),
        "key": np.zeros(room, np.uint64),
        "percepts": np.zeros((room, words), np.uint64),
        "used": np.zeros(2, np.int64),
    }
    return RecordTable(**numbers)
