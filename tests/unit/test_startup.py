"""What a process imports before it has something to compute: numba and SciPy take most of a second."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.command import PATIENCE

pytestmark = pytest.mark.slow  # every test starts a process

DEAR = ("numba", "llvmlite", "scipy")
COMMAND = "from veil.cli import run; assert run({words}) == 0"


def imported(script: str, *names: str) -> list[str]:
    """Which of these packages a fresh process has imported after the script."""
    check = "import json, sys; print(json.dumps([name for name in {names} if name in sys.modules]), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"{script}\n{check.format(names=list(names))}"], capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr.decode()
    found: list[str] = json.loads(done.stderr.decode().splitlines()[-1])
    return found


def test_to_import_veil_imports_nothing_dear() -> None:
    assert imported("import veil", *DEAR, "numpy", "rich", "typer", "clingo") == []


@pytest.mark.parametrize("words", [["--help"], ["games"]], ids=" ".join)
def test_commands_that_compute_nothing_import_nothing_dear(words: list[str]) -> None:
    assert imported(COMMAND.format(words=words), *DEAR, "numpy") == []


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize(
    "words",
    [
        ["sim", "--help"],
        ["solve", "--help"],
        ["infoset", "--help"],
        ["match", "--help"],
        ["players"],
        ["samplers"],
        ["solvers"],
    ],
    ids=" ".join,
)
def test_tables_and_help_need_no_compiler(words: list[str]) -> None:
    assert imported(COMMAND.format(words=words), "numba", "llvmlite", "scipy.optimize", "scipy.stats") == []


def test_a_command_that_only_looks_at_rules_needs_no_compiler() -> None:
    """`check` does: it looks for infosets with different legal moves, in lanes."""
    assert imported(COMMAND.format(words=["trace", "tic_tac_toe"]), *DEAR) == []


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize(
    "names",
    [
        "engine import Game, Machine, Record, load, simulate, warm_up",
        "belief import Bag, ExactBelief, HyperPlayBelief, ParticleBelief, believe, warm_up",
        "equilibrium import Policy, Solution, evaluate, expand, solve, warm_up",
        "search import Forest, NestedPlayers",
        "players import make_player",
        "match import run_match, run_tournament",
    ],
)
def test_rooms_can_be_entered_without_numba(names: str) -> None:
    assert imported(f"from veil.{names}", "numba") == []


def test_random_games_need_no_statistics_or_optimisation() -> None:
    script = COMMAND.format(words=["sim", "tic_tac_toe", "--playouts", "10"])
    assert imported(script, "numba", "scipy.optimize", "scipy.stats", "rich") == ["numba"]
