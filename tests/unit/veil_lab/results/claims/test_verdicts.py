"""Verdicts: what makes one of them, and the reason beside it."""

from __future__ import annotations

from tests.support.runs import make_report, run_of
from veil_lab.results.claims.verdicts import (
    INCOMPARABLE,
    NOT,
    NOT_RUN,
    PARTLY,
    REPRODUCED,
    judge,
    judge_all,
    judge_clear,
    judge_each,
    meet,
    show,
    soften,
    temper,
)
from veil_lab.results.run import ExperimentRun


def play(matches: int, reused: int = 1) -> ExperimentRun:
    """A run of so many matches that took 24 minutes; with `reused`, not all of it was made in them."""
    report = make_report([], ("game",), settings={"matches": matches})
    return run_of(report, processor_seconds=1440.0, reused=reused)


def test_all_some_and_none_make_three_verdicts() -> None:
    assert judge_all(["a", "b"], []) == (REPRODUCED, "in all of 2: a and b")
    assert judge_all([], ["a"], "better") == (NOT, "better in none of 1: a")
    assert judge_each([("a", True), ("b", False)]) == (PARTLY, "in 1 of 2: a; not in b")
    assert judge_each([]).verdict == NOT_RUN


def test_of_many_cases_the_smaller_group_is_named() -> None:
    assert judge_all(list("abcde"), ["f"]).why == "in 5 of 6; not in f"
    assert judge_all(["a"], list("bcdef")).why == "in 1 of 6: a"


def test_intervals_meet_where_they_touch_and_a_missing_one_is_a_point() -> None:
    assert meet((50, 2), (54, 2))
    assert not meet((50, 2), (54, None))
    assert show(1234.56, 7.89) == "1,234.6 ± 7.9"


def test_a_run_of_few_matches_never_shows_that_there_is_no_difference() -> None:
    full, short = (play(matches) for matches in (100, 20))
    assert temper(judge(True, "worse in none"), full) == (REPRODUCED, "worse in none")
    assert temper(judge(True, "worse in none"), short) == (PARTLY, "worse in none; only 20 matches of 100")
    assert temper(judge(False, "worse in a"), short) == (NOT, "worse in a; only 20 matches of 100")


def test_a_full_run_is_told_to_take_as_long_as_its_matches_do_here() -> None:
    whole = "which would take about 2 hours of one core"
    assert temper(judge(True, "a"), play(20, reused=0)).why == f"a; only 20 matches of 100, {whole}"
    assert whole not in temper(judge(True, "a"), play(20)).why


def test_open_cases_leave_a_claim_open_and_smaller_runs_weaken_it() -> None:
    assert judge_clear(["a"], ["b"], [], "wins") == judge_all(["a"], ["b"], "wins")
    assert judge_clear(["a"], [], ["b"], "wins") == (PARTLY, "wins: in a; intervals too wide to decide in b")
    assert judge_clear([], ["a"], ["b"], "wins").verdict == INCOMPARABLE
    assert soften(judge(True, "x"), "less") == (PARTLY, "x; less")
    assert soften(judge(False, "x"), "less") == (INCOMPARABLE, "x; less")
