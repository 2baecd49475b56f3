from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.circuits import evaluate_slowly, loaded_values, to_worlds
from veil import load
from veil.engine.lanes.circuit_kernels import (
    address,
    new_values,
    run_advance,
    run_choose,
    run_dynamic,
    run_percepts,
    run_static,
)
from veil.engine.lanes.machine import Machine


@pytest.fixture(scope="module", params=[True, False], ids=["native", "from arrays"])
def machine(request: Any) -> Machine:
    return Machine(load("krieg_tictactoe").program, native=request.param)


def test_a_new_value_array_is_empty_but_for_its_constants(machine: Machine) -> None:
    values = new_values(machine.code, 3)
    assert values.shape == (machine.circuit.layout.num_slots, 3)
    assert (values[1] == 2**64 - 1).all()
    assert not values[0].any()
    assert not values[2:].any()


def test_an_address_is_where_the_array_lies() -> None:
    array = np.arange(4, dtype=np.uint64).reshape(2, 2)
    assert address(array) == array.ctypes.data


def test_a_step_by_addresses_computes_what_the_gates_say(machine: Machine) -> None:
    states = machine.initial_states(256)
    values = loaded_values(machine, states)
    rng = np.random.SeedSequence(1).generate_state(16, np.uint64).reshape(4, 4)
    layout, worlds = machine.circuit.layout, to_worlds(values)
    parts = (("static", run_static), ("dynamic", run_dynamic), ("percepts", run_percepts))
    for name, run in parts:
        if name == "dynamic":
            run_choose(machine.code, values, rng)
            chosen = to_worlds(values)
            worlds[:, layout.moves : layout.legal] = chosen[:, layout.moves : layout.legal]
            assert (chosen[:, layout.moves : layout.legal].sum(axis=1) == 2).all()  # one move per role
            assert not chosen[:, layout.stuck].any()
        run(machine.code, values)
        for world in worlds:
            evaluate_slowly(getattr(machine.circuit, name), world)
        assert (to_worlds(values)[:, layout.legal :] == worlds[:, layout.legal :]).all(), name
    start = np.zeros((1 + machine.code.num_fluents, 4), np.uint64)
    start[0, 0] = 1  # lane 0 has ended, and begins again with nothing
    run_advance(machine.code, values, start)
    after = to_worlds(values)[:, layout.fluents : layout.moves]
    assert not after[0].any()
    assert (after[1:] == worlds[1:, layout.next : layout.percepts]).all()
