"""Claims about convergence: curves are compared after the same time, not point by point."""

from __future__ import annotations

import pytest

from tests.support.runs import make_report, run_of
from veil_lab.results.claims.judgement import judge_run
from veil_lab.results.claims.oos import GAMES, read_at
from veil_lab.results.claims.verdicts import Verdict
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


REMARKS = ["In full, these cells take 8 hours."]
LARGE_COLUMNS = ("first", "", "OOS", "UCT", "RM", "RND")


def judge_large(half: float | None, matches: int, seconds: float | None = None) -> dict[str, Verdict]:
    """The verdicts on figure 4(d): all cells are 49 % in a run with such intervals."""
    ours = "49.0" if half is None else f"49.0 ± {half}"
    sides = (("ours", ours), ("theirs", "55.0 ± 3.0" if half is None else ours))
    rows = [(name, whose, *[cell] * 4) for name in LARGE_COLUMNS[2:] for whose, cell in sides]
    settings = {"matches per cell": matches}
    report = make_report(
        rows, LARGE_COLUMNS, title="II-GS(13): wins", settings=settings, name="oos-fig4-large", remarks=REMARKS
    )
    run = run_of(report, "oos-fig4-large", given={"seconds": seconds} if seconds else {})
    return {row.claim.text: row.judgement for row in judge_run(run)}


def test_wide_intervals_of_few_matches_refute_nothing() -> None:
    wins, cells = "II-GS(13): ISMCTS wins over OOS from both seats", "II-GS(13): the 16 cells of the table"
    assert judge_large(3.0, 500)[wins].verdict == "not reproduced"
    assert judge_large(30.0, 6)[wins].verdict == "cannot be compared"
    assert "first against UCT (-1.00 ± 30.00)" in judge_large(30.0, 6)[wins].why
    assert judge_large(0.5, 6)[wins].verdict == "partly"
    assert judge_large(3.0, 500)[cells].verdict == "reproduced"
    assert judge_large(30.0, 6)[cells].verdict == "cannot be compared"
    assert "16 of those that meet are too wide to decide, up to ± 30" in judge_large(30.0, 6)[cells].why


def test_a_missing_interval_of_few_matches_is_not_a_narrow_one() -> None:
    found = judge_large(None, 6)
    cells = found["II-GS(13): the 16 cells of the table"]
    assert cells.verdict == "cannot be compared"
    assert "16 of those that meet are too wide to decide, up to ± 0, 16 without an interval" in cells.why
    assert "first against UCT (-1.00, no interval)" in found["II-GS(13): ISMCTS wins over OOS from both seats"].why


def test_less_work_than_theirs_weakens_a_verdict() -> None:
    cells = judge_large(3.0, 500, seconds=0.1)["II-GS(13): the 16 cells of the table"]
    assert cells.verdict == "partly"
    assert cells.why.endswith("a move has the work of 0.1 s, theirs of 1 s; in full, these cells take 8 hours")


@pytest.mark.parametrize(
    ("ours", "given", "verdict"),
    [
        ("-0.20 ± 0.10", {}, "reproduced"),
        ("-0.20 ± 0.10", {"seconds": 0.1}, "partly"),
        ("-0.20 ± 2.00", {}, "cannot be compared"),
        ("-0.80 ± 0.10", {}, "not reproduced"),
        ("-0.80 ± 0.10", {"seconds": 0.1}, "cannot be compared"),
    ],
)
def test_a_cell_with_another_time_is_judged_by_its_interval_and_its_work(
    ours: str, given: dict[str, float], verdict: str
) -> None:
    columns = ("game", "seconds", "first", "second", "theirs", "ours", "moves per match", "hours in full")
    rows = [("GP(3,3,2,2)", 5.0, "OOS", "UCT", -0.22, ours, 4.0, 2.8)]
    report = make_report(rows, columns, name="oos-fig4-times", settings={"matches per cell": 20})
    found = {row.claim.text: row.judgement for row in judge_run(run_of(report, "oos-fig4-times", given=given))}
    cell = found["GP(3,3,2,2), 5 s: OOS against UCT improves to -0.22"]
    assert cell.verdict == verdict
    assert cell.why.endswith("in full these cells take 3 hours of one core")
