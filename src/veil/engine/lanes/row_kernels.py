"""Kernels that move packed rows into and out of lanes: judge states, step them.

A packed row is a state, the legal moves or the percepts of one world as bits, 64 to a word. A value array holds the
transposed matrix: one word per bit and one bit per world. `transpose` turns one into the other.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.bit_kernels import ONE, ZERO
from veil.engine.lanes.circuit_kernels import new_values, run_dynamic, run_percepts, run_static
from veil.engine.lanes.code import FLUENTS, GOALS, LEGAL, MOVES, NEXT, PERCEPTS, TERMINAL, Code
from veil.engine.lanes.jit import Int, borrowing, kernel


@borrowing
def transpose(square: np.ndarray) -> None:
    """Transpose a 64 x 64 matrix of bits, [64] words: bit j of word i <-> bit i of word j (in place; Warren 2003)."""
    step, mask = 32, np.uint64(0x00000000FFFFFFFF)
    while step:
        row = 0
        while row < 64:
            for i in range(row, row + step):
                change = ((square[i] >> np.uint64(step)) ^ square[i + step]) & mask
                square[i] ^= change << np.uint64(step)
                square[i + step] ^= change
            row += 2 * step
        step >>= 1
        mask ^= mask << np.uint64(step)


@kernel
def load_rows(
    rows: np.ndarray, index: np.ndarray, first: Int, count: Int, v: np.ndarray, start: Int, size: Int
) -> None:
    """Load packed rows [B, words] into an area of v: lane l gets row index[first + l] (v changed in place)."""
    square = np.empty(64, np.uint64)
    for w in range(v.shape[1]):
        load_word(rows, index, first, count, v, w, start, size, square)


@borrowing
def load_word(
    rows: np.ndarray, index: np.ndarray, first: Int, count: Int, v: np.ndarray, w: Int, start: Int, size: Int,
    square: np.ndarray,
) -> None:  # fmt: skip
    """Do `load_rows` for the lanes of one word of v; square [64] is scratch."""
    for chunk in range((size + 63) // 64):
        for bit in range(64):
            lane = 64 * w + bit
            square[bit] = rows[index[first + lane], chunk] if lane < count else ZERO
        transpose(square)
        for i in range(min(64, size - 64 * chunk)):
            v[start + 64 * chunk + i, w] = square[i]


@kernel
def store_rows(v: np.ndarray, start: Int, size: Int, rows: np.ndarray, first: Int, count: Int, column: Int) -> None:
    """Store an area of v in packed rows [B, words], from a column on (rows changed in place)."""
    square = np.empty(64, np.uint64)
    for w in range(v.shape[1]):
        store_word(v, w, start, size, rows, first, count, column, square)


@borrowing
def store_word(
    v: np.ndarray, w: Int, start: Int, size: Int, rows: np.ndarray, first: Int, count: Int, column: Int,
    square: np.ndarray,
) -> None:  # fmt: skip
    """Do `store_rows` for the lanes of one word of v; square [64] is scratch."""
    for chunk in range((size + 63) // 64):
        for i in range(64):
            bit_number = 64 * chunk + i
            square[i] = v[start + bit_number, w] if bit_number < size else ZERO
        transpose(square)
        for bit in range(min(64, count - 64 * w)):
            rows[first + 64 * w + bit, column + chunk] = square[bit]


@kernel
def judge_rows(
    code: Code,
    width: Int,
    states: np.ndarray,
    index: np.ndarray,
    legal: np.ndarray,
    columns: np.ndarray,
    terminal: np.ndarray,
    goals: np.ndarray,
) -> None:
    """Judge states[index], B of them, in blocks of `width` words.

    Changed in place: legal [B, words], packed per role from columns [R] on, terminal [B] and goals [B, R].
    """
    v = new_values(code, width)
    all_goals, end_slot = code.areas[GOALS], code.areas[TERMINAL]
    lanes = 64 * width
    for first in range(0, len(index), lanes):
        count = min(lanes, len(index) - first)
        load_rows(states, index, first, count, v, code.areas[FLUENTS], code.num_fluents)
        run_static(code, v)
        for role in range(len(code.role_moves) - 1):
            begin, end = code.role_moves[role], code.role_moves[role + 1]
            store_rows(v, code.areas[LEGAL] + begin, end - begin, legal, first, count, columns[role])
            for goal in range(code.goal_start[role], code.goal_start[role + 1]):  # ascending: the highest stays
                for lane in range(count):
                    if (v[all_goals + goal, lane // 64] >> np.uint64(lane % 64)) & ONE:
                        goals[first + lane, role] = code.goal_value[goal]
        for lane in range(count):
            terminal[first + lane] = (v[end_slot, lane // 64] >> np.uint64(lane % 64)) & ONE


@kernel
def step_rows(
    code: Code,
    width: Int,
    states: np.ndarray,
    index: np.ndarray,
    moves: np.ndarray,
    following: np.ndarray,
    percepts: np.ndarray,
    columns: np.ndarray,
) -> None:
    """Play joint moves [B, R] in states[index], B of them, in blocks of `width` words.

    Changed in place: following [B, words], the next states, and percepts [B, words], packed per role from columns [R].
    """
    v = new_values(code, width)
    lanes = 64 * width
    roles = len(code.role_moves) - 1
    role_moves, all_moves = code.role_moves, code.areas[MOVES]
    for first in range(0, len(index), lanes):
        count = min(lanes, len(index) - first)
        load_rows(states, index, first, count, v, code.areas[FLUENTS], code.num_fluents)
        v[code.areas[MOVES] : code.areas[MOVES] + code.role_moves[roles], :] = ZERO
        for lane in range(count):
            for role in range(roles):
                slot = all_moves + role_moves[role] + moves[first + lane, role]
                v[slot, lane // 64] |= ONE << np.uint64(lane % 64)
        run_static(code, v)
        run_dynamic(code, v)
        run_percepts(code, v)
        store_rows(v, code.areas[NEXT], code.num_fluents, following, first, count, np.int64(0))
        for role in range(roles):
            begin, end = code.role_percepts[role], code.role_percepts[role + 1]
            store_rows(v, code.areas[PERCEPTS] + begin, end - begin, percepts, first, count, columns[role])
