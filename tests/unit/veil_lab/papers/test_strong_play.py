"""Cells of strong play: who sits where, what counts, and that stored matches are not played again."""

from __future__ import annotations

import pytest

from veil.engine import load
from veil_lab.papers import strong_play
from veil_lab.papers.strong_play import DuelTerms, plan_duels, play_cells, score_match
from veil_lab.result_cache import keep_pieces

GAME = "kuhn_poker"


def test_each_seat_has_its_half_and_one_of_them_the_odd_match() -> None:
    duels = list(plan_duels(load(GAME), "random", DuelTerms(3, 0.01, 0, None)))
    assert [duel.role for duel in duels] == ["first", "first", "second"]
    assert all(dict(duel.task.specs) == {duel.role: "best", duel.other: "random"} for duel in duels)
    assert duels[0].task.seed == duels[2].task.seed != duels[1].task.seed
    (odd,) = plan_duels(load(GAME), "random", DuelTerms(1, 0.01, 0, None), odd_seat=1)
    assert odd.role == "second"


def test_a_win_is_by_the_higher_goal() -> None:
    assert [score_match(*goals) for goals in ((60, 40), (50, 50), (0, 1))] == [100.0, 50.0, 0.0]


def test_stored_matches_are_not_played_again(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    cells = {(GAME, "first"): "first", (GAME, "random"): "random"}
    terms = DuelTerms(4, 0.01, 0, None, player="random")
    with keep_pieces(f"{tmp_path}/store"):
        scores = play_cells(cells, terms)
        monkeypatch.setattr(strong_play, "play_on_processor_time", None)
        assert play_cells(cells, terms) == scores
    assert [len(own) for own in scores.values()] == [4, 4]
