from __future__ import annotations

import numpy as np
import pytest

from tests.support.circuits import circuit as small_circuit
from veil import load
from veil.engine.lanes.code import (
    AREAS,
    FLUENTS,
    INNER,
    LITERALS,
    MOVES,
    NUM_SECTIONS,
    SIZES,
    Addresses,
    make_code,
    make_image,
)
from veil.engine.lanes.lower import lower


def test_a_record_says_where_everything_lies() -> None:
    program = load("kuhn_poker").program
    circuit = lower(program)
    code = make_code(program, circuit, Addresses(1, 2, 3, 4, 5), 6)
    assert code[:6] == (1, 2, 3, 4, 5, 6)
    assert all(isinstance(address, np.uint64) for address in code[:6])
    assert code.areas[FLUENTS] == circuit.layout.fluents
    assert code.areas[INNER] == circuit.layout.inner
    assert code.num_fluents == len(program.fluents) == code.areas[MOVES] - code.areas[FLUENTS]
    assert np.diff(code.role_moves).tolist() == [len(moves) for moves in program.moves]
    assert np.diff(code.role_percepts).tolist() == [len(percepts) for percepts in program.percepts]
    for role, goals in enumerate(program.goals):
        assert code.goal_value[code.goal_start[role] : code.goal_start[role + 1]].tolist() == list(goals)


@pytest.mark.parametrize("bundled", [True, False])
def test_an_image_holds_all_gates(bundled: bool) -> None:
    program = load("tic_tac_toe").program
    circuit = lower(program) if bundled else small_circuit()  # the small one is recursive
    image = make_image(program, circuit, 4)
    sections = [image[image[i] : image[i + 1]].tolist() for i in range(NUM_SECTIONS)]
    assert image[NUM_SECTIONS] == len(image)
    assert sections[SIZES] == [circuit.layout.num_slots, 4]
    assert sections[AREAS] == list(circuit.layout[1:])
    role_moves, parts, blocks, recursive, slots, gate_start, term_start, literals = sections[2:]
    assert sections[LITERALS] == literals
    assert role_moves[-1] == sum(map(len, program.moves))
    assert parts == [0, len(circuit.static), len(circuit.static) + len(circuit.dynamic), len(circuit.blocks)]
    for number, block in enumerate(circuit.blocks):
        assert bool(recursive[number]) == block.recursive
        assert slots[blocks[number] : blocks[number + 1]] == [gate.slot for gate in block.gates]
        for gate, place in zip(block.gates, range(blocks[number], blocks[number + 1]), strict=True):
            terms = range(gate_start[place], gate_start[place + 1])
            assert [tuple(literals[term_start[t] : term_start[t + 1]]) for t in terms] == list(gate.terms)
