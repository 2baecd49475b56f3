"""Kernels of the engine against what they say of themselves, written down in Python without thinking of speed."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
from hypothesis import given, settings, strategies as st

from veil.engine.lanes.bit_kernels import count_bits, lowest_bit, next_word, split_mix
from veil.engine.lanes.joint_move_kernels import list_joint_moves
from veil.engine.lanes.machine import pack, unpack
from veil.engine.lanes.row_kernels import load_rows, store_rows, transpose

ALL = 2**64 - 1
words = st.one_of(st.integers(0, ALL), st.integers(0, 63).map(lambda bit: 1 << bit), st.just(ALL))
seeds = st.integers(0, 2**32 - 1)


@given(words)
def test_the_ones_of_a_word_are_counted_and_the_lowest_is_found(word: int) -> None:
    assert count_bits(np.uint64(word)) == word.bit_count()
    assert lowest_bit(np.uint64(word)) == next((bit for bit in range(64) if word >> bit & 1), 64)


@given(st.lists(words, min_size=4, max_size=4).filter(any))
def test_random_words_are_those_of_the_published_generators(state: list[int]) -> None:
    """SplitMix64 (Steele, Lea & Flood 2014) and xoshiro256++ (Blackman & Vigna 2021), in numbers without an end."""
    chain, rng = np.array(state, np.uint64), np.array(state, np.uint64).reshape(4, 1)
    mixed = (state[2] + 0x9E3779B97F4A7C15) & ALL
    assert (int(split_mix(chain, 2)), int(chain[2])) == (mix(mixed), mixed)
    assert chain[[0, 1, 3]].tolist() == state[:2] + state[3:]
    expected = (turn((state[0] + state[3]) & ALL, 23) + state[0]) & ALL
    assert int(next_word(rng, 0)) == expected
    a, b, c, d = state
    c, d = c ^ a, d ^ b
    assert rng[:, 0].tolist() == [a ^ d, b ^ c, c ^ (b << 17 & ALL), turn(d, 45)]


def mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & ALL
    word = (word ^ word >> 27) * 0x94D049BB133111EB & ALL
    return word ^ word >> 31


def turn(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & ALL


@settings(max_examples=20)
@given(seeds)
def test_a_square_of_bits_is_turned_over_whatever_is_in_it(seed: int) -> None:
    bits = np.random.default_rng(seed).random((64, 64)) < 0.5
    square = pack(bits)[:, 0].copy()
    transpose(square)
    assert (unpack(square[:, None], 64) == bits.T).all()


@settings(max_examples=30)
@given(seeds, st.integers(1, 3), st.integers(1, 140), st.integers(0, 5), st.integers(0, 4), st.data())
def test_rows_of_any_size_go_into_lanes_and_come_out_again(
    seed: int, width: int, size: int, start: int, first: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, 64 * width))
    rng = np.random.default_rng(seed)
    bits = rng.random((7, size)) < 0.5
    index = rng.integers(0, len(bits), first + count)
    v = np.full((start + size + 2, width), ALL, np.uint64)
    load_rows(pack(bits), index, first, count, v, start, size)
    lanes = np.zeros((64 * width, size), bool)
    lanes[:count] = bits[index[first:]]  # lanes beyond the last row are empty
    for w, bit in product(range(width), range(64)):
        assert (((v[start : start + size, w] >> np.uint64(bit)) & np.uint64(1)) == lanes[64 * w + bit]).all()
    assert (v[:start] == ALL).all()
    assert (v[start + size :] == ALL).all()
    chunks = -(-size // 64)
    rows = np.full((first + count + 1, 1 + chunks + 1), 7, np.uint64)
    store_rows(v, start, size, rows, first, count, 1)
    assert (rows[first : first + count, 1:-1] == pack(lanes[:count])).all()
    rows[first : first + count, 1:-1] = 7
    assert (rows == 7).all()  # and nothing else was written


@st.composite
def legal_rows(draw: st.DrawFn) -> list[list[list[int]]]:
    """Rows of legal moves per role, ascending; the last role has a few of 70, two words."""
    roles = draw(st.integers(1, 3))
    moves = [st.integers(0, 3)] * (roles - 1) + [st.sampled_from([0, 1, 63, 64, 69])]
    row = st.tuples(*(st.sets(numbers, max_size=4).map(sorted) for numbers in moves))
    return [list(listed) for listed in draw(st.lists(row, min_size=1, max_size=4))]


@settings(max_examples=50)
@given(legal_rows(), seeds, st.data())
def test_joint_moves_are_the_product_of_the_moves(rows: list[list[list[int]]], seed: int, data: st.DataObject) -> None:
    roles = len(rows[0])
    limit = data.draw(st.sampled_from([1, 5, 20, *(prod(map(len, row)) or 1 for row in rows)]))
    role = data.draw(st.integers(-1, roles - 1))
    wanted = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    own = np.array([data.draw(st.sampled_from([0, 1, *row[role]])) for row in rows])
    sizes = [1] * (roles - 1) + [2]
    columns = np.cumsum([0, *sizes])
    legal = np.zeros((len(rows), columns[-1]), np.uint64)
    for row, r in product(range(len(rows)), range(roles)):
        for move in rows[row][r]:
            legal[row, columns[r] + move // 64] |= np.uint64(1 << move % 64)
    rng = np.random.default_rng(seed).integers(0, ALL, len(rows), np.uint64, endpoint=True)
    found, joints, counts = list_joint_moves(legal, columns, wanted, role, own, limit, rng)
    assert counts.tolist() == [[len(moves) for moves in row] for row in rows]
    for number, listed in enumerate(rows):
        here = [tuple(joint) for joint in joints[found == number].tolist()]
        options = [[own[number]] if r == role else moves for r, moves in enumerate(listed)]
        if not wanted[number] or (role >= 0 and own[number] not in listed[role]):
            assert here == []
        elif prod(map(len, options)) <= limit:
            assert here == list(product(*options))  # the last role's fastest
        else:
            assert len(here) == limit
            assert set(here) <= set(product(*options))
