"""Kernels that choose moves in a stage graph (figure 5): a random sample that may fail, and a search that goes back.

`sample` is the figure. It picks a variable that is not set, picks one of its plausible moves at random, uniformly or
by weight (`guide_kernels`), and draws all conclusions; a conflict ends the attempt. `search` goes on after a conflict:
it finds the choices that the conflict follows from, takes back the last of them and everything after it, and excludes
its move as long as the other reasons stand (backjumping). It keeps what it has learned (`no_good_kernels`). It finds
all histories one after the other, or proves that there is none.
"""

from __future__ import annotations

import numpy as np

from veil.belief.csp.candidate_kernels import reevaluate
from veil.belief.csp.no_good_kernels import apply_no_goods, keep_no_good
from veil.belief.csp.propagation_kernels import assign, propagate, take_back
from veil.belief.csp.stage_records import (
    ALL_EARLIER_CHOICES,
    BASE,
    CHOSEN,
    CONFLICT,
    FALSE,
    LEARNED,
    LEGAL_MOVE,
    NODE,
    ONE_MOVE,
    SAME,
    TOP,
    TRUE,
    UNKNOWN,
    Choices,
    Learned,
    Planes,
    Solutions,
    Stages,
)
from veil.engine.lanes import Int, Wiring, draw_unit, kernel, split_mix


@kernel
def sample(
    wiring: Wiring,
    stages: Stages,
    planes: Planes,
    choices: Choices,
    learned: Learned,
    how: np.ndarray,
    tries: Int,
    found: Solutions,
    rng: np.ndarray,
) -> tuple[int, int]:
    """Make `tries` attempts; return (histories found, choices made).

    how [2]: most constrained first, lanes at every choice. An attempt that fails finds nothing. Stages are the same
    before and after; found [tries] is changed.
    """
    base, successes, made = stages.state[BASE], 0, 0
    for _ in range(tries):
        log_choices, good = 0.0, True
        stages.touched[:] = False
        while good:
            variable = pick_variable(stages, choices, how[0], rng)
            if variable < 0:
                break
            row, role = choices.round[variable], choices.role[variable]
            made += 1
            slot, chance = pick_move(wiring, stages, choices.weight[row], row, role, rng)
            log_choices -= np.log(chance)
            good = assign(wiring, stages, row, slot, TRUE, CHOSEN)
            good = good and (reevaluate(wiring, stages, planes) if how[1] else propagate(wiring, stages))
        if good:
            write_history(wiring, stages, found.history[successes])
            found.log_choices[successes] = log_choices
            successes += 1
        take_back(wiring, stages, learned, base)
    return successes, made


@kernel
def search(
    wiring: Wiring,
    stages: Stages,
    choices: Choices,
    learned: Learned,
    constrained: Int,
    budget: Int,
    found: Solutions,
    progress: np.ndarray,
    rng: np.ndarray,
) -> bool:
    """Find histories one after the other; return whether these are all.

    progress [4], all changed: histories found, choices made, choices that stand, whether these are without a conflict.
    The search pauses after `budget` choices in all, and when `found` is full; it continues if called again with the
    same arguments. A caller that ends it early must take back the choices.
    """
    successes, made, level, good = progress[0], progress[1], progress[2], progress[3] == 1
    done = False
    while not done and made < budget and successes < len(found.history):
        variable = pick_variable(stages, choices, constrained, rng) if good else -1
        if good and variable >= 0:
            row, role = choices.round[variable], choices.role[variable]
            slot, _ = pick_move(wiring, stages, choices.weight[row], row, role, rng)
            choices.start[level], choices.node[level] = stages.state[TOP], row * wiring.num_slots + slot
            level += 1
            made += 1
            good = assign(wiring, stages, row, slot, TRUE, CHOSEN) and propagate(wiring, stages)
            good = good and apply_no_goods(wiring, stages, choices, learned, level)
            continue
        choices.conflict[:level] = good  # a history must not be found again, so all choices are the reason
        if good:
            write_history(wiring, stages, found.history[successes])
            successes += 1
        else:
            find_reasons(wiring, stages, choices, learned, level)
        while level > 0 and not choices.conflict[level - 1]:
            level -= 1
        done = level == 0
        if not done:
            level -= 1
            if successes == 0:
                keep_no_good(choices, learned, level)
            good = refute(wiring, stages, choices, learned, level)
            good = good and apply_no_goods(wiring, stages, choices, learned, level)
    progress[0], progress[1], progress[2], progress[3] = successes, made, level, 1 if good else 0
    return done


@kernel
def refute(wiring: Wiring, stages: Stages, choices: Choices, learned: Learned, level: Int) -> bool:
    """Take back a choice and exclude its move as long as the other reasons stand; False on a conflict (changed)."""
    take_back(wiring, stages, learned, choices.start[level])
    entry = learned.used[0]
    learned.because[entry, :] = False
    learned.because[entry, :level] = choices.conflict[:level]
    learned.used[0] += 1
    row, slot = choices.node[level] // wiring.num_slots, choices.node[level] % wiring.num_slots
    return assign(wiring, stages, row, slot, FALSE, LEARNED - entry) and propagate(wiring, stages)


