"""The machine against the ground program: every batch operation, compiled and from arrays, W = 1 and W = 4."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.property.rulesets import rule_sets
from veil import load
from veil.engine.grounding.evaluate import GroundReasoner
from veil.engine.grounding.grounder import ground
from veil.engine.grounding.program import GroundProgram
from veil.engine.lanes.machine import Machine, pack, unpack
from veil.lang import read_rules

BUNDLED = [
    "monty_hall",
    "monty_hall(doors=5)",
    "exploding_bomb",
    "krieg_tictactoe",
    "krieg_tictactoe(size=4)",
    "tic_tac_toe",
    "breakthrough(width=5, height=5)",
    "blind_breakthrough(width=4, height=5)",
    "blind_breakthrough",
]
KINDS = [(native, width) for native in (True, False) for width in (1, 4)]


class Walk:
    """Random games in the ground program, many at once, remembered state by state."""

    def __init__(self, program: GroundProgram, seed: int, rounds: int, games: int) -> None:
        self.program = program
        reasoner = GroundReasoner(program)
        fluent_id = {fluent: i for i, fluent in enumerate(program.fluents)}
        rng = np.random.default_rng(seed)
        self.states: list[np.ndarray] = []  # [F] bool
        self.judged = []
        self.joints: list[list[int]] = []  # move numbers; empty where the game is over or stuck
        self.followed: list[tuple[np.ndarray, list[np.ndarray]]] = []
        for _ in range(games):
            state = reasoner.initial()
            for _ in range(rounds):
                judgement = reasoner.judge(state)
                bits = np.zeros(len(program.fluents), bool)
                bits[[fluent_id[fluent] for fluent in state]] = True
                self.states.append(bits)
                self.judged.append(judgement)
                if judgement.terminal or not all(judgement.legal.values()):
                    self.joints.append([])
                    self.followed.append((bits, []))
                    break
                joint = {role: moves[rng.integers(len(moves))] for role, moves in judgement.legal.items()}
                state, percepts = reasoner.step(state, joint)
                self.joints.append([program.moves[r].index(joint[role]) for r, role in enumerate(program.roles)])
                after = np.zeros(len(program.fluents), bool)
                after[[fluent_id[fluent] for fluent in state]] = True
                seen = [np.isin(np.arange(len(own)), [own.index(p) for p in percepts[role]]) for role, own in
                        zip(program.roles, program.percepts, strict=True)]  # fmt: skip
                self.followed.append((after, seen))


def assert_machine_agrees(machine: Machine, walk: Walk) -> None:
    program = walk.program
    states = pack(np.array(walk.states).reshape(len(walk.states), len(program.fluents)))
    judged = machine.judge(states)
    for row, expected in enumerate(walk.judged):
        assert bool(judged.terminal[row]) == expected.terminal
        for r, role in enumerate(program.roles):
            legal = np.flatnonzero(unpack(judged.legal[r], len(program.moves[r]))[row])
            assert tuple(program.moves[r][i] for i in legal) == expected.legal[role]
            assert judged.goals[row, r] == max(expected.goals[role], default=0)
    moving = [row for row, joint in enumerate(walk.joints) if joint]
    if not moving:
        return
    joints = np.array([walk.joints[row] for row in moving])
    stepped = machine.step(states[moving], joints)
    for at, row in enumerate(moving):
        after, seen = walk.followed[row]
        assert (unpack(stepped.states, len(program.fluents))[at] == after).all()
        for r, percepts in enumerate(seen):
            assert (unpack(stepped.percepts[r], len(percepts))[at] == percepts).all()
    first = stepped.states[:1]
    one = machine.successors(states[moving[0]], joints[:1])
    assert (one.states == first).all()
    rows, legal_joints = machine.joint_moves(states[moving])
    for at in range(len(moving)):
        assert (legal_joints[rows == at] == joints[at]).all(axis=1).any()


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize(("native", "width"), KINDS)
def test_the_machine_is_the_ground_program_on_bundled_games(name: str, native: bool, width: int) -> None:
    program = load(name).program
    assert_machine_agrees(Machine(program, native, width), Walk(program, seed=3, rounds=30, games=4))


@settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))
@given(text=rule_sets(), seed=st.integers(0, 2**32 - 1))
def test_the_machine_is_the_ground_program_on_random_rules(text: str, seed: int) -> None:
    program = ground(read_rules(text))
    walk = Walk(program, seed, rounds=5, games=4)
    for native, width in KINDS:
        assert_machine_agrees(Machine(program, native, width), walk)


@pytest.mark.parametrize("name", ["monty_hall", "krieg_tictactoe", "exploding_bomb"])
def test_consistent_moves_are_those_whose_percepts_agree(name: str) -> None:
    program = load(name).program
    machine = Machine(program)
    walk = Walk(program, seed=2, rounds=6, games=3)
    states = pack(np.array(walk.states))
    for row in [row for row, joint in enumerate(walk.joints) if joint][:8]:
        for role, own in enumerate(walk.joints[row]):
            percepts = pack(walk.followed[row][1][role][None, :])[0]
            rows, joints, following = machine.consistent(states[row : row + 1], role, own, percepts)
            expected = []
            legal = [np.flatnonzero(unpack(part, len(moves))[row]) for part, moves in
                     zip(machine.legal(states), program.moves, strict=True)]  # fmt: skip
            for joint in product(*legal):
                stepped = machine.step(states[row : row + 1], np.array([joint]))
                if joint[role] == own and (stepped.percepts[role][0] == percepts).all():
                    expected.append((joint, stepped.states[0].tolist()))
            assert [(tuple(j), s.tolist()) for j, s in zip(joints, following, strict=True)] == expected
            assert (rows == 0).all()
            assert tuple(walk.joints[row]) in [joint for joint, _ in expected]
