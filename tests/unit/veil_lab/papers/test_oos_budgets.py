"""Figure 4 over walks per move: what a reading plays, which cells meet the paper's, what is said of a whole table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from veil.match import Mean
from veil.players import PLAYERS
from veil_lab.papers import oos_budgets, oos_matches
from veil_lab.papers.oos_budgets import (
    PAIRS,
    READINGS,
    WALKS,
    BudgetCell,
    ReadingTable,
    choose_budgets,
    name_searchers,
    play_budgets,
    tell_nearest,
)
from veil_lab.papers.oos_matches import SMALL_ARENAS
from veil_lab.papers.oos_settings import DICE, GOOFSPIEL, Extent, PrintedCell, read_printed
from veil_lab.series import play_series

GOOFSPIEL_ARENA = SMALL_ARENAS[0]


def make_table(reading: str, walks: int, off: float, half: float | None) -> ReadingTable:
    """A table of II-GS(6) in which every cell is so far above the paper's."""
    printed = read_printed(GOOFSPIEL)
    cells = {
        (*pair, walks): BudgetCell(Mean(value=printed[pair].mean + off, half=half, matches=9), 100.0) for pair in PAIRS
    }
    return ReadingTable(GOOFSPIEL_ARENA, reading, cells)


def test_intervals_meet_where_they_have_a_number_in_common() -> None:
    assert PrintedCell(50.0, 2.0).meets(53.0, 1.5)
    assert not PrintedCell(50.0, 2.0).meets(53.0, 0.5)


def test_a_cell_without_an_interval_meets_nothing() -> None:
    assert len(make_table("text", 10, 0.0, 1.0).find_met(10)) == 9
    assert make_table("text", 10, 0.0, None).find_met(10) == set()


def test_the_nearest_table_is_chosen_as_a_whole() -> None:
    tables = [make_table("text", 10, 5.0, 1.0), make_table("most", 10, -3.0, 0.1)]
    assert tables[1].measure_distance(10) == pytest.approx(3.0)
    told = tell_nearest(tables, GOOFSPIEL_ARENA, [10])
    assert "`most` with 10 walks" in told
    assert "meets 0 of 9" in told


@pytest.mark.parametrize("reading", READINGS)
def test_every_reading_names_players_with_as_many_walks(reading: str) -> None:
    for arena in SMALL_ARENAS:
        specs = name_searchers(arena, reading, 4000)
        configs = {name: PLAYERS.parse(spec).config for name, spec in specs.items()}
        assert (configs["OOS"].iterations, configs["UCT"].iterations, configs["RM"].iterations) == (2000, 4000, 4000)
    played = {name: config.played for name, config in configs.items()}
    assert played["UCT"] == "most"
    assert played["RM"] == {"most": "most", "ties, most": "most", "current": "current"}.get(reading, "mean")
    assert configs["UCT"].prior_walks == (4000 if reading == "program" else 0)
    assert configs["RM"].renew == (reading == "program")


def test_seconds_limit_the_walks() -> None:
    assert choose_budgets(Extent(0, False, 5)) == WALKS
    assert choose_budgets(Extent(0, False, 5, 0.03)) == (1000, 4000, 16_000)
    assert choose_budgets(Extent(0, False, 5, 1e-9)) == (1000,)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """One game, two matches; which seats were played."""
    seats: list[Any] = []
    play = play_series

    def note(game: Any, specs: Any, *rest: Any) -> Any:
        seats.append(tuple(specs.values()))
        return play(game, specs, *rest)

    monkeypatch.setattr(oos_matches, "play_series", note)
    monkeypatch.setattr(oos_budgets, "SMALL_ARENAS", SMALL_ARENAS[1:2])
    return seats


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python")
def test_a_table_per_reading_has_a_row_per_cell_and_the_states(short: list[Any], tmp_path: Path) -> None:
    report = play_budgets(quick=True, matches=2)
    assert [row[:2] for row in report.rows] == [(DICE, reading) for reading in READINGS]
    assert len(short) == len(set(short))  # no cell is played twice
    text = report.parts[0]
    assert [row[:2] for row in text.rows[:9]] == list(PAIRS)
    assert text.rows[0][2] == "48.5 ± 2"
    assert [row[0] for row in text.rows[9:]] == [f"states per move, {name}" for name in ("OOS", "UCT", "RM")]
    assert all(int(cell) >= 50 for row in text.rows[9:] for cell in row[3:])
    assert len(report.series["walks"]) == 2 * 9 * len(READINGS)  # type: ignore[arg-type]
    pytest.importorskip("matplotlib")
    assert tmp_path / "oos-fig4-budgets.png" in report.write(tmp_path)
