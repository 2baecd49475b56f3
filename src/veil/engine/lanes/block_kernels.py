"""Kernels that take a block of lanes through a game, round by round, where somebody else chooses moves in some lanes.

1. `open_block`: every lane gets a state to start from.
2. `judge_block`: what holds; and a uniform move of every role in every lane, which plays lanes that nobody steers.
3. `read_legal` of a role; `put_moves` replaces the moves of the role in the lanes that are steered.
4. `step_block`: the next states and, if wanted, percepts, which `read_percepts` takes out.
5. `advance_block`: the next states become the states; lanes whose game ended begin again at their start.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.bit_kernels import ONE, lowest_bit
from veil.engine.lanes.circuit_kernels import run_advance, run_choose, run_dynamic, run_percepts, run_static
from veil.engine.lanes.code import FLUENTS, GOALS, LEGAL, MOVES, PERCEPTS, STUCK, TERMINAL, Code
from veil.engine.lanes.jit import Int, kernel
from veil.engine.lanes.row_kernels import load_rows, store_rows


@kernel
def open_block(code: Code, v: np.ndarray, start: np.ndarray, states: np.ndarray, index: np.ndarray) -> None:
    """Lane l begins, and begins again, in states[index[l]] (v [slots, W] and start [1 + F, W] changed in place)."""
    fluents = code.areas[FLUENTS]
    load_rows(states, index, np.int64(0), np.int64(len(index)), v, fluents, np.int64(code.num_fluents))
    for i in range(code.num_fluents):
        for w in range(v.shape[1]):
            start[1 + i, w] = v[fluents + i, w]


@kernel
def judge_block(code: Code, v: np.ndarray, rng: np.ndarray, over: np.ndarray) -> None:
    """Judge all lanes and draw uniform moves; over [W]: where the game has ended or a role is stuck (all changed)."""
    run_static(code, v)
    run_choose(code, v, rng)
    for w in range(v.shape[1]):
        over[w] = v[code.areas[TERMINAL], w] | v[code.areas[STUCK], w]


@kernel
def read_goals(code: Code, v: np.ndarray, role: Int, which: np.ndarray, goals: np.ndarray) -> None:
    """The goals of a role in the lanes in `which` [W], one after the other: 0 where there is none, the highest of
    several (goals changed in place)."""
    goal_value, begin, end, area = code.goal_value, code.goal_start[role], code.goal_start[role + 1], code.areas[GOALS]
    read = 0
    for w in range(len(which)):
        word = which[w]
        while word:
            bit = np.uint64(lowest_bit(word))
            word &= word - ONE
            goals[read] = 0
            for goal in range(begin, end):  # ascending: the highest stays
                if (v[area + goal, w] >> bit) & ONE:
                    goals[read] = goal_value[goal]
            read += 1


@kernel
def read_legal(code: Code, v: np.ndarray, role: Int, legal: np.ndarray) -> None:
    """The legal moves of a role in all lanes, legal [lanes, words] packed (changed in place)."""
    begin, end = code.role_moves[role], code.role_moves[role + 1]
    store_rows(v, code.areas[LEGAL] + begin, end - begin, legal, np.int64(0), np.int64(len(legal)), np.int64(0))


@kernel
def put_moves(code: Code, v: np.ndarray, role: Int, steered: np.ndarray, joint: np.ndarray) -> None:
    """In the steered lanes, [W] words, the role plays joint[lane, role] instead of its uniform move (v changed)."""
    begin, end = code.areas[MOVES] + code.role_moves[role], code.areas[MOVES] + code.role_moves[role + 1]
    for w in range(v.shape[1]):
        if not steered[w]:
            continue
        others = ~steered[w]
        for slot in range(begin, end):
            v[slot, w] &= others
        for lane in range(64 * w, min(64 * (w + 1), len(joint))):
            bit = ONE << np.uint64(lane % 64)
            if steered[w] & bit:
                v[begin + joint[lane, role], w] |= bit


@kernel
def step_block(code: Code, v: np.ndarray, with_percepts: bool) -> None:
    """The next states of all lanes and, if wanted, what is seen (v changed in place)."""
    run_dynamic(code, v)
    if with_percepts:
        run_percepts(code, v)


@kernel
def read_percepts(code: Code, v: np.ndarray, role: Int, percepts: np.ndarray) -> None:
    """What a role sees in all lanes, percepts [lanes, words] packed (changed in place, if there are any)."""
    begin, end = code.role_percepts[role], code.role_percepts[role + 1]
    store_rows(
        v, code.areas[PERCEPTS] + begin, end - begin, percepts, np.int64(0), np.int64(len(percepts)), np.int64(0)
    )


@kernel
def advance_block(code: Code, v: np.ndarray, start: np.ndarray, ended: np.ndarray) -> None:
    """The next state becomes the state; the lanes in `ended` [W] begin again (v and start changed in place)."""
    for w in range(v.shape[1]):
        start[0, w] = ended[w]
    run_advance(code, v, start)
