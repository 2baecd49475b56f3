"""Kernels of the choices of ISMCTS and Smooth UCT in lanes: every infoset is a bandit of its mover."""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from veil.engine.lanes import (
    Int,
    borrowing,
    count_ones,
    draw_index,
    draw_unit,
    draw_weighted,
    find_one,
    inlined,
    list_ones,
    mix_regrets,
    remove_lane,
)
from veil.search.walks.lanes.records import UNDERWAY, LaneLog, LaneScratch, LaneTable, WalkLanes
from veil.search.walks.lanes.table_kernels import add_infoset
from veil.search.walks.numbers import POLICY_SUM, REGRET, RM, SMOOTH, TOTAL, VISITS, WalkNumbers


@inlined
def pick_by_bounds(
    rule: WalkNumbers, slots: np.ndarray, first: Int, count: Int, bounds: np.ndarray, rng: np.ndarray, lane: Int
) -> np.int64:
    """Return a move by UCT: an untried one, else the largest mean + C sqrt(ln N / n); ties by the rule.

    Walks that are underway count as visits in n and N, not in the mean (bounds [K] and rng changed).
    """
    visits, largest, ties = 0.0, 0.0, 0
    for k in range(count):
        bounds[k] = slots[first + k, VISITS] + slots[first + k, UNDERWAY]
        visits += bounds[k]
        ties += bounds[k] == 0.0
    is_tried = ties == 0
    if is_tried:
        logarithm, largest = log(visits), -np.inf
        for k in range(count):  # a total without visits is 0
            mean = slots[first + k, TOTAL] / max(slots[first + k, VISITS], 1.0)
            bounds[k] = mean + rule.constant * sqrt(logarithm / bounds[k])
        for k in range(count):
            largest = max(largest, bounds[k])
        for k in range(count):
            ties += bounds[k] == largest
    is_drawn = ties > 1 and not (is_tried and rule.takes_first)
    left, index = draw_index(rng, lane, ties) if is_drawn else np.int64(0), np.int64(0)
    while index < count - 1 and (bounds[index] != largest or left > 0):
        left -= bounds[index] == largest
        index += 1
    return index


@borrowing
def pick_smoothly(
    rule: WalkNumbers, slots: np.ndarray, first: Int, count: Int, bounds: np.ndarray, rng: np.ndarray, lane: Int
) -> np.int64:
    """Return a move by Smooth UCT: with probability max(gamma, eta / (1 + d sqrt(N))) by UCT, else by the mean."""
    visits = 0.0
    for k in range(count):
        visits += slots[first + k, VISITS]
    by_uct = max(rule.gamma, rule.eta / (1.0 + rule.decay * sqrt(visits)))
    if visits == 0.0 or draw_unit(rng, lane) < by_uct:
        return pick_by_bounds(rule, slots, first, count, bounds, rng, lane)
    for k in range(count):
        bounds[k] = slots[first + k, VISITS]
    return draw_weighted(bounds, count, visits, rng, lane)


@borrowing
def choose_by_bandit(
    rule: WalkNumbers, table: LaneTable, lanes: WalkLanes, log: LaneLog, used: Int, scratch: LaneScratch,
    choosers: Int, words: Int, role: Int,
) -> np.int64:  # fmt: skip
    """Choose a move by the bandit of its infoset in the first lanes of the list; return the log entries in use.

    Changed in place: table, lanes, log, scratch.
    """
    joint, rng, keys, last = lanes.joint, lanes.rng, lanes.keys, lanes.last
    before, log_slot, log_role, log_count, chosen = log.before, log.slot, log.role, log.num_moves, log.chosen
    log_policy, numbers, legal, policy = log.policy, table.slots, scratch.legal, scratch.policy
    kind, gamma = rule.kind, rule.gamma
    used = np.int64(used)
    by = rule.observer if rule.observer >= 0 else role
    for place in range(choosers):
        lane = scratch.lanes[place]
        slot, count = scratch.slots[lane], count_ones(legal, lane, 0, words)
        if slot < 0:
            list_ones(legal, lane, 0, words, scratch.moves)
            slot, is_new = add_infoset(table, keys[lane, by], scratch.checks[lane], scratch.moves, count)
            if is_new:
                remove_lane(lanes.tree, lane)
        if slot < 0:
            joint[lane, role] = scratch.moves[draw_index(rng, lane, count)]
            continue
        if kind == RM:
            mix_regrets(numbers, REGRET, slot, count, 0.0, 1.0, policy)
            for k in range(count):
                numbers[slot + k, POLICY_SUM] += policy[k]
                policy[k] = gamma / count + (1.0 - gamma) * policy[k]
            index = draw_weighted(policy, count, 1.0, rng, lane)
            log_policy[used] = policy[index]
        else:
            if kind == SMOOTH:
                index = pick_smoothly(rule, numbers, slot, count, policy, rng, lane)
            else:
                index = pick_by_bounds(rule, numbers, slot, count, policy, rng, lane)
            numbers[slot + index, UNDERWAY] += 1.0
        joint[lane, role] = find_one(legal, lane, 0, index)
        before[used], log_slot[used], log_role[used] = last[lane], slot, role
        log_count[used], chosen[used] = count, index
        last[lane] = used
        used += 1
    return used
