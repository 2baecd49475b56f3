"""Head to head: who sits where, what a cell says, theirs below ours."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from veil_lab.luck import LuckGauge
from veil_lab.papers import oos_matches, oos_settings
from veil_lab.papers.oos_matches import play_large_games, play_small_games
from veil_lab.papers.oos_settings import BUDGETS, COLUMNS, LARGE_DICE, POKER_VALUE, UCT


@pytest.fixture
def series(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, str]]:
    """Who would play; the first seat wins three of four matches."""
    seats: list[Mapping[str, str]] = []

    def play(game: Any, specs: Mapping[str, str], matches: int, *rest: Any) -> Any:
        seats.append(specs)
        zero, won = (200, 203) if game.utility.zero == 200 else (0, 100)
        goals = [won, won, won, zero]
        logs = [SimpleNamespace(goals={"first": goal}, errors={"first": 0}, rounds=[]) for goal in goals]
        return SimpleNamespace(logs=logs, walks=lambda role: 1234.0, decisions=lambda: 10.0)

    monkeypatch.setattr(oos_matches, "play_series", play)
    return seats


def test_the_row_sits_in_the_first_seat_and_theirs_stand_below(series: list[Mapping[str, str]]) -> None:
    report = play_small_games(quick=True)
    assert [row[:2] for row in report.rows] == [(name, whose) for name in COLUMNS for whose in ("ours", "theirs")]
    assert report.rows[1][2:] == ("49.3 ± 2.7", "50 ± 1.3", "50.5 ± 1.3", "83.1 ± 1.5")
    assert report.rows[0][2].startswith("75.0 ± ")
    oos = "oos:target=ist,delta=0.9,epsilon=0.4"
    assert series[1] == {"first": f"{oos},states=2000", "second": f"{UCT},states=2000"}
    assert series[4]["first"] == f"{UCT},states=2000"
    assert series[3]["second"] == "random"
    assert len(series) == 48
    assert report.settings["walks per move"] == "OOS 1,234, UCT 1,234, RM 1,234"


def test_chips_are_counted_from_the_value_of_the_game(series: list[Mapping[str, str]]) -> None:
    poker = play_small_games(quick=True).parts[1]
    assert poker.rows[0][2].startswith(f"{3 * 0.75 - POKER_VALUE:.2f} ± ")


def test_large_games_have_the_work_of_their_own_seconds_and_exploration(series: list[Mapping[str, str]]) -> None:
    report = play_large_games(matches=4)
    assert report.rows[1][3] == "28.3 ± 3.9"
    dice, states = report.parts[0], BUDGETS[LARGE_DICE].count_states()
    assert states["UCT"] == 5 * BUDGETS[LARGE_DICE].pace["UCT"]
    assert dice.settings["OOS"] == f"oos:target=pst,delta=0.9,epsilon=0.8,states={states['OOS']}"
    assert "A move takes as many states as 5 s on one core." in dice.remarks


def test_less_time_is_less_work_and_the_remarks_say_so(series: list[Mapping[str, str]]) -> None:
    dice = play_large_games(matches=4, seconds=0.5).parts[0]
    assert dice.settings["UCT"] == f"{UCT},states={BUDGETS[LARGE_DICE].pace['UCT'] // 2}"
    assert "A move takes as many states as 0.5 s on one core, where the paper has 5 s." in dice.remarks


def test_luck_is_subtracted_where_the_whole_game_is_known(
    series: list[Mapping[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LuckGauge, "measure", lambda *_: 5.0)
    assert play_small_games(quick=True).rows[0][2].startswith("70.0 ± ")
    assert play_large_games(quick=True).rows[0][2].startswith("75.0 ± ")


@pytest.mark.compiled("slow as Python")
def test_a_few_matches_are_played_with_states_instead_of_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oos_matches, "SMALL_ARENAS", oos_matches.SMALL_ARENAS[1:2])
    monkeypatch.setattr(oos_settings, "QUICK_MATCHES", 2)
    report = play_small_games(quick=True)
    assert all(0 <= float(cell.split(" ")[0]) <= 100 for row in report.rows for cell in row[2:])
    assert play_small_games(quick=True).rows == report.rows


def test_a_panel_per_game_is_drawn(series: list[Mapping[str, str]], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    written = play_small_games(quick=True).write(tmp_path)
    assert tmp_path / "oos-fig4-small.png" in written
    assert (tmp_path / "oos-fig4-small.png").read_bytes().startswith(b"\x89PNG")
