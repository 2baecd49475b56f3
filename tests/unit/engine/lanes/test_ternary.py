from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from veil import load
from veil.engine.lanes.machine import Machine, pack, unpack
from veil.engine.lanes.ternary import Ternary, TernaryMachine, known


def outcomes(machine: Machine, states: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """[B, outputs] everything from legal to percepts, by the ordinary circuit."""
    layout = machine.circuit.layout
    return unpack(machine.evaluate(pack(np.concatenate([states, moves], axis=1))), layout.inner - layout.legal)


@pytest.mark.parametrize("name", ["monty_hall", "exploding_bomb", "krieg_tictactoe", "tic_tac_toe"])
@pytest.mark.parametrize("native", [True, False])
def test_what_is_possible_is_never_excluded(name: str, native: bool) -> None:
    """Up to six unknown bits: the three-valued result must cover every way to fill them in."""
    machine = Machine(load(name).program, native)
    ternary = TernaryMachine(machine)
    layout = machine.circuit.layout
    num_fluents, num_moves = layout.moves - layout.fluents, layout.legal - layout.moves
    rng = np.random.default_rng(4)
    for _ in range(20):
        bits = rng.random(num_fluents + num_moves) < 0.4
        unknown = rng.choice(len(bits), size=6, replace=False)
        filled = np.repeat(bits[None, :], 64, axis=0)
        filled[:, unknown] = list(product([False, True], repeat=6))
        found = outcomes(machine, filled[:, :num_fluents], filled[:, num_fluents:])
        true, false = bits.copy(), ~bits
        true[unknown] = false[unknown] = True
        planes = [
            Ternary(true[None, part], false[None, part]) for part in (slice(0, num_fluents), slice(num_fluents, None))
        ]
        result = ternary.step3(*planes)
        for area, start in (
            (result.legal, layout.legal),
            (result.terminal, layout.terminal),
            (result.states, layout.next),
            (result.percepts, layout.percepts),
        ):
            columns = slice(start - layout.legal, start - layout.legal + area.can_be_true.shape[1])
            assert (area.can_be_true[0] | ~found[:, columns].any(axis=0)).all()
            assert (area.can_be_false[0] | found[:, columns].all(axis=0)).all()


@pytest.mark.parametrize("name", ["monty_hall", "krieg_tictactoe"])
def test_where_everything_is_known_nothing_is_left_open(name: str) -> None:
    machine = load(name).machine
    layout = machine.circuit.layout
    rng = np.random.default_rng(1)
    states = rng.random((70, layout.moves - layout.fluents)) < 0.5
    moves = rng.random((70, layout.legal - layout.moves)) < 0.5
    result = TernaryMachine(machine).step3(known(states), known(moves))
    found = outcomes(machine, states, moves)
    following = slice(layout.next - layout.legal, layout.percepts - layout.legal)
    assert (result.states.can_be_true == found[:, following]).all()
    assert (result.states.can_be_false == ~found[:, following]).all()


def test_unknowns_stay_where_they_matter_and_nowhere_else() -> None:
    machine = load("monty_hall").machine
    program = machine.program
    state = program.initial[None, :]
    can, cannot = state.copy(), ~state
    car = program.fluents.index(("car", "2"))
    can[0, car] = True
    moves = np.zeros((1, sum(map(len, program.moves))), bool)
    result = TernaryMachine(machine).step3(Ternary(can, cannot), known(moves))
    open_fluents = np.flatnonzero(result.states.can_be_true[0] & result.states.can_be_false[0])
    assert [program.fluents[i] for i in open_fluents] == [("car", "2")]
