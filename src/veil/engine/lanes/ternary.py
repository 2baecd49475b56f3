"""The circuit with unknowns (Kleene's three values), as a circuit with twice the slots.

Every slot s becomes two: *can be true* (2 s) and *must be true* (2 s + 1). AND and OR act on both alike; a negation
crosses over: "not s" can be true where s need not be. Recursive blocks stay least fixpoints in both planes, because
negation never stays inside a block. The result is sound, not complete: it never excludes what is possible, but does not
notice that "p or not p" holds when p is unknown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine.lanes.lower import Block, Circuit, Gate, Layout, Literal
from veil.engine.lanes.machine import Machine, pack, unpack


class Ternary(NamedTuple):
    """B rows of bits with unknowns; neither can be false where both are set. [B, N] bool each."""

    can_be_true: np.ndarray
    can_be_false: np.ndarray


class Outcome(NamedTuple):
    """What may and must follow from partly known states and moves."""

    legal: Ternary  # all roles' moves, in order
    terminal: Ternary  # [B, 1]
    states: Ternary  # the next ones
    percepts: Ternary  # all roles' percepts, in order


class TernaryMachine:
    """A machine for states and moves of which only part is known."""

    def __init__(self, machine: Machine) -> None:
        self.program = machine.program
        self._layout = machine.circuit.layout
        self._machine = Machine(
            machine.program, native=machine.is_native, width=machine.width, circuit=ternary(machine.circuit)
        )

    def step3(self, states: Ternary, moves: Ternary) -> Outcome:
        """States [B, F] and moves [B, M] with unknowns -> what can and what must follow."""
        inputs = Ternary(*(np.concatenate(part, axis=1) for part in zip(states, moves, strict=True)))
        found = self._machine.evaluate(pack(_interleave(inputs)))
        layout = self._layout
        bits = unpack(found, 2 * (layout.inner - layout.legal))
        whole = Ternary(bits[:, 0::2], ~bits[:, 1::2])

        def area(start: int, size: int) -> Ternary:
            return Ternary(*(plane[:, start - layout.legal : start - layout.legal + size] for plane in whole))

        return Outcome(
            legal=area(layout.legal, layout.goals - layout.legal),
            terminal=area(layout.terminal, 1),
            states=area(layout.next, len(self.program.fluents)),
            percepts=area(layout.percepts, layout.inner - layout.percepts),
        )


def known(bits: np.ndarray) -> Ternary:
    """Rows of which everything is known."""
    return Ternary(bits.copy(), ~bits)


def ternary(circuit: Circuit) -> Circuit:
    """The circuit over pairs of slots."""
    layout = Layout(*(2 * value for value in circuit.layout))
    return Circuit(layout, *(_double(part) for part in circuit[1:]))


def _double(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    doubled = []
    for block in blocks:
        gates = []
        for gate in block.gates:
            for plane in (0, 1):
                terms = tuple(tuple(_cross(literal, plane) for literal in term) for term in gate.terms)
                gates.append(Gate(2 * gate.slot + plane, terms))
        doubled.append(Block(tuple(gates), block.recursive))
    return tuple(doubled)


def _cross(literal: Literal, plane: int) -> Literal:
    """The literal in a plane: a negation asks the other plane. Constants are the same in both."""
    slot, negated = literal >> 1, literal & 1
    if slot < 2:
        return literal
    return 2 * (2 * slot + (plane ^ negated)) + negated


def _interleave(rows: Ternary) -> np.ndarray:
    """Bit 2 i: can be true, bit 2 i + 1: must be true."""
    count, size = rows.can_be_true.shape
    bits = np.zeros((count, 2 * size), bool)
    bits[:, 0::2] = rows.can_be_true
    bits[:, 1::2] = ~rows.can_be_false
    return bits
