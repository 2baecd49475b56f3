"""Policies that are functions of observations."""

import numpy as np
import pytest

import veil
from tests.support.refusals import refused
from veil.environments.vector import VectorEnv
from veil.equilibrium import prepare_walk
from veil.equilibrium.streaming import functions
from veil.equilibrium.streaming.functions import ask_function
from veil.equilibrium.streaming.walk_policy import walk_policy_of


def favour(role: str, observation: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Probabilities that depend on every bit of the observation."""
    weights = (
        1.0 + (observation @ np.arange(1, observation.shape[1] + 1))[:, None] * np.arange(1, legal.shape[1] + 1) % 7
    )
    weights = weights * legal
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name", ["kuhn_poker", pytest.param("dark_hex(2, abrupt)", marks=pytest.mark.nightly)])
def test_a_function_is_judged_as_the_table_of_what_it_gives(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions, "BATCH", 5)
    game = veil.load(name)
    walk = prepare_walk(game)
    slots = ask_function(walk, favour)
    asked, told = veil.evaluate(game, favour), veil.evaluate(game, walk_policy_of(walk, slots))
    assert told.missing == 0
    assert asked.nash_conv == pytest.approx(told.nash_conv, abs=1e-9)
    assert asked.value == pytest.approx(told.value, abs=1e-9)


@pytest.mark.nightly
def test_observations_are_those_of_the_vector_environment() -> None:
    game, rounds = veil.load("leduc_poker"), 6
    asked: set[tuple[str, bytes, bytes]] = set()

    def listen(role: str, observation: np.ndarray, legal: np.ndarray) -> np.ndarray:
        asked.update((role, o.tobytes(), m.tobytes()) for o, m in zip(observation, legal, strict=True))
        return legal / legal.sum(axis=1, keepdims=True)

    veil.evaluate(game, listen, rounds=rounds)
    env = VectorEnv(game, 256, seed=1, observation="record", rounds=rounds)
    batch = env.reset()
    for _ in range(12):
        for role, observation, legal in zip(env.roles, batch.observation, batch.legal, strict=True):
            for o, m in zip(observation, legal, strict=True):
                assert m.sum() < 2 or (role, o.tobytes(), m.tobytes()) in asked
        batch = env.step(env.sample())


def test_answers_that_are_no_probabilities_are_refused() -> None:
    def ask(answer) -> str:
        return refused("policy-function", lambda: veil.evaluate("kuhn_poker", answer))

    assert "gives [3] numbers" in ask(lambda role, observation, legal: np.ones(3))
    assert "no probabilities" in ask(lambda role, observation, legal: np.full(legal.shape, np.nan))
    assert "a probability of 2 in all" in ask(lambda role, observation, legal: legal * 1.0)
