"""A solve that is killed goes on from its store, and what comes out has the same bytes."""

import os
import signal
from pathlib import Path

import pytest

from tests.support.command import veil

# No tree fits into memory, every iteration is kept, and the process kills itself after some of them.
PLUGIN = """
import os, signal
from veil.equilibrium import solve_store, solver_run

solver_run.MAX_NODES, solver_run.PATIENCE, solve_store.PAUSE, solve_store.SHARE = 10, 0.0, 0.0, float("inf")
writes, write = [], solve_store.SolveStore.write

def write_and_die(store, state):
    write(store, state)
    writes.append(state.iterations)
    if str(len(writes)) == os.environ.get("KILLED_AFTER"):
        os.kill(os.getpid(), signal.SIGKILL)

solve_store.SolveStore.write = write_and_die
"""


@pytest.mark.slow
@pytest.mark.compiled("three processes that would walk as Python")
def test_a_killed_solve_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "plugin.py").write_text(PLUGIN, encoding="utf-8")

    def solve(policy: str, *more: str, killed_after: str = "") -> int:
        words = ["--load", "plugin.py", "solve", "leduc_poker", "--iterations", "40", "--policy-out", policy, *more]
        return veil(*words, cwd=tmp_path, env={**os.environ, "KILLED_AFTER": killed_after}).code

    assert solve("whole.veil") == 0
    assert solve("broken.veil", "--store", "run.store", killed_after="21") == -signal.SIGKILL
    assert not (tmp_path / "broken.veil").exists()
    assert solve("broken.veil", "--store", "run.store") == 0
    assert (tmp_path / "broken.veil").read_bytes() == (tmp_path / "whole.veil").read_bytes()
