"""Cells with other times per move: who plays, with how much work, theirs, and what the whole cell costs."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from veil_lab.papers import oos_matches
from veil_lab.papers.oos_settings import BUDGETS, LARGE_DICE, POKER_VALUE, UCT
from veil_lab.papers.oos_times import CELLS, play_other_times


@pytest.fixture
def seats(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, str]]:
    """Who would play; the first seat wins three of four matches of nine moves."""
    played: list[Mapping[str, str]] = []

    def play(game: Any, specs: Mapping[str, str], matches: int, *rest: Any) -> Any:
        played.append(specs)
        zero, won = (game.utility.zero, game.utility.zero + 3) if "poker" in game.name else (0, 100)
        logs = [
            SimpleNamespace(goals={"first": goal}, rounds=[], errors={"first": 0}) for goal in (won, won, won, zero)
        ]
        return SimpleNamespace(logs=logs, decisions=lambda: 9.0)

    monkeypatch.setattr(oos_matches, "play_series", play)
    return played


def test_a_cell_has_the_work_of_the_time_that_the_text_names(seats: list[Mapping[str, str]]) -> None:
    report = play_other_times(matches=4)
    assert [row[:5] for row in report.rows] == [
        (cell.game, cell.first, cell.second, cell.seconds, cell.theirs) for cell in CELLS
    ]
    pace = BUDGETS[LARGE_DICE].pace
    assert seats[2] == {
        "first": f"oos:target=pst,delta=0.9,epsilon=0.4,states={pace['OOS']}",
        "second": f"{UCT},states={pace['UCT']}",
    }
    assert f",states={5 * BUDGETS[CELLS[0].game].pace['UCT']}" in seats[1]["first"]


def test_the_table_says_what_a_cell_costs_in_full(seats: list[Mapping[str, str]]) -> None:
    report = play_other_times(matches=4, seconds=0.1)
    assert seats[2]["second"] == f"{UCT},states={BUDGETS[LARGE_DICE].pace['UCT'] // 10}"
    assert [row[6:] for row in report.rows[1:3]] == [(9.0, 6.2), (9.0, 1.2)]  # 500 matches of 9 moves of 5 s and 1 s
    assert report.rows[0][5].startswith("75.0 ± ")
    assert report.rows[-1][5].startswith(f"{3 * 0.75 - POKER_VALUE:.2f} ± ")
    assert "Here a move has the work of 0.1 s." in report.remarks
