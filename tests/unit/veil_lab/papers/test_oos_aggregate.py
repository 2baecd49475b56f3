"""Figures by the aggregate method: a row per game and player, a column per number of iterations."""

from __future__ import annotations

from pathlib import Path

import pytest

from veil.equilibrium import PreparedGame, prepare
from veil.match import exploit
from veil_lab.papers import oos_aggregate
from veil_lab.papers.oos_aggregate import (
    OOS_WAYS,
    OURS,
    PAPER_WAY,
    PROGRAM_WAY,
    AggregatePoint,
    Wanted,
    aggregate,
    measure,
)
from veil_lab.papers.oos_settings import DICE, GOOFSPIEL, QUICK_GAMES, SMALL


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What would be measured; nothing is."""
    asked: list[tuple[object, ...]] = []

    def note(game: PreparedGame, wanted: Wanted, *rest: object) -> AggregatePoint:
        name, kind, spec, iterations = wanted
        asked.append((name, spec, iterations, rest[-1]))
        return AggregatePoint(name, kind, iterations, 0.5, iterations / 1000)

    monkeypatch.setattr(oos_aggregate, "prepare", lambda game: None)
    monkeypatch.setattr(oos_aggregate, "measure", note)
    return asked


def test_the_aggregate_has_a_row_per_game_and_player(measured: list[tuple[object, ...]]) -> None:
    report = aggregate(matches=7)
    assert report.settings["matches per role"] == 7
    assert [row[:2] for row in report.rows] == [(name, kind) for name in SMALL for kind in ("OOS", "UCT", "RM")]
    assert report.columns[3:-1] == ("100", "300", "1,000", "3,000", "10,000", "30,000", "100,000", "300,000")
    assert report.rows[0][3:-1] == (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
    assert report.rows[3][-4:] == (30.0, None, None, "0.5")  # only in II-Goofspiel
    assert (GOOFSPIEL, "oos:target=ist,delta=0.5,epsilon=0.4", 100, OURS) in measured
    assert len(report.series["nash_conv"]) == sum(way == OURS for *_, way in measured) == 60  # type: ignore[arg-type]


def test_oos_is_added_up_in_the_papers_way_and_in_that_of_the_program_beside_ours(
    measured: list[tuple[object, ...]],
) -> None:
    (sums,) = aggregate(matches=7).parts
    assert [row[:2] for row in sums.rows] == [(name, way) for name in SMALL for way in OOS_WAYS]
    assert {way for *_, way in measured} == {OURS, PAPER_WAY, PROGRAM_WAY}
    assert all(str(spec).startswith("oos:") for _, spec, _, way in measured if way != OURS)


def test_the_figure_is_drawn(measured: list[tuple[object, ...]], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert tmp_path / "oos-fig3-aggregate.png" in aggregate(quick=True).write(tmp_path)


@pytest.mark.compiled("slow as Python")
def test_a_point_is_what_exploit_says() -> None:
    point = measure(prepare(QUICK_GAMES[DICE]), (DICE, "OOS", "oos:target=ist", 40), 3, 10)
    judged = exploit(QUICK_GAMES[DICE], "oos:target=ist,iterations=40", method="aggregate", matches=10, seed=3)
    assert point.nash_conv == judged.nash_conv
    assert (point.game, point.player, point.iterations) == (DICE, "OOS", 40)
    by_sums = measure(prepare(QUICK_GAMES[DICE]), (DICE, "OOS", "oos:target=ist", 40), 3, 10, way=PAPER_WAY)
    assert by_sums.nash_conv != point.nash_conv
