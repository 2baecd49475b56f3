"""Random sampling from the start."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.belief_games import KRIEG, STOP, YOURS, assert_sound, everything, monty, tell, weights
from tests.support.games import NOTHING, OVER_AT_THE_START, game
from tests.support.refusals import refused
from veil.belief import rejection
from veil.belief.contract import NoConsistentHistory
from veil.belief.rejection import RejectionSampler

QUIET = ("noop", NOTHING)


def krieg(**options: Any) -> RejectionSampler:
    return RejectionSampler(game("krieg_tictactoe").machine, 1, **options)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that has no end fails instead."""
    attempt, times = RejectionSampler._attempt, []

    def counted(self: RejectionSampler, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        times.append(1)
        assert len(times) <= 200, "an endless search"
        return attempt(self, rng)

    monkeypatch.setattr(RejectionSampler, "_attempt", counted)


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(("doors", "margin"), [(3, 0.033), (5, 0.028)])
def test_the_chosen_door_keeps_its_chance(doors: int, margin: float) -> None:
    """4,000 samples: 4 to 5 deviations of 0.0075 and 0.0063."""
    monty_hall = game(f"monty_hall(doors={doors})")
    belief = RejectionSampler(monty_hall.machine, 1, samples=4000)
    marginals = everything(tell(belief, monty_hall, "contestant", monty(doors))).with_game(monty_hall).marginals()
    assert marginals["(car 1)"] == pytest.approx(1 / doors, abs=margin)
    assert marginals["(car 2)"] == pytest.approx(1 - 1 / doors, abs=margin)


def test_weights_are_shares_of_the_samples() -> None:
    bag = everything(tell(krieg(samples=50), game("krieg_tictactoe"), "oplayer", KRIEG))
    assert_sound("krieg_tictactoe", "oplayer", KRIEG, bag)
    assert bag.weights * 50 == pytest.approx(np.round(bag.weights * 50))
    assert (bag.sampler, bag.exact, bag.size) == ("random", False, None)


def test_fewer_worlds_than_were_found_still_add_up() -> None:
    belief = tell(krieg(samples=200), game("krieg_tictactoe"), "oplayer", KRIEG)
    bag = belief.worlds(3, np.random.default_rng(0))
    assert len(bag) == 3
    assert_sound("krieg_tictactoe", "oplayer", KRIEG, bag)


def test_it_says_what_it_cost() -> None:
    """A batch of attempts in the first round of krieg_tictactoe: each one visits a state and succeeds."""
    belief = tell(krieg(samples=10), game("krieg_tictactoe"), "oplayer", (YOURS,))
    assert (belief.attempts, belief.states_visited) == (0, 0)  # the work is done when worlds are asked for
    bag = everything(belief)
    assert bag.states_visited == belief.attempts == belief.successes == rejection.BATCH


def test_the_rng_that_is_given_decides() -> None:
    belief = tell(krieg(samples=20), game("krieg_tictactoe"), "oplayer", KRIEG)
    one, two, other = (weights(game("krieg_tictactoe"), everything(belief, seed)) for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_everybody_knows_whether_the_game_goes_on() -> None:
    stop = game(STOP)
    for rounds, over, size in [(1, False, 3), (1, True, 1), (2, False, 9), (2, True, 3), (3, True, 9)]:
        belief = RejectionSampler(stop.machine, 1, samples=1000)
        bag = everything(tell(belief, stop, "ann", (QUIET,) * rounds, over))
        assert len(bag) == size
        assert_sound(STOP, "ann", (QUIET,) * rounds, bag, over)


@pytest.mark.usefixtures("patience")
def test_a_budget_ends_the_search() -> None:
    taken = frozenset({"taken"})
    record = (YOURS, ("(mark 1 1)", taken), ("(mark 2 2)", taken))
    belief = tell(krieg(samples=10, budget=50_000), game("krieg_tictactoe"), "oplayer", record)
    with pytest.raises(NoConsistentHistory) as caught:
        everything(belief)
    assert (caught.value.round_number, caught.value.proved) == (3, False)
    assert 50_000 <= belief.states_visited <= 50_000 + 3 * rejection.BATCH


@pytest.mark.usefixtures("patience")
def test_some_samples_are_better_than_none_when_the_budget_ends() -> None:
    belief = tell(krieg(samples=10**6, budget=20_000), game("krieg_tictactoe"), "oplayer", KRIEG)
    assert_sound("krieg_tictactoe", "oplayer", KRIEG, everything(belief))


@pytest.mark.usefixtures("patience")
def test_an_own_move_that_is_not_legal_at_the_start_ends_the_search() -> None:
    monty_hall = game("monty_hall")
    belief = RejectionSampler(monty_hall.machine, 1, budget=10_000)
    with pytest.raises(NoConsistentHistory):
        everything(tell(belief, monty_hall, "contestant", (("switch", NOTHING),)))


@pytest.mark.usefixtures("patience")
def test_a_game_that_is_over_at_the_start_ends_the_search() -> None:
    with pytest.raises(NoConsistentHistory):
        everything(RejectionSampler(game(OVER_AT_THE_START).machine, 0, budget=10_000))


@pytest.mark.usefixtures("patience")
def test_before_anything_is_told_there_is_one_world() -> None:
    bag = everything(krieg(samples=5))
    assert (len(bag), bag.weights.tolist()) == (1, [1.0])


@pytest.mark.parametrize("name", ["samples", "budget"])
@pytest.mark.parametrize("value", [0, -3])
def test_limits_below_one_are_refused(name: str, value: int) -> None:
    assert name in refused("bad-limit", lambda: krieg(**{name: value}))
