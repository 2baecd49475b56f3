"""`asp`: budgets, time, copies, what is said when nothing is found; oracles are compared with it elsewhere."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from tests.support.belief_games import KRIEG, YOURS, assert_sound, everything, infoset, tell, weights
from tests.support.games import NOTHING, game
from veil.belief.asp.sampler import AspBelief, make_asp
from veil.belief.configs import AspConfig
from veil.belief.contract import NoConsistentHistory, SamplerContext, ZeroLikelihood
from veil.engine.record import Record, encode

SPEC = "krieg_tictactoe"
TAKEN = frozenset({"taken"})


def krieg(count: int = 100, seed: int = 0, **options: object) -> AspBelief:
    return make_asp(AspConfig(**options), SamplerContext(game(SPEC).machine, 1, count, seed))  # type: ignore[arg-type]


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


def test_a_listing_that_ends_early_does_not_claim_to_be_all() -> None:
    bag = everything(tell(krieg(count=5, models="list"), game(SPEC), "oplayer", KRIEG))
    assert (bag.exact, bag.size, len(bag)) == (False, None, 5)
    assert_sound(SPEC, "oplayer", KRIEG, bag)


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


def test_a_record_that_is_heard_too_late_is_made_up_for() -> None:
    belief = krieg()
    for entry in encode(game(SPEC), Record("oplayer", KRIEG)):
        belief.observe(*entry, deadline=0.0)
    belief.drop_ended()  # nothing is known, and nothing is said
    assert not bool(belief.has_world)
    with pytest.raises(NoConsistentHistory) as caught:
        everything(belief)
    assert not caught.value.proved
    belief.search_on(perf_counter() + 1000)
    assert belief.has_world
    assert_sound(SPEC, "oplayer", KRIEG, everything(belief))


def test_a_search_ends_at_the_deadline() -> None:
    """The time is up before the search begins: it ends at one of its first decisions."""
    spec = "blind_breakthrough(width=5, height=5)"
    machine = game(spec).machine
    belief = make_asp(AspConfig(models="list"), SamplerContext(machine, 1, 1_000_000))
    state, rng = machine.initial_states(), np.random.default_rng(1)
    for _ in range(8):
        legal = machine.legal_bits(machine.judge(state))
        joint = np.array([[rng.choice(np.flatnonzero(bits[0])) for bits in legal]])
        stepped = machine.step(state, joint)
        belief.observe(int(joint[0, 1]), stepped.percepts[1][0])
        state = stepped.states
    everything_there_is = make_asp(AspConfig(models="list"), SamplerContext(machine, 1, 1_000_000))
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


def test_a_copy_hears_for_itself() -> None:
    belief = tell(krieg(seed=3), game(SPEC), "oplayer", KRIEG[:2])
    twin = belief.copy()
    for told in encode(game(SPEC), Record("oplayer", KRIEG))[2:]:
        twin.observe(*told)
    assert (belief.rounds, twin.rounds) == (2, 4)
    assert_sound(SPEC, "oplayer", KRIEG, everything(twin))
    assert_sound(SPEC, "oplayer", KRIEG[:2], everything(belief))


def test_before_the_first_round_there_is_one_world() -> None:
    bag = everything(krieg())
    assert (len(bag), bag.exact, bag.histories.shape) == (1, True, (1, 0, 2))


@pytest.mark.parametrize("models", ["draw", "list"])
def test_a_contradiction_is_proved(models: str) -> None:
    with pytest.raises(NoConsistentHistory) as caught:
        everything(
            tell(krieg(models=models), game(SPEC), "oplayer", (YOURS, ("(mark 1 1)", TAKEN), ("(mark 2 2)", TAKEN)))
        )
    assert (caught.value.round_number, caught.value.proved) == (3, True)


def test_opponents_that_never_play_so_are_an_exception() -> None:
    def never(role: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        return np.zeros(legal.shape)

    belief = make_asp(AspConfig(), SamplerContext(game(SPEC).machine, 1, 100, opponents=never))
    with pytest.raises(ZeroLikelihood) as caught:
        everything(tell(belief, game(SPEC), "oplayer", KRIEG))
    assert (caught.value.round_number, caught.value.proved) == (1, True)


def test_chance_deals_as_it_is_told_to() -> None:
    """Monty Hall: the door that was chosen keeps its chance."""
    record = Record("contestant", (("(choose 1)", NOTHING), ("noop", frozenset({"3"}))))
    belief = make_asp(AspConfig(), SamplerContext(game("monty_hall").machine, 1))
    for told in encode(game("monty_hall"), record):
        belief.observe(*told)
    assert sorted(everything(belief).weights) == pytest.approx([1 / 3, 2 / 3])
