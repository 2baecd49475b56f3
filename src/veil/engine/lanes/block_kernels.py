"""Kernels that play a block of lanes round by round, while a caller chooses the moves in some lanes.

1. `open_block`: every lane gets a state to start from.
2. `judge_block`: what holds, and a uniform move of every role in every lane. Lanes without a chosen move play it.
3. `find_choices` of a role: the lanes in which it has more than one legal move. `read_only_moves` of the other lanes,
   `read_legal` of these; `put_moves` replaces the moves of the role in the lanes that are steered.
4. `step_block`: the next states and, if wanted, percepts, which `read_percepts` takes out.
5. `advance_block`: the next states become the states; lanes whose game ended begin again at their start, which
   `change_starts` may have changed.

Sets of lanes are words, [W]. Results are written for words that have a lane of the set. square [64] is scratch.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.bit_kernels import ONE, ZERO, lowest_bit
from veil.engine.lanes.circuit_kernels import run_advance, run_choose, run_dynamic, run_percepts, run_static
from veil.engine.lanes.code import FLUENTS, GOALS, LEGAL, MOVES, PERCEPTS, STUCK, TERMINAL, Code
from veil.engine.lanes.jit import Int, borrowing, kernel
from veil.engine.lanes.row_kernels import load_rows, load_word, store_word

NONE = np.int64(0)


@kernel
def open_block(code: Code, v: np.ndarray, start: np.ndarray, states: np.ndarray, index: np.ndarray) -> None:
    """Let lane l begin, and begin again, in states[index[l]] (v [slots, W] and start [1 + F, W] changed in place)."""
    fluents = code.areas[FLUENTS]
    load_rows(states, index, NONE, np.int64(len(index)), v, fluents, np.int64(code.num_fluents))
    for i in range(code.num_fluents):
        for w in range(v.shape[1]):
            start[1 + i, w] = v[fluents + i, w]


@borrowing
def judge_block(code: Code, v: np.ndarray, rng: np.ndarray, over: np.ndarray) -> None:
    """Judge all lanes and draw uniform moves; over [W]: lanes where the game ended or a role is stuck (all changed)."""
    run_static(code, v)
    run_choose(code, v, rng)
    for w in range(v.shape[1]):
        over[w] = v[code.areas[TERMINAL], w] | v[code.areas[STUCK], w]


@borrowing
def read_goals(code: Code, v: np.ndarray, role: Int, which: np.ndarray, goals: np.ndarray) -> None:
    """Write the goals of a role in the lanes in `which` [W], one after the other (goals changed in place).

    A goal is 0 where the rules give none, and the highest where they give several.
    """
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


@borrowing
def find_choices(code: Code, v: np.ndarray, role: Int, which: np.ndarray, several: np.ndarray) -> bool:
    """Write to several [W] the lanes in `which` where a role has more than one legal move.

    Return whether there are any.
    """
    begin, end = code.areas[LEGAL] + code.role_moves[role], code.areas[LEGAL] + code.role_moves[role + 1]
    is_any = False
    for w in range(len(which)):
        some, more = ZERO, ZERO
        if which[w]:
            for slot in range(begin, end):
                more |= some & v[slot, w]
                some |= v[slot, w]
        several[w] = more & which[w]
        is_any |= several[w] != ZERO
    return is_any


@borrowing
def read_only_moves(code: Code, v: np.ndarray, role: Int, which: np.ndarray, joint: np.ndarray) -> None:
    """Write joint[lane, role] for the lanes in `which`, where the role has one legal move (joint changed in place)."""
    area, begin, end = code.areas[LEGAL], code.role_moves[role], code.role_moves[role + 1]
    for w in range(len(which)):
        left, move = which[w], begin
        while left and move < end:
            word = v[area + move, w] & left
            left &= ~word
            while word:
                joint[64 * w + lowest_bit(word), role] = move - begin
                word &= word - ONE
            move += 1


@borrowing
def read_legal(
    code: Code, v: np.ndarray, role: Int, which: np.ndarray, legal: np.ndarray, square: np.ndarray
) -> None:  # fmt: skip
    """Write the legal moves of a role to legal [lanes, words], packed (changed in place)."""
    begin, end = code.role_moves[role], code.role_moves[role + 1]
    for w in range(len(which)):
        if which[w]:
            store_word(v, w, code.areas[LEGAL] + begin, end - begin, legal, NONE, len(legal), NONE, square)


@borrowing
def put_moves(code: Code, v: np.ndarray, role: Int, steered: np.ndarray, joint: np.ndarray) -> None:
    """Let the role play joint[lane, role] in the steered lanes [W] instead of its uniform move (v changed in place)."""
    begin, end = code.areas[MOVES] + code.role_moves[role], code.areas[MOVES] + code.role_moves[role + 1]
    for w in range(v.shape[1]):
        if not steered[w]:
            continue
        word, others = steered[w], ~steered[w]
        for slot in range(begin, end):
            v[slot, w] &= others
        while word:
            bit = lowest_bit(word)
            v[begin + joint[64 * w + bit, role], w] |= ONE << np.uint64(bit)
            word &= word - ONE


@borrowing
def step_block(code: Code, v: np.ndarray, with_percepts: bool) -> None:
    """Compute the next states of all lanes and, `with_percepts`, the percepts (v changed in place)."""
    run_dynamic(code, v)
    if with_percepts:
        run_percepts(code, v)


@borrowing
def read_percepts(
    code: Code, v: np.ndarray, role: Int, which: np.ndarray, percepts: np.ndarray, square: np.ndarray
) -> None:  # fmt: skip
    """Write the percepts of a role to percepts [lanes, words], packed (changed in place)."""
    begin, end = code.role_percepts[role], code.role_percepts[role + 1]
    for w in range(len(which)):
        if which[w]:
            store_word(v, w, code.areas[PERCEPTS] + begin, end - begin, percepts, NONE, len(percepts), NONE, square)


@borrowing
def change_starts(
    code: Code, start: np.ndarray, which: np.ndarray, states: np.ndarray, index: np.ndarray, square: np.ndarray
) -> None:  # fmt: skip
    """Let lane l of the words in `which` begin in states[index[l]] from now on (start [1 + F, W] changed in place)."""
    for w in range(len(which)):
        if which[w]:
            load_word(states, index, NONE, len(index), start, w, NONE + 1, code.num_fluents, square)


@borrowing
def advance_block(code: Code, v: np.ndarray, start: np.ndarray, ended: np.ndarray) -> None:
    """Make the next state the state; the lanes in `ended` [W] begin again (v and start changed in place)."""
    for w in range(v.shape[1]):
        start[0, w] = ended[w]
    run_advance(code, v, start)
