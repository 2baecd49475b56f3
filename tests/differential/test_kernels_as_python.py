"""The same seed gives the same games whether kernels are compiled or run as the Python functions they are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# Code called by address, native and as an image of gates; rows of lanes; held records; walks in fleets and on trees.
SCRIPT = """
from veil.engine import Machine, load
from veil.engine.lanes import count_bits
from veil.equilibrium import solve
from veil.environments.vector import VectorEnv
from veil.match import run_match

game = load("kuhn_poker")
for native in (True, False):
    machine = Machine(game.program, native=native)
    played = machine.playouts(machine.initial_states(), 20, seed=5)
    print(played.goal_sum.tolist(), played.length_sum.tolist(), played.steps)
for form in ("percepts", "record"):
    env = VectorEnv(game, 3, seed=5, observation=form)
    env.reset()
    for _ in range(4):
        batch = env.step(env.sample())
        print([part.tolist() for part in (*batch.observation, *batch.legal, batch.reward)])
print(solve(game, "cfr+", iterations=3).policy.table)
players = ["oos:iterations=20", "ismcts:iterations=20", "hyperplay:models=2,playouts=2", "pimc:worlds=2,iterations=9"]
for first, second in zip(players, players[1:] + players[:1]):
    log = run_match(game, {"first": first, "second": second}, seed=3)
    print(log.goals, log.errors, [played.moves for played in log.rounds])
print("compiled" if hasattr(count_bits, "py_func") else "Python")
"""


def run(word: str) -> list[str]:
    """What the script prints with `NUMBA_DISABLE_JIT` = word."""
    env = os.environ | {"NUMBA_DISABLE_JIT": word}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()


@pytest.mark.nightly
def test_a_seed_gives_the_same_games_compiled_and_as_python() -> None:
    *compiled, first = run("0")
    *as_python, second = run("1")
    assert (first, second) == ("compiled", "Python")
    assert len(compiled) == 15
    assert compiled == as_python
