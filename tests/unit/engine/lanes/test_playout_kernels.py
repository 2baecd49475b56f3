from __future__ import annotations

import numpy as np
import pytest

from veil import load
from veil.engine.lanes import Machine
from veil.engine.lanes.bit_kernels import split_mix
from veil.engine.lanes.playout_kernels import play_blocks, seed_block, tally_goals, tally_lengths
from veil.engine.lanes.playouts import SPLIT, empty_tally, sum_tallies

SEED = np.array([5, 6], np.uint64)


def count_goals(machine: Machine) -> tuple[int, int]:
    """How many roles, and how many goal values of all of them."""
    return len(machine.program.roles), sum(map(len, machine.program.goals))


def test_a_block_has_random_words_of_its_own() -> None:
    states = [np.zeros((4, 2), np.uint64) for _ in range(2)]
    for block, rng in enumerate(states):
        seed_block(SEED, block, rng)
    assert len({int(word) for rng in states for word in rng.ravel()}) == 16
    chain = np.array([SEED[0] + np.uint64(1)])
    chain[0] = split_mix(chain, 0) ^ SEED[1]
    assert states[1].ravel().tolist() == [int(split_mix(chain, 0)) for _ in range(8)]


def test_lengths_are_noted_and_lanes_that_met_their_quota_returned() -> None:
    tally, owner = empty_tally(2, 1, 1), np.array([0] * 64 + [1] * 6)
    started, left = np.zeros(70, np.int64), np.full(70, 2)
    started[66], left[66] = 3, 1
    done = tally_lengths(1, np.uint64(0b101), 10, started, left, owner, tally)
    assert done == 0b100
    assert tally.playouts.tolist() == [0, 2]
    assert tally.length_sum.tolist() == [0, 10 + 7]
    assert (tally.length_count[10], tally.length_count[7]) == (1, 1)
    assert (started[64], started[65], left[64]) == (11, 0, 1)


def test_the_highest_goal_of_a_lane_counts() -> None:
    machine = load("kuhn_poker").machine
    code, tally = machine.code, empty_tally(3, *count_goals(machine))
    values = np.zeros((code.num_slots, 1), np.uint64)
    role = next(role for role, goals in enumerate(machine.program.goals) if len(goals) > 1)
    goals = machine.program.goals[role]
    first = int(code.areas[3] + code.goal_start[role])
    values[first, 0], values[first + 1, 0] = 0b11, 0b10
    tally_goals(code, values, 0, np.uint64(0b11), np.array([2, 0]), tally)
    assert tally.goal_low_sum[:, role].tolist() == [goals[1], 0, goals[0]]
    assert not tally.goal_high_sum.any()
    assert tally.goal_count[code.goal_start[role] :][:2].tolist() == [1, 1]


@pytest.mark.parametrize("goal", [0, 100, -1, -100, (1 << SPLIT) - 1, 1 << SPLIT, 10**15 - 1, 1 - 10**15])
def test_a_goal_is_added_in_two_parts(goal: int) -> None:
    machine = load("kuhn_poker").machine
    code, tally = machine.code, empty_tally(1, *count_goals(machine))
    code = code._replace(goal_value=np.full_like(code.goal_value, goal))
    values = np.zeros((code.num_slots, 1), np.uint64)
    values[int(code.areas[3] + code.goal_start[1]), 0] = 0b111
    tally_goals(code, values, 0, np.uint64(0b111), np.array([0, 0, 0]), tally)
    high, low = int(tally.goal_high_sum[0, 1]), int(tally.goal_low_sum[0, 1])
    assert (high << SPLIT) + low == 3 * goal
    assert 0 <= low < 3 << SPLIT
    assert sum_tallies([tally], 0).goal_sum[0, 1] == 3 * goal


def test_blocks_add_up_however_they_are_dealt_out() -> None:
    machine = load("kuhn_poker").machine
    states, shape = machine.initial_states(), (1, *count_goals(machine))
    owner, quota = np.zeros(700, np.int64), np.full(700, 3)
    whole, halves = empty_tally(*shape), [empty_tally(*shape) for _ in range(2)]
    play_blocks(machine.code, 4, states, owner, quota, SEED, 0, 1, 100, whole, 0, -1)
    for first, tally in enumerate(halves):
        play_blocks(machine.code, 4, states, owner, quota, SEED, first, 2, 100, tally, 0, -1)
    assert whole.playouts.tolist() == [2100]
    for part, one, other in zip(whole, *halves, strict=True):
        assert (part == one + other).all()


def test_playouts_are_cut_after_so_many_rounds() -> None:
    machine = load("tic_tac_toe").machine
    tally = empty_tally(1, *count_goals(machine))
    owner, quota = np.zeros(10, np.int64), np.full(10, 2)
    play_blocks(machine.code, 4, machine.initial_states(), owner, quota, SEED, 0, 1, 3, tally, 0, -1)
    assert tally.length_count[3] == 20
    assert tally.totals.tolist() == [60, 0, 20]
