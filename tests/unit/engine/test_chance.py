"""Uniform chance: probabilities and draws."""

from __future__ import annotations

import numpy as np
import pytest

from veil.engine import draw_rows_uniformly, draw_uniformly, uniform_log_probability, uniform_probabilities

LEGAL = np.array([[1, 1, 0, 1], [0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0]], bool)


def test_every_legal_move_is_equally_likely_and_no_other_is_possible() -> None:
    third = 1 / 3
    assert uniform_probabilities(LEGAL).tolist() == [[third, third, 0, third], [0, 0, 1, 0], [0.5, 0, 0.5, 0], [0] * 4]


def test_log_probabilities_are_those_of_the_probabilities() -> None:
    counts = LEGAL.sum(axis=1)[:3]
    assert np.exp(uniform_log_probability(counts)) == pytest.approx(uniform_probabilities(LEGAL).max(axis=1)[:3])
    assert uniform_log_probability(np.array([[0, 1]])).tolist() == [[0.0, 0.0]]


def test_draws_are_uniform() -> None:
    """Chi-squared with 2 degrees of freedom: above 13.8 with probability 0.001; the seed is fixed."""
    rng, times = np.random.default_rng(5), 3000
    one = [draw_uniformly("abd", rng) for _ in range(times)]
    rows = draw_rows_uniformly(np.repeat(LEGAL[:1], times, axis=0), rng)
    for counts in ([one.count(move) for move in "abd"], [int((rows == move).sum()) for move in (0, 1, 3)]):
        assert sum(counts) == times
        assert sum((count - times / 3) ** 2 / (times / 3) for count in counts) < 13.8


def test_only_legal_moves_are_drawn() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        drawn = draw_rows_uniformly(LEGAL[:3], rng)
        assert LEGAL[np.arange(3), drawn].all()


def test_where_nobody_has_a_choice_no_number_is_taken() -> None:
    """Forced moves leave the stream alone, so that a seed means the same with them and without."""
    rng = np.random.default_rng(1)
    assert draw_rows_uniformly(LEGAL[[1, 1]], rng).tolist() == [2, 2]
    assert rng.random() == np.random.default_rng(1).random()


def test_the_same_seed_draws_the_same() -> None:
    many = np.repeat(LEGAL[:3], 20, axis=0)
    first, second, other = (draw_rows_uniformly(many, np.random.default_rng(seed)).tolist() for seed in (3, 3, 4))
    assert first == second != other
