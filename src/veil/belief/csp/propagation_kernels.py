"""Kernels that draw conclusions in a stage graph: implication through the gates, in both directions, to a fixpoint.

The rules of implication are the same for every game (figure 6). Definite preconditions and effects, and the frame
rule, follow from them:

1. A gate is true if one of its terms is, and false if all are excluded. If one term of a true gate is left, that term
   is true. The terms of a false gate are false; if all literals of such a term but one hold, that one does not.
2. The next state of a round is the state of the following one.
3. Every role makes one move per round: a certain move excludes the others, and the last move that is left is certain.
   A move that is made is legal; a move that cannot be legal is not made.
4. Atoms of a recursive block that could only support each other are false.
"""

from __future__ import annotations

import numpy as np

from veil.belief.csp.stage_records import (
    ALL_EARLIER_CHOICES,
    CONFLICT,
    FALSE,
    HEAD,
    LEARNED,
    LEGAL_MOVE,
    NODE,
    ONE_MOVE,
    ROUNDS,
    SAME,
    STEPS,
    TOP,
    TRUE,
    UNKNOWN,
    Learned,
    Stages,
)
from veil.engine.lanes import Int, Wiring, kernel


@kernel
def assign(wiring: Wiring, stages: Stages, row: Int, slot: Int, value: Int, reason: Int) -> bool:
    """Give a slot its value; if it has the other value, note the conflict and return False (stages changed)."""
    if stages.value[row, slot] == value:
        return True
    node = row * wiring.num_slots + slot
    if stages.value[row, slot] != UNKNOWN:
        stages.state[CONFLICT], stages.state[NODE] = reason, node
        return False
    top = stages.state[TOP]
    stages.value[row, slot], stages.reason[row, slot], stages.place[row, slot] = value, reason, top
    stages.trail[top] = node
    stages.state[TOP] = top + 1
    return True


@kernel
def propagate(wiring: Wiring, stages: Stages) -> bool:
    """Draw all conclusions; return False on a conflict (stages changed)."""
    while True:
        while stages.state[HEAD] < stages.state[TOP]:
            node = stages.trail[stages.state[HEAD]]
            stages.state[HEAD] += 1
            row, slot = node // wiring.num_slots, node % wiring.num_slots
            stages.touched[row] = True
            ok = count_uses(wiring, stages, row, slot)
            ok = ok and look_at_gate(wiring, stages, row, wiring.slot_gate[slot])
            if not (ok and look_beyond_gates(wiring, stages, row, slot)):
                stages.state[STEPS] += 1
                return False
            stages.state[STEPS] += 1
        if not exclude_unfounded(wiring, stages):
            return False
        if stages.state[HEAD] == stages.state[TOP]:
            return True


@kernel
def count_uses(wiring: Wiring, stages: Stages, row: Int, slot: Int) -> bool:
    """Count a slot that has got its value in all terms that contain it; return False on a conflict (changed).

    All of them are counted even then, so that the counts can be taken back.
    """
    value, ok = stages.value[row, slot], True
    if value == FALSE and wiring.moves <= slot < wiring.legal:
        stages.plausible[row, wiring.move_role[slot - wiring.moves]] -= 1
    for use in range(wiring.use_start[slot], wiring.use_start[slot + 1]):
        term, negated = wiring.uses[use] >> 1, wiring.uses[use] & 1
        gate = wiring.term_gate[term]
        if not stages.live[row, wiring.gate_slot[gate]]:
            continue
        if value == TRUE + negated:
            stages.true_count[row, term] += 1
            ok = ok and look_at_term(wiring, stages, row, term, gate)
        else:
            stages.false_count[row, term] += 1
            if stages.false_count[row, term] == 1:
                stages.open_count[row, gate] -= 1
                if ok and stages.open_count[row, gate] <= 1:
                    ok = look_at_open_terms(wiring, stages, row, gate)
    return ok


@kernel
def look_at_term(wiring: Wiring, stages: Stages, row: Int, term: Int, gate: Int) -> bool:
    """Make a gate true if all literals of a term hold; keep a term of a false gate from becoming true (changed)."""
    begin, end = wiring.term_start[term], wiring.term_start[term + 1]
    missing = end - begin - stages.true_count[row, term]
    slot = wiring.gate_slot[gate]
    if missing == 0:
        return assign(wiring, stages, row, slot, TRUE, gate)
    if missing == 1 and stages.value[row, slot] == FALSE and stages.false_count[row, term] == 0:
        for entry in range(begin, end):
            literal = wiring.literals[entry]
            if stages.value[row, literal >> 1] == UNKNOWN:
                return assign(wiring, stages, row, literal >> 1, FALSE - (literal & 1), gate)
    return True


@kernel
def look_at_open_terms(wiring: Wiring, stages: Stages, row: Int, gate: Int) -> bool:
    """Make a gate without open terms false, and the only open term of a true gate true (stages changed)."""
    slot = wiring.gate_slot[gate]
    if stages.open_count[row, gate] == 0:
        return assign(wiring, stages, row, slot, FALSE, gate)
    if stages.open_count[row, gate] == 1 and stages.value[row, slot] == TRUE:
        for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
            if stages.false_count[row, term] == 0:
                for entry in range(wiring.term_start[term], wiring.term_start[term + 1]):
                    literal = wiring.literals[entry]
                    if not assign(wiring, stages, row, literal >> 1, TRUE + (literal & 1), gate):
                        return False
    return True


