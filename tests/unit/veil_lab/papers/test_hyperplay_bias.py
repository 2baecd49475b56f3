"""The curve of bias over rounds, as a report."""

from __future__ import annotations

import numpy as np
import pytest

from veil_lab.papers.hyperplay_bias import SHOWN, _join_medians, find_gaps, trace_bias
from veil_lab.views import TESTED_GAMES


def test_medians_are_taken_round_by_round_over_the_games_that_were_tested() -> None:
    nan = float("nan")
    courses = [np.array([0.1, nan, 0.5]), np.array([0.3, 0.2]), np.array([0.2, nan, 0.7, 1.0])]
    assert _join_medians(courses, 2).tolist() == pytest.approx([0.2, nan, 0.6, nan], nan_ok=True)
    assert _join_medians(courses, 1).tolist() == pytest.approx([0.2, 0.2, 0.6, 1.0])


def test_the_gaps_name_the_games_whose_last_sample_is_not_fair() -> None:
    (unfair, _), fair = (
        find_gaps({"blind_breakthrough": last, "mastermind": 1.0, "transit": 0.3}) for last in (0.0, 1.0)
    )
    assert unfair[1] == "the last median is blind_breakthrough 0.000"
    assert len(fair) == 1


@pytest.mark.nightly
@pytest.mark.slow
def test_a_row_per_game_and_a_column_per_round() -> None:
    report = trace_bias(seed=0, quick=True)
    assert [row[0] for row in report.rows] == list(TESTED_GAMES)
    assert report.columns == ("game", *(f"round {number}" for number in SHOWN), "last", "games with a test")
    border = dict(zip(report.columns, next(row for row in report.rows if row[0].startswith("border")), strict=True))
    assert float(border["round 4"]) < 0.01 < float(border["round 1"])  # biased in mid game, not at first
