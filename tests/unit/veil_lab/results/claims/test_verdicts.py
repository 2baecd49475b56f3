"""Verdicts: what makes one of them, and the reason beside it."""

from __future__ import annotations

from veil_lab.results.claims.verdicts import NOT, NOT_RUN, PARTLY, REPRODUCED, judge_all, judge_each, meet, show


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
