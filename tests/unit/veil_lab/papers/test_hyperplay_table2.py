"""The case study of the full board, run small."""

from __future__ import annotations

import pytest

from veil_lab.papers import hyperplay_table2
from veil_lab.papers.hyperplay_table2 import case_study


@pytest.mark.slow
def test_models_go_off_line_slowly_and_random_sampling_is_far_dearer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hyperplay_table2, "TIMED", 1)
    monkeypatch.setattr(hyperplay_table2, "RANDOM_STATES", 300_000)
    report = case_study(seed=0, quick=True)
    assert [row[0] for row in report.rows] == [1, 2, 16, 17, 32, 33]
    plain, reseeded = (float(report.rows[4][column].split()[0]) for column in (6, 7))
    assert 50 <= plain <= reseeded  # the article: 50 %
    (states,) = report.parts
    assert states.columns == ("", "theirs", "ours")
    assert [row[1] for row in states.rows] == ["745", "1.3", "166,000", "160,000", "-", "48", "-"]
    update, _, total, formula, measured, *_ = (
        float(row[2].removeprefix("more than ").replace(",", "")) for row in states.rows
    )
    assert update <= total
    assert formula < measured  # the formula is a bound: dead ends are not in it
