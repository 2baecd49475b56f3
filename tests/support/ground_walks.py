"""Random games of a ground program, remembered state by state, and machines that have to agree with them."""

from __future__ import annotations

import numpy as np

from veil.engine.grounding.evaluate import GroundReasoner
from veil.engine.grounding.program import GroundProgram
from veil.engine.lanes.machine import Machine, pack, unpack


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
    again = machine.step_from(states, np.array(moving), joints)
    assert (again.states == stepped.states).all()
    rows, legal_joints = machine.joint_moves(states[moving])
    for at in range(len(moving)):
        assert (legal_joints[rows == at] == joints[at]).all(axis=1).any()