@kernel
def look_at_gate(wiring: Wiring, stages: Stages, row: Int, gate: Int) -> bool:
    """Draw conclusions about the terms of a gate that has got its value (stages changed)."""
    if gate < 0:
        return True
    if stages.value[row, wiring.gate_slot[gate]] == TRUE:
        return look_at_open_terms(wiring, stages, row, gate)
    if stages.open_count[row, gate] == 0:  # its terms are false already
        return True
    for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
        if not look_at_term(wiring, stages, row, term, gate):
            return False
    return True


@kernel
def look_beyond_gates(wiring: Wiring, stages: Stages, row: Int, slot: Int) -> bool:
    """Apply rules 2 and 3 to a slot that has got its value (stages changed)."""
    value, rounds = stages.value[row, slot], stages.state[ROUNDS]
    fluent = slot - wiring.fluents
    if row > 0 and 0 <= fluent < wiring.num_fluents:
        return assign(wiring, stages, row - 1, wiring.next + fluent, value, SAME)
    fluent = slot - wiring.next
    if row < rounds and 0 <= fluent < wiring.num_fluents:
        if not stages.live[row + 1, wiring.fluents + fluent]:
            return True
        return assign(wiring, stages, row + 1, wiring.fluents + fluent, value, SAME)
    if row < rounds and wiring.moves <= slot < wiring.legal:
        return look_at_move(wiring, stages, row, slot - wiring.moves)
    move = slot - wiring.legal
    if row < rounds and value == FALSE and 0 <= move < len(wiring.move_role):
        return assign(wiring, stages, row, wiring.moves + move, FALSE, LEGAL_MOVE)
    return True


@kernel
def look_at_move(wiring: Wiring, stages: Stages, row: Int, move: Int) -> bool:
    """Apply rule 3 to a move that has become certain or is excluded (stages changed)."""
    role = wiring.move_role[move]
    first, end = wiring.moves + wiring.role_moves[role], wiring.moves + wiring.role_moves[role + 1]
    if stages.value[row, wiring.moves + move] == TRUE:
        for slot in range(first, end):
            if slot != wiring.moves + move and not assign(wiring, stages, row, slot, FALSE, ONE_MOVE):
                return False
        return assign(wiring, stages, row, wiring.legal + move, TRUE, LEGAL_MOVE)
    if stages.plausible[row, role] == 0:
        stages.state[CONFLICT], stages.state[NODE] = ONE_MOVE, row * wiring.num_slots + wiring.moves + move
        return False
    if stages.plausible[row, role] == 1:
        for slot in range(first, end):
            if stages.value[row, slot] == UNKNOWN:
                return assign(wiring, stages, row, slot, TRUE, ONE_MOVE)
    return True


@kernel
def exclude_unfounded(wiring: Wiring, stages: Stages) -> bool:
    """Apply rule 4 to all rows and recursive blocks; return False on a conflict (stages changed)."""
    for block in range(len(wiring.block_recursive)):
        if wiring.block_recursive[block]:
            begin, end = wiring.block_start[block], wiring.block_start[block + 1]
            founded = np.zeros(end - begin, np.bool_)
            for row in range(stages.state[ROUNDS] + 1):
                find_founded(wiring, stages, row, begin, founded)
                for gate in range(begin, end):
                    slot = wiring.gate_slot[gate]
                    if not founded[gate - begin] and not assign(wiring, stages, row, slot, FALSE, ALL_EARLIER_CHOICES):
                        return False
    return True


@kernel
def find_founded(wiring: Wiring, stages: Stages, row: Int, begin: Int, founded: np.ndarray) -> None:
    """Mark gates of a block that can be derived from outside of it; open slots count as true (founded changed)."""
    founded[:] = False
    changed = True
    while changed:
        changed = False
        for gate in range(begin, begin + len(founded)):
            if founded[gate - begin]:
                continue
            for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
                good = True
                for entry in range(wiring.term_start[term], wiring.term_start[term + 1]):
                    literal = wiring.literals[entry]
                    other = wiring.slot_gate[literal >> 1] - begin
                    inside = literal & 1 == 0 and 0 <= other < len(founded)
                    good &= stages.value[row, literal >> 1] != FALSE - (literal & 1)
                    good &= not inside or founded[other]
                if good:
                    founded[gate - begin] = changed = True
                    break


@kernel
def take_back(wiring: Wiring, stages: Stages, learned: Learned, mark: Int) -> None:
    """Take back everything on the trail from `mark` on (stages and learned changed)."""
    for entry in range(stages.state[TOP] - 1, mark - 1, -1):
        node = stages.trail[entry]
        row, slot = node // wiring.num_slots, node % wiring.num_slots
        if stages.reason[row, slot] <= LEARNED:
            learned.used[0] -= 1
        if entry < stages.state[HEAD]:
            uncount(wiring, stages, row, slot)
        stages.value[row, slot] = UNKNOWN
    stages.state[TOP], stages.state[HEAD] = mark, min(mark, stages.state[HEAD])


@kernel
def uncount(wiring: Wiring, stages: Stages, row: Int, slot: Int) -> None:
    """Undo what `propagate` counted for a slot (stages changed)."""
    value = stages.value[row, slot]
    if value == FALSE and wiring.moves <= slot < wiring.legal:
        stages.plausible[row, wiring.move_role[slot - wiring.moves]] += 1
    for use in range(wiring.use_start[slot], wiring.use_start[slot + 1]):
        term, negated = wiring.uses[use] >> 1, wiring.uses[use] & 1
        if not stages.live[row, wiring.gate_slot[wiring.term_gate[term]]]:
            continue
        if value == TRUE + negated:
            stages.true_count[row, term] -= 1
        else:
            stages.false_count[row, term] -= 1
            if stages.false_count[row, term] == 0:
                stages.open_count[row, wiring.term_gate[term]] += 1
