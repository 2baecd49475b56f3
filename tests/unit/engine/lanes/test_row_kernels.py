from __future__ import annotations

import numpy as np
import pytest

from veil import load
from veil.engine.grounding.grounder import ground
from veil.engine.lanes.machine import Machine, pack
from veil.engine.lanes.row_kernels import judge_rows, load_rows, step_rows, store_rows, transpose
from veil.lang import read_rules


def bit(rows: np.ndarray, row: int, place: int) -> int:
    return int(rows[row, place // 64]) >> place % 64 & 1


def test_a_square_of_bits_is_turned_over() -> None:
    square = np.random.default_rng(1).integers(0, 2**63, 64).astype(np.uint64)
    before = square.copy()
    transpose(square)
    assert all((int(square[i]) >> j & 1) == (int(before[j]) >> i & 1) for i in range(0, 64, 7) for j in range(64))
    transpose(square)
    assert (square == before).all()


@pytest.mark.parametrize(("size", "lanes"), [(1, 1), (64, 64), (65, 70), (130, 128)])
def test_rows_go_into_lanes_and_come_out_again(size: int, lanes: int) -> None:
    rng = np.random.default_rng(size)
    rows = pack(rng.random((lanes + 3, size)) < 0.5)
    index = rng.permutation(lanes + 3)
    values = np.full((size + 5, 2), 7, np.uint64)
    load_rows(rows, index, 2, lanes, values, 4, size)
    for lane in range(lanes):
        for place in range(0, size, 13):
            assert (int(values[4 + place, lane // 64]) >> lane % 64 & 1) == bit(rows, index[2 + lane], place)
    assert (values[:4] == 7).all()
    assert (values[4 + size :] == 7).all()
    out = np.zeros((lanes + 1, rows.shape[1] + 2), np.uint64)
    store_rows(values, 4, size, out, 1, lanes, 2)
    assert (out[1:, 2:] == rows[index[2 : 2 + lanes]]).all()
    assert not out[0].any()
    assert not out[:, :2].any()


def test_judging_and_stepping_take_the_rows_of_an_index() -> None:
    """More rows than lanes of a block, in any order: the same answers as one at a time."""
    machine = load("krieg_tictactoe").machine
    start = machine.initial_states()
    rows, joints = machine.joint_moves(start)
    states = machine.step_from(start, rows, joints).states
    index = np.random.default_rng(2).integers(0, len(states), 700)
    columns, words = machine.move_columns, int(machine.move_columns[-1])
    legal, terminal = np.zeros((700, words), np.uint64), np.zeros(700, np.bool_)
    goals = np.zeros((700, 2), np.int64)
    judge_rows(machine.code, 4, states, index, legal, columns[:-1], terminal, goals)
    moves = np.random.default_rng(3).integers(0, 9, (700, 2))
    following = np.zeros((700, machine.state_words), np.uint64)
    percepts = np.zeros((700, int(machine.percept_columns[-1])), np.uint64)
    step_rows(machine.code, 4, states, index, moves, following, percepts, machine.percept_columns[:-1])
    for row in range(0, 700, 37):
        one = machine.judge(states[index[row]][None, :])
        assert (np.concatenate(one.legal, axis=1)[0] == legal[row]).all()
        assert (one.terminal[0], *one.goals[0]) == (terminal[row], *goals[row])
        step = machine.step(states[index[row]][None, :], moves[row][None, :])
        assert (step.states[0] == following[row]).all()
        assert (np.concatenate(step.percepts, axis=1)[0] == percepts[row]).all()


def test_the_highest_of_several_goals_counts() -> None:
    goals = "(<= (goal r 30) (true p)) (goal r 20) (goal r 70)"
    machine = Machine(ground(read_rules(f"(role r) (init p) (legal r go) (next p) (<= terminal (true p)) {goals}")))
    assert machine.goals(machine.initial_states()).tolist() == [[70]]
