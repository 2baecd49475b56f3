"""A block of lanes, steered lane by lane, goes where the machine's own steps go."""

from __future__ import annotations

import numpy as np
import pytest

from veil import load
from veil.engine.lanes.block_kernels import (
    advance_block,
    change_starts,
    find_choices,
    judge_block,
    open_block,
    put_moves,
    read_goals,
    read_legal,
    read_only_moves,
    read_percepts,
    step_block,
)
from veil.engine.lanes.circuit_kernels import new_values
from veil.engine.lanes.machine import Machine
from veil.engine.lanes.playout_kernels import seed_block

LANES = 70  # more than a word, less than two
ALL = np.full(4, 2**64 - 1, np.uint64)


class Block:
    """A block of a machine, opened in its initial state, with room to read into."""

    def __init__(self, machine: Machine) -> None:
        self.machine, code, width = machine, machine.code, machine.width
        self.v, self.rng = new_values(code, width), np.zeros((4, width), np.uint64)
        self.start, self.over = np.zeros((1 + code.num_fluents, width), np.uint64), np.zeros(width, np.uint64)
        seed_block(np.array([1, 2], np.uint64), 0, self.rng)
        open_block(code, self.v, self.start, machine.initial_states(LANES), np.arange(LANES))

    def legal(self, role: int) -> np.ndarray:
        """[LANES, words]"""
        legal = np.zeros((LANES, np.diff(self.machine.move_columns)[role]), np.uint64)
        read_legal(self.machine.code, self.v, role, ALL, legal, np.zeros(64, np.uint64))
        return legal


def bits(*lanes: int) -> np.ndarray:
    """These lanes as words."""
    words = np.zeros(4, np.uint64)
    for lane in lanes:
        words[lane // 64] |= np.uint64(1 << lane % 64)
    return words


@pytest.mark.parametrize("name", ["kuhn_poker", "krieg_tictactoe(size=3)"])
def test_steered_lanes_go_where_the_machine_goes(name: str) -> None:
    machine = load(name).machine
    block, states, rng = Block(machine), machine.initial_states(LANES), np.random.default_rng(3)
    for _ in range(3):
        judge_block(machine.code, block.v, block.rng, block.over)
        judged = machine.judge(states)
        assert not (block.over & bits(*range(LANES))).any()
        joint = np.zeros((LANES, len(judged.legal)), np.int64)
        for role, legal in enumerate(judged.legal):
            assert (block.legal(role) == legal).all()
            for lane in range(LANES):
                joint[lane, role] = rng.choice(np.flatnonzero(machine.legal_bits(judged)[role][lane]))
            put_moves(machine.code, block.v, role, bits(*range(LANES)), joint)
        step_block(machine.code, block.v, True)
        stepped = machine.step(states, joint)
        for role, seen in enumerate(stepped.percepts):
            percepts = np.zeros_like(seen)
            read_percepts(machine.code, block.v, role, ALL, percepts, np.zeros(64, np.uint64))
            assert (percepts == seen).all()
        advance_block(machine.code, block.v, block.start, bits())
        states = stepped.states


def test_goals_are_read_for_the_lanes_that_are_asked_for() -> None:
    machine = load("matching_pennies").machine
    block = Block(machine)
    judge_block(machine.code, block.v, block.rng, block.over)
    joint = np.array([[lane % 2, lane // 2 % 2] for lane in range(LANES)])
    for role in range(2):
        put_moves(machine.code, block.v, role, bits(*range(LANES)), joint)
    step_block(machine.code, block.v, False)
    advance_block(machine.code, block.v, block.start, bits())
    judge_block(machine.code, block.v, block.rng, block.over)
    wanted = machine.goals(machine.step(machine.initial_states(LANES), joint).states)
    some = [0, 5, 66]
    assert (block.over & bits(*some) == bits(*some)).all()
    for role in range(2):
        goals = np.zeros(len(some))
        read_goals(machine.code, block.v, role, bits(*some), goals)
        assert goals.tolist() == wanted[some, role].tolist()


def test_lanes_that_ended_begin_again_where_they_started() -> None:
    machine = load("matching_pennies").machine
    block = Block(machine)
    judge_block(machine.code, block.v, block.rng, block.over)
    step_block(machine.code, block.v, False)
    advance_block(machine.code, block.v, block.start, bits(1, 65))
    judge_block(machine.code, block.v, block.rng, block.over)
    assert (block.over & bits(*range(LANES)) == bits(*(set(range(LANES)) - {1, 65}))).all()


def test_lanes_with_a_choice_are_told_from_those_with_one_legal_move() -> None:
    machine = load("liars_dice").machine
    block, states = Block(machine), machine.initial_states(LANES)
    some, several, seen = bits(*range(3, LANES)), bits(), set()
    for _ in range(5):
        judge_block(machine.code, block.v, block.rng, block.over)
        judged, joint = machine.judge(states), np.full((LANES, 3), -1)
        for role, legal in enumerate(machine.legal_bits(judged)):
            is_any = find_choices(machine.code, block.v, role, some, several)
            chooses = [lane for lane in range(3, LANES) if legal[lane].sum() > 1]
            assert (several == bits(*chooses)).all()
            assert is_any == bool(chooses)
            seen.add(is_any)
            read_only_moves(machine.code, block.v, role, some & ~several, joint)
            for lane in range(LANES):
                is_read = lane >= 3 and lane not in chooses
                assert joint[lane, role] == (np.flatnonzero(legal[lane])[0] if is_read else -1)
                joint[lane, role] = np.flatnonzero(legal[lane])[lane % legal[lane].sum()]
            put_moves(machine.code, block.v, role, bits(*range(LANES)), joint)
        step_block(machine.code, block.v, False)
        advance_block(machine.code, block.v, block.start, bits())
        states = machine.step(states, joint).states
    assert seen == {True, False}


def test_words_without_a_lane_of_the_set_are_not_read() -> None:
    machine = load("kuhn_poker").machine
    block, legal = Block(machine), np.zeros((LANES, 1), np.uint64)
    judge_block(machine.code, block.v, block.rng, block.over)
    read_legal(machine.code, block.v, 0, bits(65), legal, np.zeros(64, np.uint64))
    assert legal[64:].all()
    assert not legal[:64].any()


def test_a_lane_begins_again_in_the_start_that_it_was_given_last() -> None:
    machine = load("krieg_tictactoe(size=3)").machine
    block, initial = Block(machine), machine.initial_states()
    joints = machine.joint_moves(initial)[1]
    states = machine.step(np.repeat(initial, len(joints), axis=0), joints).states
    index = np.arange(LANES) % len(states)
    change_starts(machine.code, block.start, bits(66), states, index, np.zeros(64, np.uint64))
    judge_block(machine.code, block.v, block.rng, block.over)
    step_block(machine.code, block.v, False)
    advance_block(machine.code, block.v, block.start, bits(*range(LANES)))
    judge_block(machine.code, block.v, block.rng, block.over)
    for role in range(2):
        legal = block.legal(role)
        assert (legal[64:] == machine.legal(states[index[64:]])[role]).all()
        assert (legal[:64] == machine.legal(initial)[role]).all()  # no lane of that word was to change
