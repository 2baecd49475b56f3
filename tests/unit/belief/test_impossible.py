"""Opponents that never play what was seen: no sampler weighs such worlds in silence."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.support.belief_games import make_cascade, tell
from tests.support.games import NOTHING, game
from veil.belief import (
    ExactBelief,
    HyperPlayBelief,
    NoConsistentHistory,
    ParticleBelief,
    RejectionSampler,
    ZeroLikelihood,
)
from veil.belief.asp.sampler import AspBelief
from veil.belief.bag import normalise
from veil.belief.configs import AspConfig
from veil.belief.contract import Opponents, Sampler, SamplerContext
from veil.engine import Machine

QUIET = ("noop", NOTHING)
SECOND = 2  # in Kuhn poker, after chance and the first player
QUEEN = (QUIET, ("noop", frozenset({"(card queen)"})))
BET = (*QUEEN, ("noop", frozenset({"(played first bet)"})))
PASS = (*QUEEN, ("noop", frozenset({"(played first pass)"})))
MAKERS: dict[str, Callable[[Machine, Opponents], Sampler]] = {
    "exact": lambda m, o: ExactBelief(m, SECOND, opponents=o),
    "particle": lambda m, o: ParticleBelief(m, SECOND, particles=200, seed=1, opponents=o),
    "hyperplay": lambda m, o: HyperPlayBelief(m, SECOND, models=20, seed=1, opponents=o),
    "random": lambda m, o: RejectionSampler(m, SECOND, samples=20, budget=2000, opponents=o),
    "asp": lambda m, o: AspBelief(AspConfig(), SamplerContext(m, SECOND, 20, 1, o)),
    "asp, drawn": lambda m, o: AspBelief(AspConfig(few=1), SamplerContext(m, SECOND, 20, 1, o)),
    "auto": lambda m, o: make_cascade(m, SECOND, opponents=o),
    "auto, soon particles": lambda m, o: make_cascade(m, SECOND, max_worlds=1, particles=50, models=8, opponents=o),
}


def never_bets(role: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Chance is uniform, the first player always passes; where it could only bet it plays nothing at all."""
    chance = legal.astype(float)
    if role == 1:
        words = [game("kuhn_poker").rules.show(move) for move in game("kuhn_poker").program.moves[1]]
        chance[:, words.index("bet")] = 0.0
    probabilities: np.ndarray = chance / np.maximum(chance.sum(axis=1, keepdims=True), 1e-300)
    return probabilities


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", MAKERS)
def test_what_the_opponents_never_play_is_explained_by_nothing(name: str) -> None:
    kuhn = game("kuhn_poker")
    with pytest.raises(NoConsistentHistory) as caught:
        tell(MAKERS[name](kuhn.machine, never_bets), kuhn, "second", BET).worlds(None, np.random.default_rng(0))
    assert caught.value.round_number == 3
    complete = ("exact", "asp", "auto", "auto, soon particles")  # the last lists all in `csp`
    assert caught.value.proved == (name in complete)
    if name != "random":  # it plays forward, and finds no history
        assert isinstance(caught.value, ZeroLikelihood)
        assert "these opponents never play so" in str(caught.value)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", MAKERS)
def test_what_they_play_is_weighed_as_before(name: str) -> None:
    """The first player may have the jack or the king."""
    kuhn = game("kuhn_poker")
    bag = tell(MAKERS[name](kuhn.machine, never_bets), kuhn, "second", PASS).worlds(None, np.random.default_rng(0))
    assert len(bag) == 2
    assert bag.weights.sum() == pytest.approx(1)


def test_a_few_worlds_are_drawn_from_the_possible_ones() -> None:
    """Chance is known to deal one card first."""
    kuhn = game("kuhn_poker")
    whole = tell(HyperPlayBelief(kuhn.machine, SECOND, models=20, seed=1), kuhn, "second", BET)
    both = whole.worlds(None, np.random.default_rng(0))
    assert len(both) == 2
    for likely in range(2):
        dealt = int(both.histories[likely, 0, 0])

        def deals(role: int, keys: np.ndarray, legal: np.ndarray, dealt: int = dealt) -> np.ndarray:
            chance = legal.astype(float)
            if role == 0:
                chance[np.ix_(legal.sum(axis=1) == 3, np.arange(legal.shape[1]) != dealt)] = 0.0  # the first card
            probabilities: np.ndarray = chance / chance.sum(axis=1, keepdims=True)
            return probabilities

        belief = tell(HyperPlayBelief(kuhn.machine, SECOND, models=20, seed=1, opponents=deals), kuhn, "second", BET)
        for seed in range(5):
            bag = belief.worlds(1, np.random.default_rng(seed))
            assert bag.histories[0, 0, 0] == dealt
            assert bag.weights.tolist() == [1.0]


def test_weights_that_are_all_zero_are_not_made_uniform() -> None:
    with pytest.raises(ValueError, match="no world has a probability above 0"):
        normalise(np.full(3, -np.inf))
    assert normalise(np.array([0.0, -np.inf])).tolist() == [1.0, 0.0]
    assert not len(normalise(np.zeros(0)))
