"""Solutions that a process keeps: what their key is made of, how many they are, and what a clock has to do with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.support.games import game
from veil import load
from veil.caches import BoundedCache
from veil.engine import Game, GroundLimits
from veil.equilibrium import Budget, Solution, SolveOrder, cached_solutions, solve, solve_cached, solve_value_cached
from veil.games import POINTS

FEW = SolveOrder(method="cfr+", budget=Budget(iterations=5))


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Nothing is kept yet; how `solve` was called."""
    calls: list[dict[str, Any]] = []

    def counted(of: Game, method: str, **options: Any) -> Solution:
        calls.append({"method": method} | options)
        return solve(of, method, **options)

    monkeypatch.setattr(cached_solutions, "_solved", BoundedCache(cached_solutions.MAX_SOLUTIONS))
    monkeypatch.setattr(cached_solutions, "solve", counted)
    return calls


def clocked(seconds: float | None, order: SolveOrder = FEW) -> SolveOrder:
    return replace(order, budget=replace(order.budget, seconds=seconds))


def test_parts_are_those_of_the_solution_and_each_is_worked_out_once(calls: list[dict[str, Any]]) -> None:
    solution = solve("kuhn_poker", "cfr+", iterations=5)
    policy = solve_cached(game("kuhn_poker"), FEW)
    assert policy == solution.policy
    assert solve_cached(game("kuhn_poker"), FEW, "last") == solution.last_policy
    assert solve_value_cached(game("kuhn_poker"), FEW) == solution.value
    assert solve_cached(load("kuhn_poker"), FEW) is policy
    assert len(calls) == 3


def test_everything_that_a_solution_depends_on_is_in_its_key(calls: list[dict[str, Any]]) -> None:
    kuhn = game("kuhn_poker")
    orders = [
        FEW,
        replace(FEW, method="cfr"),
        replace(FEW, budget=Budget(iterations=6)),
        replace(FEW, budget=Budget(iterations=5, target=1e-9)),
        replace(FEW, max_nodes=1000),
        replace(FEW, method="os-mccfr"),
        replace(FEW, method="os-mccfr", seed=1),
    ]
    games = [
        game("monty_hall"),
        Game(kuhn.name, kuhn.rules, utility=POINTS),
        Game(kuhn.name, kuhn.rules, GroundLimits(max_bytes=2**31), kuhn.utility),
    ]
    for _ in range(2):
        for order in orders:
            solve_value_cached(kuhn, order)
        for other in games:
            solve_value_cached(other, FEW)
    assert len(calls) == len(orders) + len(games)
    assert solve_value_cached(games[1], FEW)["first"] == pytest.approx(50 + solve_value_cached(kuhn, FEW)["first"])


def test_the_seed_of_a_method_that_draws_nothing_does_not_matter(calls: list[dict[str, Any]]) -> None:
    policies = [solve_cached(game("kuhn_poker"), replace(FEW, seed=seed)) for seed in (3, 4)]
    assert policies[0] is policies[1]
    assert [call["seed"] for call in calls] == [0]


def test_the_solutions_that_were_asked_for_last_are_kept(calls: list[dict[str, Any]]) -> None:
    most = cached_solutions.MAX_SOLUTIONS
    orders = [replace(FEW, budget=Budget(iterations=number + 1)) for number in range(most + 1)]
    for order in [*orders[:-1], orders[0], orders[-1]]:
        solve_value_cached(game("kuhn_poker"), order)
    assert len(calls) == most + 1
    solve_value_cached(game("kuhn_poker"), orders[0])
    assert len(calls) == most + 1
    solve_value_cached(game("kuhn_poker"), orders[1])
    assert len(calls) == most + 2


def test_a_solution_that_a_clock_cut_short_is_kept_for_that_clock_only(calls: list[dict[str, Any]]) -> None:
    short = replace(FEW, budget=Budget(iterations=200, seconds=1e-9))
    cut = solve_cached(game("kuhn_poker"), short)
    assert solve_cached(game("kuhn_poker"), short) is cut
    assert len(calls) == 1
    whole = solve_cached(game("kuhn_poker"), clocked(1000.0, short))
    assert whole == solve("kuhn_poker", "cfr+", iterations=200).policy != cut


def test_a_solution_that_came_to_its_end_serves_all_clocks(calls: list[dict[str, Any]]) -> None:
    policy = solve_cached(game("kuhn_poker"), clocked(1000.0))
    for seconds in (None, 2000.0, 1e-9):
        assert solve_cached(game("kuhn_poker"), clocked(seconds)) is policy
    exact = solve_cached(game("kuhn_poker"), SolveOrder(method="lp", budget=Budget(seconds=1e-9)))
    assert solve_cached(game("kuhn_poker"), SolveOrder(method="lp")) is exact
    assert len(calls) == 2


def test_a_target_that_was_met_on_a_clock_is_kept_for_that_clock_only(calls: list[dict[str, Any]]) -> None:
    easy = SolveOrder(budget=Budget(target=1000.0, seconds=1000.0))
    for order in (easy, easy, clocked(None, easy), clocked(None, easy), clocked(2000.0, easy)):
        solve_value_cached(game("kuhn_poker"), order)
    assert [call["seconds"] for call in calls] == [1000.0, None]


def test_a_solution_that_ctrl_c_ended_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = replace(solve("kuhn_poker", "cfr+", iterations=5), stopped_by="interrupted")
    with monkeypatch.context() as patch:
        patch.setattr(cached_solutions, "solve", lambda *_, **options: stopped)
        for seconds in (None, 1000.0):
            solve_value_cached(game("kuhn_poker"), clocked(seconds))
    assert len(cached_solutions._solved) == 0


def test_a_solution_that_the_usual_seconds_ended_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """An order without any limit gets ten seconds, which it does not name."""
    monkeypatch.setattr("veil.equilibrium.solver_run.DEFAULT_SECONDS", 1e-9)
    solve_value_cached(game("leduc_poker"), SolveOrder(method="cfr"))
    assert len(cached_solutions._solved) == 0
