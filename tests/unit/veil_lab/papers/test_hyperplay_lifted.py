"""HyperPlay-II beside HyperPlay at equal states, run small."""

from __future__ import annotations

import pytest

from veil_lab.papers.article import SAMPLER_OF
from veil_lab.papers.contests import compare
from veil_lab.papers.hyperplay_lifted import CONTESTS, QUICK, Resources, find_equal_playouts, lifted_games

BY_GAME = {contest.game: contest for contest in CONTESTS}


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("name", ["exploding_bomb", "krieg_tictactoe(size=3)"])
def test_hyperplay_gets_as_many_playouts_as_make_it_visit_as_many_states(name: str) -> None:
    resources = Resources(3, 3, SAMPLER_OF["our default"])
    playouts = find_equal_playouts(BY_GAME[name], resources, 2, seed=0)
    plain, lifted = compare(BY_GAME[name], resources.hyperplay(playouts), resources.hyperplay2(), 2, seed=0)
    assert playouts > resources.runs
    assert lifted.states / plain.states == pytest.approx(1, abs=0.35)


def test_who_plays_against_each_other_has_both_seats() -> None:
    contest = BY_GAME["krieg_tictactoe(size=3)"]
    plain, lifted = compare(contest, "hyperplay:models=2,playouts=2", "first", 4, seed=0)
    assert [role for _, role in plain.seats] == [role for _, role in lifted.seats] == ["xplayer", "oplayer"]
    assert plain.seats[0][0] is lifted.seats[1][0]  # the same matches, seen from the other seat
    assert plain.mean.known + lifted.mean.known == pytest.approx(100)


@pytest.mark.compiled("slow as Python")
def test_the_table_has_every_game_in_both_settings_and_says_whose_worlds_they_were() -> None:
    report = lifted_games(seed=0, quick=True)
    assert [(row[0], row[2]) for row in report.rows] == [(name, setting) for name in QUICK for setting in SAMPLER_OF]
    rows = {(row[0], row[2]): row for row in report.rows}
    assert rows["exploding_bomb", "article's sampler"][-1] == "hyperplay 100 %"
    assert rows["exploding_bomb", "our default"][-1] == "exact 100 %"
    for row in report.rows:
        assert row[7] >= 3  # HyperPlay needs more playouts to visit as many states
    assert float(rows["exploding_bomb", "our default"][5].split()[0]) == 90  # HyperPlay-II asks
    (its,) = report.parts
    assert its.columns[0] == "game"
