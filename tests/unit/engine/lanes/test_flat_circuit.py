"""The wiring of a circuit: its gates compute the same as the machine, and uses point back at the terms."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from veil.engine.lanes.flat_circuit import Wiring, wire_circuit
from veil.engine.lanes.machine import unpack


def evaluate(wiring: Wiring, state: np.ndarray, moves: list[int]) -> np.ndarray:
    """[slots] what holds, gate by gate; recursive blocks until nothing changes."""
    value = np.zeros(wiring.num_slots, bool)
    value[1] = True
    value[wiring.fluents : wiring.fluents + wiring.num_fluents] = state
    value[[wiring.moves + move for move in moves]] = True
    for block in range(len(wiring.block_recursive)):
        before = None
        while before is None or (wiring.block_recursive[block] and (before != value).any()):
            before = value.copy()
            for gate in range(wiring.block_start[block], wiring.block_start[block + 1]):
                terms = range(wiring.gate_start[gate], wiring.gate_start[gate + 1])
                value[wiring.gate_slot[gate]] = any(holds(wiring, value, term) for term in terms)
    return value


def holds(wiring: Wiring, value: np.ndarray, term: int) -> bool:
    literals = wiring.literals[wiring.term_start[term] : wiring.term_start[term + 1]].tolist()
    return all(value[literal >> 1] != bool(literal & 1) for literal in literals)


@pytest.mark.parametrize("spec", ["krieg_tictactoe", "kuhn_poker", "racko(slots=2,cards=7)"])
def test_its_gates_compute_what_the_machine_computes(spec: str) -> None:
    machine, rng = game(spec).machine, np.random.default_rng(1)
    for role in range(len(machine.program.roles)):
        wiring, states = wire_circuit(machine.program, machine.circuit, role), machine.initial_states()
        for _ in range(20):
            judged = machine.judge(states)
            if judged.terminal[0]:
                break
            legal = [bits[0] for bits in machine.legal_bits(judged)]
            joint = np.array([rng.choice(np.flatnonzero(own)) for own in legal])
            stepped = machine.step(states, joint[None, :])
            bits = unpack(states, wiring.num_fluents)[0]
            value = evaluate(wiring, bits, (wiring.role_moves[:-1] + joint).tolist())
            assert (value[wiring.legal : wiring.legal + len(wiring.move_role)] == np.concatenate(legal)).all()
            assert not value[wiring.terminal]
            following = unpack(stepped.states, wiring.num_fluents)[0]
            assert (value[wiring.next : wiring.next + wiring.num_fluents] == following).all()
            seen = unpack(stepped.percepts[role], len(wiring.percepts))[0]
            assert (value[wiring.percepts] == seen).all()
            states = stepped.states


@pytest.mark.parametrize("spec", ["krieg_tictactoe", "racko(slots=2,cards=7)"])
def test_uses_point_back_at_the_terms(spec: str) -> None:
    machine = game(spec).machine
    wiring = wire_circuit(machine.program, machine.circuit, 1)
    listed = {
        (slot, int(use) >> 1, int(use) & 1)
        for slot in range(wiring.num_slots)
        for use in wiring.uses[wiring.use_start[slot] : wiring.use_start[slot + 1]]
    }
    terms = range(len(wiring.term_gate))
    stand = {
        (int(literal) >> 1, term, int(literal) & 1)
        for term in terms
        for literal in wiring.literals[wiring.term_start[term] : wiring.term_start[term + 1]]
    }
    assert listed == stand
    assert len(wiring.uses) == len(wiring.literals)
    for gate, slot in enumerate(wiring.gate_slot.tolist()):
        assert wiring.slot_gate[slot] == gate


def test_what_others_see_and_goals_are_left_out() -> None:
    machine = game("kuhn_poker").machine
    wiring, layout = wire_circuit(machine.program, machine.circuit, 1), machine.circuit.layout
    assert (wiring.slot_gate[layout.goals : layout.terminal] == -1).all()
    seen = wiring.slot_gate[layout.percepts : layout.inner] >= 0
    own = np.isin(np.arange(layout.percepts, layout.inner), wiring.percepts)
    assert not seen[~own].any()
