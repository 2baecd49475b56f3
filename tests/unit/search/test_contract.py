"""Answers of searchers: mixed strategies, and how a move is drawn from one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from veil.search import Answer, answer_by_values


def make_answer(strategy: list[float]) -> Answer:
    count = len(strategy)
    return Answer(
        moves=np.arange(10, 10 + count),
        strategy=np.array(strategy),
        values=np.zeros(count),
        visits=np.ones(count),
        playouts=1,
        states_visited=1,
    )


def test_moves_are_drawn_with_the_probabilities_of_the_strategy() -> None:
    """False-alarm rate 1e-6."""
    answer, rng = make_answer([0.5, 0.0, 0.2, 0.3]), np.random.default_rng(1)
    drawn = [answer.draw(rng) for _ in range(5000)]
    counts = [drawn.count(move) for move in (10, 12, 13)]
    assert 11 not in drawn
    assert chisquare(counts, [2500, 1000, 1500]).pvalue > 1e-6


def test_a_pure_strategy_needs_no_luck() -> None:
    assert {make_answer([0.0, 1.0, 0.0]).draw(np.random.default_rng(seed)) for seed in range(20)} == {11}


def test_the_best_moves_share_the_strategy_evenly() -> None:
    answer = answer_by_values(np.array([3, 4, 8]), np.array([7.0, 7.0, 2.0]), np.ones(3), 3, 3)
    assert answer.strategy.tolist() == [0.5, 0.5, 0.0]
    assert answer.best().tolist() == [3, 4]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e12])
def test_values_that_differ_by_rounding_are_equal(scale: float) -> None:
    values = np.array([1.0, 1.0 - 1e-13, 0.99]) * scale
    answer = answer_by_values(np.arange(3), values, np.ones(3), 3, 3)
    assert set(answer.best().tolist()) >= {0, 1}
    assert 2 not in answer.best() or scale < 1e-3
