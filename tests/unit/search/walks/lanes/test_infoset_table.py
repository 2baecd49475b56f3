"""The table of infosets: what goes in can be found, also when it has grown, and memory has an end."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from veil.errors import VeilError
from veil.search.walks.lanes.infoset_table import FIRST_ENTRIES, InfosetTable
from veil.search.walks.lanes.records import NUM_INFOSETS, REFUSED
from veil.search.walks.lanes.table_kernels import find_entry, insert_infoset, make_check
from veil.search.walks.numbers import VISITS

LEGAL = np.array([[0b1011], [0b1101]], np.uint64)  # two different sets of moves


def put(table: InfosetTable, key: int, role: int, moves: list[int], legal_row: int = 0) -> int:
    """Insert an infoset, after making room for it: its first slot."""
    table.make_room(1, len(moves))
    check = make_check(LEGAL, legal_row, 1, role)
    place = find_entry(table.arrays.entries, np.uint64(key), check)
    return int(insert_infoset(table.arrays, place, np.uint64(key), check, np.array(moves), len(moves)))


def test_everything_is_found_after_the_table_has_grown() -> None:
    table, rng = InfosetTable(), np.random.default_rng(1)
    keys = rng.integers(0, 2**63, 5000)
    first = [put(table, key, number % 3, [number, number + 1][: 1 + number % 2]) for number, key in enumerate(keys)]
    assert len(table.arrays.entries) > FIRST_ENTRIES
    assert len(table) == 5000
    for number, key in enumerate(keys.tolist()):
        assert table.find(number % 3, key) == [first[number]]
        assert table.find((number + 1) % 3, key) == []
        moves = table.moves_of(table.slots_of(first[number])).tolist()
        assert moves == [number, number + 1][: 1 + number % 2]
    assert [entry[1] for entry in table.infosets()] == keys.tolist()


def test_records_of_one_key_are_told_apart_by_their_legal_moves_and_roles() -> None:
    table = InfosetTable()
    slots = {put(table, 7, 0, [0, 1, 3]), put(table, 7, 0, [0, 2, 3], legal_row=1), put(table, 7, 1, [0, 1, 3])}
    assert slots == {0, 3, 6}
    assert (sorted(table.find(0, 7)), table.find(1, 7)) == ([0, 3], [6])


def test_keys_that_end_alike_get_places_side_by_side() -> None:
    table = InfosetTable()
    keys = [5 + FIRST_ENTRIES * number for number in range(40)]
    first = [put(table, key, 0, [0, 1]) for key in keys]
    assert [table.find(0, key)[0] for key in keys] == first


def test_a_full_table_refuses_and_keeps_what_it_has() -> None:
    table = InfosetTable(max_bytes=400_000)
    first = [put(table, key * 0x9E3779B97F4A7C15 % 2**64, 0, [0, 1, 2]) for key in range(1, 9000)]
    kept = [slot for slot in first if slot >= 0]
    assert 0 < len(kept) < len(first)
    assert table.arrays.counts[NUM_INFOSETS] == len(kept)
    assert table.arrays.counts[REFUSED] == len(first) - len(kept)
    assert table.nbytes <= 400_000
    assert all(
        table.find(0, key * 0x9E3779B97F4A7C15 % 2**64) == [slot][: slot >= 0] for key, slot in enumerate(first, 1)
    )


def test_numbers_survive_growth() -> None:
    table = InfosetTable()
    slot = put(table, 99, 0, [0, 1])
    table.arrays.slots[slot, VISITS] = 5.0
    table.make_room(10_000, 50_000)
    assert table.arrays.slots[table.find(0, 99)[0], VISITS] == 5.0


def test_a_table_is_not_moved_when_the_clock_is_about_to_run_out() -> None:
    table = InfosetTable()
    table.deadline = perf_counter() - 1.0
    kept = [key for key in range(1, 1000) if put(table, key, 0, [0, 1]) >= 0]
    assert len(table.arrays.entries) == FIRST_ENTRIES
    assert kept == list(range(1, len(kept) + 1))
    table.deadline = perf_counter() + 1000.0
    assert put(table, 5000, 0, [0, 1]) >= 0
    assert len(table.arrays.entries) == 2 * FIRST_ENTRIES
    assert all(table.find(0, key) for key in kept)


def test_a_budget_beyond_the_limit_is_refused() -> None:
    with pytest.raises(VeilError):
        InfosetTable(max_bytes=0)
