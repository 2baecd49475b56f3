"""Games whose rules do not tell a role its legal moves: players play what is legal in most of what is possible."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from veil.match import run_match
from veil.players import Seat
from veil.players.seat_belief import make_belief

# Chance draws one of three cards that ann does not see; two of them are red. What may be played depends on the colour.
CARDS = """
(role random) (role ann) (init drawing) (red 1) (red 2) (black 3) (card 1) (card 2) (card 3)
(<= (legal random (draw ?n)) (true drawing) (card ?n)) (<= (legal random noop) (not (true drawing)))
(<= (legal ann noop) (true drawing))
{legal}
(<= (next (drawn ?n)) (does random (draw ?n)))
(<= (next (over ?move)) (does ann ?move) (not (true drawing)))
(<= terminal (true (over ?move)))
(<= (goal ann 100) (true (over risky))) (<= (goal ann 40) (true (over safe))) (<= (goal ann 60) (true (over bold)))
(<= (goal ann 0) (not (true (over risky))) (not (true (over safe))) (not (true (over bold))))
"""
# What is best is legal with two red cards only; what is legal in any case is worth less.
ONE_IS_CERTAIN = CARDS.format(
    legal="""
    (<= (legal ann safe) (true (drawn ?n)))
    (<= (legal ann risky) (true (drawn ?n)) (red ?n))
    (<= (legal ann bold) (true (drawn ?n)) (black ?n))
    """
)
# Nothing is legal in any case; two moves are with red cards, and one that is worth as much with the black one.
NONE_IS_CERTAIN = CARDS.format(
    legal="""
    (<= (legal ann safe) (true (drawn ?n)) (red ?n))
    (<= (legal ann bold) (true (drawn ?n)) (red ?n))
    (<= (legal ann risky) (true (drawn ?n)) (black ?n))
    (<= (legal ann wait) (true (drawn ?n)) (black ?n))
    """
)
PLAYERS = [
    "hyperplay:models=20,playouts=10",
    "hyperplay2:models=4,simulations=2,nested_models=4,nested_playouts=4",
    "pimc:worlds=4,iterations=20",
    "oos:iterations=200",
    "ismcts:iterations=200",
    "smooth_uct:iterations=200",
    "its:iterations=50",
    "solve:iterations=50",
    "montecarlo:playouts=20",
    "random",
]


@pytest.mark.parametrize("spec", PLAYERS)
def test_a_move_that_is_always_legal_is_preferred(spec: str) -> None:
    for seed in range(3):
        log = run_match(game(ONE_IS_CERTAIN), {"ann": spec}, seed)
        assert (log.rounds[1].moves["ann"], log.errors) == ("safe", {"ann": 0})


@pytest.mark.parametrize("spec", PLAYERS[:-1])
def test_else_what_is_legal_in_most_of_the_weight_is_played(spec: str) -> None:
    played = set()
    for seed in range(6):
        log = run_match(game(NONE_IS_CERTAIN), {"ann": spec}, seed)
        if log.rounds[0].moves["random"] != "(draw 3)":
            assert log.errors == {"ann": 0}
            played.add(log.rounds[1].moves["ann"])
    assert played
    assert played <= {"safe", "bold"}


def test_the_legal_moves_of_a_belief_are_those_of_most_of_its_weight() -> None:
    for rules, moves in ((ONE_IS_CERTAIN, ["safe"]), (NONE_IS_CERTAIN, ["bold", "safe"])):
        belief = make_belief(Seat(game=game(rules), role="ann", seed=0), worlds=16)
        belief.observe(("noop", frozenset()))
        assert belief.legal() == moves
        worlds = belief.worlds(None, np.random.default_rng(0))
        assert set(belief.legal_in(worlds.states)) > set(moves)
