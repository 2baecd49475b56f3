"""One way into all solvers: methods, budgets, Ctrl-C, notes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
import pytest

from tests.unit.equilibrium.games import GUESS, NO_PLAYERS, OVER_AT_THE_START, THREE_VOTE, refused, whole
from veil import load
from veil.equilibrium import solvers
from veil.equilibrium.cfr import CFR_PLUS, CfrConfig, CfrSolver
from veil.equilibrium.lp import solve_lp
from veil.equilibrium.policy import slots_of
from veil.equilibrium.response import evaluate, uniform
from veil.equilibrium.solvers import METHODS, SOLVERS, Budget, Point, prepare, run, solve


def test_the_methods_are_these() -> None:
    assert METHODS == ("its", "xfp", "cfr", "cfr+", "dcfr", "pcfr+", "es-mccfr", "os-mccfr", "lp")


@pytest.mark.parametrize("method", METHODS)
def test_every_method_solves_kuhn_poker(method: str) -> None:
    """Kuhn 1950: -1/18. How near 20,000 iterations come differs by method."""
    found = run(whole("kuhn_poker"), method, Budget(iterations=20_000), seed=1)
    near = {"lp": 1e-9, "its": 0.05, "xfp": 0.02, "es-mccfr": 0.03, "os-mccfr": 0.1}.get(method, 1e-3)
    assert found.exploitability < near
    assert found.value["first"] == pytest.approx(-1 / 18, abs=2 * near)
    assert found.value["second"] == pytest.approx(-found.value["first"])
    assert found.nash_conv == pytest.approx(2 * found.exploitability)
    assert (found.method, found.seed, found.notes, found.interrupted) == (method, 1, (), False)
    assert found.iterations == (1 if method == "lp" else 20_000)


@pytest.mark.parametrize("method", METHODS)
def test_what_is_said_about_a_policy_is_true_of_it(method: str) -> None:
    found = run(whole("kuhn_poker"), method, Budget(iterations=30))
    judged = evaluate(whole("kuhn_poker").form, found.policy_slots)
    assert np.array_equal(judged.value, found.evaluation.value)
    assert found.exploitability == judged.exploitability == min(point.exploitability for point in found.course)
    assert found.course[-1].iterations == found.iterations


@pytest.mark.parametrize("method", SOLVERS)
@pytest.mark.parametrize("iterations", [1, 2, 77])
def test_a_budget_of_iterations_is_used_up_exactly(method: str, iterations: int) -> None:
    found = run(whole("kuhn_poker"), method, Budget(iterations=iterations))
    assert found.iterations == iterations
    steps = [point.iterations for point in found.course]
    assert steps == sorted(set(steps))
    assert steps[0] == 1


def test_a_budget_of_seconds_is_kept() -> None:
    start = perf_counter()
    found = run(whole("leduc_poker"), "cfr+", Budget(seconds=0.5))
    assert found.seconds >= 0.5
    assert perf_counter() - start < 5  # a slow machine may be late
    assert found.iterations > 1


def test_seconds_end_a_run_whose_iterations_would_take_for_ever() -> None:
    found = run(whole("kuhn_poker"), "cfr", Budget(seconds=0.2, iterations=10**12))
    assert found.iterations < 10**12


def test_no_time_at_all_still_gives_a_policy() -> None:
    found = run(whole("kuhn_poker"), "cfr+", Budget(seconds=1e-9))
    assert np.add.reduceat(found.policy_slots, whole("kuhn_poker").form.slot_start[:-1]) == pytest.approx(1)
    assert len(found.course) == 1


def test_a_target_ends_the_run_as_soon_as_it_is_met() -> None:
    found = run(whole("kuhn_poker"), "cfr+", Budget(target=0.01))
    assert found.exploitability <= 0.01
    assert all(point.exploitability > 0.01 for point in found.course[:-1])
    assert found.iterations > 1


def test_without_a_budget_a_precise_result_ends_the_run() -> None:
    found = run(whole("kuhn_poker"), "cfr+", Budget())
    assert found.exploitability <= 1e-4 * 4  # from two chips lost to two won
    assert found.seconds < solvers.DEFAULT_SECONDS


def test_without_a_budget_the_target_is_a_share_of_the_range_of_payoffs() -> None:
    """Leduc pays up to 13 chips, so 0.0013 or 0.0026 is precise enough."""
    budget = Budget().filled(whole("leduc_poker").found.tree)
    assert budget.seconds == solvers.DEFAULT_SECONDS
    assert budget.target in (pytest.approx(1e-4 * 13), pytest.approx(1e-4 * 26))


def test_a_budget_that_is_given_is_left_as_it_is() -> None:
    form = whole("kuhn_poker").form
    for budget in (Budget(iterations=3), Budget(seconds=2.0), Budget(target=0.1)):
        assert budget.filled(form) == budget


@pytest.mark.parametrize("name", ["iterations", "seconds", "target"])
@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_a_budget_that_is_none_is_refused(name: str, value: float) -> None:
    said = refused("bad-limit", lambda: solve(load(GUESS), **{name: value}))
    assert f"{name} must be a number above zero, not {value}" in said


def test_an_unknown_method_is_refused_with_a_list_of_all() -> None:
    said = refused("unknown-method", lambda: solve(load(GUESS), "simplex"))
    assert "there is no method called simplex" in said
    assert "its, xfp, cfr, cfr+, dcfr, pcfr+, es-mccfr, os-mccfr, lp" in said


def test_a_game_too_large_is_refused() -> None:
    refused("tree-too-large", lambda: solve(load("kuhn_poker"), max_nodes=10))


@pytest.mark.parametrize("method", METHODS)
def test_a_game_of_chance_alone_is_refused(method: str) -> None:
    said = refused("no-players", lambda: solve(load(NO_PLAYERS), method, iterations=1))
    assert "no role besides random" in said


@pytest.mark.parametrize("method", METHODS)
def test_a_game_that_is_over_at_the_start_is_solved(method: str) -> None:
    found = run(whole(OVER_AT_THE_START), method, Budget(iterations=3))
    assert found.value == {"ann": 30.0, "bob": 70.0}
    assert found.exploitability == 0
    assert found.policy.table == {"ann": {}, "bob": {}}


def test_a_game_that_is_over_at_the_start_is_solved_without_a_budget() -> None:
    assert run(whole(OVER_AT_THE_START), "cfr+", Budget()).iterations == 1


@pytest.mark.parametrize("method", SOLVERS)
def test_the_same_seed_gives_the_same_result(method: str) -> None:
    one, other = (run(whole("kuhn_poker"), method, Budget(iterations=1), seed=5) for _ in range(2))
    assert np.array_equal(one.policy_slots, other.policy_slots)
    assert one.exploitability == other.exploitability


@pytest.mark.parametrize("method", ["es-mccfr", "os-mccfr", "its"])
def test_the_same_seed_gives_the_same_result_however_fast_the_machine_is(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """DESIGN 4: same seed, same result."""
    results = set()
    for pace in range(4):
        monkeypatch.setattr(solvers, "perf_counter", unsteady_clock(pace))
        found = run(whole("kuhn_poker"), method, Budget(iterations=600), seed=1)
        results.add(found.policy_slots.tobytes())
    assert len(results) == 1


def unsteady_clock(seed: int) -> Callable[[], float]:
    """Time goes on by about a millisecond whenever somebody looks."""
    steps = np.random.default_rng(seed).exponential(1e-3, size=100_000)
    return iter(np.cumsum(steps).tolist()).__next__


def test_progress_hears_of_every_evaluation() -> None:
    heard: list[tuple[Point, np.ndarray]] = []
    found = run(whole("kuhn_poker"), "cfr", Budget(iterations=40), progress=lambda *news: heard.append(news))
    assert tuple(point for point, _ in heard) == found.course
    for point, policy in heard:
        assert evaluate(whole("kuhn_poker").form, policy).exploitability == point.exploitability


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
    monkeypatch.setitem(SOLVERS, "cfr+", lambda entry, seed: Interrupted(entry.form, CFR_PLUS))
    entry = whole("kuhn_poker")
    found = run(entry, "cfr+", Budget(iterations=100))
    assert found.interrupted
    assert found.iterations <= allowed
    judged = evaluate(entry.form, found.policy_slots)
    assert judged.exploitability == found.exploitability
    if allowed == 0:
        assert np.array_equal(found.policy_slots, uniform(entry.form))
        assert found.course == ()
    else:
        assert found.exploitability == min(point.exploitability for point in found.course)
    assert found.policy.table["first"]


def test_the_best_policy_is_kept_and_not_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = whole("kuhn_poker")
    equilibrium = solve_lp(entry.form, entry.total)

    class Forgetful(CfrSolver):
        """The first evaluation comes after one iteration."""

        def average(self) -> np.ndarray:
            return equilibrium if self.iterations == 1 else uniform(self.form)

    monkeypatch.setitem(SOLVERS, "cfr+", lambda entry, seed: Forgetful(entry.form, CFR_PLUS))
    found = run(entry, "cfr+", Budget(iterations=40))
    assert len(found.course) > 1
    assert found.course[-1].exploitability == pytest.approx(11 / 24)
    assert np.array_equal(found.policy_slots, equilibrium)
    assert found.exploitability < 1e-9


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("name", "what"), [(THREE_VOTE, "3 roles"), ("prisoners_dilemma", "payoffs whose sum varies")])
def test_outside_its_ground_a_method_says_so(method: str, name: str, what: str) -> None:
    if method == "lp":
        assert what in refused("needs-zero-sum", lambda: run(whole(name), method, Budget()))
        return
    found = run(whole(name), method, Budget(iterations=2))
    assert [note.code for note in found.notes] == ["no-guarantee"]
    assert f"with {what}, {method} need not come near an equilibrium" in found.notes[0].message


@pytest.mark.parametrize("name", ["kuhn_poker", "monty_hall", GUESS])
def test_on_its_ground_a_method_says_nothing(name: str) -> None:
    assert run(whole(name), "cfr+", Budget(iterations=2)).notes == ()


def test_penalty_kicks_are_mixed_as_the_paper_says() -> None:
    """40 % right for the kicker, 40 % left for the keeper (DESIGN, known values)."""
    table = run(whole("biased_penalty_kick"), "cfr+", Budget(iterations=20_000)).policy.table
    assert table["kicker"]["start"]["right"] == pytest.approx(0.4, abs=0.01)
    assert table["keeper"]["start"]["left"] == pytest.approx(0.4, abs=0.01)


def test_the_banker_splits_evenly_and_keeps_a_quarter() -> None:
    """50 - 50, worth 25 (DESIGN, known values)."""
    found = run(whole("banker_and_thief(banks=2, notes=10)"), "cfr+", Budget(iterations=20_000))
    assert found.value["banker"] == pytest.approx(25, abs=0.1)
    assert all(row["(split 5 5)"] > 0.95 for row in found.policy.table["banker"].values())


def test_a_solution_has_a_policy_with_names_and_says_how_it_was_made() -> None:
    found = run(whole("kuhn_poker"), "dcfr", Budget(iterations=20), seed=3)
    assert found.policy.made == {
        "method": "dcfr",
        "iterations": 20,
        "seed": 3,
        "exploitability": found.exploitability,
    }
    back, missing = slots_of(whole("kuhn_poker").found, found.policy)
    assert missing == 0
    assert back == pytest.approx(found.policy_slots, abs=1e-15)


def test_solve_takes_a_game_and_prepares_it() -> None:
    found = solve(load("kuhn_poker"), "lp")
    assert found.value["first"] == pytest.approx(-1 / 18)
    entry = prepare(load("kuhn_poker"))
    assert (entry.total, entry.found.roles) == (0.0, ("first", "second"))


def test_a_negative_weight_of_averages_is_refused() -> None:
    refused("bad-limit", lambda: CfrConfig(average_power=-1.0))
