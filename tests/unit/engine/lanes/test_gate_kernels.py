from __future__ import annotations

from ctypes import CFUNCTYPE, c_int64

import numpy as np
import pytest

from tests.support.circuits import LAYOUT, call_native, circuit, evaluate_slowly, random_worlds, to_values, to_worlds
from veil import load
from veil.engine.lanes.code import make_image
from veil.engine.lanes.gate_kernels import evaluate_gates, function_addresses, section
from veil.engine.lanes.lower import lower
from veil.engine.lanes.native import compile_circuit

PROGRAM = load("kuhn_poker").program  # its moves are not those of the circuit, and play no part here


def call(function: int, values: np.ndarray, other: np.ndarray | None, image: np.ndarray) -> None:
    CFUNCTYPE(None, c_int64, c_int64, c_int64)(function)(
        values.ctypes.data, 0 if other is None else other.ctypes.data, image.ctypes.data
    )


@pytest.mark.parametrize("width", [1, 2, 4, 5])
def test_parts_compute_what_their_gates_say_in_every_lane(width: int) -> None:
    image, addresses = make_image(PROGRAM, circuit(), width), function_addresses()
    worlds = random_worlds(LAYOUT.num_slots, 64 * width, seed=width)
    values = to_values(worlds, width)
    for name in ("static", "dynamic", "percepts"):
        call(getattr(addresses, name), values, None, image)
        for world in worlds:
            evaluate_slowly(getattr(circuit(), name), world)
        assert (to_worlds(values) == worlds).all(), name


def test_a_pass_says_whether_it_changed_anything() -> None:
    image = make_image(PROGRAM, circuit(), 4)
    values = to_values(random_worlds(LAYOUT.num_slots, 256, seed=8), 4)
    assert evaluate_gates(image, values, 0, 1)
    assert not evaluate_gates(image, values, 0, 1)


def test_sections_are_found_by_their_number() -> None:
    image = np.array([4, 6, 6, 7, 10, 11, 12], np.int64)
    assert [section(image, i).tolist() for i in range(3)] == [[10, 11], [], [12]]


def test_choosing_and_advancing_are_those_of_generated_code() -> None:
    program = load("krieg_tictactoe").program
    whole = lower(program)
    native = compile_circuit(whole, [len(moves) for moves in program.moves], 4)
    image = make_image(program, whole, 4)
    values = to_values(random_worlds(whole.layout.num_slots, 256, seed=9), 4)
    rng = np.random.SeedSequence(2).generate_state(16, np.uint64).reshape(4, 4)
    start = np.random.default_rng(3).integers(0, 2**63, (1 + len(program.fluents), 4)).astype(np.uint64)
    twin, twin_rng = values.copy(), rng.copy()
    for name, other, twin_other in (("choose", rng, twin_rng), ("advance", start, start.copy())):
        call(getattr(function_addresses(), name), values, other, image)
        call_native(getattr(native.addresses, name), twin, twin_other)
        assert (values == twin).all(), name
    assert (rng == twin_rng).all()
