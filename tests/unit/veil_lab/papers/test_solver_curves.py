"""Curves of solvers: what they say about a game is what the solver itself says."""

from __future__ import annotations

import pytest

from tests.support.equilibrium_games import prepared
from veil.equilibrium import SOLVERS, evaluate_profile
from veil_lab.papers.solver_curves import METHODS, TARGETS, compare_in_large_game, compare_solvers, follow

KUHN = "kuhn_poker"


def test_a_curve_ends_at_the_lowest_target_or_when_the_work_is_used_up() -> None:
    entry = prepared(KUHN)
    course = follow(entry, "pcfr+", 0, 10**9)
    assert course[-1].nash_conv <= TARGETS[-1] < course[-2].nash_conv
    solver = SOLVERS.make("pcfr+", entry, 0)
    solver.run(course[5].iterations)
    assert course[5].nash_conv == pytest.approx(evaluate_profile(entry.form, solver.average()).nash_conv)
    assert follow(entry, "pcfr+", 0, 3 * len(entry.form.weight))[-1].iterations == 3


def test_a_row_says_when_each_target_was_reached_first() -> None:
    report = compare_in_large_game(quick=True)
    assert [row[:2] for row in report.rows] == [(KUHN, method) for method in METHODS]
    courses = {method: follow(prepared(KUHN), method, 0, 20_000_000) for method in METHODS}
    for row in report.rows:
        reached = [min(p.iterations for p in courses[row[1]] if p.nash_conv <= target) for target in TARGETS]
        assert list(row[2::2]) == [f"{iterations:,}" for iterations in reached]


def test_the_new_methods_need_fewer_iterations_in_goofspiel_than_the_old_ones() -> None:
    rows = {row[1]: row for row in compare_solvers(quick=True).rows if row[0] == "ii_goofspiel(4)"}
    assert max(int(rows[name][6]) for name in ("pdcfr+", "hs-pcfr+")) < int(rows["pcfr+"][6])
