"""`asp`: budgets, time, copies, what is said when nothing is found; oracles are compared with it elsewhere."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from tests.support.belief_games import KRIEG, assert_sound, everything, infoset, tell, weights
from tests.support.games import NOTHING, game
from veil.belief.asp.sampler import AspBelief
from veil.belief.configs import AspConfig
from veil.belief.contract import NoConsistentHistory, SamplerContext
from veil.engine.record import Record, encode

SPEC = "krieg_tictactoe"
TAKEN = frozenset({"taken"})


def krieg(count: int = 100, seed: int = 0, **options: object) -> AspBelief:
    return AspBelief(AspConfig(**options), SamplerContext(game(SPEC).machine, 1, count, seed))  # type: ignore[arg-type]


def test_few_histories_are_counted_and_weighed_exactly() -> None:
    bag = everything(tell(krieg(), game(SPEC), "oplayer", KRIEG))
    assert (bag.exact, bag.size, len(bag)) == (True, 14, 14)
    assert weights(game(SPEC), bag) == pytest.approx(dict.fromkeys(infoset(SPEC, "oplayer", KRIEG), 1 / 14))


def test_as_many_as_are_few_is_not_too_many() -> None:
    exact, more = (everything(tell(krieg(few=few), game(SPEC), "oplayer", KRIEG)) for few in (14, 13))
    assert (exact.exact, exact.size) == (True, 14)
    assert (more.exact, more.size) == (False, None)


def test_where_there_are_many_they_are_drawn_at_random() -> None:
    """100 draws of 14 histories; no more than 4 of them may be rarer than 1 in 100."""
    bag = everything(tell(krieg(few=1), game(SPEC), "oplayer", KRIEG))
    assert 10 <= len(bag) <= 14
    assert_sound(SPEC, "oplayer", KRIEG, bag)
    assert len(everything(tell(krieg(few=1, count=3), game(SPEC), "oplayer", KRIEG))) <= 3


def test_some_of_all_worlds_are_drawn_by_weight() -> None:
    bag = tell(krieg(), game(SPEC), "oplayer", KRIEG).worlds(4, np.random.default_rng(0))
    assert (bag.exact, bag.size, len(bag)) == (False, 14, 4)
    assert bag.weights == pytest.approx([0.25] * 4)


def test_rounds_are_added_to_what_is_known() -> None:
    belief = krieg()
    for number, told in enumerate(encode(game(SPEC), Record("oplayer", KRIEG)), 1):
        belief.observe(*told)
        belief.drop_ended()
        assert len(everything(belief)) == len(infoset(SPEC, "oplayer", KRIEG[:number]))
    assert belief.rejected == 0


@pytest.mark.parametrize("models", ["draw", "list"])
def test_no_more_decisions_are_made_than_the_budget_allows(models: str) -> None:
    record = KRIEG[:3]  # 56 histories
    belief = tell(krieg(count=10_000, few=2, models=models, budget=30), game(SPEC), "oplayer", record)
    bag = everything(belief)
    assert_sound(SPEC, "oplayer", record, bag)
    assert not bag.exact
    assert belief.cost.states_visited <= 30 + len(
        bag
    )  # the last search is ended, and what it has found is played again


def test_a_budget_that_is_too_small_for_anything_is_no_proof() -> None:
    belief = tell(krieg(budget=1), game(SPEC), "oplayer", KRIEG)
    with pytest.raises(NoConsistentHistory) as caught:
        belief.drop_ended()
    assert not caught.value.proved


def test_a_search_ends_at_the_deadline() -> None:
    """The time is up before the search begins: it ends at one of its first decisions."""
    spec = "blind_breakthrough(width=5, height=5)"
    machine = game(spec).machine
    belief = AspBelief(AspConfig(models="list"), SamplerContext(machine, 1, 1_000_000))
    state, rng = machine.initial_states(), np.random.default_rng(1)
    for _ in range(8):
        legal = machine.legal_bits(machine.judge(state))
        joint = np.array([[rng.choice(np.flatnonzero(bits[0])) for bits in legal]])
        stepped = machine.step(state, joint)
        belief.observe(int(joint[0, 1]), stepped.percepts[1][0])
        state = stepped.states
    everything_there_is = AspBelief(AspConfig(models="list"), SamplerContext(machine, 1, 1_000_000))
    for told in belief.record.rounds:
        everything_there_is.observe(*told)
    many = len(everything(everything_there_is))
    belief.search_on(perf_counter())
    assert len(belief._histories) < many / 2
    assert not belief._complete


def test_what_was_listed_is_returned_where_there_was_no_time_to_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    belief = tell(krieg(few=3), game(SPEC), "oplayer", KRIEG)
    monkeypatch.setattr(belief, "_draw", lambda *_: None)
    bag = everything(belief)
    assert (len(bag), bag.exact) == (3, False)
    assert_sound(SPEC, "oplayer", KRIEG, bag)


def test_before_the_first_round_there_is_one_world() -> None:
    bag = everything(krieg())
    assert (len(bag), bag.exact, bag.histories.shape) == (1, True, (1, 0, 2))


def test_chance_deals_as_it_is_told_to() -> None:
    """Monty Hall: the door that was chosen keeps its chance."""
    record = Record("contestant", (("(choose 1)", NOTHING), ("noop", frozenset({"3"}))))
    belief = AspBelief(AspConfig(), SamplerContext(game("monty_hall").machine, 1))
    for told in encode(game("monty_hall"), record):
        belief.observe(*told)
    assert sorted(everything(belief).weights) == pytest.approx([1 / 3, 2 / 3])
