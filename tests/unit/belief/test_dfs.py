"""`dfs`: figure 4, state by state, beside the oracle of the same figure."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.infoset_csp import GdlGame, dfs_infoset
from tests.support.belief_games import KRIEG, everything, in_oracle_words, tell
from tests.support.games import game, remembering_naive
from veil.belief.contract import NoConsistentHistory, SamplerContext
from veil.belief.dfs import DfsBelief, DfsConfig
from veil.engine.record import Record, encode

SPEC = "krieg_tictactoe"


def krieg(count: int = 1000, budget: int = 100_000) -> DfsBelief:
    return DfsBelief(DfsConfig(budget=budget), SamplerContext(game(SPEC).machine, 1, count))


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_it_visits_as_many_states_as_the_oracle_and_finds_the_same(rounds: int) -> None:
    slow = dfs_infoset(GdlGame(remembering_naive(SPEC)), "oplayer", KRIEG[:rounds])
    belief = krieg()
    bag = everything(tell(belief, game(SPEC), "oplayer", KRIEG[:rounds]))
    assert set(in_oracle_words(game(SPEC), bag.histories)) == set(slow.histories)
    assert belief.cost.states_visited == bag.states_visited == slow.visited
    assert (bag.exact, bag.size) == (True, len(slow.histories))


def test_it_ends_after_so_many_histories() -> None:
    bag = everything(tell(krieg(count=3), game(SPEC), "oplayer", KRIEG))
    assert (len(bag), bag.exact, bag.size) == (3, False, None)
    assert bag.weights.sum() == pytest.approx(1)


def test_it_gives_up_when_its_budget_is_used_up() -> None:
    belief = tell(krieg(budget=3), game(SPEC), "oplayer", KRIEG)
    with pytest.raises(NoConsistentHistory) as caught:
        everything(belief)
    assert not caught.value.proved
    assert belief.cost.states_visited == 3  # four rounds take four at least


def test_it_gives_up_when_its_time_is_up() -> None:
    belief = krieg()
    for told in encode(game(SPEC), Record("oplayer", KRIEG)):
        belief.observe(*told, deadline=0.0)
    with pytest.raises(NoConsistentHistory) as caught:
        belief.worlds(None, np.random.default_rng(0))
    assert not caught.value.proved


def test_a_copy_hears_for_itself() -> None:
    belief = tell(krieg(), game(SPEC), "oplayer", KRIEG[:1])
    twin = belief.copy()
    twin.observe(*encode(game(SPEC), Record("oplayer", KRIEG))[1])
    assert (len(everything(belief)), len(everything(twin))) == (9, 8)
