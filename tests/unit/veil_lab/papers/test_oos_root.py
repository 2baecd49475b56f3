"""Searches from the root: their tables become policies of all roles, which get better."""

from __future__ import annotations

import pytest

from tests.support.equilibrium_games import prepared
from veil_lab.papers.oos_root import RootPoint, RootSearch, average_course, non_locality

KUHN = "kuhn_poker"


@pytest.mark.compiled("slow as Python")
def test_what_a_search_from_the_root_knows_of_both_roles_is_judged() -> None:
    """OOS from the root is MCCFR: 64,000 iterations bring Kuhn poker below 0.05 (20 seeds: at most 0.03)."""
    search = RootSearch(prepared(KUHN), "oos:epsilon=0.6,iterations=1000", seed=1)
    before = search.judge()
    for _ in range(64):
        search.run()
    after = search.judge()
    assert before.walks == 0
    assert before.nash_conv == search.searched.judge_sum(0 * search.fallback, search.fallback).evaluation.nash_conv
    assert after.walks >= 64_000
    assert after.nash_conv < 0.05 < before.nash_conv
    assert search.searched.judge([*search._place_all()], search.fallback).reached.all()


def test_runs_are_averaged_point_by_point() -> None:
    courses = [[RootPoint(10, 1.0, 4.0), RootPoint(20, 2.0, 2.0)], [RootPoint(10, 3.0, 2.0), RootPoint(20, 4.0, 0.0)]]
    assert average_course(courses) == [RootPoint(10, 2.0, 3.0), RootPoint(20, 3.0, 1.0)]


def test_only_oos_knows_the_leaf_that_it_cannot_reach() -> None:
    """Min plays left with 1/3 or 1/6, by the leaf; ISMCTS plays the same for both. A fixed seed."""
    rows = {(leaf, kind): (best, ours) for leaf, kind, best, ours, _ in non_locality(0, quick=True).rows}
    for leaf in (1, 2):
        best, ours = rows[leaf, "OOS"]
        assert ours == pytest.approx(best, abs=0.06)
    for kind in ("UCT", "RM"):
        assert rows[1, kind][1] == rows[2, kind][1]
