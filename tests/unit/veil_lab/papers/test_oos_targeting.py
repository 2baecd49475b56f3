"""What OOS targets: a row per setting, a panel per scheme and game, and the exact table of full targeting."""

from __future__ import annotations

from pathlib import Path

import pytest

from veil.match import exploit
from veil_lab.papers import oos_targeting
from veil_lab.papers.oos_aggregate import AggregatePoint, Wanted
from veil_lab.papers.oos_settings import DICE, GOOFSPIEL, SMALL
from veil_lab.papers.oos_targeting import judge_full_targeting, target


@pytest.fixture
def _nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def note(wanted: list[Wanted], *rest: object) -> list[AggregatePoint]:
        return [AggregatePoint(name, kind, iterations, 0.5, 1.0) for name, kind, _, iterations in wanted]

    monkeypatch.setattr(oos_targeting, "measure_all", note)
    monkeypatch.setattr(oos_targeting, "EXACT_ITERATIONS", (10,))


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python")
@pytest.mark.usefixtures("_nothing_is_measured")
def test_all_values_are_tried_in_both_schemes_but_there_are_no_public_moves_in_goofspiel() -> None:
    rows = target().rows
    assert len(rows) == (3 + 2) * 9
    assert {row[0] for row in rows if row[1].startswith("pst")} == set(SMALL) - {GOOFSPIEL}
    theirs = {row[:2]: row[2] for row in rows}
    assert theirs[DICE, "ist delta 1, epsilon 0.6"] == "does not fall"
    assert theirs[DICE, "pst delta 1, epsilon 0.6"] == ""


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python")
@pytest.mark.usefixtures("_nothing_is_measured")
def test_the_figure_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert tmp_path / "oos-fig3-targeting.png" in target(quick=True).write(tmp_path)


@pytest.mark.compiled("slow as Python")
def test_a_cell_of_the_exact_table_is_what_exploit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oos_targeting, "SMALL_DICE", "liars_dice(dice1=1, dice2=1, faces=2)")
    report = judge_full_targeting(seed=3, quick=True)
    judged = exploit(oos_targeting.SMALL_DICE, "oos:target=ist,delta=0.9,epsilon=0.4,iterations=100", seed=3)
    assert report.columns == ("delta", "100")
    assert report.rows[1] == (0.9, judged.nash_conv)