@kernel
def pick_variable(stages: Stages, choices: Choices, constrained: Int, rng: np.ndarray) -> Int:
    """Return a variable with several plausible moves: any, or one with the fewest (footnote 2); -1 if none is left."""
    best, fewest, equal = -1, 1 << 40, 0
    for variable in range(len(choices.round)):
        number = stages.plausible[choices.round[variable], choices.role[variable]]
        if number < 2 or (constrained and number > fewest):
            continue
        if constrained and number < fewest:
            fewest, equal = number, 0
        equal += 1
        if split_mix(rng, 0) % np.uint64(equal) == np.uint64(0):
            best = variable
    return best


@kernel
def pick_move(
    wiring: Wiring, stages: Stages, weight: np.ndarray, row: Int, role: Int, rng: np.ndarray
) -> tuple[int, float]:
    """Draw one of the plausible moves by weight [M]; return its slot and its probability."""
    first, end = wiring.role_moves[role], wiring.role_moves[role + 1]
    total = 0.0
    for move in range(first, end):
        if stages.value[row, wiring.moves + move] != FALSE:
            total += weight[move]
    rest = total * draw_unit(rng, 0)
    chosen = -1
    for move in range(first, end):
        if stages.value[row, wiring.moves + move] != FALSE:
            chosen = move
            rest -= weight[move]
            if rest < 0.0:
                break
    return wiring.moves + chosen, weight[chosen] / total


@kernel
def write_history(wiring: Wiring, stages: Stages, history: np.ndarray) -> None:
    """Write the moves that are certain into history [T, R] (changed in place)."""
    for row in range(history.shape[0]):
        for role in range(history.shape[1]):
            for move in range(wiring.role_moves[role], wiring.role_moves[role + 1]):
                if stages.value[row, wiring.moves + move] == TRUE:
                    history[row, role] = move - wiring.role_moves[role]


@kernel
def find_reasons(wiring: Wiring, stages: Stages, choices: Choices, learned: Learned, level: Int) -> None:
    """Find the choices that a conflict follows from: back along the trail, from reason to reason (choices changed).

    Every slot of a gate that was known before counts as a reason. These may be more reasons than necessary, which is
    safe.
    """
    node, top = stages.state[NODE], stages.state[TOP]
    row, slot = node // wiring.num_slots, node % wiring.num_slots
    mark(stages, choices, row, slot, top)
    mark_reasons(wiring, stages, choices, learned, row, slot, stages.state[CONFLICT], top, level)
    for place in range(top - 1, stages.state[BASE] - 1, -1):
        if choices.seen[place]:
            choices.seen[place] = False
            row, slot = stages.trail[place] // wiring.num_slots, stages.trail[place] % wiring.num_slots
            mark_reasons(wiring, stages, choices, learned, row, slot, stages.reason[row, slot], place, level)


@kernel
def mark(stages: Stages, choices: Choices, row: Int, slot: Int, before: Int) -> None:
    """Note a slot that got its value before a place on the trail and after the first choice (choices changed)."""
    if stages.value[row, slot] != UNKNOWN and stages.state[BASE] <= stages.place[row, slot] < before:
        choices.seen[stages.place[row, slot]] = True


@kernel
def mark_reasons(
    wiring: Wiring,
    stages: Stages,
    choices: Choices,
    learned: Learned,
    row: Int,
    slot: Int,
    reason: Int,
    before: Int,
    level: Int,
) -> None:
    """Note the slots or choices that a slot got its value from (choices changed)."""
    if reason >= 0:
        mark(stages, choices, row, wiring.gate_slot[reason], before)
        begin = wiring.term_start[wiring.gate_start[reason]]
        for entry in range(begin, wiring.term_start[wiring.gate_start[reason + 1]]):
            mark(stages, choices, row, wiring.literals[entry] >> 1, before)
    elif reason == SAME:
        if slot < wiring.moves:
            mark(stages, choices, row - 1, wiring.next + slot - wiring.fluents, before)
        else:
            mark(stages, choices, row + 1, wiring.fluents + slot - wiring.next, before)
    elif reason == ONE_MOVE:
        role = wiring.move_role[slot - wiring.moves]
        for move in range(wiring.role_moves[role], wiring.role_moves[role + 1]):
            mark(stages, choices, row, wiring.moves + move, before)
    elif reason == LEGAL_MOVE:
        twin = slot - wiring.moves + wiring.legal if slot < wiring.legal else slot - wiring.legal + wiring.moves
        mark(stages, choices, row, twin, before)
    else:
        for choice in range(level):
            if reason == ALL_EARLIER_CHOICES:
                choices.conflict[choice] |= choices.start[choice] < before
            elif reason <= LEARNED:
                choices.conflict[choice] |= learned.because[LEARNED - reason, choice]
            else:
                choices.conflict[choice] |= reason == CHOSEN and choices.start[choice] == before
