"""Is a sample fair: the article's table and the curve over rounds, run small."""

from __future__ import annotations

import numpy as np
import pytest

from veil_lab.papers.hyperplay_bias import trace_game
from veil_lab.papers.hyperplay_table1 import TABLE1, SampleTests, _fits, bias, find_gaps, judge_bias
from veil_lab.views import TESTED_GAMES, View


def test_the_rounds_are_those_of_the_article() -> None:
    assert [TABLE1[name.split("(")[0]][0] for name in TESTED_GAMES] == [6, 6, 4, 5, 4, 3, 3, 5]


@pytest.mark.compiled("slow as Python")
def test_a_sample_of_hyperplay_is_biased_where_a_draw_from_the_exact_belief_is_not() -> None:
    """Border Protection, round 4: the article's median is 0.040."""
    view = View.of("border_protection(size=5)", "defender")
    tests = [fits for number in range(6) if (fits := _fits(view, 4, (0, number)))]
    assert len(tests) >= 4
    medians = {name: np.median([fits.probabilities[name] for fits in tests]) for name in tests[0].probabilities}
    assert medians["none"] < 0.01 < medians["exact"]
    assert medians["balance"] > medians["none"]


def make_tests(values: list[float]) -> list[SampleTests]:
    return [SampleTests(20, {"none": value}) for value in values]


def test_a_game_is_biased_where_its_probabilities_are_smaller_than_those_of_fair_samples() -> None:
    even = [(number + 0.5) / 20 for number in range(20)]
    tests = {
        "mastermind(pegs=3)": make_tests(even),
        "transit(width=5)": make_tests([value / 20 for value in even]),
        "guess_who(characters=8)": make_tests([0.1]),  # one game says little
        "simultaneous_krieg_tictactoe(size=3)": make_tests([]),
    }
    biased = judge_bias(tests)
    assert list(biased.values()) == ["not shown", "yes", "not shown", "-"]
    (every, why), (medians, _) = find_gaps(tests, biased)
    assert every == "that the sample became biased in every game"
    assert "transit" not in why
    assert "guess_who(characters=8) (1 games" in why
    assert medians == "3 of 4 medians of table 1"  # the article: 0.211, 0.001, 0.001; ours 0.5, 0.025 and one game


def test_a_game_that_is_over_by_the_round_is_not_tested() -> None:
    view = View.of("simultaneous_krieg_tictactoe(size=3, line=3)", "oplayer")
    assert _fits(view, 500, (0, 0)) is None


@pytest.mark.compiled("slow as Python")
def test_certainty_is_fair_and_what_cannot_be_tested_is_nan() -> None:
    """mastermind: the code is hidden in three rounds, 5, 25, 125 histories; few are left before the last guess."""
    view = View.of("mastermind(pegs=3, colours=5, guesses=6)", "breaker")
    courses = [trace_game(view, 300, (0, number)) for number in range(6)]
    assert all(course[1] >= 0 for course in courses)
    assert all(np.isnan(course[2]) for course in courses)  # 125 histories, 300 models
    last = [course[~np.isnan(course)][-1] for course in courses if not np.isnan(course).all()]
    assert max(last) == 1


@pytest.mark.nightly
@pytest.mark.slow
def test_the_table_has_theirs_beside_ours_at_every_round() -> None:
    report = bias(seed=0, quick=True)
    assert report.columns[:4] == ("game", "round", "theirs", "no remedy")
    assert [row[1] for row in report.rows] == [6, 6, 4, 5, 4, 3, 3, 5]
    border = next(row for row in report.rows if row[0].startswith("border"))
    assert float(border[3].split()[1]) < 0.01 < float(border[8].split()[1])
    assert all(row[10].endswith(" of 6") for row in report.rows)
