from __future__ import annotations

import numpy as np

from tests.support.circuits import evaluate_slowly
from veil import load
from veil.engine.grounding.evaluate import evaluate
from veil.engine.grounding.grounder import ground
from veil.engine.grounding.program import GroundProgram
from veil.engine.lanes.lower import Circuit, lower
from veil.lang import read_rules


def lowered(text: str) -> tuple[GroundProgram, Circuit]:
    program = ground(read_rules(text))
    return program, lower(program)


LAMPS = """(role r) (init (on 1)) (lamp 1) (lamp 2) (next_to 1 2)
(<= (legal r (switch ?x)) (lamp ?x)) (legal r wait)
(<= (next (on ?x)) (does r (switch ?x)) (not (true (on ?x))))
(<= (next (on ?x)) (true (on ?x)) (not (does r (switch ?x))))
(<= dark (not (true (on 1))) (not (true (on 2))))
(<= gloomy (not (true (on 1))) (not (true (on 2))))
(<= (sees r dark) dark) (<= (sees r gloomy) gloomy)
(<= terminal dark) (<= (goal r 100) gloomy) (<= (goal r 0) (true (on 1)))"""


def check(program: GroundProgram, circuit: Circuit, seed: int) -> None:
    """The circuit against the ground program, in random states after random moves."""
    layout, rng = circuit.layout, np.random.default_rng(seed)
    inputs = layout.legal - layout.fluents
    for _ in range(20):
        bits = rng.random(inputs) < 0.5
        atoms = np.zeros(program.num_atoms, bool)
        atoms[1] = True
        atoms[2 : 2 + inputs] = bits
        evaluate(program, atoms, 0, len(program.stratum_recursive))
        values = np.zeros(layout.num_slots, bool)
        values[1] = True
        values[layout.fluents : layout.legal] = bits
        evaluate_slowly(circuit.blocks, values)
        expected = {
            layout.legal: np.concatenate(program.legal_atoms),
            layout.goals: np.concatenate(program.goal_atoms),
            layout.terminal: np.array([program.terminal_atom]),
            layout.next: program.next_atoms,
            layout.percepts: np.concatenate(program.percept_atoms),
        }
        for start, where in expected.items():
            assert (values[start : start + len(where)] == atoms[where]).all()


def test_the_circuit_computes_what_the_ground_program_does() -> None:
    for name in ("exploding_bomb", "krieg_tictactoe", "kuhn_poker", "dark_hex(size=3)"):
        program = load(name).program
        check(program, lower(program), seed=1)
    check(*lowered(LAMPS), seed=2)


def test_areas_follow_each_other_without_a_gap() -> None:
    program, circuit = lowered(LAMPS)
    layout = circuit.layout
    fluents, moves = len(program.fluents), len(program.moves[0])
    sizes = [fluents, moves, moves, len(program.goals[0]), 1, 1, fluents, len(program.percepts[0])]
    assert np.diff(layout[1:]).tolist() == sizes
    assert layout.fluents == 2
    assert layout.num_slots >= layout.inner


def test_atoms_with_the_same_definition_share_a_slot() -> None:
    _, circuit = lowered(LAMPS)
    inner = [gate for block in circuit.blocks for gate in block.gates if gate.slot >= circuit.layout.inner]
    assert len({gate.terms for gate in inner}) == len(inner)
    shown = {gate.slot: gate.terms for block in circuit.blocks for gate in block.gates}
    layout = circuit.layout
    assert shown[layout.percepts] == shown[layout.percepts + 1] == shown[layout.terminal]


def test_what_can_never_hold_is_carried_through() -> None:
    never = (
        "(<= never (true (on 1)) (not (true (on 1)))) (<= strange never (true (on 2))) (<= (sees r strange) strange)"
    )
    program, circuit = lowered(LAMPS + never)
    shown = {gate.slot: gate.terms for block in circuit.percepts for gate in block.gates}
    assert shown[circuit.layout.percepts + program.percepts[0].index("strange")] == ()
    _, without = lowered(LAMPS)
    assert circuit.num_literals == without.num_literals


def test_what_no_output_needs_is_dropped() -> None:
    _, circuit = lowered(LAMPS)
    _, more = lowered(LAMPS + "(<= useless (true (on 1)) (true (on 2)) (not dark))")
    assert more.layout.num_slots == circuit.layout.num_slots
    assert more.num_literals == circuit.num_literals


def test_a_slot_is_computed_before_it_is_read() -> None:
    circuit = lower(load("krieg_tictactoe").program)
    known = set(range(circuit.layout.legal))
    for block in circuit.blocks:
        if block.recursive:
            known |= {gate.slot for gate in block.gates}
        for gate in block.gates:
            assert {literal >> 1 for term in gate.terms for literal in term} <= known
            known.add(gate.slot)


def test_what_is_only_seen_is_computed_last_and_apart() -> None:
    _, circuit = lowered(LAMPS.replace("(<= (sees r dark) dark)", "(<= (sees r moved) (does r (switch 1)) dark)"))
    layout = circuit.layout
    static = {gate.slot for block in circuit.static for gate in block.gates}
    dynamic = {gate.slot for block in circuit.dynamic for gate in block.gates}
    percepts = {gate.slot for block in circuit.percepts for gate in block.gates}
    assert set(range(layout.legal, layout.stuck)) <= static
    assert set(range(layout.next, layout.percepts)) <= dynamic
    assert set(range(layout.percepts, layout.inner)) <= percepts
