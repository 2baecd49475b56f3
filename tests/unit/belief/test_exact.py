"""The exact belief, by hand; against the oracle it is tested in `tests/differential/test_belief.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.belief_games import KRIEG, STOP, everything, monty, tell, weights
from tests.support.games import NOTHING, OVER_AT_THE_START, game
from tests.support.refusals import refused
from veil.belief import exact
from veil.belief.contract import NoConsistentHistory, TooManyWorlds
from veil.belief.exact import ExactBelief
from veil.engine.record import Record, encode

QUIET = ("noop", NOTHING)

# Three roles pick one of 128 numbers each, 2,097,152 joint moves, and ann sees them all: there is one history.
HUGE = (
    "(role ann) (role bob) (role cid) (role dan) (init start)"
    + "".join(f"(num {number})" for number in range(128))
    + """
(legal ann noop)
(<= (legal ?p (pick ?n)) (role ?p) (distinct ?p ann) (num ?n))
(<= (sees ann (is ?p ?n)) (does ?p (pick ?n)))
(<= (next done) (true start))
(<= terminal (true done))
(<= (goal ?p 0) (role ?p))
"""
)


def contestant(doors: int) -> ExactBelief:
    monty_hall = game(f"monty_hall(doors={doors})")
    belief = ExactBelief(monty_hall.machine, 1)
    tell(belief, monty_hall, "contestant", monty(doors))
    return belief


@pytest.mark.parametrize("doors", [3, 4, 20])
def test_the_car_is_behind_the_chosen_door_with_the_chance_it_always_had(doors: int) -> None:
    monty_hall = game(f"monty_hall(doors={doors})")
    bag = everything(contestant(doors))
    assert bag.exact
    assert bag.size == 2
    marginals = bag.with_game(monty_hall).marginals()
    assert marginals["(car 1)"] == pytest.approx(1 / doors, abs=1e-12)
    assert marginals["(car 2)"] == pytest.approx(1 - 1 / doors, abs=1e-12)


def test_before_anything_is_told_there_is_one_world() -> None:
    belief = ExactBelief(game("monty_hall").machine, 1)
    bag = everything(belief)
    assert (belief.size, belief.rounds, len(bag)) == (1, 0, 1)
    assert bag.histories.shape == (1, 0, 2)
    assert bag.weights.tolist() == [1.0]


def test_it_says_what_it_cost() -> None:
    """By hand: 3 places for the car, then 2 doors to open if it is behind 1, and 1 door each if behind 2 or 3."""
    bag = everything(contestant(3))
    assert bag.states_visited == 3 + 2 + 1 + 1
    assert bag.passes > 0
    assert bag.sampler == "exact"


def test_fewer_worlds_than_there_are_come_as_draws_with_their_shares() -> None:
    krieg = game("krieg_tictactoe")
    belief = tell(ExactBelief(krieg.machine, 1), krieg, "oplayer", KRIEG)
    bag = belief.worlds(7, np.random.default_rng(0))
    assert not bag.exact
    assert bag.size == 14
    assert len(bag) == 7  # 14 equally likely ones: systematic draws never meet
    assert bag.weights == pytest.approx(np.full(7, 1 / 7))
    assert set(weights(krieg, bag)) <= set(weights(krieg, everything(belief)))
    for count in (14, 15, None):
        whole = belief.worlds(count, np.random.default_rng(0))
        assert (whole.exact, len(whole)) == (True, 14)


def test_draws_are_as_likely_as_the_worlds() -> None:
    """One draw of two worlds with 1/4 and 3/4, 4,000 times; false alarm below 1e-4 (4 deviations of 0.0069)."""
    monty_hall, belief, rng = game("monty_hall(doors=4)"), contestant(4), np.random.default_rng(3)
    hits = sum("(car 1)" in belief.worlds(1, rng).with_game(monty_hall).marginals() for _ in range(4000))
    assert hits / 4000 == pytest.approx(0.25, abs=0.028)


def test_everybody_knows_whether_the_game_goes_on() -> None:
    stop = game(STOP)
    sizes = {(1, False): 3, (1, True): 1, (2, False): 9, (2, True): 3, (3, True): 9}
    for (rounds, over), size in sizes.items():
        belief = tell(ExactBelief(stop.machine, 1), stop, "ann", (QUIET,) * rounds, over)
        assert belief.size == len(everything(belief)) == size
    belief = tell(ExactBelief(stop.machine, 1), stop, "ann", (QUIET,) * 3)
    with pytest.raises(NoConsistentHistory) as caught:
        _ = belief.size
    assert (caught.value.round_number, caught.value.proved) == (3, True)


def test_worlds_in_which_the_game_is_over_do_not_go_on_once_it_has_been_over() -> None:
    stop = game(STOP)
    belief = tell(ExactBelief(stop.machine, 1), stop, "ann", (QUIET,), over=True)
    told = encode(stop, Record("ann", (QUIET,)))[0]
    with pytest.raises(NoConsistentHistory) as caught:
        belief.observe(*told)
    assert (caught.value.round_number, caught.value.proved) == (2, True)


def test_worlds_are_branched_in_chunks_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    krieg = game("krieg_tictactoe")
    whole = weights(krieg, everything(tell(ExactBelief(krieg.machine, 1), krieg, "oplayer", KRIEG)))
    monkeypatch.setattr(exact, "CHUNK", 3)
    assert weights(krieg, everything(tell(ExactBelief(krieg.machine, 1), krieg, "oplayer", KRIEG))) == whole


def test_too_many_worlds_of_a_later_chunk_leave_the_belief_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "CHUNK", 3)
    krieg = game("krieg_tictactoe")
    belief = ExactBelief(krieg.machine, 1, max_worlds=40)
    tell(belief, krieg, "oplayer", KRIEG[:2])
    before = weights(krieg, everything(belief))
    with pytest.raises(TooManyWorlds):
        belief.observe(*encode(krieg, Record("oplayer", KRIEG))[2])  # 56 worlds
    assert (belief.rounds, weights(krieg, everything(belief))) == (2, before)


def test_a_round_that_nothing_explains_leaves_the_belief_as_it_was() -> None:
    monty_hall = game("monty_hall")
    belief = contestant(3)
    before = weights(monty_hall, everything(belief))
    with pytest.raises(NoConsistentHistory):
        belief.observe(*encode(monty_hall, Record("contestant", (("noop", NOTHING),)))[0])
    assert (belief.rounds, weights(monty_hall, everything(belief))) == (2, before)


@pytest.mark.parametrize("name", ["max_worlds", "max_bytes"])
@pytest.mark.parametrize("value", [0, -1])
def test_a_budget_below_one_is_refused(name: str, value: int) -> None:
    options: dict[str, Any] = {name: value}
    message = refused("bad-limit", lambda: ExactBelief(game("monty_hall").machine, 1, **options))
    assert name in message


def test_a_game_that_is_over_at_the_start_goes_not_on() -> None:
    with pytest.raises(NoConsistentHistory) as caught:
        everything(ExactBelief(game(OVER_AT_THE_START).machine, 0))
    assert caught.value.proved


@pytest.mark.compiled("slow as Python")
def test_a_state_with_very_many_joint_moves_is_searched_whole_or_refused() -> None:
    huge = game(HUGE)
    seen = frozenset({"(is bob 5)", "(is cid 7)", "(is dan 9)"})
    belief = ExactBelief(huge.machine, 0)
    try:
        tell(belief, huge, "ann", (("noop", seen),), over=True)
    except TooManyWorlds:
        return
    assert belief.size == 1


@pytest.mark.filterwarnings("error")
def test_weights_are_numbers_even_if_the_opponents_never_play_so() -> None:
    kuhn = game("kuhn_poker")
    first = [kuhn.rules.show(move) for move in kuhn.program.moves[1]]

    def never_bets(role: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        chance = legal.astype(float)
        if role == 1:
            chance[:, first.index("bet")] = 0.0
        return chance / np.maximum(chance.sum(axis=1, keepdims=True), 1e-300)

    record = (QUIET, ("noop", frozenset({"(card queen)"})), ("noop", frozenset({"(played first bet)"})))
    belief = tell(ExactBelief(kuhn.machine, 2, opponents=never_bets), kuhn, "second", record)
    try:
        bag = everything(belief)
    except NoConsistentHistory:
        return
    assert np.isfinite(bag.weights).all()
