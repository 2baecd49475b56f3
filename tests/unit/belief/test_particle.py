"""The particle filter, by hand; that it is unbiased is tested in `tests/differential/test_belief.py`."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.belief_games import (
    KRIEG,
    STOP,
    YOURS,
    assert_sound,
    everything,
    key_of,
    monty,
    seeded_policies,
    tell,
    weights,
)
from tests.support.games import NOTHING, game
from tests.support.refusals import refused
from veil.belief.contract import NoConsistentHistory
from veil.belief.exact import ExactBelief
from veil.belief.particle import ParticleBelief
from veil.engine.record import Record, encode

QUIET = ("noop", NOTHING)


def krieg(particles: int, seed: int = 0) -> ParticleBelief:
    return ParticleBelief(game("krieg_tictactoe").machine, 1, particles=particles, seed=seed)


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("doors", [3, 20])
def test_the_chosen_door_keeps_its_chance(doors: int) -> None:
    """20,000 particles; a share of 1/3 deviates by 0.0033, of 1/20 by 0.0015 and more by later draws: 5 of them."""
    monty_hall = game(f"monty_hall(doors={doors})")
    belief = ParticleBelief(monty_hall.machine, 1, particles=20_000)
    marginals = everything(tell(belief, monty_hall, "contestant", monty(doors))).with_game(monty_hall).marginals()
    assert marginals["(car 1)"] == pytest.approx(1 / doors, abs=0.017)
    assert marginals["(car 2)"] == pytest.approx(1 - 1 / doors, abs=0.017)


def test_the_evidence_is_the_probability_of_what_was_told() -> None:
    """By hand: door 3 opens with probability 1/2; with 20,000 particles within 5 deviations of 0.0029."""
    monty_hall = game("monty_hall")
    belief = ParticleBelief(monty_hall.machine, 1, particles=20_000)
    first, second = encode(monty_hall, Record("contestant", monty(3)))
    belief.observe(*first)
    assert belief.log_evidence == pytest.approx(0.0, abs=1e-12)  # nothing was seen that could be otherwise
    belief.observe(*second)
    assert np.exp(belief.log_evidence) == pytest.approx(0.5, abs=0.015)


def test_particles_without_a_move_that_agrees_are_gone() -> None:
    belief = tell(krieg(90), game("krieg_tictactoe"), "oplayer", KRIEG[:1])
    assert belief.size == 90
    belief.observe(*encode(game("krieg_tictactoe"), Record("oplayer", KRIEG))[1])
    assert belief.size == pytest.approx(80, abs=15)  # those with x in the middle are gone
    assert_sound("krieg_tictactoe", "oplayer", KRIEG[:2], everything(belief))


def test_particles_are_drawn_anew_when_some_are_gone() -> None:
    belief = tell(krieg(90), game("krieg_tictactoe"), "oplayer", KRIEG[:3])
    assert belief.size == 90
    assert belief.effective == pytest.approx(90)


def test_histories_that_particles_share_are_one_world_with_all_their_weight() -> None:
    belief = tell(krieg(2000), game("krieg_tictactoe"), "oplayer", KRIEG[:1])
    bag = everything(belief)
    assert len(bag) == 9
    assert bag.weights == pytest.approx(np.full(9, 1 / 9), abs=0.03)  # 4 deviations of 0.007


def test_fewer_worlds_come_as_draws() -> None:
    belief = tell(krieg(2000), game("krieg_tictactoe"), "oplayer", KRIEG)
    bag = belief.worlds(6, np.random.default_rng(1))
    assert len(bag) <= 6
    assert bag.weights.sum() == pytest.approx(1)
    assert bag.weights * 6 == pytest.approx(np.round(bag.weights * 6))
    assert_sound("krieg_tictactoe", "oplayer", KRIEG, bag)


def test_it_says_what_it_cost() -> None:
    bag = everything(tell(krieg(10), game("krieg_tictactoe"), "oplayer", (YOURS,)))
    assert bag.states_visited == 90  # ten particles, nine marks
    assert (bag.sampler, bag.exact, bag.size) == ("particle", False, None)
    assert bag.passes > 0


def test_the_filter_ends_where_no_particle_goes_on() -> None:
    taken = frozenset({"taken"})
    record = (YOURS, ("(mark 1 1)", taken), ("(mark 2 2)", taken))
    with pytest.raises(NoConsistentHistory) as caught:
        tell(krieg(500), game("krieg_tictactoe"), "oplayer", record)
    assert (caught.value.round_number, caught.value.proved) == (3, False)


def test_everybody_knows_whether_the_game_goes_on() -> None:
    stop = game(STOP)
    for rounds, over, size in [(1, False, 3), (1, True, 1), (2, False, 9), (2, True, 3), (3, True, 9)]:
        belief = ParticleBelief(stop.machine, 1, particles=2000)
        bag = everything(tell(belief, stop, "ann", (QUIET,) * rounds, over))
        assert len(bag) == size
        assert_sound(STOP, "ann", (QUIET,) * rounds, bag, over)
    belief = tell(ParticleBelief(stop.machine, 1, particles=2000), stop, "ann", (QUIET,) * 3)
    with pytest.raises(NoConsistentHistory) as caught:
        everything(belief)
    assert (caught.value.round_number, caught.value.proved) == (3, False)


@pytest.mark.compiled("slow as Python")
def test_whether_the_game_goes_on_is_evidence() -> None:
    """It goes on with probability 3/4, twice; 20,000 particles, 5 deviations of 0.0035."""
    stop = game(STOP)
    belief = tell(ParticleBelief(stop.machine, 1, particles=20_000), stop, "ann", (QUIET,) * 2)
    everything(belief)
    assert np.exp(belief.log_evidence) == pytest.approx(9 / 16, abs=0.018)


@pytest.mark.parametrize("with_policy", [False, True])
def test_particles_may_begin_with_the_worlds_of_another_belief(with_policy: bool) -> None:
    krieg_game = game("krieg_tictactoe")
    arrays = seeded_policies(krieg_game, 1)[0] if with_policy else None
    exact = tell(ExactBelief(krieg_game.machine, 1, opponents=arrays), krieg_game, "oplayer", KRIEG[:2])
    belief = ParticleBelief(krieg_game.machine, 1, particles=4000, opponents=arrays)
    belief.take_over(everything(exact), np.random.default_rng(0))
    assert (belief.rounds, belief.size) == (2, 4000)
    taken, true = weights(krieg_game, everything(belief)), weights(krieg_game, everything(exact))
    assert taken == pytest.approx(true, abs=1 / 4000)  # systematic draws
    for told in encode(krieg_game, Record("oplayer", KRIEG))[2:]:
        belief.observe(*told)
        exact.observe(*told)
    assert_sound("krieg_tictactoe", "oplayer", KRIEG, everything(belief))
    # 14 worlds; some 1,000 particles are left in the end: 5 deviations of less than 0.012
    assert weights(krieg_game, everything(belief)) == pytest.approx(weights(krieg_game, everything(exact)), abs=0.06)


def test_a_belief_that_was_taken_over_knows_the_records_of_the_others() -> None:
    krieg_game = game("krieg_tictactoe")
    exact = tell(ExactBelief(krieg_game.machine, 1), krieg_game, "oplayer", KRIEG[:1])
    asked: list[int] = []

    def listening(role: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        asked.extend(keys.tolist())
        return legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)

    belief = ParticleBelief(krieg_game.machine, 1, particles=9, opponents=listening)
    belief.take_over(everything(exact), np.random.default_rng(0))
    belief.observe(*encode(krieg_game, Record("oplayer", KRIEG))[1])
    marks = [f"(mark {x} {y})" for x in (1, 2, 3) for y in (1, 2, 3)]
    told = [key_of(krieg_game, "xplayer", ((mark, frozenset({"marked"})),)) for mark in marks]
    assert set(asked) == {int(key) for key in told}


@pytest.mark.parametrize("particles", [0, -1])
def test_less_than_one_particle_is_refused(particles: int) -> None:
    assert "particles" in refused("bad-limit", lambda: krieg(particles))
