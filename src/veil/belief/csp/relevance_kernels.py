"""Kernels that find out which slots of a stage graph still matter, so that choices draw no useless conclusions.

After everything has been concluded from the record, most of an unrolled circuit is decided: if ships are placed only
in the first rounds, the gates that say where they can be placed are of no use in the other rounds. From the last round
to the first, and from outputs to inputs:

1. A gate that has its value because of known inputs (a term that holds, or a false literal in each) says nothing more.
2. A gate that has its value for another reason constrains what it reads: it matters.
3. A gate without a value matters if it decides whether an open move is legal, if a gate that matters reads it, or if
   it is the next state and the following round reads that.

That the game went on is evidence in every round, and seldom excludes anything; but in games in which much is hidden it
keeps many gates open. With `ignore_termination`, what is known only because the game went on does not matter.
Histories in which the game was over too early are detected when they are played again.
"""

from __future__ import annotations

import numpy as np

from veil.belief.csp.stage_records import BASE, FALSE, GIVEN, ROUNDS, SAME, UNKNOWN, Stages
from veil.engine.lanes import Int, Wiring, kernel


@kernel
def find_live(wiring: Wiring, stages: Stages, ignore_termination: bool) -> None:
    """Mark the slots that matter, and no others (stages changed)."""
    rounds = stages.state[ROUNDS]
    stages.live[:] = False
    weak = np.zeros((rounds + 1, wiring.num_slots), np.bool_)
    if ignore_termination:
        find_weak(wiring, stages, weak)
    for row in range(rounds, -1, -1):
        if is_known(wiring, stages, row):
            continue
        if row < rounds:
            for fluent in range(wiring.num_fluents):
                if stages.live[row + 1, wiring.fluents + fluent]:
                    stages.live[row, wiring.next + fluent] = True
            for move in range(len(wiring.move_role)):
                if stages.value[row, wiring.moves + move] == UNKNOWN:
                    stages.live[row, wiring.legal + move] = True
        for block in range(len(wiring.block_recursive) - 1, -1, -1):
            mark_block(wiring, stages, weak[row], row, wiring.block_start[block], wiring.block_start[block + 1])


@kernel
def is_known(wiring: Wiring, stages: Stages, row: Int) -> bool:
    """Return whether everything in a row is decided, because all fluents and moves have their values."""
    end = wiring.legal if row < stages.state[ROUNDS] else wiring.moves
    return bool((stages.value[row, wiring.fluents : end] != UNKNOWN).all())


@kernel
def find_weak(wiring: Wiring, stages: Stages, weak: np.ndarray) -> None:
    """Mark what was concluded backwards from the fact that the game went on (weak changed)."""
    for place in range(stages.state[BASE]):
        row, slot = stages.trail[place] // wiring.num_slots, stages.trail[place] % wiring.num_slots
        reason = stages.reason[row, slot]
        if reason >= 0:
            weak[row, slot] = weak[row, wiring.gate_slot[reason]]
        elif reason == SAME and slot < wiring.moves:
            weak[row, slot] = weak[row - 1, wiring.next + slot - wiring.fluents]
        elif reason == SAME:
            weak[row, slot] = weak[row + 1, wiring.fluents + slot - wiring.next]
        elif reason == GIVEN:
            weak[row, slot] = slot == wiring.terminal and stages.value[row, slot] == FALSE


@kernel
def mark_block(wiring: Wiring, stages: Stages, weak: np.ndarray, row: Int, begin: Int, end: Int) -> None:
    """Mark the gates of a block that matter, and what they read; in a recursive block until no more do (changed).

    Slots that are weak [S] do not matter by themselves.
    """
    changed = True
    while changed:
        changed = False
        for gate in range(end - 1, begin - 1, -1):
            slot = wiring.gate_slot[gate]
            if stages.value[row, slot] != UNKNOWN:
                stages.live[row, slot] = not (weak[slot] or is_justified(wiring, stages, row, gate))
            if not stages.live[row, slot]:
                continue
            for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
                if stages.false_count[row, term] > 0:
                    continue
                for entry in range(wiring.term_start[term], wiring.term_start[term + 1]):
                    other = wiring.literals[entry] >> 1
                    if stages.value[row, other] == UNKNOWN and not stages.live[row, other]:
                        stages.live[row, other] = True
                        changed |= begin <= wiring.slot_gate[other] < end


@kernel
def is_justified(wiring: Wiring, stages: Stages, row: Int, gate: Int) -> bool:
    """Return whether a gate has its value because of the known values of its inputs."""
    if stages.value[row, wiring.gate_slot[gate]] == FALSE:
        return bool(stages.open_count[row, gate] == 0)
    for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
        if stages.true_count[row, term] == wiring.term_start[term + 1] - wiring.term_start[term]:
            return True
    return False
