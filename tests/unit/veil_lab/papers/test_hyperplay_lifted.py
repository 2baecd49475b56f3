"""HyperPlay-II beside HyperPlay at equal states, run small."""

from __future__ import annotations

from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest

from veil_lab.papers import contests, hyperplay_lifted
from veil_lab.papers.article import OURS, PRINTED, SMALL_KRIEG, VARIANT_OF, say_fewer
from veil_lab.papers.contests import compare
from veil_lab.papers.hyperplay_lifted import (
    CONTESTS,
    QUICK,
    RIVALS,
    Resources,
    count_full_run,
    find_equal_playouts,
    lifted_games,
)
from veil_lab.papers.summaries import judge

BY_GAME = {contest.game: contest for contest in CONTESTS}


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("name", ["exploding_bomb", SMALL_KRIEG])
def test_hyperplay_gets_as_many_playouts_as_make_it_visit_as_many_states(name: str) -> None:
    resources = Resources(3, 3, VARIANT_OF[OURS])
    playouts = find_equal_playouts(BY_GAME[name], resources, 2, seed=0)
    plain, lifted = compare(BY_GAME[name], resources.hyperplay(playouts), resources.hyperplay2(), 2, seed=0)
    assert playouts > resources.runs
    assert lifted.states / plain.states == pytest.approx(1, abs=0.35)


def test_who_plays_against_each_other_has_both_seats() -> None:
    contest = BY_GAME[SMALL_KRIEG]
    plain, lifted = compare(contest, "hyperplay:models=2,playouts=2", "first", 4, seed=0)
    assert [role for _, role in plain.seats] == [role for _, role in lifted.seats] == ["xplayer", "oplayer"]
    assert plain.seats[0][0] is lifted.seats[1][0]  # the same matches, seen from the other seat
    assert plain.mean.known + lifted.mean.known == pytest.approx(100)


def test_a_full_run_has_as_many_matches_as_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def play(game: object, specs: object, matches: int, *rest: object) -> SimpleNamespace:
        played.append(matches)
        logs = [SimpleNamespace(goals=defaultdict(lambda: 50.0), rounds=[])] * matches
        known = SimpleNamespace(logs=logs, states=lambda role: 100.0, samplers=lambda role: "-")
        known.mean, known.favourite = (lambda role: 50.0), (lambda role, prefix: "-")
        return known

    monkeypatch.setattr(contests, "play_series", play)
    monkeypatch.setattr(hyperplay_lifted, "play_series", play)
    lifted_games()
    assert count_full_run() == (sum(played), 6)


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python")
def test_the_table_has_every_game_in_all_settings_and_says_whose_worlds_they_were() -> None:
    report = lifted_games(seed=0, quick=True)
    assert [(row[0], row[2]) for row in report.rows] == [(name, setting) for name in QUICK for setting in VARIANT_OF]
    rows = {(row[0], row[2]): row for row in report.rows}
    assert rows["exploding_bomb", PRINTED][-1] == "hyperplay 100 %"
    assert rows["exploding_bomb", OURS][-1] == "exact 100 %"
    for row in report.rows:
        assert row[7] >= 2  # HyperPlay needs more playouts to visit as many states
    assert float(rows["exploding_bomb", OURS][5].split()[0]) == 90  # HyperPlay-II asks
    assert {row[6] for row in report.rows} == {"unclear"}  # two matches prove nothing
    assert say_fewer(True, 2, 100) == say_fewer(False, 100, 100) == []
    assert "20 matches in place of 100" in say_fewer(False, 20, 100)[0]
    variants, its = report.parts
    assert [row[:2] for row in variants.rows] == [(SMALL_KRIEG, name) for name in RIVALS]
    assert its.columns[0] == "game"


def test_two_matches_with_equal_results_are_no_verdict_and_many_are() -> None:
    """exploding_bomb, 100 against 90 in two matches: there is no interval, which is not an interval of zero."""
    assert judge([np.array([-10.0, -10.0])]) == ["unclear"]
    assert judge([np.full(100, -10.0)]) == ["worse"]


def test_verdicts_over_many_games_hold_together() -> None:
    """Thirty games without a difference: at 5 % each one or two would be called; together, one in 20 tables."""
    rng = np.random.default_rng(0)
    alone = sum(verdict != "unclear" for _ in range(300) for verdict in judge([rng.normal(size=20)]))
    together = sum(any(v != "unclear" for v in judge(list(rng.normal(size=(30, 20))))) for _ in range(40))
    assert 5 <= alone <= 30
    assert together <= 6
