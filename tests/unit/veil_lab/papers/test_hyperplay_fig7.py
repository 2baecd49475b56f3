"""What a sample costs beside random sampling, run small."""

from __future__ import annotations

import numpy as np
import pytest

from veil_lab.papers import hyperplay_fig7
from veil_lab.papers.hyperplay_fig7 import BINS, _costs, sampling_cost
from veil_lab.views import GAMES, View


@pytest.fixture(autouse=True)
def _few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random sampling gives up sooner, which flatters it."""
    monkeypatch.setattr(hyperplay_fig7, "RANDOM_STATES", 50_000)


@pytest.mark.compiled("slow as Python")
def test_a_late_sample_of_hyperplay_is_cheaper_than_a_random_one() -> None:
    view = View.of("blind_breakthrough(width=5, height=5)", "black")
    costs = _costs(view, 20, (0, 0))
    assert costs.shape == (2, BINS)
    late = ~np.isnan(costs[0])
    late[: BINS // 2] = False
    assert late.any()
    assert (costs[0, late] < costs[1, late]).all()


@pytest.mark.slow
@pytest.mark.nightly
def test_a_row_per_game_with_ratios_over_the_course() -> None:
    report = sampling_cost(seed=0, quick=True)
    assert report.columns == ("game", "early", "halfway", "late", "highest")
    assert [row[0] for row in report.rows] == list(GAMES)
    assert sum(row[3] < 1 for row in report.rows) >= 6
