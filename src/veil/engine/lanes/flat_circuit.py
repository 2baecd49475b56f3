"""A circuit as flat arrays for implication: the terms that a slot stands in, and the gate that computes it.

Code that runs forward needs only the gates in order. To conclude backward, from the value of a gate to the values of
its inputs, a solver also needs the terms of a slot. Only gates for moves, end, next state and the percepts of one role
are kept: goals and the percepts of the other roles constrain nothing.
"""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

import numpy as np

from veil.engine.grounding import GroundProgram
from veil.engine.lanes.lower import Block, Circuit, Gate


class Wiring(NamedTuple):
    """One round of a circuit. S slots, G gates in an order in which they can be computed, K terms, L literals, R roles.

    A literal is 2 * slot + negated.
    """

    num_slots: int
    num_fluents: int
    fluents: int  # where areas of slots start, as in `Layout`
    moves: int
    legal: int
    terminal: int
    next: int
    role_moves: np.ndarray  # [R + 1] moves of a role, from the start of the area
    move_role: np.ndarray  # [M] whose move it is
    percepts: np.ndarray  # [P] slots of what the role sees
    gate_slot: np.ndarray  # [G] what it computes
    gate_start: np.ndarray  # [G + 1] gate g has terms [start[g], start[g + 1])
    slot_gate: np.ndarray  # [S] the gate that computes it; -1 for inputs and for slots that are left out
    term_gate: np.ndarray  # [K]
    term_start: np.ndarray  # [K + 1]
    literals: np.ndarray  # [L]
    use_start: np.ndarray  # [S + 1] slot s stands in uses [start[s], start[s + 1])
    uses: np.ndarray  # [L] 2 * term + negated
    block_start: np.ndarray  # [B + 1] blocks of gates
    block_recursive: np.ndarray  # [B] whether its gates form a least fixpoint


def wire_circuit(program: GroundProgram, circuit: Circuit, role: int) -> Wiring:
    """Return the wiring of a circuit, restricted to what `role` can see."""
    layout = circuit.layout
    sizes = [0, *accumulate(len(seen) for seen in program.percepts)]
    percepts = np.arange(layout.percepts + sizes[role], layout.percepts + sizes[role + 1])
    blocks = _needed_blocks(circuit, set(percepts.tolist()))
    gates = [gate for block in blocks for gate in block.gates]
    terms = [(number, term) for number, gate in enumerate(gates) for term in gate.terms]
    slot_gate = np.full(layout.num_slots, -1, np.int32)
    slot_gate[[gate.slot for gate in gates]] = np.arange(len(gates))
    literals = np.array([literal for _, term in terms for literal in term], np.int32)
    use_start, uses = _find_uses(terms, literals, layout.num_slots)
    return Wiring(
        num_slots=layout.num_slots,
        num_fluents=len(program.fluents),
        fluents=layout.fluents,
        moves=layout.moves,
        legal=layout.legal,
        terminal=layout.terminal,
        next=layout.next,
        role_moves=_starts([len(own) for own in program.moves]),
        move_role=np.repeat(np.arange(len(program.moves)), [len(own) for own in program.moves]),
        percepts=percepts,
        gate_slot=np.array([gate.slot for gate in gates], np.int32),
        gate_start=_starts([len(gate.terms) for gate in gates]),
        slot_gate=slot_gate,
        term_gate=np.array([number for number, _ in terms], np.int32),
        term_start=_starts([len(term) for _, term in terms]),
        literals=literals,
        use_start=use_start,
        uses=uses,
        block_start=_starts([len(block.gates) for block in blocks]),
        block_recursive=np.array([block.recursive for block in blocks], np.bool_),
    )


def _needed_blocks(circuit: Circuit, percepts: set[int]) -> list[Block]:
    """Return the blocks without the gates that nothing of this role depends on, found from the top down."""
    layout = circuit.layout
    needed = set(range(layout.legal, layout.goals)) | {layout.terminal} | percepts
    needed |= set(range(layout.next, layout.percepts))
    kept: list[Block] = []
    for block in reversed(circuit.blocks):
        gates: list[Gate] = []
        whole = block.recursive and any(gate.slot in needed for gate in block.gates)  # a fixpoint cannot be cut
        for gate in reversed(block.gates):
            if whole or gate.slot in needed:
                gates.append(gate)
                needed.update(literal >> 1 for term in gate.terms for literal in term)
        if gates:
            kept.append(Block(tuple(reversed(gates)), block.recursive))
    return kept[::-1]


def _find_uses(
    terms: list[tuple[int, tuple[int, ...]]], literals: np.ndarray, num_slots: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return ([S + 1], [L]) the terms that every slot stands in."""
    term_of = np.repeat(np.arange(len(terms)), [len(term) for _, term in terms])
    order = np.argsort(literals >> 1, kind="stable")
    start = np.concatenate(([0], np.cumsum(np.bincount(literals >> 1, minlength=num_slots))))
    return start.astype(np.int64), (2 * term_of + (literals & 1))[order].astype(np.int32)


def _starts(sizes: list[int]) -> np.ndarray:
    """Return [N + 1] where each of N parts starts, and where the last one ends."""
    return np.array([0, *accumulate(sizes)], np.int64)
