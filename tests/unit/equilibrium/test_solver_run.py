"""One way into all solvers: methods, budgets, Ctrl-C, notes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from tests.support.equilibrium_games import GUESS, NO_PLAYERS, THREE_VOTE, prepared
from tests.support.games import OVER_AT_THE_START
from tests.support.refusals import refused
from veil import load
from veil.equilibrium import cfr, lp, solver_run
from veil.equilibrium.cfr import CfrSolver
from veil.equilibrium.configs import CfrConfig
from veil.equilibrium.lp import solve_lp
from veil.equilibrium.policy import slots_of
from veil.equilibrium.prepared_game import PreparedGame
from veil.equilibrium.response import evaluate_profile, uniform_policy
from veil.equilibrium.solver_run import Budget, Point, solve, solve_prepared
from veil.equilibrium.solvers import SOLVERS

ITERATIVE = [name for name in SOLVERS if name != "lp"]


@pytest.mark.parametrize("method", list(SOLVERS))
def test_every_method_solves_kuhn_poker(method: str) -> None:
    """Kuhn 1950: -1/18. How near 20,000 iterations come differs by method."""
    solution = solve_prepared(prepared("kuhn_poker"), method, Budget(iterations=20_000), seed=1)
    near = {"lp": 1e-9, "its": 0.05, "xfp": 0.02, "es-mccfr": 0.03, "os-mccfr": 0.1}.get(method, 1e-3)
    assert solution.exploitability < near
    assert solution.value["first"] == pytest.approx(-1 / 18, abs=2 * near)
    assert solution.value["second"] == pytest.approx(-solution.value["first"])
    assert solution.nash_conv == pytest.approx(2 * solution.exploitability)
    assert (solution.method, solution.seed, solution.notes, solution.interrupted) == (method, 1, (), False)
    assert solution.iterations == (1 if method == "lp" else 20_000)


@pytest.mark.parametrize("method", list(SOLVERS))
def test_what_is_said_about_a_policy_is_true_of_it(method: str) -> None:
    solution = solve_prepared(prepared("kuhn_poker"), method, Budget(iterations=30))
    judged = evaluate_profile(prepared("kuhn_poker").form, solution.policy_slots)
    assert np.array_equal(judged.value, solution.evaluation.value)
    assert solution.exploitability == judged.exploitability == min(point.exploitability for point in solution.course)
    assert solution.course[-1].iterations == solution.iterations


@pytest.mark.parametrize("method", ITERATIVE)
@pytest.mark.parametrize("iterations", [1, 2, 77])
def test_a_budget_of_iterations_is_used_up_exactly(method: str, iterations: int) -> None:
    solution = solve_prepared(prepared("kuhn_poker"), method, Budget(iterations=iterations))
    assert solution.iterations == iterations
    steps = [point.iterations for point in solution.course]
    assert steps == sorted(set(steps))
    assert steps[0] == 1


def test_a_budget_of_seconds_is_kept() -> None:
    start = perf_counter()
    solution = solve_prepared(prepared("leduc_poker"), "cfr+", Budget(seconds=0.5))
    assert solution.seconds >= 0.5
    assert perf_counter() - start < 60  # a slow machine may be late
    assert solution.iterations > 1


def test_seconds_end_a_run_whose_iterations_would_take_for_ever() -> None:
    solution = solve_prepared(prepared("kuhn_poker"), "cfr", Budget(seconds=0.2, iterations=10**12))
    assert solution.iterations < 10**12


def test_no_time_at_all_still_gives_a_policy() -> None:
    solution = solve_prepared(prepared("kuhn_poker"), "cfr+", Budget(seconds=1e-9))
    assert np.add.reduceat(solution.policy_slots, prepared("kuhn_poker").form.slot_start[:-1]) == pytest.approx(1)
    assert len(solution.course) == 1


def test_a_target_ends_the_run_as_soon_as_it_is_met() -> None:
    solution = solve_prepared(prepared("kuhn_poker"), "cfr+", Budget(target=0.01))
    assert solution.exploitability <= 0.01
    assert all(point.exploitability > 0.01 for point in solution.course[:-1])
    assert solution.iterations > 1


def test_without_a_budget_a_precise_result_ends_the_run() -> None:
    solution = solve_prepared(prepared("kuhn_poker"), "pcfr+", Budget())
    assert solution.exploitability <= 1e-8 * 4  # from two chips lost to two won
    assert solution.seconds < solver_run.DEFAULT_SECONDS


def test_without_a_budget_the_target_is_a_share_of_the_range_of_payoffs() -> None:
    """Leduc pays up to 13 chips."""
    budget = Budget().fill(prepared("leduc_poker").tree)
    assert budget.seconds == solver_run.DEFAULT_SECONDS
    assert budget.target in (pytest.approx(1e-8 * 13), pytest.approx(1e-8 * 26))


def test_a_budget_that_is_given_is_left_as_it_is() -> None:
    tree = prepared("kuhn_poker").tree
    for budget in (Budget(iterations=3), Budget(seconds=2.0), Budget(target=0.1)):
        assert budget.fill(tree) == budget


@pytest.mark.parametrize("name", ["iterations", "seconds", "target"])
@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_a_budget_that_is_none_is_refused(name: str, value: float) -> None:
    options: dict[str, Any] = {name: value}
    said = refused("bad-limit", lambda: solve(load(GUESS), **options))
    assert f"{name} must be a number" in said


def test_an_unknown_method_is_refused_with_a_list_of_all() -> None:
    said = refused("unknown-method", lambda: solve(load(GUESS), "simplex"))
    assert "there is no method called simplex" in said
    assert "its, xfp, cfr, cfr+, dcfr, pcfr+, pdcfr+, hs-pcfr+, es-mccfr, os-mccfr, lp" in said


def test_a_game_too_large_is_refused() -> None:
    refused("tree-too-large", lambda: solve(load("kuhn_poker"), max_nodes=10))


@pytest.mark.parametrize("method", list(SOLVERS))
def test_a_game_of_chance_alone_is_refused(method: str) -> None:
    said = refused("no-players", lambda: solve(load(NO_PLAYERS), method, iterations=1))
    assert "no role besides random" in said


@pytest.mark.parametrize("method", list(SOLVERS))
def test_a_game_that_is_over_at_the_start_is_solved(method: str) -> None:
    solution = solve_prepared(prepared(OVER_AT_THE_START), method, Budget(iterations=3))
    assert solution.value == {"ann": 30.0, "bob": 70.0}
    assert solution.exploitability == 0
    assert solution.policy.table == {"ann": {}, "bob": {}}


def test_a_game_that_is_over_at_the_start_is_solved_without_a_budget() -> None:
    assert solve_prepared(prepared(OVER_AT_THE_START), "cfr+", Budget()).iterations == 1


@pytest.mark.parametrize("method", ITERATIVE)
def test_the_same_seed_gives_the_same_result(method: str) -> None:
    one, other = (solve_prepared(prepared("kuhn_poker"), method, Budget(iterations=1), seed=5) for _ in range(2))
    assert np.array_equal(one.policy_slots, other.policy_slots)
    assert one.exploitability == other.exploitability


@pytest.mark.parametrize("method", ["es-mccfr", "os-mccfr", "its"])
def test_the_same_seed_gives_the_same_result_however_fast_the_machine_is(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    results = set()
    for pace in range(4):
        monkeypatch.setattr(solver_run, "perf_counter", unsteady_clock(pace))
        solution = solve_prepared(prepared("kuhn_poker"), method, Budget(iterations=600), seed=1)
        results.add(solution.policy_slots.tobytes())
    assert len(results) == 1


def unsteady_clock(seed: int) -> Callable[[], float]:
    """Time goes on by about a millisecond whenever somebody looks."""
    steps = np.random.default_rng(seed).exponential(1e-3, size=100_000)
    return iter(np.cumsum(steps).tolist()).__next__


def test_progress_hears_of_every_evaluation() -> None:
    heard: list[tuple[Point, np.ndarray]] = []
    entry = prepared("kuhn_poker")
    solution = solve_prepared(entry, "cfr", Budget(iterations=40), progress=lambda *news: heard.append(news))
    assert tuple(point for point, _ in heard) == solution.course
    for point, policy in heard:
        assert evaluate_profile(prepared("kuhn_poker").form, policy).exploitability == point.exploitability


def maker_of(kind: type[CfrSolver]) -> Callable[[CfrConfig, PreparedGame, int], CfrSolver]:
    """A maker for a row of the table."""
    return lambda config, game, seed: kind(game.form, config)


class Interrupted(CfrSolver):
    """Ctrl-C comes when so many iterations are done."""

    allowed = 0

    def run(self, iterations: int) -> None:
        if self.iterations + iterations > self.allowed:
            raise KeyboardInterrupt
        super().run(iterations)


@pytest.mark.parametrize("allowed", [0, 1, 10])
def test_ctrl_c_gives_the_best_so_far(monkeypatch: pytest.MonkeyPatch, allowed: int) -> None:
    monkeypatch.setattr(Interrupted, "allowed", allowed)
    monkeypatch.setattr(cfr, "make_cfr", maker_of(Interrupted))
    entry = prepared("kuhn_poker")
    solution = solve_prepared(entry, "cfr+", Budget(iterations=100))
    assert solution.interrupted
    assert solution.iterations <= allowed
    judged = evaluate_profile(entry.form, solution.policy_slots)
    assert judged.exploitability == solution.exploitability
    if allowed == 0:
        assert np.array_equal(solution.policy_slots, uniform_policy(entry.form))
        assert solution.course == ()
    else:
        assert solution.exploitability == min(point.exploitability for point in solution.course)
    assert solution.policy.table["first"]


def test_the_best_policy_is_kept_and_not_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = prepared("kuhn_poker")
    equilibrium = solve_lp(entry.form, entry.total)

    class Forgetful(CfrSolver):
        """The first evaluation comes after one iteration."""

        def average(self) -> np.ndarray:
            return equilibrium if self.iterations == 1 else uniform_policy(self.form)

    monkeypatch.setattr(cfr, "make_cfr", maker_of(Forgetful))
    solution = solve_prepared(entry, "cfr+", Budget(iterations=40))
    assert len(solution.course) > 1
    assert solution.course[-1].exploitability == pytest.approx(11 / 24)
    assert np.array_equal(solution.policy_slots, equilibrium)
    assert solution.exploitability < 1e-9


@pytest.mark.parametrize("method", list(SOLVERS))
@pytest.mark.parametrize(("name", "what"), [(THREE_VOTE, "3 roles"), ("prisoners_dilemma", "payoffs whose sum varies")])
def test_outside_its_ground_a_method_says_so(method: str, name: str, what: str) -> None:
    if method == "lp":
        assert what in refused("needs-zero-sum", lambda: solve_prepared(prepared(name), method, Budget()))
        return
    solution = solve_prepared(prepared(name), method, Budget(iterations=2))
    assert [note.code for note in solution.notes] == ["no-guarantee"]
    assert f"with {what}, {method} need not come near an equilibrium" in solution.notes[0].message


@pytest.mark.parametrize("name", ["kuhn_poker", "monty_hall", GUESS])
def test_on_its_ground_a_method_says_nothing(name: str) -> None:
    assert solve_prepared(prepared(name), "cfr+", Budget(iterations=2)).notes == ()


def test_penalty_kicks_are_mixed_as_the_paper_says() -> None:
    """Chitizadeh & Thielscher 2018, section 4.3: 40 % right for the kicker, 40 % left for the keeper."""
    table = solve_prepared(prepared("biased_penalty_kick"), "cfr+", Budget(iterations=20_000)).policy.table
    assert table["kicker"]["start"]["right"] == pytest.approx(0.4, abs=0.01)
    assert table["keeper"]["start"]["left"] == pytest.approx(0.4, abs=0.01)


def test_the_banker_splits_evenly_and_keeps_a_quarter() -> None:
    """Chitizadeh & Thielscher 2018, section 4.4: 50 - 50, worth 25."""
    solution = solve_prepared(prepared("banker_and_thief(banks=2, notes=10)"), "cfr+", Budget(iterations=20_000))
    assert solution.value["banker"] == pytest.approx(25, abs=0.1)
    assert all(row["(split 5 5)"] > 0.95 for row in solution.policy.table["banker"].values())


def test_iterative_tree_search_splits_evenly_as_well() -> None:
    """Chitizadeh & Thielscher 2018, section 4.4: with two banks the average strategy is the even split."""
    solution = solve_prepared(prepared("banker_and_thief(banks=2, notes=10)"), "its", Budget(iterations=100_000))
    assert all(row["(split 5 5)"] > 0.9 for row in solution.policy.table["banker"].values())


def test_a_solution_has_a_policy_with_names_and_says_how_it_was_made() -> None:
    solution = solve_prepared(prepared("kuhn_poker"), "dcfr", Budget(iterations=20), seed=3)
    assert solution.policy.made == {
        "method": "dcfr",
        "iterations": 20,
        "seed": 3,
        "exploitability": solution.exploitability,
    }
    back, missing = slots_of(prepared("kuhn_poker").tree, solution.policy)
    assert missing == 0
    assert back == pytest.approx(solution.policy_slots, abs=1e-15)


def test_solve_takes_a_game_its_name_its_path_or_its_text(tmp_path: Path) -> None:
    path = tmp_path / "guess.kif"
    path.write_text(GUESS)
    for game in (load(GUESS), GUESS, path, str(path)):
        assert solve(game, "lp").value == {"ann": 55.0}
    assert solve("kuhn_poker", "lp").value["first"] == pytest.approx(-1 / 18)


def test_a_solution_knows_its_game_its_tree_and_its_roles() -> None:
    entry = prepared("kuhn_poker")
    solution = solve_prepared(entry, "cfr", Budget(iterations=1))
    assert solution.prepared is entry
    assert (solution.game, solution.tree, solution.roles) == (entry.game, entry.tree, ("first", "second"))
    assert repr(solution).startswith("Solution('kuhn_poker', 'cfr', {first: ")
    assert len(repr(solution)) < 200  # not all arrays of the tree


def test_a_method_may_have_options_and_the_solution_says_which() -> None:
    entry = prepared("kuhn_poker")
    plain, other = (solve_prepared(entry, spec, Budget(iterations=20)) for spec in ("dcfr", "dcfr:alpha=1,beta=-1"))
    assert (plain.method, other.method) == ("dcfr", "dcfr:alpha=1,beta=-1")
    assert other.policy.made["method"] == "dcfr:alpha=1,beta=-1"
    assert not np.array_equal(plain.policy_slots, other.policy_slots)


def test_all_defaults_spelled_out_give_the_same_result() -> None:
    entry = prepared("kuhn_poker")
    for name in ITERATIVE:
        one, other = (
            solve_prepared(entry, spec, Budget(iterations=20), seed=3) for spec in (name, SOLVERS.usage(name))
        )
        assert np.array_equal(one.policy_slots, other.policy_slots)


@pytest.mark.parametrize("budget", [Budget(seconds=1e-9), Budget(iterations=100), Budget(target=1e-300)])
def test_an_exact_solver_runs_to_its_end_whatever_the_budget(budget: Budget) -> None:
    heard: list[Point] = []
    solution = solve_prepared(prepared("kuhn_poker"), "lp", budget, progress=lambda point, _: heard.append(point))
    assert solution.exploitability < 1e-9
    assert [point.iterations for point in solution.course] == [1]
    assert tuple(heard) == solution.course


def test_ctrl_c_in_an_exact_solver_leaves_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lp, "solve_lp", interrupt)
    with pytest.raises(KeyboardInterrupt):
        solve_prepared(prepared("kuhn_poker"), "lp", Budget())


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt
