"""The experiments with players, run small: directions of the claims, columns of both settings."""

from __future__ import annotations

import pytest

from veil_lab.papers.article import SAMPLER_OF
from veil_lab.papers.hyperplay_players import bomb, monty


@pytest.mark.compiled("slow as Python")
def test_weights_make_the_contestant_switch_in_both_settings() -> None:
    report = monty(seed=0, quick=True)
    weighted, uniform = ([float(cell.split()[0]) for cell in row[2::2]] for row in report.rows)
    assert weighted == [100.0, 100.0]
    assert all(20 < share < 80 for share in uniform)  # 40 tosses of a coin; outside in fewer than 1 of 10,000
    assert len(report.columns) == 2 + 2 * len(SAMPLER_OF)
    assert any("article's sampler: hyperplay 100 %; our default: exact 100 %" in remark for remark in report.remarks)


@pytest.mark.compiled("slow as Python")
def test_hyperplay_never_asks_and_hyperplay2_always_does() -> None:
    report = bomb(seed=0, quick=True)
    plain, lifted, printed = report.rows
    assert plain[1:5] == (45, pytest.approx(45, abs=1), 50, pytest.approx(50, abs=1))
    assert lifted[1:5] == (90, 90, 50, pytest.approx(50, abs=6))
    assert [plain[6], plain[8]] == ["0 %", "0 %"]
    assert printed[1:5] == (90, 90, 50, pytest.approx(50, abs=6))
    assert [lifted[6], lifted[8], printed[6], printed[8]] == ["100 %"] * 4
