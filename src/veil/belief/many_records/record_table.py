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
        self.words, self.roles = int(np.diff(machine.percept_columns).max()), len(machine.program.roles)
        self.arrays = _empty_table(FIRST_ROOM, self.words)
        self.forget()

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

    def forget(self) -> None:
        """Forget all records but the starts, which are numbered by their roles."""
        from veil.belief.many_records.table_kernels import add_starts  # imports numba

        self.arrays.entry[:], self.arrays.used[NUM_RECORDS] = UNKNOWN, 0
        add_starts(self.arrays, np.array([START_KEY], np.uint64), self.roles)

    def add_starts(self, keys: np.ndarray) -> np.ndarray:
        """Return the numbers [P, R] of new starts of all roles with these keys [P], none of which is known."""
        from veil.belief.many_records.table_kernels import add_starts  # imports numba

        numbers: np.ndarray = add_starts(self.make_room(len(keys) * self.roles), keys, self.roles)
        return numbers

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
