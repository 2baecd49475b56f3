"""Kernels that test the plausible moves of a round in lanes, in Kleene's three values (PlausibleActionInfo, figure 6).

A lane is a move of one role, with the moves of all others unknown, so that joint moves are never listed. Every slot
has two words, *can be true* and *must be true*; one pass over the gates of a round tests 64 moves. A lane is excluded
if a slot in it cannot have its known value: the move's precondition conflicts with the stage before, its effects with
the stage after, or its percepts with the record. What holds in all remaining lanes, holds (definite effects).
"""

from __future__ import annotations

import numpy as np

from veil.belief.csp.propagation_kernels import assign, propagate
from veil.belief.csp.stage_records import ALL_EARLIER_CHOICES, FALSE, HEAD, ROUNDS, TOP, TRUE, UNKNOWN, Planes, Stages
from veil.engine.lanes import Int, Wiring, kernel

ONES, ZERO, ONE = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0), np.uint64(1)
LANES = 64


@kernel
def reevaluate(wiring: Wiring, stages: Stages, planes: Planes) -> bool:
    """Draw conclusions by implication and in lanes until nothing is new; return False on a conflict (all changed)."""
    if not propagate(wiring, stages):
        return False
    again = True
    while again:
        again = False
        for row in range(stages.state[ROUNDS] - 1, -1, -1):
            if not stages.touched[row]:
                continue
            stages.touched[row] = False
            for role in range(stages.plausible.shape[1]):
                if stages.plausible[row, role] > 1 and not test_moves(wiring, stages, planes, row, role):
                    return False
                if stages.state[HEAD] < stages.state[TOP]:
                    again = True
                    if not propagate(wiring, stages):
                        return False
    return True


@kernel
def test_moves(wiring: Wiring, stages: Stages, planes: Planes, row: Int, role: Int) -> bool:
    """Exclude impossible moves of a role, and note what holds with all others; False if none is left (changed)."""
    first, end = wiring.moves + wiring.role_moves[role], wiring.moves + wiring.role_moves[role + 1]
    candidates = np.empty(end - first, np.int64)
    count = 0
    for slot in range(first, end):
        if stages.value[row, slot] != FALSE:
            candidates[count] = slot
            count += 1
    planes.some[:] = False
    planes.all[:] = True
    left = False
    for begin in range(0, count, LANES):
        part = candidates[begin : min(count, begin + LANES)]
        alive = run_lanes(wiring, stages, planes, row, part)
        planes.passes[0] += 1
        for lane in range(len(part)):
            dead = not (alive >> np.uint64(lane)) & ONE
            if dead and not assign(wiring, stages, row, part[lane], FALSE, ALL_EARLIER_CHOICES):
                return False
        if alive:
            left = True
            for slot in range(wiring.num_slots):
                planes.some[slot] |= planes.can[slot] & alive != ZERO
                planes.all[slot] &= ~planes.must[slot] & alive == ZERO
    return left and learn_common(wiring, stages, planes, row)


@kernel
def learn_common(wiring: Wiring, stages: Stages, planes: Planes, row: Int) -> bool:
    """Give slots that are true in all lanes, or false in all, that value; False on a conflict (stages changed)."""
    for gate in range(len(wiring.gate_slot)):
        slot = wiring.gate_slot[gate]
        if stages.value[row, slot] == UNKNOWN and (planes.all[slot] or not planes.some[slot]):
            value = TRUE if planes.all[slot] else FALSE
            if not assign(wiring, stages, row, slot, value, ALL_EARLIER_CHOICES):
                return False
    return True


@kernel
def run_lanes(wiring: Wiring, stages: Stages, planes: Planes, row: Int, candidates: np.ndarray) -> np.uint64:
    """Evaluate a round, one lane per candidate (a slot); return the lanes without a conflict (planes changed)."""
    for slot in range(wiring.legal):
        value = stages.value[row, slot]
        planes.can[slot] = ZERO if value == FALSE else ONES
        planes.must[slot] = ONES if value == TRUE else ZERO
    role = wiring.move_role[candidates[0] - wiring.moves]
    for slot in range(wiring.moves + wiring.role_moves[role], wiring.moves + wiring.role_moves[role + 1]):
        planes.can[slot] = planes.must[slot] = ZERO
    for lane in range(len(candidates)):
        planes.can[candidates[lane]] = planes.must[candidates[lane]] = ONE << np.uint64(lane)
    alive = ONES if len(candidates) == LANES else (ONE << np.uint64(len(candidates))) - ONE
    alive = run_row(wiring, stages, planes, row, alive)
    for lane in range(len(candidates)):
        legal = planes.can[candidates[lane] - wiring.moves + wiring.legal]
        if not (legal >> np.uint64(lane)) & ONE:
            alive &= ~(ONE << np.uint64(lane))
    return alive


@kernel
def run_row(wiring: Wiring, stages: Stages, planes: Planes, row: Int, alive: np.uint64) -> np.uint64:
    """Evaluate all gates of a round from its inputs; return which of the lanes have no conflict (planes changed).

    A gate whose value is known gets that value in all lanes, whatever its inputs say.
    """
    for block in range(len(wiring.block_recursive)):
        begin, end = wiring.block_start[block], wiring.block_start[block + 1]
        recursive = wiring.block_recursive[block]
        if recursive:
            for gate in range(begin, end):
                planes.can[wiring.gate_slot[gate]] = planes.must[wiring.gate_slot[gate]] = ZERO
        while run_gates(wiring, planes, begin, end) and recursive:
            pass
        for gate in range(begin, end):
            slot = wiring.gate_slot[gate]
            if stages.value[row, slot] == TRUE:
                alive &= planes.can[slot]
                planes.can[slot] = planes.must[slot] = ONES
            elif stages.value[row, slot] == FALSE:
                alive &= ~planes.must[slot]
                planes.can[slot] = planes.must[slot] = ZERO
    return alive


@kernel
def run_gates(wiring: Wiring, planes: Planes, begin: Int, end: Int) -> bool:
    """Evaluate gates [begin, end) once in both planes; return whether something changed (planes changed)."""
    changed = False
    for gate in range(begin, end):
        some, every = ZERO, ZERO
        for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
            can, must = ONES, ONES
            for entry in range(wiring.term_start[term], wiring.term_start[term + 1]):
                literal = wiring.literals[entry]
                slot = literal >> 1
                if literal & 1:
                    can &= ~planes.must[slot]
                    must &= ~planes.can[slot]
                else:
                    can &= planes.can[slot]
                    must &= planes.must[slot]
            some |= can
            every |= must
        slot = wiring.gate_slot[gate]
        changed |= (some != planes.can[slot]) | (every != planes.must[slot])
        planes.can[slot], planes.must[slot] = some, every
    return changed
