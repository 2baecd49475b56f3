"""Remedies against biased samples in play, run small."""

from __future__ import annotations

import pytest

from veil_lab.papers.hyperplay_remedies import CONTESTS, REMEDIES, remedies
from veil_lab.views import GAMES


@pytest.mark.compiled("slow as Python")
def test_both_remedies_are_played_against_none_and_cost_little() -> None:
    report = remedies(seed=0, quick=True)
    assert [row[1] for row in report.rows] == list(REMEDIES)
    for row in report.rows:
        assert 0 <= float(row[3].split()[0]) <= 100
        assert row[4] == "unclear"  # four matches
        assert 0.3 < row[5] < 3  # the article: the cost of both is small


def test_every_game_of_two_players_of_the_articles_table_is_played() -> None:
    played = {contest.game.split("(")[0] for contest in CONTESTS}
    assert played == {name.split("(")[0] for name in GAMES} - {"mastermind"}
