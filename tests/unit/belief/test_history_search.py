"""What `csp` and `asp` have in common: late records, copies, proofs, opponents that never play so."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from tests.support.belief_games import KRIEG, YOURS, assert_sound, everything, tell
from tests.support.games import game
from veil.belief.asp.sampler import AspBelief
from veil.belief.contract import NoConsistentHistory, SamplerContext, ZeroLikelihood
from veil.belief.csp.sampler import CspBelief
from veil.belief.samplers import SAMPLERS
from veil.engine.record import Record, encode

SPEC, TAKEN = "krieg_tictactoe", frozenset({"taken"})
LISTED = ("csp:conflict=all", "asp:models=list")


def krieg(spec: str, **options: object) -> CspBelief | AspBelief:
    sampler = SAMPLERS.make(spec, SamplerContext(game(SPEC).machine, 1, **{"count": 100} | options))  # type: ignore[arg-type]
    assert isinstance(sampler, CspBelief | AspBelief)
    return sampler


@pytest.mark.parametrize("spec", LISTED)
def test_a_listing_that_ends_early_does_not_claim_to_be_all(spec: str) -> None:
    bag = everything(tell(krieg(spec, count=5), game(SPEC), "oplayer", KRIEG))
    assert (bag.exact, bag.size, len(bag)) == (False, None, 5)
    assert_sound(SPEC, "oplayer", KRIEG, bag)


@pytest.mark.parametrize("spec", ["csp", "asp"])
def test_a_record_that_is_observed_too_late_is_made_up_for(spec: str) -> None:
    belief = krieg(spec)
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


@pytest.mark.parametrize("spec", ["csp", "asp"])
def test_a_copy_observes_for_itself(spec: str) -> None:
    belief = tell(krieg(spec, seed=3), game(SPEC), "oplayer", KRIEG[:2])
    twin = belief.copy()
    for told in encode(game(SPEC), Record("oplayer", KRIEG))[2:]:
        twin.observe(*told)
    assert (belief.rounds, twin.rounds) == (2, 4)
    assert_sound(SPEC, "oplayer", KRIEG, everything(twin))
    assert_sound(SPEC, "oplayer", KRIEG[:2], everything(belief))


@pytest.mark.parametrize("spec", [*LISTED, "csp:conflict=restart", "csp:conflict=backjump", "asp:models=draw"])
def test_a_contradiction_is_proved(spec: str) -> None:
    record = (YOURS, ("(mark 1 1)", TAKEN), ("(mark 2 2)", TAKEN))
    with pytest.raises(NoConsistentHistory) as caught:
        everything(tell(krieg(spec), game(SPEC), "oplayer", record))
    assert (caught.value.round_number, caught.value.proved) == (3, True)


@pytest.mark.parametrize("spec", ["csp:conflict=all", "asp"])
def test_opponents_that_never_play_so_are_an_exception(spec: str) -> None:
    def never(role: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        return np.zeros(legal.shape)

    with pytest.raises(ZeroLikelihood) as caught:
        everything(tell(krieg(spec, opponents=never), game(SPEC), "oplayer", KRIEG))
    assert (caught.value.round_number, caught.value.proved) == (1, True)
