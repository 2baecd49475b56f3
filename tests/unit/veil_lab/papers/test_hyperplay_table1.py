"""Is a sample fair: the article's table and the curve over rounds, run small."""

from __future__ import annotations

import numpy as np
import pytest

from veil_lab.papers.hyperplay_bias import trace_game
from veil_lab.papers.hyperplay_table1 import TABLE1, _fits, bias
from veil_lab.views import GAMES, View


def test_the_rounds_are_those_of_the_article() -> None:
    assert [TABLE1[name.split("(")[0]][0] for name in GAMES] == [6, 6, 4, 5, 4, 3, 3, 5]


@pytest.mark.compiled("slow as Python")
def test_a_sample_of_hyperplay_is_biased_where_a_draw_from_the_exact_belief_is_not() -> None:
    """Border Protection, round 4: the article's median is 0.040."""
    view = View.of("border_protection(size=5)", "defender")
    tests = [fits for number in range(6) if (fits := _fits(view, 4, (0, number)))]
    assert len(tests) >= 4
    medians = {name: np.median([fits[name] for fits in tests]) for name in tests[0]}
    assert medians["none"] < 0.01 < medians["exact"]
    assert medians["balance"] > medians["none"]


def test_a_game_that_is_over_by_the_round_is_not_tested() -> None:
    view = View.of("krieg_tictactoe(size=3)", "oplayer")
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


@pytest.mark.slow
def test_the_table_has_theirs_beside_ours_at_every_round() -> None:
    report = bias(seed=0, quick=True)
    assert report.columns[:4] == ("game", "round", "theirs", "no remedy")
    assert [row[1] for row in report.rows] == [6, 6, 4, 5, 4, 3, 3, 5]
    border = next(row for row in report.rows if row[0].startswith("border"))
    assert float(border[3].split()[1]) < 0.01 < float(border[7].split()[1])
