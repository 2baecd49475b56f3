"""Kernels of the choices of ISMCTS and Smooth UCT in the lanes of a fleet: every infoset is a bandit of its mover."""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from veil.engine import Int, inlined, kernel
from veil.search.fleet_draw_kernels import (
    FORCED,
    add_infoset,
    draw_index,
    draw_unit,
    draw_weighted,
    find_one,
    list_ones,
    match_regrets,
)
from veil.search.fleet_records import (
    POLICY_SUM,
    RM,
    SMOOTH,
    TOTAL,
    UNDERWAY,
    VISITS,
    FleetLanes,
    FleetLog,
    FleetRule,
    FleetTable,
)


@inlined
def pick_by_bounds(
    slots: np.ndarray, first: Int, count: Int, constant: float, bounds: np.ndarray, rng: np.ndarray, lane: Int
) -> np.int64:
    """UCT: a move not yet tried, else the largest mean + C sqrt(ln N / n); ties at random (bounds [K], rng changed).

    Walks that are underway count as visits in n and N, not in the mean.
    """
    visits, untried = 0.0, 0
    for k in range(count):
        tried = slots[first + k, VISITS] + slots[first + k, UNDERWAY]
        visits += tried
        untried += tried == 0.0
        bounds[k] = tried
    if untried > 0:
        for k in range(count):
            bounds[k] = 1.0 if bounds[k] == 0.0 else 0.0
        return draw_weighted(bounds, count, np.float64(untried), rng, lane)
    logarithm, largest, ties = log(visits), -np.inf, 0
    for k in range(count):
        done = slots[first + k, VISITS]
        mean = slots[first + k, TOTAL] / done if done > 0.0 else 0.0
        bounds[k] = mean + constant * sqrt(logarithm / bounds[k])
        if bounds[k] > largest:
            largest, ties = bounds[k], 1
        elif bounds[k] == largest:
            ties += 1
    left = draw_index(rng, lane, ties) if ties > 1 else np.int64(0)
    for k in range(count):
        if bounds[k] == largest:
            if left == 0:
                return np.int64(k)
            left -= 1
    return np.int64(count - 1)


@kernel
def pick_smoothly(
    rule: FleetRule, slots: np.ndarray, first: Int, count: Int, bounds: np.ndarray, rng: np.ndarray, lane: Int
) -> np.int64:
    """Smooth UCT: with probability max(gamma, eta / (1 + d sqrt(N))) by UCT, else by the mean strategy."""
    visits = 0.0
    for k in range(count):
        visits += slots[first + k, VISITS]
    by_uct = max(rule.gamma, rule.eta / (1.0 + rule.decay * sqrt(visits)))
    if visits == 0.0 or draw_unit(rng, lane) < by_uct:
        return pick_by_bounds(slots, first, count, rule.constant, bounds, rng, lane)
    for k in range(count):
        bounds[k] = slots[first + k, VISITS]
    return draw_weighted(bounds, count, visits, rng, lane)


@kernel
def choose_by_bandit(
    rule: FleetRule, table: FleetTable, lanes: FleetLanes, log: FleetLog, used: Int, legal: np.ndarray, words: Int,
    role: Int, checks: np.ndarray, slots: np.ndarray, moves: np.ndarray, policy: np.ndarray,
) -> np.int64:  # fmt: skip
    """A move by the bandit of its infoset in all lanes of the tree; returns the entries of the log in use.

    Changed in place: table, lanes, log; moves and policy [K] are scratch.
    """
    is_in_tree, joint, rng, keys, last = lanes.is_in_tree, lanes.joint, lanes.rng, lanes.keys, lanes.last
    before, log_slot, log_role, log_count, chosen = log.before, log.slot, log.role, log.num_moves, log.chosen
    log_policy, numbers = log.policy, table.slots
    kind, gamma, constant = rule.kind, rule.gamma, rule.constant
    used = np.int64(used)
    by = rule.observer if rule.observer >= 0 else role
    for lane in range(len(slots)):
        if not is_in_tree[lane]:
            continue
        slot, is_new = slots[lane], False
        if slot == FORCED:
            joint[lane, role] = find_one(legal, lane, words)
            continue
        count = list_ones(legal, lane, words, moves)
        if slot < 0:
            slot, is_new = add_infoset(table, keys[lane, by], checks[lane], moves, count)
            is_in_tree[lane] = not is_new
        if slot < 0:
            joint[lane, role] = moves[draw_index(rng, lane, count)]
            continue
        if kind == RM:
            match_regrets(numbers, slot, count, 0.0, policy)
            for k in range(count):
                numbers[slot + k, POLICY_SUM] += policy[k]
                policy[k] = gamma / count + (1.0 - gamma) * policy[k]
            index = draw_weighted(policy, count, 1.0, rng, lane)
            log_policy[used] = policy[index]
        else:
            if kind == SMOOTH:
                index = pick_smoothly(rule, numbers, slot, count, policy, rng, lane)
            else:
                index = pick_by_bounds(numbers, slot, count, constant, policy, rng, lane)
            numbers[slot + index, UNDERWAY] += 1.0
        joint[lane, role] = moves[index]
        before[used], log_slot[used], log_role[used] = last[lane], slot, role
        log_count[used], chosen[used] = count, index
        last[lane] = used
        used += 1
    return used
