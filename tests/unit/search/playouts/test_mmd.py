"""A mixed HyperPlay by magnetic mirror descent: the step by hand, its fixed point, and what the player does."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from tests.support.games import game
from tests.support.search_games import MONTY, bag_after
from veil.belief import Bag
from veil.engine import Record
from veil.search import MmdConfig, SearchBudget, SearchQuestion, SearchTask
from veil.search.contract import Answer
from veil.search.playouts.mmd import descend


class OneBag:
    """A belief that is known."""

    def __init__(self, spec: str, role: str, record: tuple) -> None:
        self.bag = bag_after(spec, role, record)

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        return self.bag


def decide(**options: float) -> Answer:
    """The contestant of Monty Hall: to stay is worth 100/3, to switch 200/3, without any noise."""
    of = game("monty_hall")
    searcher = MmdConfig(**options).searcher(SearchTask(of, 1, 0))  # type: ignore[arg-type]
    belief = OneBag("monty_hall", "contestant", MONTY)
    return searcher.search(
        SearchQuestion(Record("contestant", MONTY), belief, (0,)), SearchBudget(), np.random.default_rng(0)
    )


def test_a_step_is_the_formula_by_hand() -> None:
    """(pi0 * rho^(alpha eta) * e^(eta q))^(1 / (1 + alpha eta)) with alpha = 1/2, eta = 2: the exponent is 1/2."""
    prior, magnet, quality = np.array([0.2, 0.8]), np.array([0.9, 0.1]), np.array([log(3), 0.0])
    weights = [(0.2 * 0.9 * 9) ** 0.5, (0.8 * 0.1) ** 0.5]
    found = descend(prior, magnet, quality, alpha=0.5, eta=2.0)
    assert found.tolist() == pytest.approx([weight / sum(weights) for weight in weights])


def test_many_steps_end_at_the_magnet_tilted_by_the_values() -> None:
    magnet, quality, alpha = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.4, -0.3]), 0.25
    policy = np.full(3, 1 / 3)
    for _ in range(200):
        policy = descend(policy, magnet, quality, alpha, eta=1.0)
    tilted = magnet * np.exp(quality / alpha)
    assert policy.tolist() == pytest.approx((tilted / tilted.sum()).tolist())


def test_values_of_any_size_do_not_overflow_and_what_is_never_played_stays_out() -> None:
    found = descend(np.array([0.5, 0.0, 0.5]), np.full(3, 1 / 3), np.array([1e6, 2e6, 0.0]), alpha=1e-9, eta=1e3)
    assert found.tolist() == [1, 0, 0]


def test_the_player_mixes_by_the_scaled_values_of_hyperplay() -> None:
    """Goals 0 and 100 become -1 and 1: the values are -1/3 and 1/3."""
    answer = decide(alpha=0.5, eta=2.0)
    ratio = exp(2.0 * (2 / 3) / (1 + 0.5 * 2.0))
    assert answer.values.tolist() == pytest.approx([100 / 3, 200 / 3])
    assert answer.strategy.tolist() == pytest.approx([1 / (1 + ratio), ratio / (1 + ratio)])
    many = decide(alpha=0.5, eta=2.0, steps=100).strategy
    assert many.tolist() == pytest.approx([1 / (1 + exp(4 / 3)), 1 / (1 + exp(-4 / 3))])


def test_a_lower_temperature_plays_the_better_move_more_often() -> None:
    shares = [decide(alpha=alpha, eta=20.0).strategy[1] for alpha in (10.0, 1.0, 0.1)]
    assert 0.5 < shares[0] < shares[1] < shares[2] < 1
