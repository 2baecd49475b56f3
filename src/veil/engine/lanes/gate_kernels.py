"""Kernels for circuits that are too large for LLVM: the functions of the generated code, reading gates from an image.

They are many times slower than generated code, but need no minutes of compilation per game. `function_addresses`
returns their addresses in the form that `native` uses, so the other kernels see no difference.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types

from veil.compat.intrinsics import write_value
from veil.engine.lanes.bit_kernels import ONES, ZERO, next_word
from veil.engine.lanes.code import (
    AREAS,
    BLOCK_RECURSIVE,
    BLOCK_START,
    FLUENTS,
    GATE_SLOT,
    GATE_START,
    LEGAL,
    LITERALS,
    MOVES,
    NEXT,
    PART_START,
    ROLE_MOVES,
    SIZES,
    SLOTS,
    STUCK,
    TERM_START,
    WIDTH,
    Addresses,
)
from veil.engine.lanes.codegen import PRECISION, RNG_WORDS
from veil.engine.lanes.jit import Int, intrinsic, kernel, kernel_address
from veil.engine.lanes.raw_memory import pointer_at


@cache
def function_addresses() -> Addresses:
    """Return the addresses of the functions below, compiled."""
    functions = (evaluate_static, evaluate_dynamic, evaluate_percepts, choose_moves, advance_states)
    return Addresses(*(kernel_address(function, (types.uint64,) * 3) for function in functions))


@kernel
def evaluate_static(v: np.uint64, other: np.uint64, image: np.uint64) -> None:
    """Compute legal, goals and terminal; the parameters are addresses of values and image."""
    evaluate_part(v, image, 0)


@kernel
def evaluate_dynamic(v: np.uint64, other: np.uint64, image: np.uint64) -> None:
    """Compute the next states."""
    evaluate_part(v, image, 1)


@kernel
def evaluate_percepts(v: np.uint64, other: np.uint64, image: np.uint64) -> None:
    """Compute the percepts."""
    evaluate_part(v, image, 2)


@kernel
def choose_moves(v: np.uint64, other: np.uint64, image: np.uint64) -> None:
    """Draw a uniform legal move per role and lane; `other` is the address of the random words."""
    circuit = numbers_at(image)
    values = values_at(v, circuit)
    choose_in_lanes(circuit, values, words_at(other, RNG_WORDS, values.shape[1]))


@kernel
def advance_states(v: np.uint64, other: np.uint64, image: np.uint64) -> None:
    """Make the next state the state; `other` is the address of the ended lanes and of the states they begin with."""
    circuit = numbers_at(image)
    values, areas = values_at(v, circuit), section(circuit, AREAS)
    fluents, following = areas[FLUENTS], areas[NEXT]
    num_fluents = areas[MOVES] - fluents
    start = words_at(other, 1 + num_fluents, values.shape[1])
    for i in range(num_fluents):
        for w in range(values.shape[1]):
            values[fluents + i, w] = (values[following + i, w] & ~start[0, w]) | (start[1 + i, w] & start[0, w])


@kernel
def evaluate_part(v: np.uint64, image: np.uint64, part: Int) -> None:
    """Evaluate the blocks of a part of the circuit in order, each recursive block until nothing changes."""
    circuit = numbers_at(image)
    values = values_at(v, circuit)
    part_start, block_start = section(circuit, PART_START), section(circuit, BLOCK_START)
    recursive, gate_slot = section(circuit, BLOCK_RECURSIVE), section(circuit, GATE_SLOT)
    for block in range(part_start[part], part_start[part + 1]):
        begin, end = block_start[block], block_start[block + 1]
        if recursive[block]:
            for gate in range(begin, end):
                values[gate_slot[gate], :] = ZERO
        while evaluate_gates(circuit, values, begin, end) and recursive[block]:
            pass


@kernel
def evaluate_gates(circuit: np.ndarray, v: np.ndarray, begin: Int, end: Int) -> bool:
    """Evaluate gates [begin, end) once, four words at a time; return whether a slot changed (v changed in place)."""
    gate_slot, gate_start = section(circuit, GATE_SLOT), section(circuit, GATE_START)
    term_start, literals = section(circuit, TERM_START), section(circuit, LITERALS)
    changed = False
    width = v.shape[1]
    for w in range(0, width - 3, 4):
        for gate in range(begin, end):
            t0 = t1 = t2 = t3 = ZERO
            for term in range(gate_start[gate], gate_start[gate + 1]):
                p0 = p1 = p2 = p3 = ONES
                for entry in range(term_start[term], term_start[term + 1]):
                    literal = literals[entry]
                    slot, flip = literal >> 1, ZERO - np.uint64(literal & 1)
                    p0 &= v[slot, w] ^ flip
                    p1 &= v[slot, w + 1] ^ flip
                    p2 &= v[slot, w + 2] ^ flip
                    p3 &= v[slot, w + 3] ^ flip
                t0, t1, t2, t3 = t0 | p0, t1 | p1, t2 | p2, t3 | p3
            slot = gate_slot[gate]
            changed |= (t0 != v[slot, w]) | (t1 != v[slot, w + 1]) | (t2 != v[slot, w + 2]) | (t3 != v[slot, w + 3])
            v[slot, w], v[slot, w + 1], v[slot, w + 2], v[slot, w + 3] = t0, t1, t2, t3
    for w in range(width - width % 4, width):
        for gate in range(begin, end):
            total = ZERO
            for term in range(gate_start[gate], gate_start[gate + 1]):
                product = ONES
                for entry in range(term_start[term], term_start[term + 1]):
                    product &= v[literals[entry] >> 1, w] ^ (ZERO - np.uint64(literals[entry] & 1))
                total |= product
            changed |= total != v[gate_slot[gate], w]
            v[gate_slot[gate], w] = total
    return changed


@kernel
def choose_in_lanes(circuit: np.ndarray, v: np.ndarray, rng: np.ndarray) -> None:
    """Do what `choose` of the generated code does, word by word, with the same random words and the same moves."""
    areas, role_moves = section(circuit, AREAS), section(circuit, ROLE_MOVES)
    stuck = areas[STUCK]
    v[stuck, :] = ZERO
    number, rank = np.zeros(64, np.uint64), np.zeros(64, np.uint64)
    for role in range(len(role_moves) - 1):
        first, count = role_moves[role], role_moves[role + 1] - role_moves[role]
        legal, moves = areas[LEGAL] + first, areas[MOVES] + first
        digits = 0
        while count >> digits:
            digits += 1
        for w in range(v.shape[1]):
            if count == 0:
                v[stuck, w] = ONES
                continue
            number[:] = ZERO
            rank[:] = ZERO
            some = ZERO
            for move in range(count):
                carry = v[legal + move, w]
                some |= carry
                for i in range(digits):
                    carry, number[i] = number[i] & carry, number[i] ^ carry
            v[stuck, w] |= ~some
            if count == 1:
                v[moves, w] = v[legal, w]
                continue
            for _ in range(digits + PRECISION):
                coin, carry = next_word(rng, w), ZERO
                for i in range(digits):
                    x, y = rank[i], number[i] & coin
                    total = x ^ y ^ carry
                    carry = (x & y) | ((x ^ y) & carry)
                    if i:
                        rank[i - 1] = total
                rank[digits - 1] = carry
            for move in range(count):
                borrow = v[legal + move, w]
                for i in range(digits):
                    borrow, rank[i] = ~rank[i] & borrow, rank[i] ^ borrow
                v[moves + move, w] = borrow


@intrinsic(pointer_at)
def as_pointer(typing_context: Any, address: Any, dtype: Any) -> Any:
    """Return an address as a pointer to numbers of a type."""

    def write(builder: Any, address: Any, dtype: Any) -> Any:
        return builder.inttoptr(address, ir.IntType(64).as_pointer())

    return write_value(types.CPointer(dtype.dtype), (types.uint64, dtype), write)


@kernel
def numbers_at(image: np.uint64) -> np.ndarray:
    """Return the image of a circuit at an address; its table of sections gives its length."""
    table = carray(as_pointer(image, np.int64), (LITERALS + 2,))
    numbers: np.ndarray = carray(as_pointer(image, np.int64), (table[LITERALS + 1],))
    return numbers


@kernel
def section(circuit: np.ndarray, which: Int) -> np.ndarray:
    """Return a section of an image."""
    part: np.ndarray = circuit[circuit[which] : circuit[which + 1]]
    return part


@kernel
def values_at(v: np.uint64, circuit: np.ndarray) -> np.ndarray:
    """Return the value array at an address, [slots, W]."""
    sizes = section(circuit, SIZES)
    return words_at(v, sizes[SLOTS], sizes[WIDTH])


@kernel
def words_at(place: np.uint64, rows: Int, width: Int) -> np.ndarray:
    """Return [rows, width] words at an address."""
    words: np.ndarray = carray(as_pointer(place, np.uint64), (rows, width))
    return words
