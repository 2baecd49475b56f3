"""Remedies against biased samples in play, run small."""

from __future__ import annotations

import pytest

from veil_lab.papers.hyperplay_remedies import CONTESTS, remedies
from veil_lab.views import GAMES


@pytest.mark.compiled("slow as Python")
def test_both_remedies_are_played_against_none_and_cost_little() -> None:
    report = remedies(seed=0, quick=True)
    assert report.columns[2:] == ("weight", "states, times", "balance", "states, times")
    for row in report.rows:
        for mean, times in (row[2:4], row[4:6]):
            assert 0 <= float(mean.split()[0]) <= 100
            assert 0.3 < times < 3  # the article: the cost of both is small


def test_every_game_of_two_players_of_the_articles_table_is_played() -> None:
    assert {contest.game for contest in CONTESTS} == {name for name in GAMES if not name.startswith("mastermind")}
