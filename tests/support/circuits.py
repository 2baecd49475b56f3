"""Small circuits for tests, and the slow way to evaluate one."""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int64

import numpy as np

from veil.engine.lanes.lower import Block, Circuit, Gate, Layout
from veil.engine.lanes.machine import Machine

# Slots 0 and 1 are false and true. A state of three bits, one move, everything else computed from them.
LAYOUT = Layout(
    num_slots=19, fluents=2, moves=5, legal=7, goals=9, terminal=10, stuck=11, next=12, percepts=15, inner=16
)


def yes(slot: int) -> int:
    return 2 * slot


def no(slot: int) -> int:
    return 2 * slot + 1


def circuit() -> Circuit:
    """Two legal moves, a recursive pair of inner slots, and every kind of gate."""
    inner = Block((Gate(16, ((yes(2), no(3)),)),), False)
    loop = Block((Gate(17, ((yes(18),),)), Gate(18, ((yes(17),), (yes(4), yes(16))))), True)  # takes two passes
    outputs = (
        Gate(7, ((yes(1),),)),
        Gate(8, ((yes(17),), (no(2),))),
        Gate(9, ((yes(2), yes(3)), (no(4),))),
        Gate(10, ()),
    )
    following = (Gate(12, ((yes(5),),)), Gate(13, ((yes(2), no(6)),)), Gate(14, ((yes(16),), (yes(6),))))
    seen = (Gate(15, ((yes(14), no(2)),)),)
    return Circuit(LAYOUT, (inner, loop, Block(outputs, False)), (Block(following, False),), (Block(seen, False),))


def evaluate_slowly(blocks: tuple[Block, ...], values: np.ndarray) -> None:
    """One world: values [slots] bool, changed in place; recursive blocks grow from nothing until they stand still."""
    for block in blocks:
        if block.recursive:
            for gate in block.gates:
                values[gate.slot] = False
        while True:
            before = values.copy()
            for gate in block.gates:
                values[gate.slot] = any(
                    all(values[literal >> 1] != bool(literal & 1) for literal in term) for term in gate.terms
                )
            if not block.recursive or (values == before).all():
                break


def random_worlds(num_slots: int, lanes: int, seed: int) -> np.ndarray:
    """[lanes, slots] bool, with the two constants where they belong."""
    bits = np.random.default_rng(seed).random((lanes, num_slots)) < 0.5
    bits[:, 0], bits[:, 1] = False, True
    return bits


def to_values(worlds: np.ndarray, width: int) -> np.ndarray:
    """[lanes, slots] bool -> the value array [slots, W], bit by bit."""
    values = np.zeros((worlds.shape[1], width), np.uint64)
    for lane, bits in enumerate(worlds):
        for slot in np.flatnonzero(bits):
            values[slot, lane // 64] |= np.uint64(1) << np.uint64(lane % 64)
    return values


def to_worlds(values: np.ndarray) -> np.ndarray:
    """The value array [slots, W] -> [64 W, slots] bool, bit by bit."""
    lanes = 64 * values.shape[1]
    return np.array(
        [[bool(int(values[slot, lane // 64]) >> lane % 64 & 1) for slot in range(len(values))] for lane in range(lanes)]
    )


def loaded_values(machine: Machine, states: np.ndarray) -> np.ndarray:
    """The value array of a machine with packed states [lanes, words] in its lanes, computed bit by bit."""
    layout = machine.circuit.layout
    worlds = np.zeros((64 * machine.width, layout.num_slots), bool)
    worlds[:, 1] = True
    for lane, row in enumerate(states):
        for fluent in range(layout.moves - layout.fluents):
            worlds[lane, layout.fluents + fluent] = int(row[fluent // 64]) >> fluent % 64 & 1
    return to_values(worlds, machine.width)


def call_native(function: int, values: np.ndarray, other: np.ndarray | None = None) -> None:
    """Call a compiled part by its address on values [slots, W], changed in place."""
    CFUNCTYPE(None, c_int64, c_int64, c_int64)(function)(
        values.ctypes.data, 0 if other is None else other.ctypes.data, 0
    )
