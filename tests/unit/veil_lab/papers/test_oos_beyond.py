"""Online Outcome Sampling against ISMCTS: who sits where, what is subtracted, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from veil_lab.papers import oos_beyond
from veil_lab.papers.oos_beyond import compare_in_large_goofspiel, compare_with_ismcts
from veil_lab.papers.oos_settings import BUDGETS, DICE, LARGE_GOOFSPIEL, OOS_IST, POKER, POKER_VALUE


@pytest.fixture
def duels(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, str]]:
    """Who would play; the first seat wins every match, or three chips."""
    seats: list[Mapping[str, str]] = []

    def play(game: Any, specs: Mapping[str, str], *rest: Any) -> Any:
        seats.append(specs)
        zero = game.utility.zero
        goals = {"first": zero + 3, "second": zero - 3} if zero == 200 else {"first": 100, "second": 0}
        return SimpleNamespace(logs=[SimpleNamespace(goals=goals, rounds=[])] * 3)

    monkeypatch.setattr(oos_beyond, "play_series", play)
    return seats


def test_each_opponent_is_met_from_both_seats_with_its_own_work(duels: list[Mapping[str, str]]) -> None:
    assert len(compare_with_ismcts(quick=True).rows) == len(duels) == 36
    assert duels[0] == {"first": f"{OOS_IST},states=2000", "second": "ismcts:select=uct,states=2000"}
    assert duels[1] == {"first": "ismcts:select=uct,states=2000", "second": f"{OOS_IST},states=2000"}
    assert duels[2]["second"] == "ismcts:select=rm,states=2000"
    assert duels[4]["first"] == f"{OOS_IST},prune=0.3,states=2000"
    assert duels[8]["first"] == f"{OOS_IST},prior_iterations=50,states=2000"


def test_the_value_of_the_seat_is_subtracted(duels: list[Mapping[str, str]]) -> None:
    cells = {(row[0], *row[2:4]): row[4:] for row in compare_with_ismcts(quick=True).rows}
    assert cells[DICE, "first", "UCT"] == ("+51.36", "not worse")
    assert cells[DICE, "second", "UCT"] == ("-51.36", "worse")
    assert cells[POKER, "first", "RM"] == (f"{3 - POKER_VALUE:+.2f}", "not worse")
    assert cells[POKER, "second", "RM"] == (f"{-3 + POKER_VALUE:+.2f}", "worse")


def test_an_interval_that_reaches_the_value_is_not_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """One win of four: 25 ± 80."""
    goals = [{"first": goal, "second": goal} for goal in (100, 0, 0, 0)]
    logs = [SimpleNamespace(goals=goal, rounds=[]) for goal in goals]
    monkeypatch.setattr(oos_beyond, "play_series", lambda *_: SimpleNamespace(logs=logs))
    monkeypatch.setattr(oos_beyond, "DUELS", oos_beyond.DUELS[:1])
    assert {row[5] for row in compare_with_ismcts(quick=True).rows} == {"not worse"}


def test_the_large_game_is_played_from_both_seats_with_the_states_of_a_second(duels: list[Mapping[str, str]]) -> None:
    report = compare_in_large_goofspiel(matches=3)
    states = BUDGETS[LARGE_GOOFSPIEL].count_states()
    uct = f"ismcts:select=uct,states={states['UCT']}"
    steady = f"{OOS_IST},gamma=0.4,prune=0.4,worlds=2000,states={states['OOS']}"
    assert duels == [
        {"first": f"{OOS_IST},states={states['OOS']}", "second": uct},
        {"first": uct, "second": f"{OOS_IST},states={states['OOS']}"},
        {"first": steady, "second": uct},
        {"first": uct, "second": steady},
    ]
    assert [row[4] for row in report.rows] == ["-21.7", "-19.2", "", ""]
    assert [row[5:] for row in report.rows] == [("+50.00", "not worse"), ("-50.00", "worse")] * 2
