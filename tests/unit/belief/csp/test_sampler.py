"""`csp`: budgets, time, copies, what is said when nothing is found; that it is unbiased is tested elsewhere."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from tests.support.belief_games import KRIEG, YOURS, assert_sound, everything, evidence, infoset, tell, weights
from tests.support.games import game
from veil.belief.configs import CspConfig
from veil.belief.contract import NoConsistentHistory, SamplerContext, ZeroLikelihood
from veil.belief.csp.sampler import CspBelief, make_csp
from veil.engine.record import Record, encode

SPEC = "krieg_tictactoe"


def krieg(count: int = 100, seed: int = 0, **options: object) -> CspBelief:
    return make_csp(CspConfig(**options), SamplerContext(game(SPEC).machine, 1, count, seed))  # type: ignore[arg-type]


def test_as_many_histories_are_sampled_as_are_asked_for() -> None:
    belief = tell(krieg(listing=False), game(SPEC), "oplayer", KRIEG)
    assert 5 <= len(belief.worlds(14, np.random.default_rng(0))) <= 14
    assert len(belief._histories) == 14  # and no more
    assert_sound(SPEC, "oplayer", KRIEG, everything(belief))
    assert len(belief._histories) == 100


def test_where_there_are_few_histories_all_are_listed_in_the_place_of_samples() -> None:
    belief = tell(krieg(), game(SPEC), "oplayer", KRIEG)
    assert len(belief.worlds(5, np.random.default_rng(0))) <= 5
    bag = everything(belief)
    assert (bag.exact, bag.size, len(bag)) == (True, 14, 14)
    assert weights(game(SPEC), bag) == pytest.approx(dict.fromkeys(infoset(SPEC, "oplayer", KRIEG), 1 / 14))
    assert np.exp(belief.log_evidence) == pytest.approx(float(evidence(SPEC, "oplayer", KRIEG)))


def test_all_histories_are_listed_with_their_probabilities() -> None:
    bag = everything(tell(krieg(conflict="all"), game(SPEC), "oplayer", KRIEG))
    assert (bag.exact, bag.size, len(bag)) == (True, 14, 14)
    assert weights(game(SPEC), bag) == pytest.approx(dict.fromkeys(infoset(SPEC, "oplayer", KRIEG), 1 / 14))


def test_a_listing_that_ends_early_does_not_claim_to_be_all() -> None:
    bag = everything(tell(krieg(count=5, conflict="all"), game(SPEC), "oplayer", KRIEG))
    assert (bag.exact, bag.size, len(bag)) == (False, None, 5)


@pytest.mark.parametrize("conflict", ["restart", "backjump", "all"])
def test_no_more_choices_are_made_than_the_budget_allows(conflict: str) -> None:
    belief = tell(krieg(count=10_000, conflict=conflict, budget=50), game(SPEC), "oplayer", KRIEG)
    bag = everything(belief)
    assert_sound(SPEC, "oplayer", KRIEG, bag)
    assert belief._made <= 50 + 64 * 4  # a portion of attempts is not cut


def test_a_record_that_is_heard_too_late_is_made_up_for() -> None:
    belief = krieg()
    told = encode(game(SPEC), Record("oplayer", KRIEG))
    for entry in told:
        belief.observe(*entry, deadline=0.0)
    belief.drop_ended()  # nothing is known, and nothing is said
    assert not bool(belief.has_world)
    with pytest.raises(NoConsistentHistory) as caught:
        everything(belief)
    assert not caught.value.proved
    belief.search_on(perf_counter() + 1000)
    assert belief.has_world
    assert_sound(SPEC, "oplayer", KRIEG, everything(belief))


def test_a_copy_hears_for_itself() -> None:
    belief = tell(krieg(seed=3), game(SPEC), "oplayer", KRIEG[:2])
    twin = belief.copy()
    for told in encode(game(SPEC), Record("oplayer", KRIEG))[2:]:
        twin.observe(*told)
    assert (belief.rounds, twin.rounds) == (2, 4)
    assert_sound(SPEC, "oplayer", KRIEG, everything(twin))
    assert_sound(SPEC, "oplayer", KRIEG[:2], everything(belief))


def test_resampled_worlds_have_equal_draws() -> None:
    bag = everything(tell(krieg(resample=True), game(SPEC), "oplayer", KRIEG))
    draws = bag.weights * 100
    assert draws == pytest.approx(np.round(draws))


def test_a_contradiction_is_proved() -> None:
    taken = frozenset({"taken"})
    for conflict in ("restart", "backjump", "all"):
        with pytest.raises(NoConsistentHistory) as caught:
            everything(
                tell(
                    krieg(conflict=conflict),
                    game(SPEC),
                    "oplayer",
                    (YOURS, ("(mark 1 1)", taken), ("(mark 2 2)", taken)),
                )
            )
        assert (caught.value.round_number, caught.value.proved) == (3, True)


def test_opponents_that_never_play_so_are_an_exception() -> None:
    def never(role: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        return np.zeros(legal.shape)

    belief = make_csp(CspConfig(conflict="all"), SamplerContext(game(SPEC).machine, 1, 100, opponents=never))
    with pytest.raises(ZeroLikelihood) as caught:
        everything(tell(belief, game(SPEC), "oplayer", KRIEG))
    assert (caught.value.round_number, caught.value.proved) == (1, True)
