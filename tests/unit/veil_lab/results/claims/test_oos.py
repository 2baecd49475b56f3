"""Claims about convergence: curves are compared after the same time, not point by point."""

from __future__ import annotations

import pytest

from tests.support.runs import make_report, run_of
from veil_lab.results.claims.judgement import judge_run
from veil_lab.results.claims.oos import GAMES, read_at
from veil_lab.results.run import ExperimentRun

COLUMNS = ("game", "search", "ours: at first", "lowest", "at the end")


def converge(seconds_of_oos: float) -> ExperimentRun:
    """A run in which OOS has the lowest last point, after this many seconds; the others take 1 s."""
    ends = {"OOS": (0.1, seconds_of_oos), "UCT": (0.5, 1.0), "RM": (0.3, 1.0)}
    points = [
        (game, search, walks, seconds * walks / 1000, 2.0 if walks == 10 else value)
        for game in GAMES
        for search, (value, seconds) in ends.items()
        for walks in (10, 1000)
    ]
    rows = [(game, search, 2.0, f"{value} after 1 s", value) for game in GAMES for search, (value, _) in ends.items()]
    names = ("game", "search", "walks", "seconds", "nash_conv")
    series = dict(zip(names, zip(*points, strict=True), strict=True))
    return run_of(make_report(rows, COLUMNS, series=series), "oos-fig3-root")


def test_a_curve_is_read_between_its_points_on_logarithmic_scales() -> None:
    course = [(10.0, 0.1, 4.0), (1000.0, 1.0, 1.0)]
    assert read_at(course, 0, 100.0) == pytest.approx(2.0)
    assert read_at(course, 1, 1.0) == 1.0


def test_who_is_lowest_at_the_end_and_slower_is_not_the_fastest() -> None:
    for seconds, verdict in ((1.0, "reproduced"), (100.0, "not reproduced")):
        rows = {row.claim.text: row.judgement for row in judge_run(converge(seconds))}
        assert rows["From the root OOS converges fastest in all games"].verdict == verdict
