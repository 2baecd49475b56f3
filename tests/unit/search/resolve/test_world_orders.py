"""Worlds that are the same for everybody are joined; of too many worlds, a part is drawn that speaks for all."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from tests.support.search_games import bag_after
from veil.engine import Record, replay_keys
from veil.search.resolve.all_worlds import find_all_worlds
from veil.search.resolve.config import ResolveConfig
from veil.search.resolve.past_play import PastPlay
from veil.search.resolve.thinning import draw_part, draw_per_group
from veil.search.resolve.world_orders import CollectedWorlds, Collection, WorldRoom, collect_worlds
from veil.search.walks.contract import find_record_key

DICE = "liars_dice(dice1=2, dice2=2, faces=2)"
QUIET, DICE_SEEN = frozenset[str](), frozenset({"(dice 1 1)", "(dice 2 1)"})
ROLLED = (("noop", QUIET), ("noop", DICE_SEEN), ("noop", QUIET), ("noop", QUIET))


def collect_dice(room: WorldRoom | None = None) -> tuple[CollectedWorlds, np.ndarray]:
    """Return the worlds of the first player, who has rolled a one and a two, and which are of the own belief."""
    of = game(DICE)
    key = find_record_key(of, Record("first", ROLLED))
    collection = Collection(of.machine, ResolveConfig(), PastPlay(of.machine, 0.1), 0)
    worlds = collect_worlds(collection, 1, key, bag_after(DICE, "first", ROLLED), None, room)
    return worlds, worlds.keys[:, 1] == np.uint64(key)


def test_dice_that_were_rolled_in_another_order_are_the_same_world() -> None:
    """16 ways to roll four coins, but three pairs for either player, with the weights 1, 2 and 1."""
    worlds, is_own = collect_dice()
    assert len(worlds.weights) == 9
    assert worlds.is_closed
    assert worlds.is_exact
    assert sorted(worlds.weights[is_own].tolist()) == pytest.approx([2 / 16, 2 / 16, 4 / 16])
    assert sorted((16 * worlds.weights).round(9).tolist()) == [1, 1, 1, 1, 2, 2, 2, 2, 4]


def test_others_hold_the_same_records_possible_when_worlds_are_thinned_out() -> None:
    """Three records of the other role, and after each of them the own record and the same other one."""
    worlds, is_own = collect_dice(WorldRoom(5, 3))
    assert len(worlds.weights) == 6
    assert is_own.sum() == 3
    assert len(np.unique(worlds.keys[:, 1])) == 2
    assert not worlds.is_closed


def test_all_worlds_of_several_records_are_found_at_once() -> None:
    of = game(DICE)
    worlds, _ = collect_dice()
    found = find_all_worlds(of.machine, PastPlay(of.machine, 0.1), 2, worlds.histories, 1000)
    assert found is not None
    assert np.bincount(found.record).tolist() == [3] * 9
    told = replay_keys(of.machine, worlds.histories)[:, 2]
    assert (found.keys[:, 2] == told[found.record]).all()
    assert (replay_keys(of.machine, found.histories)[:, 1:] == found.keys[:, 1:]).all()
    assert find_all_worlds(of.machine, PastPlay(of.machine, 0.1), 2, worlds.histories, 10) is None


def estimate(draw: object, count: int, runs: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of drawn weights, and its standard error."""
    sums, squares = np.zeros(count), np.zeros(count)
    for seed in range(runs):
        place, drawn = draw(np.random.default_rng(seed))  # type: ignore[operator]
        sums[place] += drawn
        squares[place] += drawn**2
    mean = sums / runs
    return mean, np.sqrt(np.maximum(squares / runs - mean**2, 0.0) / runs)


def test_weights_of_drawn_worlds_are_right_in_expectation() -> None:
    """2,000 draws of 4 of 12; the false alarm rate of 5 standard errors is below 1e-5 for all twelve."""
    weights = np.array([50.0, 20.0, *range(1, 11)])
    weights /= weights.sum()
    mean, error = estimate(lambda rng: draw_part(weights, 4, rng), 12, 2000)
    assert len(draw_part(weights, 4, np.random.default_rng(0))[0]) == 4
    assert (np.abs(mean - weights) <= 5 * error + 1e-9).all()
    assert mean[0] == pytest.approx(weights[0], rel=1e-9)  # heavy enough to be drawn surely


def test_weights_drawn_per_group_are_right_in_expectation_and_sure_ones_stay() -> None:
    """2,000 draws of 3 of 8 in either of two groups; the false alarm rate is below 1e-5 as above."""
    weights, which = np.tile(np.arange(1.0, 9.0), 2), np.repeat([0, 1], 8)
    is_sure = np.arange(16) == 4

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        names = np.tile(rng.integers(0, 2**64, 8, np.uint64), 2)
        return draw_per_group(weights, which, names, is_sure, 3)

    mean, error = estimate(draw, 16, 2000)
    assert (np.abs(mean - weights) <= 5 * error + 1e-9).all()
    place, _ = draw(np.random.default_rng(0))
    assert np.bincount(which[place]).tolist() == [4, 3]
    assert 4 in place
    assert set((place[place > 7] - 8).tolist()) <= {*place[place < 8].tolist(), 4}
