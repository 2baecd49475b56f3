"""The grid against the Cheat, run small: columns of all settings, the Cheat stays ahead, and the causes are tried."""

from __future__ import annotations

import pytest

from veil_lab.papers.article import HP
from veil_lab.papers.hyperplay_cheat import CAUSES, CONTESTS, COSTLY, PLAYERS, Challenge, cheat


@pytest.mark.slow
@pytest.mark.nightly
def test_the_cheat_is_not_beaten_and_the_grid_is_complete_in_all_settings() -> None:
    report = cheat(seed=0, quick=True)
    assert report.columns[4:7] == tuple(f"mean goal, {name}" for name in PLAYERS)
    assert [row[1:3] for row in report.rows] == [(1, 1), (1, 8), (8, 1), (8, 8)] * 2
    assert {row[7] for row in report.rows} == {"hyperplay 100 %"}
    means = [float(cell.split()[0]) for row in report.rows for cell in row[4:7]]
    assert sum(means) / len(means) < 50
    why, resources = report.parts
    assert (why.name, resources.name) == ("hyperplay-cheat-why", "hyperplay-cheat-resources")
    assert why.columns[:5] == ("game", "what is tried", "player", "matches", "mean goal")
    assert {row[2] for row in why.rows} < set(CAUSES.values())
    assert [row[0] for row in why.rows[::3]] == [contest.game for contest in reversed(CONTESTS)]


def test_players_whose_decisions_are_costly_play_fewer_matches() -> None:
    challenge = Challenge(contest=CONTESTS[0], playouts=4, matches=100, seed=0)
    assert challenge.count(HP.format(8, 8)) == 100
    assert {challenge.count(spec) for spec in COSTLY} == {40}
    assert set(CAUSES.values()) > COSTLY


def test_the_same_player_does_not_play_the_same_matches_twice() -> None:
    challenge = Challenge(contest=CONTESTS[0], playouts=1, matches=2, seed=0)
    assert challenge.play(HP.format(1, 1)) is challenge.play(HP.format(1, 1))
