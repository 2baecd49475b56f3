"""A circuit in the form that kernels take: addresses of its functions, and places of its values.

Every function has the signature `void f(i64 v, i64 other, i64 image)`: the address of the value array, of other data of
the function (random words, starting states, or nothing), and of the circuit's image. Generated code (`native`) does
not read the image; the functions of `gate_kernels`, for circuits too large for LLVM, read all gates from it.
"""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

import numpy as np

from veil.engine.grounding import GroundProgram
from veil.engine.lanes.lower import Circuit

FLUENTS, MOVES, LEGAL, GOALS, TERMINAL, STUCK, NEXT, PERCEPTS, INNER = range(9)  # of `Code.areas`

# Sections of an image: entry s of the image is the start of section s, entry s + 1 its end.
SIZES, AREAS, ROLE_MOVES, PART_START, BLOCK_START, BLOCK_RECURSIVE, GATE_SLOT, GATE_START, TERM_START, LITERALS = range(
    10
)
NUM_SECTIONS = 10
SLOTS, WIDTH = 0, 1  # of the section SIZES


class Addresses(NamedTuple):
    """Addresses of the functions of a circuit in memory."""

    static: int  # from the fluents to legal, goals, terminal
    dynamic: int  # from fluents and moves to the next state
    percepts: int  # from fluents and moves to percepts
    choose: int  # a legal move per role and lane
    advance: int  # make the next state the state


class Code(NamedTuple):
    """A circuit for kernels. R roles, G goals."""

    static: np.uint64  # addresses
    dynamic: np.uint64
    percepts: np.uint64
    choose: np.uint64
    advance: np.uint64
    image: np.uint64  # address of the circuit in numbers; 0 where the functions do not need it
    areas: np.ndarray  # [9] as `Layout`: fluents, moves, legal, goals, terminal, stuck, next, percepts, inner
    num_slots: int
    num_fluents: int
    role_moves: np.ndarray  # [R + 1] moves of a role, from the start of the area
    role_percepts: np.ndarray  # [R + 1]
    goal_start: np.ndarray  # [R + 1]
    goal_value: np.ndarray  # [G] ascending per role


def make_code(program: GroundProgram, circuit: Circuit, addresses: Addresses, image: int = 0) -> Code:
    """Return the record of a circuit with functions at `addresses`.

    `image` is the address of the data they read, if any.
    """
    layout = circuit.layout
    return Code(
        static=np.uint64(addresses.static),
        dynamic=np.uint64(addresses.dynamic),
        percepts=np.uint64(addresses.percepts),
        choose=np.uint64(addresses.choose),
        advance=np.uint64(addresses.advance),
        image=np.uint64(image),
        areas=_areas(circuit),
        num_slots=layout.num_slots,
        num_fluents=layout.moves - layout.fluents,
        role_moves=_starts([len(moves) for moves in program.moves]),
        role_percepts=_starts([len(percepts) for percepts in program.percepts]),
        goal_start=_starts([len(goals) for goals in program.goals]),
        goal_value=np.array([value for goals in program.goals for value in goals], np.int64),
    )


def make_image(program: GroundProgram, circuit: Circuit, width: int) -> np.ndarray:
    """Return all of a circuit in one array of numbers, for value arrays of `width` words per slot."""
    blocks = circuit.blocks
    gates = [gate for block in blocks for gate in block.gates]
    terms = [term for gate in gates for term in gate.terms]
    sections = [
        np.array([circuit.layout.num_slots, width]),
        _areas(circuit),
        _starts([len(moves) for moves in program.moves]),
        _starts([len(circuit.static), len(circuit.dynamic), len(circuit.percepts)]),
        _starts([len(block.gates) for block in blocks]),
        np.array([block.recursive for block in blocks]),
        np.array([gate.slot for gate in gates]),
        _starts([len(gate.terms) for gate in gates]),
        _starts([len(term) for term in terms]),
        np.array([literal for term in terms for literal in term]),
    ]
    starts = list(accumulate((len(section) for section in sections), initial=NUM_SECTIONS + 1))
    return np.concatenate([np.array(starts), *sections]).astype(np.int64)


def _areas(circuit: Circuit) -> np.ndarray:
    """Return [9] where each area of the value array starts."""
    return np.array(circuit.layout[1:], np.int64)


def _starts(sizes: list[int]) -> np.ndarray:
    """Return [N + 1] where each of N parts starts, and where the last one ends."""
    return np.array([0, *accumulate(sizes)], np.int64)
