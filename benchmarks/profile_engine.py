"""Where a step spends its time, and what the length of generated functions costs: the figures in docs/decisions.md.

    python benchmarks/profile_engine.py [GAME]

Prints nanoseconds per lane for every function of a step, generated and from arrays, and seconds to compile by the
number of gates per function.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from time import perf_counter

import numpy as np

import veil
from veil.engine.grounding.program import GroundProgram
from veil.engine.lanes import Code, codegen, kernel
from veil.engine.lanes.circuit_kernels import (
    new_values,
    run_advance,
    run_choose,
    run_dynamic,
    run_percepts,
    run_static,
)
from veil.engine.lanes.code import FLUENTS
from veil.engine.lanes.lower import lower
from veil.engine.lanes.machine import LANES, Machine
from veil.engine.lanes.native import compile_circuit
from veil.engine.lanes.row_kernels import load_rows

PASSES = 20_000


@kernel
def repeat(code: Code, function: int, v: np.ndarray, other: np.ndarray, times: int) -> None:
    for _ in range(times):
        if function == 0:
            run_static(code, v)
        elif function == 1:
            run_choose(code, v, other)
        elif function == 2:
            run_dynamic(code, v)
        elif function == 3:
            run_percepts(code, v)
        else:
            run_advance(code, v, other)


def per_lane(machine: Machine, times: int) -> dict[str, float]:
    """Nanoseconds per lane of each function, from the initial state in every lane."""
    code = machine.code
    v = new_values(code, machine.width)
    states, owner = machine.initial_states(), np.zeros(LANES, np.int64)
    load_rows(states, owner, 0, LANES, v, code.areas[FLUENTS], code.num_fluents)
    rng = np.random.SeedSequence(1).generate_state(4 * machine.width, np.uint64).reshape(4, machine.width)
    start = np.zeros((1 + int(code.num_fluents), machine.width), np.uint64)
    found = {}
    functions = (("static", rng), ("choose", rng), ("dynamic", rng), ("percepts", rng), ("advance", start))
    for function, (name, other) in enumerate(functions):
        repeat(code, function, v, other, 10)
        begin = perf_counter()
        repeat(code, function, v, other, times)
        found[name] = round((perf_counter() - begin) / times / LANES * 1e9, 2)
    return found


def compile_seconds(program: GroundProgram, gates: int) -> float:
    codegen.GATES_PER_FUNCTION = gates
    circuit = lower(program)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VEIL_CACHE"] = folder
        begin = perf_counter()
        compile_circuit(circuit, [len(own) for own in program.moves], 4)
        return round(perf_counter() - begin, 2)


def main() -> None:
    game = veil.load(sys.argv[1] if len(sys.argv) > 1 else "breakthrough(width=8, height=8)")
    result = {
        "game": game.name,
        "generated": per_lane(game.machine, PASSES),
        "from_arrays": per_lane(Machine(game.program, native=False), PASSES // 100),
        "compile_seconds_by_gates_per_function": {n: compile_seconds(game.program, n) for n in (30, 60, 120, 250)},
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
