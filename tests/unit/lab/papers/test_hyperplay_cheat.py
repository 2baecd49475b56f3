"""The grid against the Cheat, run small: columns of all settings, the Cheat stays ahead, and the causes are tried."""

from __future__ import annotations

import pytest

from veil.lab.papers.hyperplay_cheat import CAUSES, PLAYERS, cheat


@pytest.mark.slow
def test_the_cheat_is_not_beaten_and_the_grid_is_complete_in_all_settings() -> None:
    report = cheat(seed=0, quick=True)
    assert report.columns[4:7] == tuple(f"mean goal, {name}" for name in PLAYERS)
    assert [row[1:3] for row in report.rows] == [(1, 1), (1, 8), (8, 1), (8, 8)] * 2
    assert {row[7] for row in report.rows} == {"hyperplay 100 %"}
    means = [float(cell.split()[0]) for row in report.rows for cell in row[4:7]]
    assert sum(means) / len(means) < 50
    why, resources = report.parts
    assert (why.name, resources.name) == ("hyperplay-cheat-why", "hyperplay-cheat-resources")
    assert {row[1] for row in why.rows} < set(CAUSES.values())
    assert len(why.rows) == 3
