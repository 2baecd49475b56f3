"""Bags, lineages, history_keys and draws."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.support.belief_games import monty
from tests.support.games import game
from veil.belief.bag import Bag, Lineage, draw_systematic, history_keys, normalise
from veil.belief.samplers import believe
from veil.engine.record import Record


def a_bag(weights: list[float]) -> Bag:
    count = len(weights)
    return Bag(
        histories=np.zeros((count, 0, 1), np.int32),
        states=np.zeros((count, 1), np.uint64),
        weights=np.array(weights),
        sampler="hand",
    )


# Bags


def test_a_bag_has_a_length_and_an_effective_size() -> None:
    assert len(a_bag([0.5, 0.25, 0.25])) == 3
    assert a_bag([0.25] * 4).effective == pytest.approx(4)
    assert a_bag([1.0, 0.0]).effective == pytest.approx(1)
    assert a_bag([0.5, 0.25, 0.25]).effective == pytest.approx(1 / (0.25 + 0.125))
    assert a_bag([]).effective == 0.0


def test_marginals_are_sums_of_weights_likeliest_first() -> None:
    bag = believe(game("monty_hall"), Record("contestant", monty(3)), "exact")
    marginals = bag.marginals()
    assert marginals == pytest.approx(
        {"(chosen 1)": 1, "(closed 1)": 1, "(closed 2)": 1, "(round 3)": 1, "(car 2)": 2 / 3, "(car 1)": 1 / 3}
    )
    assert list(marginals)[-2:] == ["(car 2)", "(car 1)"]


def test_what_holds_in_all_worlds_is_exactly_certain_whatever_rounding_does() -> None:
    monty_hall = game("monty_hall")
    bag = believe(monty_hall, Record("contestant", monty(3)), "exact")
    odd = Bag(
        histories=bag.histories[[0, 0, 1]],
        states=bag.states[[0, 0, 1]],
        weights=np.array([0.5, 0.25, 0.25 - 1e-9]),  # as rounding might leave them
        sampler="hand",
    )
    assert odd.with_game(monty_hall).marginals()["(chosen 1)"] == 1.0


def test_a_history_in_words_is_a_list_of_joint_moves() -> None:
    monty_hall = game("monty_hall")
    bag = believe(monty_hall, Record("contestant", monty(3)), "exact")
    assert [bag.history(world) for world in range(2)] == [
        [
            {"random": f"(hide_car {door})", "contestant": "(choose 1)"},
            {"random": "(open_door 3)", "contestant": "noop"},
        ]
        for door in (1, 2)
    ]


# Lineages


def test_a_lineage_gives_back_whole_histories() -> None:
    lineage = Lineage(2)
    assert lineage.histories(np.arange(3)).shape == (3, 0, 2)
    lineage.grow(np.array([0, 0]), np.array([[1, 2], [3, 4]]))
    lineage.grow(np.array([1, 0, 1]), np.array([[5, 6], [7, 8], [9, 9]]))
    assert lineage.histories(np.array([2, 1, 0])).tolist() == [
        [[3, 4], [9, 9]],
        [[1, 2], [7, 8]],
        [[3, 4], [5, 6]],
    ]


def test_a_lineage_keeps_some_in_the_order_asked_for_one_more_than_once() -> None:
    lineage = Lineage(1)
    lineage.keep(np.array([0, 0]))  # before the first round there is nothing to keep
    lineage.grow(np.array([0, 0, 0]), np.array([[1], [2], [3]]))
    lineage.keep(np.array([2, 0, 2]))
    lineage.grow(np.array([0, 1, 2]), np.array([[4], [5], [6]]))
    assert lineage.histories(np.arange(3)).tolist() == [[[3], [4]], [[1], [5]], [[3], [6]]]


def test_a_lineage_knows_its_bytes() -> None:
    lineage = Lineage(2)
    assert lineage.nbytes == 0
    lineage.grow(np.zeros(5, np.int64), np.zeros((5, 2), np.int64))
    assert lineage.nbytes == 5 * 4 + 5 * 2 * 4


# Weights


def test_normalised_weights_add_up_to_1_however_small_they_are() -> None:
    assert normalise(np.log(np.array([1.0, 2.0, 5.0]))) == pytest.approx([0.125, 0.25, 0.625])
    assert normalise(np.array([-5000.0, -5000.0])).tolist() == [0.5, 0.5]
    assert normalise(np.array([-np.inf, 0.0])).tolist() == [0.0, 1.0]
    assert normalise(np.zeros(0)).tolist() == []


# Footprints


def test_footprints_are_equal_just_if_the_histories_are() -> None:
    every = np.array(list(product(range(3), repeat=6)), np.int32).reshape(-1, 3, 2)  # 729 histories
    keys = history_keys(every)
    assert len(set(keys.tolist())) == len(every)
    shuffled = np.random.default_rng(0).permutation(len(every))
    assert (history_keys(every[shuffled]) == keys[shuffled]).all()
    assert (history_keys(every.astype(np.int64)) == keys).all()


def test_footprints_tell_apart_who_moved_and_when() -> None:
    histories = np.array([[[1, 2], [0, 0]], [[2, 1], [0, 0]], [[0, 0], [1, 2]], [[0, 0], [2, 1]]], np.int32)
    assert len(set(history_keys(histories).tolist())) == 4


def test_footprints_of_no_rounds_are_all_the_same() -> None:
    assert len(set(history_keys(np.zeros((4, 0, 2), np.int32)).tolist())) == 1
    assert history_keys(np.zeros((0, 3, 2), np.int32)).shape == (0,)


# Draws


@pytest.mark.parametrize("count", [1, 7, 100, 1000])
def test_systematic_sampling_draws_each_as_often_as_its_weight_says(count: int) -> None:
    weights = np.array([0.5, 0.0, 0.3, 0.15, 0.05])
    for seed in range(20):
        index = draw_systematic(weights, count, np.random.default_rng(seed))
        assert index.shape == (count,)
        times = np.bincount(index, minlength=5)
        # As many as count times weight, rounded down or up: that is what makes it systematic.
        assert (np.abs(times - count * weights) < 1 + 1e-9).all()
        assert times[1] == 0


def test_systematic_sampling_is_fair_on_average() -> None:
    """One draw each, 20,000 times; false alarm below 1e-4 for another seed (4 standard deviations of 0.0035)."""
    rng, weights = np.random.default_rng(1), np.array([0.5, 0.3, 0.2])
    times = np.bincount([int(draw_systematic(weights, 1, rng)[0]) for _ in range(20_000)], minlength=3)
    assert times / 20_000 == pytest.approx(weights, abs=0.014)


def test_weights_need_not_add_up_to_1() -> None:
    index = draw_systematic(np.array([2.0, 6.0]), 8, np.random.default_rng(0))
    assert np.bincount(index).tolist() == [2, 6]
    assert draw_systematic(np.array([3.0]), 4, np.random.default_rng(0)).tolist() == [0] * 4


def test_the_same_rng_draws_the_same() -> None:
    weights = np.random.default_rng(5).random(50)
    one, two, other = (draw_systematic(weights, 9, np.random.default_rng(seed)).tolist() for seed in (1, 1, 2))
    assert one == two
    assert one != other
