"""Figure 3(b) with what the authors' program does: who is measured how, and which curves are said to rise."""

from __future__ import annotations

from pathlib import Path

import pytest

from veil.players import PLAYERS
from veil_lab.papers import oos_aggregate
from veil_lab.papers.oos_aggregate import OURS, PROGRAM_WAY, AggregatePoint, AggregateWay, Wanted
from veil_lab.papers.oos_program import follow_program, name_kinds, tell_rises
from veil_lab.papers.oos_settings import GOOFSPIEL


def test_the_program_walks_before_the_match_as_often_as_for_a_move() -> None:
    configs = {kind: PLAYERS.parse(spec).config for kind, spec in name_kinds(300).items()}
    assert (configs["RM, text"].prior_walks, configs["RM, text"].gamma) == (0, 0.2)
    assert (configs["RM, program"].prior_walks, configs["RM, program"].gamma) == (300, 0.1)
    program = configs["UCT, program"]
    assert (program.grow, program.renew, program.starts, program.lost) == ("history", True, "memory", "random")
    assert program.ties == "first"


def test_a_curve_rises_if_it_ends_above_its_lowest_point() -> None:
    values = {"up": (1.0, 0.5, 0.6), "down": (1.0, 0.5, 0.51)}
    points = [AggregatePoint(GOOFSPIEL, name, k, 0.1, value) for name in values for k, value in enumerate(values[name])]
    assert tell_rises(points) == "Rises with more iterations: up. Does not: down."


def test_walks_and_ways_are_crossed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[str, AggregateWay]] = []

    def note(game: object, wanted: Wanted, seed: int, matches: int, executor: object, way: AggregateWay) -> object:
        asked.append((wanted[2], way))
        return AggregatePoint(wanted[0], wanted[1], wanted[3], 0.5, 1.0)

    monkeypatch.setattr(oos_aggregate, "measure", note)
    report = follow_program(quick=True)
    assert len(report.rows) == 8
    assert {way for _, way in asked} == {OURS, PROGRAM_WAY}
    assert ("ismcts:select=rm", PROGRAM_WAY) in asked
    pytest.importorskip("matplotlib")
    assert tmp_path / "oos-fig3-program.png" in report.write(tmp_path)
