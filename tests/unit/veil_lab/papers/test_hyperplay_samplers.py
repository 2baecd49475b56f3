"""Samplers compared in play, run small."""

from __future__ import annotations

import pytest

from veil_lab.papers.hyperplay_samplers import CANDIDATES, measure_belief, samplers
from veil_lab.views import View


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python")
def test_a_row_per_sampler_says_who_answered_and_what_it_cost() -> None:
    report = samplers(seed=0, quick=True)
    rows = {row[1]: row for row in report.rows}
    assert list(rows) == list(CANDIDATES)
    for name in ("particle", "hyperplay, the article's", "csp"):
        assert rows[name][-1].startswith(name.split(",")[0])
    assert all(row[3] > 0 for row in report.rows)
    assert rows["exact, then auto"][5] == "100 %"
    assert rows["random"][3] > rows["hyperplay, the article's"][3]  # to begin again costs more than to go back


@pytest.mark.compiled("slow as Python")
def test_a_sampler_that_gives_up_has_no_world_for_the_rest_of_the_game() -> None:
    view = View.of("blind_breakthrough(width=5, height=5)", "black")
    poor, rich = (measure_belief(view, spec, 5, 3, 0).found for spec in ("random:budget=1", "hyperplay"))
    assert poor < rich
