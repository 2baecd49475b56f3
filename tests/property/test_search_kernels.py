"""Kernels of searches against dictionaries, sets and exact fractions: tables of infosets and records, draws."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from veil.belief.many_records.records import NUM_RECORDS, UNKNOWN, RecordTable
from veil.belief.many_records.table_kernels import fill_entries, find_records, list_missing, observe_rounds
from veil.engine.lanes import draw_weighted, match_regrets, mix_regrets, split_mix
from veil.search.walks.lanes.records import HASH_BITS, LAST, NUM_INFOSETS, NUM_SLOTS, REFUSED, LaneTable
from veil.search.walks.lanes.table_kernels import MAX_LOAD, add_infoset, find_record, move_entries
from veil.search.walks.tree.oos_kernels import draw_explored, draw_inside
from veil.search.walks.tree.records import INSIDE, OUTSIDE

# Keys of which many end alike, and so want the same place; those that end in ones go round the end of the table.
keys = st.builds(lambda high, low: high << 40 | low, st.integers(0, 3), st.sampled_from([0, 1, 2, 14, 15, 31]))
seeds = st.integers(0, 2**64 - 1)


def make_lane_table(room: int, slots: int) -> LaneTable:
    """An empty table whose arrays are full of what was there before."""
    numbers, moves = np.full((slots, 4), 9.0), np.full(slots, 9, np.int32)
    return LaneTable(np.zeros((room, 2), np.uint64), numbers, moves, np.zeros(3, np.int64))


@settings(max_examples=60)
@given(st.lists(st.tuples(keys, st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)), max_size=24))
def test_a_table_of_infosets_knows_what_a_dictionary_knows(infosets: list[tuple[int, int, int, int]]) -> None:
    table, known = make_lane_table(16, 24), dict[tuple[int, int], int]()
    moves, used, refused = np.array([5, 6, 7]), 0, 0
    for key, role, hashed, count in infosets:
        check = (role + 1) << HASH_BITS | hashed
        slot, is_new = add_infoset(table, np.uint64(key), np.uint64(check), moves, count)
        if (key, check) in known:
            assert (slot, is_new) == (known[key, check], False)
        elif len(known) + 1 > MAX_LOAD * 16 or used + count > 24:
            assert (slot, is_new) == (-1, True)
            refused += 1
        else:
            assert (slot, is_new) == (used, True)
            assert (table.moves[used : used + count] & ~LAST).tolist() == [5, 6, 7][:count]
            assert (table.moves[used : used + count] < 0).tolist() == [False] * (count - 1) + [True]
            assert not table.slots[used : used + count].any()
            known[key, check] = used
            used += count
    assert table.counts[[NUM_INFOSETS, NUM_SLOTS, REFUSED]].tolist() == [len(known), used, refused]
    larger = make_lane_table(64, 24)._replace(slots=table.slots, moves=table.moves, counts=table.counts)
    move_entries(table.entries, larger.entries)
    for (key, check), first in known.items():
        role = (check >> HASH_BITS) - 1
        same = {other for (name, tag), other in known.items() if name == key and (tag >> HASH_BITS) - 1 == role}
        for grown in (table, larger):
            assert add_infoset(grown, np.uint64(key), np.uint64(check), moves, 1) == (first, False)
            assert set(find_record(grown.entries, key, role)) == same
            assert find_record(grown.entries, key, 5) == []


def make_record_table(room: int) -> RecordTable:
    """Room for so many records, of which none is there; full of what was there before."""
    arrays = {name: np.full(room, -7) for name in RecordTable._fields}
    arrays |= {"key": np.zeros(room, np.uint64), "percepts": np.zeros((room, 1), np.uint64)}
    return RecordTable(**arrays | {"entry": np.full(4 * room, UNKNOWN), "used": np.zeros(2, np.int64)})


Told = tuple[int, int, int, int, int]  # role, which record before (or none), own move, percepts, key


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(-1, 9), st.integers(0, 3), seeds, keys), max_size=16), st.data()
)
def test_a_table_of_records_knows_what_a_dictionary_knows(told: list[Told], data: st.DataObject) -> None:
    table, known = make_record_table(16), dict[tuple[int, int], int]()
    rows: list[tuple[int, int, int]] = []  # round, before, own move
    for role, earlier, own_move, percepts, key in told:
        before = earlier % len(rows) if earlier >= 0 and rows else -1
        arrays = np.array([before]), np.array([own_move]), np.array([[percepts]], np.uint64), np.array([key], np.uint64)
        observe_rounds(table, role, *arrays)
        if (role, key) not in known:
            known[role, key] = len(rows)
            rows.append((0 if before < 0 else rows[before][0] + 1, len(rows) if before < 0 else before, own_move))
            assert table.percepts[len(rows) - 1, 0] == percepts
    assert table.used[NUM_RECORDS] == len(rows)
    columns = (table.round, table.before, table.own_move)
    assert list(zip(*(column[: len(rows)].tolist() for column in columns), strict=True)) == rows
    again = table._replace(entry=np.full(128, UNKNOWN))
    fill_entries(again)
    asked = np.array(sorted({key for _, key in known} | {7, 77}), np.uint64)
    for role in range(3):
        expected = [known.get((role, int(key)), UNKNOWN) for key in asked]
        assert find_records(table, role, asked).tolist() == find_records(again, role, asked).tolist() == expected
    if rows:
        check_missing(table, rows, data)


def check_missing(table: RecordTable, rows: list[tuple[int, int, int]], data: st.DataObject) -> None:
    """What has to be worked out first: back from every record to one that is known, without it."""
    some = st.lists(st.integers(0, len(rows) - 1), max_size=6)
    settled, wanted = data.draw(some), data.draw(some)
    table.num_worlds[settled] = 1
    missing = set()
    for number in wanted:
        while number not in settled and number not in missing:
            missing.add(number)
            number = rows[number][1]
    for _ in range(2):  # to ask changes nothing that the next question sees
        listed = list_missing(table, np.array(wanted, np.int64)).tolist()
        assert len(listed) == len(set(listed))
        assert set(listed) == missing
        assert [rows[number][0] for number in listed] == sorted(rows[number][0] for number in listed)


weights = st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(any)


def draw_exactly(shares: list[Fraction], seed: int) -> int:
    """The first index at which the sum of the shares, which add up to 1, is above the next random number."""
    chance = Fraction(int(split_mix(np.array([seed], np.uint64), 0)) >> 11, 2**53)
    return next(index for index, end in enumerate(accumulate(shares)) if end > chance)


@given(weights, seeds, st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.data())
def test_a_draw_takes_the_share_in_which_its_random_number_falls(
    numbers: list[int], seed: int, explored: float, data: st.DataObject
) -> None:
    """A share is a few times 2^-4 at least, a random number k * 2^-53: rounding decides once in 2^40 draws."""
    count, total = len(numbers), sum(numbers)
    shares = [Fraction(number, total) for number in numbers]
    room = np.array([*numbers, 99.0])  # what stands beyond the count is not looked at
    assert draw_weighted(room, count, float(total), np.array([9, seed], np.uint64), 1) == draw_exactly(shares, seed)
    phi = [(1 - Fraction(explored)) * share + Fraction(explored) / count for share in shares]
    numerals = explored / count, 1.0 - explored
    policy = np.array([*map(float, shares), 99.0])
    assert draw_explored(policy, count, *numerals, np.array([seed], np.uint64)) == draw_exactly(phi, seed)
    inside = data.draw(st.lists(st.booleans(), min_size=count, max_size=count).filter(any))
    within = [share if stays else Fraction(0) for share, stays in zip(phi, inside, strict=True)]
    if not any(within):
        within = [Fraction(int(stays)) for stays in inside]
    within = [share / sum(within) for share in within]
    marks = np.array([INSIDE if stays else OUTSIDE for stays in inside])
    index, share = draw_inside(policy, count, *numerals, marks, np.array([seed], np.uint64))
    assert index == draw_exactly(within, seed)
    assert share == pytest.approx(float(within[index]))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=6), st.sampled_from([0.0, 0.25, 1.0]), st.integers(0, 3))
def test_regret_matching_is_the_positive_part_of_regrets_with_exploration(
    regrets: list[int], gamma: float, first: int
) -> None:
    numbers = np.full((first + len(regrets), 4), 5.0)
    numbers[first:, 0] = regrets
    policy = np.full(len(regrets) + 1, -1.0)
    mix_regrets(numbers, 0, first, len(regrets), gamma / len(regrets), 1.0 - gamma, policy)
    positive = [max(regret, 0) for regret in regrets]
    if any(positive):
        expected = [gamma / len(regrets) + (1 - gamma) * regret / sum(positive) for regret in positive]
    else:
        expected = [1 / len(regrets)] * len(regrets)
    assert policy.tolist() == pytest.approx([*expected, -1.0])
    plain = np.full(len(regrets) + 3, -1.0)
    match_regrets(numbers[:, 0].copy(), first, first + len(regrets), plain, 2)
    if gamma == 0.0:
        assert plain.tolist() == pytest.approx([-1.0, -1.0, *expected, -1.0])
