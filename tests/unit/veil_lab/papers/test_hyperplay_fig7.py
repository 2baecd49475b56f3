"""What a sample costs beside random sampling, run small."""

from __future__ import annotations

import numpy as np
import pytest

from veil_lab.papers import hyperplay_fig7
from veil_lab.papers.hyperplay_fig7 import BINS, _costs, _summarise, find_ratio, sampling_cost
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


def test_the_ratio_is_of_means_over_games_and_the_games_behind_it_are_counted() -> None:
    costs = np.full((3, 2, BINS), np.nan)
    costs[0, :, 2], costs[1, :, 2], costs[1, :, 9] = (1, 10), (3, 10), (1, 100)
    line, counts = find_ratio(costs)
    assert line[2] == pytest.approx(0.2)
    assert _summarise(line, counts) == pytest.approx((0.2, 0.01, 0.01, 0.2, 2, 1, 1))


@pytest.mark.compiled("slow as Python")
def test_records_of_battleships_and_guess_who_last_beyond_the_rounds_of_table_1() -> None:
    """Players that look at the true state end the first in round 3; the article tests it in round 6, guess_who in 5."""
    for name, rounds in (("battleships_in_fog(size=4)", 6), ("guess_who(characters=8, attributes=4)", 5)):
        view = View.of(name, GAMES[name])
        assert sum(len(view.play(number)) > rounds for number in range(4)) >= 3, name


@pytest.mark.slow
@pytest.mark.nightly
def test_a_row_per_game_with_ratios_over_the_course() -> None:
    report = sampling_cost(seed=0, quick=True)
    assert report.columns == ("game", "early", "halfway", "late", "highest", "games: early", "halfway", "late")
    assert [row[0] for row in report.rows] == list(GAMES)
    assert sum(row[3] < 1 for row in report.rows) >= 6
