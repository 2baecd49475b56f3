"""Worlds that do not fit under a clock are drawn: those that stay speak for all, and both sides' worlds stay."""

from __future__ import annotations

import numpy as np
import pytest

from veil.search.resolve.world_orders import CollectedWorlds, draw_part, thin_out


def make_worlds(weights: np.ndarray) -> CollectedWorlds:
    number = np.arange(len(weights))
    return CollectedWorlds(number[:, None, None], number[:, None], number[:, None], weights, True, True, 0)


def test_half_of_the_places_are_left_to_worlds_of_others() -> None:
    """An own belief that is larger than the limit took all places: then the other role knew what we hold."""
    is_own = np.arange(300) < 200
    kept = thin_out(make_worlds(np.full(300, 1 / 300)), is_own, 60, np.random.default_rng(0))
    stayed = kept.states[:, 0]
    assert len(stayed) == len(set(stayed.tolist())) == 60
    assert is_own[stayed].sum() == 30
    assert kept.weights[is_own[stayed]].sum() == pytest.approx(2 / 3, abs=0.05)
    assert not kept.is_closed


def test_few_worlds_of_others_leave_their_places_to_the_own_belief() -> None:
    is_own = np.arange(300) >= 10
    kept = thin_out(make_worlds(np.full(300, 1 / 300)), is_own, 60, np.random.default_rng(0))
    assert is_own[kept.states[:, 0]].sum() == 50


def test_worlds_that_fit_all_stay() -> None:
    worlds = make_worlds(np.array([0.5, 0.3, 0.2]))
    assert thin_out(worlds, np.array([True, False, False]), 3, np.random.default_rng(0)) is worlds


def test_weights_of_drawn_worlds_are_right_in_expectation() -> None:
    """2,000 draws of 4 of 12; the false alarm rate of 5 standard errors is below 1e-5 for all twelve."""
    weights = np.array([50.0, 20.0, *range(1, 11)])
    weights /= weights.sum()
    sums, squares = np.zeros(12), np.zeros(12)
    for seed in range(2000):
        place, drawn = draw_part(weights, 4, np.random.default_rng(seed))
        assert len(place) == 4
        sums[place] += drawn
        squares[place] += drawn**2
    mean = sums / 2000
    error = np.sqrt(np.maximum(squares / 2000 - mean**2, 0.0) / 2000)
    assert (np.abs(mean - weights) <= 5 * error + 1e-9).all()
    assert mean[0] == pytest.approx(weights[0], rel=1e-9)  # heavy enough to be drawn surely
