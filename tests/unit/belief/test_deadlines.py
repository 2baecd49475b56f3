"""Beliefs in a hurry: what is kept when the time is up still explains the record, and the rest is made up for later."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from tests.support.belief_games import make_cascade
from veil.belief.contract import NoConsistentHistory, TooManyWorlds
from veil.belief.exact import ExactBelief
from veil.belief.hyperplay.sampler import HyperPlayBelief
from veil.belief.particle import ParticleBelief
from veil.engine import replay_histories
from veil.engine.loader import load
from veil_lab.weak_play import weak_game

GAME = load("blind_breakthrough(width=5, height=5)")
ROLE = 1
Told = list[tuple[int, np.ndarray]]


def told(seed: int, rounds: int) -> Told:
    """What black hears in the first rounds of a game that goes on after them."""
    games = (weak_game(GAME, number) for number in range(100 * seed, 100 * seed + 100))
    joints = next(joints for joints in games if len(joints) > rounds)
    state, found = GAME.machine.initial_states(), []
    for joint in joints[:rounds]:
        stepped = GAME.machine.step(state, joint[None, :])
        found.append((int(joint[ROLE]), stepped.percepts[ROLE][0]))
        state = stepped.states
    return found


def assert_explains(histories: np.ndarray, heard: Told) -> None:
    """Own moves and percepts of every history are those of the record."""
    assert len(histories)
    assert histories.shape[1] == len(heard)
    for played, (own_move, percepts) in zip(replay_histories(GAME.machine, histories), heard, strict=True):
        assert (played.joint[:, ROLE] == own_move).all()
        assert (played.percepts[ROLE] == percepts).all()


RNG = np.random.default_rng(0)
ROUNDS = 10


def test_with_time_enough_nothing_is_different() -> None:
    heard = told(1, ROUNDS)
    calm, hurried = ExactBelief(GAME.machine, ROLE), ExactBelief(GAME.machine, ROLE)
    for entry in heard:
        calm.observe(*entry)
        hurried.observe(*entry, deadline=perf_counter() + 1000)
    assert calm.size == hurried.size > 50
    for one, other in zip(calm.worlds(None, RNG).histories, hurried.worlds(None, RNG).histories, strict=True):
        assert (one == other).all()


def test_exact_gives_up_and_is_as_before() -> None:
    heard = told(1, ROUNDS)
    belief = ExactBelief(GAME.machine, ROLE)
    for entry in heard[:-1]:
        belief.observe(*entry)
    before = belief.worlds(None, RNG)
    with pytest.raises(TooManyWorlds) as caught:
        belief.observe(*heard[-1], deadline=0.0)
    assert caught.value.room is None
    assert belief.rounds == ROUNDS - 1
    assert (belief.worlds(None, RNG).histories == before.histories).all()
    belief.observe(*heard[-1])  # with time, it can
    assert_explains(belief.worlds(None, RNG).histories, heard)


@pytest.mark.parametrize("seed", range(5))
def test_a_filter_keeps_the_particles_it_came_to(seed: int) -> None:
    heard = told(seed, ROUNDS)
    belief = ParticleBelief(GAME.machine, ROLE, particles=500, seed=seed)
    for entry in heard[:-1]:
        belief.observe(*entry)
    belief.observe(*heard[-1], deadline=0.0)
    assert 1 <= belief.size <= 8  # the first portion
    assert np.exp(belief.log_weight).sum() == pytest.approx(1.0)
    assert_explains(belief.worlds(None, RNG).histories, heard)


@pytest.mark.compiled("slow as Python")
def test_a_smaller_sample_is_still_right_on_average() -> None:
    """Monty Hall: two worlds, 1/3 and 2/3, by 1,500 filters that had time for 8 of 30 particles; 6 deviations."""
    game = load("monty_hall")
    role = game.roles.index("contestant")
    state = game.machine.initial_states()
    moves = [{"random": "(hide_car 1)", "contestant": "(choose 1)"}, {"random": "(open_door 3)", "contestant": "noop"}]
    heard = []
    for joint in moves:
        numbers = [
            [game.rules.show(move) for move in own].index(joint[name])
            for name, own in zip(game.roles, game.program.moves, strict=True)
        ]
        stepped = game.machine.step(state, np.array([numbers]))
        heard.append((numbers[role], stepped.percepts[role][0]))
        state = stepped.states
    first_door = []
    for seed in range(1500):
        belief = ParticleBelief(game.machine, role, particles=30, seed=seed)
        belief.observe(*heard[0])
        try:
            belief.observe(*heard[1], deadline=0.0)
        except NoConsistentHistory:  # all 8 had the car behind the open door: one in 6,561
            continue
        bag = belief.worlds(None, RNG)
        hidden = [game.rules.show(game.program.moves[0][move]) for move in bag.histories[:, 0, 0]]
        first_door.append(sum(w for w, where in zip(bag.weights, hidden, strict=True) if where == "(hide_car 1)"))
    # A filter's share is biased by 1/n, as ratios of means are: 8 particles, 6 % of the value at most.
    assert np.mean(first_door) == pytest.approx(1 / 3, abs=0.02 + 6 * np.std(first_door) / 1500**0.5)


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("reseed", [True, False])
def test_models_that_stay_behind_catch_up_later(reseed: bool) -> None:
    heard = told(2, ROUNDS)
    belief = HyperPlayBelief(GAME.machine, ROLE, models=2000, seed=1, reseed=reseed)
    for entry in heard[:-1]:
        belief.observe(*entry, deadline=0.0)
    assert not belief.on_line.all()
    belief.observe(*heard[-1])
    assert belief.on_line.mean() > 0.9
    assert_explains(belief.worlds(None, RNG).histories, heard)


@pytest.mark.parametrize("seed", range(4))
def test_auto_never_gives_up_for_lack_of_time(seed: int) -> None:
    heard = told(seed, 16)
    belief = make_cascade(GAME.machine, ROLE, max_worlds=100, particles=50, models=50, seed=seed)
    for entry in heard:
        belief.observe(*entry, deadline=0.0)
    belief.catch_up(perf_counter() + 30)
    assert_explains(belief.worlds(None, RNG).histories, heard)
