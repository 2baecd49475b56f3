"""The belief of a player at its seat."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.seats import seat
from veil.belief import HyperPlayBelief
from veil.players.contract import Observation
from veil.players.seat_belief import make_belief

MARKED = Observation("(mark 1 1)", frozenset({"marked"}))
YOURS = Observation("noop", frozenset({"your_turn"}))


@pytest.mark.parametrize(("sampler", "exact"), [("auto", True), ("auto:max_worlds=2", False)])
def test_a_belief_is_exact_beyond_the_worlds_that_are_wanted_unless_its_sampler_says_otherwise(
    sampler: str, exact: bool
) -> None:
    belief = make_belief(seat("krieg_tictactoe", "xplayer"), worlds=3, sampler=sampler)
    belief.observe(MARKED)
    belief.observe(YOURS)
    bag = belief.bag()
    assert bag is not None
    assert bag.exact is exact
    assert 1 <= len(belief.worlds(3, np.random.default_rng(0))) <= 3


def test_what_is_drawn_depends_on_the_seed_of_the_seat() -> None:
    drawn = set()
    for seed in (1, 1, 2, 3, 4):
        belief = make_belief(seat("krieg_tictactoe", "xplayer", seed), worlds=3, sampler="auto:max_worlds=2")
        belief.observe(MARKED)
        belief.observe(YOURS)
        drawn.add((seed, belief.worlds(3, np.random.default_rng(0)).histories.tobytes()))
    assert len(drawn) == 4
    assert len({histories for _, histories in drawn}) > 1


def test_a_move_is_shown_as_the_rules_spell_it() -> None:
    chair = seat("krieg_tictactoe", "xplayer")
    shown = [chair.show_move(move) for move in range(len(chair.game.program.moves[0]))]
    assert set(make_belief(chair, worlds=1).legal()) <= set(shown)
    assert len(set(shown)) == len(shown)


def test_a_bag_of_hyperplay_has_as_many_models_as_are_named() -> None:
    """`auto` keeps at least eight, because fewer die out soon; who names `hyperplay` gets what is named."""
    belief = make_belief(seat("krieg_tictactoe", "xplayer"), worlds=2, sampler="hyperplay:reseed=false,remedy=none")
    assert isinstance(belief.sampler, HyperPlayBelief)
    assert len(belief.sampler.visited) == 2
    assert belief.sampler.remedy == "none"
