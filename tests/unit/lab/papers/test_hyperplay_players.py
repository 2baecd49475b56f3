"""The experiments with players, run small: directions of the claims, columns of both settings."""

from __future__ import annotations

import pytest

from veil.lab.papers.article import SAMPLER_OF
from veil.lab.papers.hyperplay_players import bomb, cheat, monty


def test_weights_make_the_contestant_switch_in_both_settings() -> None:
    report = monty(seed=0, quick=True)
    weighted, uniform = ([float(cell.split()[0]) for cell in row[2::2]] for row in report.rows)
    assert weighted == [100.0, 100.0]
    assert all(20 < share < 80 for share in uniform)  # 40 tosses of a coin; outside in fewer than 1 of 10,000
    assert len(report.columns) == 2 + 2 * len(SAMPLER_OF)
    assert any("article's sampler: hyperplay 100 %; our default: exact 100 %" in remark for remark in report.remarks)


def test_hyperplay_never_asks_and_hyperplay2_always_does() -> None:
    report = bomb(seed=0, quick=True)
    plain, lifted = report.rows
    assert plain[1:5] == (45, pytest.approx(45, abs=1), 50, pytest.approx(50, abs=1))
    assert lifted[1:5] == (90, 90, 50, pytest.approx(50, abs=6))
    assert [plain[6], plain[8]] == ["0 %", "0 %"]
    assert [lifted[6], lifted[8]] == ["100 %", "100 %"]


@pytest.mark.slow
def test_the_cheat_is_not_beaten_and_more_resources_are_measured_in_both_settings() -> None:
    report = cheat(seed=0, quick=True)
    assert report.columns[3::2] == ("mean goal, article's sampler", "mean goal, our default")
    assert {row[4] for row in report.rows} == {"hyperplay 100 %"}
    assert [row[1] for row in report.rows] == [1, 4, 16] * 2
    assert all(float(cell.split()[0]) <= 80 for row in report.rows for cell in row[3::2])
    assert report.parts[0].name == "hyperplay-cheat-resources"
