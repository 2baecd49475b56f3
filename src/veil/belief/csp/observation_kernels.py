"""Kernels that add a round to a stage graph.

What the record says about a new round is known before any choice is made, and most of its gates follow from that
alone. Drawing these conclusions one by one, as `propagation_kernels` does, takes twenty times as long as one pass:

1. Moves that cannot be legal are excluded; the own move is certain, and so is the only move that is left to a role.
2. All gates of the round are evaluated once, in Kleene's three values, and then those of the row after it, whose
   fluents are the next state of the round.
3. The terms of both rows are counted, as `propagate` would have counted them.
4. Percepts, the legality of certain moves, and whether the game is over are evidence: implication continues from
   these.
"""

from __future__ import annotations

import numpy as np

from veil.belief.csp.candidate_kernels import ONE, ONES, ZERO, run_row
from veil.belief.csp.propagation_kernels import assign, propagate
from veil.belief.csp.stage_records import FALSE, GIVEN, ROUNDS, TRUE, UNKNOWN, Planes, Stages
from veil.engine.lanes import Int, Wiring, kernel


@kernel
def observe_round(
    wiring: Wiring, stages: Stages, planes: Planes, own_move: Int, percepts: np.ndarray, over: bool
) -> bool:
    """Turn the last row into a round, with own_move (a slot) and percepts [P], and add a new row after it.

    Returns False on a conflict (stages and planes changed).
    """
    row = stages.state[ROUNDS]
    stages.state[ROUNDS] = row + 1
    if not settle_moves(wiring, stages, row, own_move) or not load_row(wiring, stages, planes, row):
        return False
    if not begin_row(wiring, stages, planes, row + 1):
        return False
    ok = assign(wiring, stages, row, wiring.terminal, FALSE, GIVEN)
    ok = ok and assign(wiring, stages, row + 1, wiring.terminal, TRUE if over else FALSE, GIVEN)
    for move in range(len(wiring.move_role)):
        if stages.value[row, wiring.moves + move] == TRUE:
            ok = ok and assign(wiring, stages, row, wiring.legal + move, TRUE, GIVEN)
    for i in range(len(percepts)):
        ok = ok and assign(wiring, stages, row, wiring.percepts[i], TRUE if percepts[i] else FALSE, GIVEN)
    return ok and propagate(wiring, stages)


@kernel
def settle_moves(wiring: Wiring, stages: Stages, row: Int, own_move: Int) -> bool:
    """Do step 1; return False if a role has no move that can be legal (stages changed)."""
    own_role = wiring.move_role[own_move - wiring.moves]
    for role in range(len(wiring.role_moves) - 1):
        left, last = 0, -1
        for move in range(wiring.role_moves[role], wiring.role_moves[role + 1]):
            slot = wiring.moves + move
            other = role == own_role and slot != own_move
            if other or stages.value[row, wiring.legal + move] == FALSE:
                settle(stages, row, slot, FALSE)
            else:
                left, last = left + 1, slot
        if left == 0:
            return False
        if left == 1:
            settle(stages, row, last, TRUE)
    return True


@kernel
def begin_row(wiring: Wiring, stages: Stages, planes: Planes, row: Int) -> bool:
    """Begin a row from the next state of the row before; False on a conflict (stages and planes changed)."""
    stages.value[row, :] = UNKNOWN
    settle(stages, row, 0, FALSE)
    settle(stages, row, 1, TRUE)
    for fluent in range(wiring.num_fluents):
        value = stages.value[row - 1, wiring.next + fluent]
        if value != UNKNOWN:
            settle(stages, row, wiring.fluents + fluent, value)
    return load_row(wiring, stages, planes, row)


@kernel
def begin_first_row(wiring: Wiring, stages: Stages, planes: Planes, initial: np.ndarray) -> bool:
    """Begin the first row from the initial state [F]; False on a conflict (stages and planes changed)."""
    stages.value[0, :] = UNKNOWN
    settle(stages, 0, 0, FALSE)
    settle(stages, 0, 1, TRUE)
    for fluent in range(wiring.num_fluents):
        settle(stages, 0, wiring.fluents + fluent, TRUE if initial[fluent] else FALSE)
    return load_row(wiring, stages, planes, 0)


@kernel
def settle(stages: Stages, row: Int, slot: Int, value: Int) -> None:
    """Give a slot its value permanently: it does not stand on the trail (stages changed)."""
    stages.value[row, slot], stages.reason[row, slot], stages.place[row, slot] = value, GIVEN, -1


@kernel
def load_row(wiring: Wiring, stages: Stages, planes: Planes, row: Int) -> bool:
    """Do steps 2 and 3 for one row; return False on a conflict (stages and planes changed)."""
    for slot in range(wiring.legal):
        value = stages.value[row, slot]
        planes.can[slot] = ZERO if value == FALSE else ONES
        planes.must[slot] = ONES if value == TRUE else ZERO
    if run_row(wiring, stages, planes, row, ONE) == ZERO:
        return False
    for gate in range(len(wiring.gate_slot)):
        slot = wiring.gate_slot[gate]
        if stages.value[row, slot] == UNKNOWN:
            if planes.must[slot] != ZERO:
                settle(stages, row, slot, TRUE)
            elif planes.can[slot] == ZERO:
                settle(stages, row, slot, FALSE)
    count_row(wiring, stages, row)
    return True


@kernel
def count_row(wiring: Wiring, stages: Stages, row: Int) -> None:
    """Count the known literals of all terms and gates of a row, and the plausible moves (stages changed)."""
    for gate in range(len(wiring.gate_slot)):
        open_terms = 0
        for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
            true, false = 0, 0
            for entry in range(wiring.term_start[term], wiring.term_start[term + 1]):
                literal = wiring.literals[entry]
                value = stages.value[row, literal >> 1]
                true += value == TRUE + (literal & 1)
                false += value == FALSE - (literal & 1)
            stages.true_count[row, term], stages.false_count[row, term] = true, false
            open_terms += false == 0
        stages.open_count[row, gate] = open_terms
    for role in range(stages.plausible.shape[1]):
        stages.plausible[row, role] = 0
    for move in range(len(wiring.move_role)):
        stages.plausible[row, wiring.move_role[move]] += stages.value[row, wiring.moves + move] != FALSE
    stages.touched[row] = True
