"""`csp`: budgets, time, copies, what is said when nothing is found; that it is unbiased is tested elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.belief_games import KRIEG, assert_sound, everything, evidence, infoset, tell, weights
from tests.support.games import game
from veil.belief.configs import CspConfig
from veil.belief.contract import SamplerContext
from veil.belief.csp.sampler import CspBelief

SPEC = "krieg_tictactoe"


def krieg(count: int = 100, seed: int = 0, **options: object) -> CspBelief:
    return CspBelief(CspConfig(**options), SamplerContext(game(SPEC).machine, 1, count, seed))  # type: ignore[arg-type]


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


@pytest.mark.parametrize("conflict", ["restart", "backjump", "all"])
def test_no_more_choices_are_made_than_the_budget_allows(conflict: str) -> None:
    belief = tell(krieg(count=10_000, conflict=conflict, budget=50), game(SPEC), "oplayer", KRIEG)
    bag = everything(belief)
    assert_sound(SPEC, "oplayer", KRIEG, bag)
    assert belief._made <= 50 + 64 * 4  # a portion of attempts is not cut


def test_resampled_worlds_have_equal_draws() -> None:
    bag = everything(tell(krieg(resample=True), game(SPEC), "oplayer", KRIEG))
    draws = bag.weights * 100
    assert draws == pytest.approx(np.round(draws))
