"""What ends a run is said, and without any limit small games come out exact."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.equilibrium_games import prepared
from veil.cli.main import run
from veil.equilibrium import Budget, solve, solve_prepared
from veil.equilibrium.solver_run import DEFAULT_METHOD, DEFAULT_PRECISION, DEFAULT_SECONDS, Point

# The catalogue's smallest games with values that are known: Kuhn 1950; the others by hand or by their papers.
EXACT = {
    "kuhn_poker": {"first": -1 / 18, "second": 1 / 18},
    "matching_pennies": {"even": 0.0, "odd": 0.0},
    "monty_hall": {"contestant": 200 / 3},
    "exploding_bomb": {"agent": 90.0},
    "frank_basin": None,
    "biased_rock_paper_scissors": None,
    "biased_penalty_kick": None,
    "cutting_wire": None,
    "extended_cutting_wire": None,
    "non_locality": None,
    "ii_goofspiel": None,
}
COIN = """
(role random) (role ann) (side heads) (side tails)
(init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal random (hide ?s)) (true (round 1)) (side ?s))
(<= (legal random noop) (not (true (round 1))))
(<= (legal ann noop) (true (round 1)))
(<= (legal ann look) (true (round 2)))
(<= (legal ann wait) (true (round 2)))
(<= (legal ann (guess ?s)) (true (round 3)) (side ?s))
(<= (sees ann ?s) (does ann look) (true (coin ?s)))
(<= (next (coin ?s)) (does random (hide ?s)))
(<= (next (coin ?s)) (true (coin ?s)))
(<= (next paid) (does ann look))
(<= (next paid) (true paid))
(<= (next (guessed ?s)) (does ann (guess ?s)))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= terminal (true (round 4)))
(<= right (true (coin ?s)) (true (guessed ?s)))
(<= (goal ann 80) right (true paid))
(<= (goal ann 100) right (not (true paid)))
(<= (goal ann 0) (not right))
(goal random 0)
"""


@pytest.mark.gate_cases(5)
@pytest.mark.compiled("slow as Python", only=("ii_goofspiel",))
@pytest.mark.parametrize("name", EXACT)
def test_small_games_come_out_exact_by_default(name: str) -> None:
    solution = solve(name)
    assert (solution.method, solution.stopped_by) == (DEFAULT_METHOD, "target")
    assert solution.seconds < DEFAULT_SECONDS / 2
    for role, value in (EXACT[name] or {}).items():
        assert f"{solution.value[role]:.6g}" == f"{value:.6g}" or solution.value[role] == pytest.approx(value, abs=1e-7)


def test_looking_at_a_coin_is_worth_80(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tutorial's game: 100 for a right guess, 80 for one after a look."""
    rules = tmp_path / "coin.kif"
    rules.write_text(COIN, encoding="utf-8")
    assert run(["solve", str(rules)]) == 0
    assert "ann 80 points" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("budget", "stop"),
    [
        (Budget(target=0.01), "target"),
        (Budget(iterations=7), "iterations"),
        (Budget(seconds=1e-9), "seconds"),
        (Budget(iterations=7, seconds=1e-9), "seconds"),
        (Budget(iterations=1, target=1e9), "target"),
    ],
)
def test_a_run_says_what_ended_it(budget: Budget, stop: str) -> None:
    solution = solve_prepared(prepared("kuhn_poker"), "cfr+", budget)
    assert (solution.stopped_by, solution.budget) == (stop, budget)
    assert not solution.interrupted


def test_an_exact_run_says_so() -> None:
    assert solve_prepared(prepared("kuhn_poker"), "lp", Budget()).stopped_by == "exact"


def test_a_run_that_ctrl_c_ended_says_so() -> None:
    def interrupt(point: Point, policy: object) -> None:
        raise KeyboardInterrupt

    solution = solve_prepared(prepared("kuhn_poker"), "cfr+", Budget(), progress=interrupt)
    assert solution.stopped_by == "interrupted"
    assert solution.interrupted


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), "at the target, an exploitability of 4e-08"),
        (("--target", "0.01"), "at the target, an exploitability of 0.01"),
        (("--iterations", "1000"), "after 1,000 iterations, as many as were asked for"),
        (("--seconds", "0.01"), "by the limit of 0.01 s"),
        (("--method", "lp"), "at the end: the result is exact"),
    ],
)
def test_the_command_says_what_stopped_it(
    words: tuple[str, ...], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", "kuhn_poker", *words]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("  stopped"))
    assert line.split("stopped", 1)[1].strip() == text


def test_json_says_what_stopped_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "kuhn_poker", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["stopped_by"], data["interrupted"]) == ("target", False)
    assert data["target"] == pytest.approx(DEFAULT_PRECISION * 4)
    assert data["exploitability"] <= data["target"]
