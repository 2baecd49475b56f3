"""Values of moves after many records: against worlds and moves listed one by one, and values by recursion."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.support.games import game
from tests.support.search_games import QUIET, SOONER_OR_LATER, heard
from veil.belief.many_records.records import WorldPool
from veil.engine import Machine
from veil.engine.lanes import START_KEY, unpack
from veil.search.hyperplay2 import move_values
from veil.search.hyperplay2.move_values import PlayoutBudget, RecordValues
from veil.search.hyperplay2.nested import NestedPlayers
from veil.search.hyperplay2.value_kernels import draw_legal, list_pairs
from veil.search.playouts.style import PlayoutStyle

QUEEN = (("noop", frozenset({"(card queen)"})), QUIET)
JACK = (("noop", frozenset({"(card jack)"})), QUIET)


def never() -> None:
    """There is time."""


def beliefs_of(spec: str, role: str, records: list[tuple]) -> tuple[NestedPlayers, WorldPool, np.ndarray]:
    """(players, the pool of worlds, the numbers of these records), with beliefs that are worked out."""
    of = game(spec)
    players, role_id = NestedPlayers(of.machine, models=20, playouts=20, seed=0), of.roles.index(role)
    keys = np.array([heard(players, of, role, record) for record in records], np.uint64)
    numbers = players.records.find(role_id, keys)
    return players, players._beliefs[role_id].work_out(numbers, never), numbers


@cache
def expected_goals(machine: Machine, state: bytes) -> np.ndarray:
    """[R] the mean goals of random play from a state, by recursion."""
    states = np.frombuffer(state, np.uint64)[None, :]
    judged = machine.judge(states)
    if judged.terminal[0]:
        return judged.goals[0].astype(float)
    rows, joints = machine.joint_moves(states)
    following = machine.step_from(states, rows, joints).states
    return np.mean([expected_goals(machine, each.tobytes()) for each in following], axis=0)


def slow_values(machine: Machine, role: int, states: np.ndarray, weights: np.ndarray) -> dict[int, float]:
    """move -> the mean goal of random play after it, weighted by the worlds (13)."""
    values: dict[int, float] = {}
    for state, weight in zip(states, weights.tolist(), strict=True):
        rows, joints = machine.joint_moves(state[None, :])
        following = machine.step_from(state[None, :], rows, joints).states
        goals = np.array([expected_goals(machine, each.tobytes())[role] for each in following])
        for move in np.unique(joints[:, role]).tolist():
            values[move] = values.get(move, 0.0) + weight * goals[joints[:, role] == move].mean()
    return values


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("at_once", [1 << 12, 100])
def test_values_are_those_of_a_recursion(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """8,000 playouts of a move and goals from 0 to 100: 5 deviations of at most 50 / sqrt(8,000); 1e-6 each."""
    monkeypatch.setattr(move_values, "MAX_ROWS", at_once)
    machine, role = game("kuhn_poker").machine, game("kuhn_poker").roles.index("first")
    players, pool, numbers = beliefs_of("kuhn_poker", "first", [QUEEN, JACK])
    valued = RecordValues(machine, players.records, PlayoutBudget(20, 400), 0)
    valued.work_out(role, pool, numbers, never)
    table = players.records.arrays
    for number in numbers.tolist():
        rows = slice(table.first_world[number], table.first_world[number] + table.num_worlds[number])
        expected = slow_values(machine, role, pool.states[rows], pool.weights[rows])
        values = valued.known(number)
        assert values is not None
        assert values.moves.tolist() == sorted(expected)
        assert values.visits.tolist() == [8000] * len(expected)
        for move, value in zip(values.moves.tolist(), values.values.tolist(), strict=True):
            assert value == pytest.approx(expected[move], abs=5 * 50 / np.sqrt(8000))
    assert valued.states_visited >= 2 * 2 * 8000  # every playout has a round at least


@pytest.mark.parametrize("models", [1, 2, 50])
def test_pairs_are_all_legal_moves_of_the_drawn_worlds(models: int) -> None:
    machine, role = game("krieg_tictactoe").machine, 0
    record = (("(mark 2 2)", frozenset({"marked"})), ("noop", frozenset({"your_turn"})))
    players, pool, numbers = beliefs_of("krieg_tictactoe", "xplayer", [record, ()])
    layout = machine.row_layout()
    budget, table = np.array([models, 3]), players.records.arrays
    pairs = list_pairs(table, pool, layout, role, numbers, budget, np.uint64(5))
    sizes = np.minimum(table.num_worlds[numbers], models)
    assert (np.bincount(pairs.infoset) <= sizes).all()
    assert np.bincount(pairs.infoset, pairs.weights) == pytest.approx([1, 1])
    legal = unpack(machine.judge(pool.states[pairs.row]).legal[role], len(machine.program.moves[role]))
    world, move = np.nonzero(legal)
    assert pairs.world.tolist() == world.tolist()
    assert pairs.move.tolist() == move.tolist()
    share = -(-models * 3 // np.bincount(pairs.infoset))[pairs.infoset[world]]
    assert pairs.end.tolist() == np.cumsum(share).tolist()
    assert not pairs.sums.any()


def test_a_goal_that_is_reached_later_counts_less() -> None:
    machine = game(SOONER_OR_LATER).machine
    players, pool, numbers = beliefs_of(SOONER_OR_LATER, "ann", [()])
    assert players.records.arrays.key[numbers].tolist() == [START_KEY]
    valued = RecordValues(machine, players.records, PlayoutBudget(1, 3, PlayoutStyle(0.5)), 0)
    valued.work_out(0, pool, numbers, never)
    values = valued.known(int(numbers[0]))
    assert values is not None
    names = [game(SOONER_OR_LATER).rules.show(machine.program.moves[0][move]) for move in values.moves]
    assert dict(zip(names, values.values.tolist(), strict=True)) == {"now": 50, "later": 25}


def test_legal_moves_are_drawn_alike() -> None:
    """Three moves of two words, the last of them in the second: 3,000 draws, 5 deviations of each count; 1e-6 each."""
    legal = np.zeros((2, 4), np.uint64)
    legal[1, 1], legal[1, 2] = (1 << 63) | (1 << 5), 2
    rng = np.array([7], np.uint64)
    drawn = [int(draw_legal(legal, 1, 1, 3, rng)) for _ in range(3000)]
    counts = [drawn.count(move) for move in (5, 63, 65)]
    assert sum(counts) == 3000
    assert counts == pytest.approx([1000] * 3, abs=5 * np.sqrt(3000 * 2 / 9))
    assert draw_legal(legal, 0, 1, 3, rng) == 0  # none is legal
