"""Beliefs of nested players that read the others: against the exact belief with the same opponents."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from veil.belief import ExactBelief
from veil.belief.many_records.state_beliefs import RecordBeliefs
from veil.belief.many_records.weighted_beliefs import WeightedBeliefs
from veil.engine import Machine, observe_history, replay_histories
from veil.search.contract import SearchTask
from veil.search.hyperplay2.nested import NestedPlayers
from veil.search.hyperplay2.simulations import HyperPlay2Config
from veil_lab.weak_play import weak_game


def prefer_by_key(role_id: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Opponents whose taste depends on all they were told: weights 1 to 7, by key, role and move."""
    moves = np.arange(legal.shape[1], dtype=np.uint64)
    taste = 1 + (keys[:, None] % np.uint64(1_000_003) + moves * np.uint64(5) + np.uint64(role_id)) % np.uint64(7)
    weights = taste * legal
    return weights / weights.sum(axis=1, keepdims=True)


def follow(machine: Machine, role: int, joints: np.ndarray, beliefs: RecordBeliefs) -> int:
    """Let the beliefs hear of every round; the key of the role's record after the last."""
    key = 0
    for played in replay_histories(machine, joints[None, :, :]):
        beliefs.observe(played.keys[:, role], played.joint[:, role], played.percepts[role], played.next_keys[:, role])
        key = int(played.next_keys[0, role])
    return key


def by_state(states: np.ndarray, weights: np.ndarray) -> dict[tuple[int, ...], float]:
    """state -> all of its weight."""
    totals: dict[tuple[int, ...], float] = {}
    for state, weight in zip(map(tuple, states.tolist()), weights.tolist(), strict=True):
        totals[state] = totals.get(state, 0.0) + weight
    return totals


@pytest.mark.parametrize(
    ("spec", "role", "rounds"),
    [("kuhn_poker", 1, 3), ("krieg_tictactoe", 1, 4), ("hidden_connect", 2, 4)],
)
def test_weights_are_those_of_the_exact_belief_with_the_same_opponents(spec: str, role: int, rounds: int) -> None:
    machine = game(spec).machine
    joints = weak_game(game(spec), 3)[:rounds]
    exact = ExactBelief(machine, role, opponents=prefer_by_key)
    for entry in observe_history(machine, joints, role):
        exact.observe(*entry)
    bag = exact.worlds(None, np.random.default_rng(0))
    beliefs = WeightedBeliefs(machine, role, models=100, seed=0, opponents=prefer_by_key)
    (found,) = beliefs.after([follow(machine, role, joints, beliefs)], lambda: None)
    assert found.keys.shape == (len(found.weights), len(machine.program.roles))
    assert by_state(found.states, found.weights) == pytest.approx(by_state(bag.states, bag.weights))
    plain = RecordBeliefs(machine, role, models=100, seed=0)
    (uniform,) = plain.after([follow(machine, role, joints, plain)], lambda: None)
    assert by_state(uniform.states, uniform.weights) != pytest.approx(by_state(bag.states, bag.weights))


def test_a_sample_keeps_what_each_role_was_told() -> None:
    machine = game("krieg_tictactoe").machine
    joints = weak_game(game("krieg_tictactoe"), 3)[:5]
    beliefs = WeightedBeliefs(machine, 1, models=1, seed=0, opponents=prefer_by_key)
    beliefs.max_worlds = 4
    (found,) = beliefs.after([follow(machine, 1, joints, beliefs)], lambda: None)
    assert 1 <= len(found.weights) <= 4
    assert len(found.keys) == len(found.weights) == len(found.states)
    assert found.weights.sum() == pytest.approx(1.0)


def test_the_players_inside_hyperplay2_read_where_the_option_says_so() -> None:
    task = SearchTask(game("krieg_tictactoe"), 0, 0)
    plain = HyperPlay2Config(nested_models=2, nested_playouts=2).searcher(task).nested
    read = HyperPlay2Config(nested_models=2, nested_playouts=2, nested_opponents="hyperplay").searcher(task).nested
    assert [type(beliefs) for beliefs in plain._beliefs] == [RecordBeliefs, RecordBeliefs]
    assert [type(beliefs) for beliefs in read._beliefs] == [WeightedBeliefs, WeightedBeliefs]


def test_what_reading_costs_is_counted() -> None:
    machine = game("hidden_connect").machine
    joints = weak_game(game("hidden_connect"), 3)[:5]
    opponents = HyperPlay2Config(nested_models=2, nested_playouts=2, nested_opponents="hyperplay").read_others(
        machine, 0
    )
    players = NestedPlayers(machine, models=2, playouts=2, seed=0, opponents=opponents)
    for played in replay_histories(machine, joints[None, :, :]):
        for role in (1, 2):
            players.observe(
                role, played.keys[:, role], played.joint[:, role], played.percepts[role], played.next_keys[:, role]
            )
        key = int(played.next_keys[0, 1])
    assert players.values(1, [key])[0] is not None
    assert opponents is not None
    assert opponents.states_visited > 0
    assert players.states_visited == players.playout_states + players.tested + opponents.states_visited
    assert players.work > opponents.work > opponents.states_visited
