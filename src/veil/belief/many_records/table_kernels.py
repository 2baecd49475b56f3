"""Kernels of the table of records: find and add records, and observe how they grow."""

from __future__ import annotations

import numpy as np

from veil.belief.many_records.records import NUM_RECORDS, UNKNOWN, RecordTable
from veil.engine.lanes import Int, RowLayout, extend_key, kernel, row_key


@kernel
def find_entry_of(table: RecordTable, role: Int, key: np.uint64) -> np.int64:
    """Return where the number of a record stands in the hash table, or where it belongs."""
    mask = len(table.entry) - 1
    entry = np.int64(key & np.uint64(mask))
    while table.entry[entry] != UNKNOWN:
        number = table.entry[entry]
        if table.key[number] == key and table.role[number] == role:
            break
        entry = (entry + 1) & mask
    return entry


@kernel
def find_records(table: RecordTable, role: Int, keys: np.ndarray) -> np.ndarray:
    """Return the numbers [N] of a role's records with these keys [N]; UNKNOWN if there is none."""
    numbers = np.empty(len(keys), np.int64)
    for i in range(len(keys)):
        numbers[i] = table.entry[find_entry_of(table, role, keys[i])]
    return numbers


@kernel
def add_record(table: RecordTable, entry: Int, role: Int, key: np.uint64, before: Int, own_move: Int) -> np.int64:
    """Put a record without percepts into its free entry (table changed in place); `before` < 0 is the start."""
    number = np.int64(table.used[NUM_RECORDS])
    table.used[NUM_RECORDS] = number + 1
    table.entry[entry] = number
    table.key[number], table.role[number] = key, role
    table.before[number] = number if before < 0 else before
    table.round[number] = 0 if before < 0 else table.round[before] + 1
    table.own_move[number] = own_move
    for word in range(table.percepts.shape[1]):
        table.percepts[number, word] = np.uint64(0)
    table.num_worlds[number] = table.num_values[number] = UNKNOWN
    table.asked[number] = 0
    return number


@kernel
def add_starts(table: RecordTable, keys: np.ndarray, roles: Int) -> np.ndarray:
    """Add a start of every role with each of these keys [P], which are new; return their numbers [P, R].

    The belief after such a record is that of the start (table changed in place; it must have room).
    """
    numbers = np.empty((len(keys), roles), np.int64)
    for row in range(len(keys)):
        for role in range(roles):
            number = add_record(table, find_entry_of(table, role, keys[row]), role, keys[row], UNKNOWN, 0)
            table.first_world[number], table.num_worlds[number] = 0, 1
            numbers[row, role] = number
    return numbers


@kernel
def observe_rounds(
    table: RecordTable, role: Int, before: np.ndarray, own_moves: np.ndarray, percepts: np.ndarray, after: np.ndarray
) -> None:
    """Observe that records [P] of a role grew by own moves [P] and percepts [P, words]; their keys are `after` [P].

    Records that are known already stay as they are (table changed in place; it must have room).
    """
    for row in range(len(after)):
        entry = find_entry_of(table, role, after[row])
        if table.entry[entry] == UNKNOWN:
            number = add_record(table, entry, role, after[row], before[row], own_moves[row])
            for word in range(percepts.shape[1]):
                table.percepts[number, word] = percepts[row, word]


@kernel
def grow_record(
    table: RecordTable, layout: RowLayout, record: Int, own_move: Int, seen: np.ndarray, row: Int
) -> np.int64:
    """Return the number of a record after one more round; it is added if it is new (table changed; it must have room).

    seen [B, words] are the percepts of all roles, packed.
    """
    role = table.role[record]
    begin, end = layout.percepts[role], layout.percepts[role + 1]
    key = extend_key(table.key[record], own_move, row_key(seen, row, begin, end))
    entry = find_entry_of(table, role, key)
    if table.entry[entry] != UNKNOWN:
        return np.int64(table.entry[entry])
    number = add_record(table, entry, role, key, record, own_move)
    for column in range(begin, end):
        table.percepts[number, column - begin] = seen[row, column]
    return number


@kernel
def fill_entries(table: RecordTable) -> None:
    """Put all records into an empty hash table (changed in place)."""
    for number in range(table.used[NUM_RECORDS]):
        table.entry[find_entry_of(table, table.role[number], table.key[number])] = number


@kernel
def list_missing(table: RecordTable, numbers: np.ndarray) -> np.ndarray:
    """Return the records [M] whose beliefs must be computed for those of `numbers` [S], earlier rounds first.

    These are `numbers` and all records before them, back to one whose belief is known (`asked` and `used` changed in
    place).
    """
    table.used[1] += 1
    question = table.used[1]
    missing, longest = np.empty(max(1, len(numbers)), np.int64), 0
    count = 0
    for i in range(len(numbers)):
        number = numbers[i]
        while table.num_worlds[number] == UNKNOWN and table.asked[number] != question:
            table.asked[number] = question
            if count == len(missing):
                larger = np.empty(2 * count, np.int64)
                larger[:count] = missing
                missing = larger
            missing[count] = number
            count += 1
            longest = max(longest, table.round[number])
            number = table.before[number]
    first = np.zeros(longest + 2, np.int64)  # of each round, for counting sort
    for i in range(count):
        first[table.round[missing[i]] + 1] += 1
    for i in range(longest + 1):
        first[i + 1] += first[i]
    ordered = np.empty(count, np.int64)
    for i in range(count):
        depth = table.round[missing[i]]
        ordered[first[depth]] = missing[i]
        first[depth] += 1
    return ordered
