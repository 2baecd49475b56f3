"""Bags of HyperGames of many records: against one HyperPlay bag per record."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from tests.support.belief_games import PICK
from tests.support.games import game
from veil.belief.hyperplay.sampler import HyperPlayBelief
from veil.belief.many_records import UNKNOWN, HyperGameBeliefs
from veil.engine import observe_history
from veil.engine.lanes import extend_keys, percept_keys, start_keys
from veil_lab.weak_play import weak_game

FALSE_ALARM = 1e-4


def never() -> None:
    """There is time."""


def follow(beliefs: HyperGameBeliefs, joints: np.ndarray, role: int) -> list[int]:
    """The numbers of the records of a role after every round of a game, which the beliefs have heard."""
    key, numbers = start_keys(1), []
    for own_move, percepts, _ in observe_history(beliefs.machine, joints, role):
        own, seen = np.array([own_move]), percepts[None, :]
        after = extend_keys(key, own, percept_keys(seen))
        beliefs.observe(key, own, seen, after)
        key = after
        numbers.append(int(beliefs.records.find(role, key)[0]))
    return numbers


def shares(beliefs: HyperGameBeliefs, number: int) -> dict[bytes, int]:
    """state -> how many models are in it."""
    states = beliefs._known(number).states
    found: dict[bytes, int] = {}
    for state in states:
        found[state.tobytes()] = found.get(state.tobytes(), 0) + 1
    return found


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("step", [1, 3])
def test_the_models_of_a_record_are_those_of_a_bag_of_hyperplay(step: int) -> None:
    """1,500 models of either kind after 6 rounds, asked for after every round or every third: a chi-squared test."""
    machine, role, models = game("krieg_tictactoe").machine, 1, 1500
    joints = weak_game(game("krieg_tictactoe"), 3)[:6]
    beliefs = HyperGameBeliefs(machine, role, models=models, seed=0)
    numbers = follow(beliefs, joints, role)
    for number in numbers[step - 1 :: step]:
        beliefs.work_out(np.array([number]), never)
    bag = HyperPlayBelief(machine, role, models=models, seed=1, remedy="none", reseed=False)
    for entry in observe_history(machine, joints, role):
        bag.observe(*entry)
    ours, theirs = shares(beliefs, numbers[-1]), dict[bytes, int]()
    for state in bag._paths.state[bag.on_line, bag.rounds]:
        theirs[state.tobytes()] = theirs.get(state.tobytes(), 0) + 1
    assert set(ours) == set(theirs)
    table = np.array([[ours[state], theirs[state]] for state in ours], float)
    expected = table.sum(axis=1) / 2
    statistic = ((table - expected[:, None]) ** 2 / expected[:, None]).sum()
    assert chi2.sf(statistic, len(ours) - 1) > FALSE_ALARM


def test_two_records_after_the_same_one_both_have_worlds() -> None:
    """PICK: after `found` the box is a, after nothing it is b or c; the second one begins anew."""
    pick = game(PICK)
    beliefs = HyperGameBeliefs(pick.machine, 1, models=30, seed=0)
    by_box = {}
    for box in range(2):
        joints = np.array([[pick.names.move_id(0, f"(hide {'ab'[box]})"), 0], [pick.names.move_id(0, "noop"), 0]])
        by_box[box] = follow(beliefs, joints, 1)
    beliefs.work_out(np.array([by_box[0][0]]), never)
    beliefs.work_out(np.array([by_box[0][1], by_box[1][1]]), never)
    assert [len(shares(beliefs, numbers[1])) for numbers in by_box.values()] == [1, 2]
    for numbers in by_box.values():
        known = beliefs._known(numbers[1])
        assert len(known.weights) == 30
        assert known.weights.sum() == pytest.approx(1)


def test_forgetting_leaves_the_start_alone() -> None:
    beliefs = HyperGameBeliefs(game(PICK).machine, 1, models=5, seed=0)
    joints = np.array([[game(PICK).names.move_id(0, "(hide a)"), 0]])
    (number,) = follow(beliefs, joints, 1)
    beliefs.work_out(np.array([number]), never)
    beliefs.forget()
    table = beliefs.records.arrays
    assert table.num_worlds[number] == UNKNOWN
    assert table.num_worlds[1] == 1
    assert beliefs.tested > 0
