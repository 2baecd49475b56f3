"""Kernels of the choices of one role in all lanes of a fleet that are still in the tree.

1. `locate_infosets`: the legal moves of every lane, and where its infoset stands in the table.
2. `choose_chance`, `choose_by_regret` (Online Outcome Sampling) or `choose_by_bandit` (ISMCTS and Smooth UCT, in
   `fleet_bandit_kernels`): a move per lane, and the reaches after it. A lane whose infoset is unknown adds it, moves
   uniformly and leaves the tree.

What needs no result of the walk is added to the table at once: policy sums, and the walks underway of UCT. Nothing of
this is read by the regret matching of the same batch.
"""

from __future__ import annotations

import numpy as np

from veil.engine import Int, kernel
from veil.search.fleet_draw_kernels import (
    FORCED,
    add_infoset,
    draw_index,
    draw_unit,
    draw_weighted,
    find_one,
    has_choice,
    list_ones,
    match_regrets,
)
from veil.search.fleet_records import POLICY_SUM, FleetLanes, FleetLog, FleetRule, FleetTable, FleetTarget
from veil.search.fleet_table_kernels import find_entry, first_slot, make_check
from veil.search.fleet_target_kernels import follow, mark_inside

AHEAD = 8  # slots of an infoset that are read ahead; the processor foresees the rest


@kernel
def locate_infosets(
    table: FleetTable,
    lanes: FleetLanes,
    legal: np.ndarray,
    words: Int,
    role: Int,
    observer: Int,
    checks: np.ndarray,
    slots: np.ndarray,
) -> float:
    """checks [L] and first slots [L], -1 where unknown, of the infosets of lanes in the tree (both changed in place).

    A lane whose role has one legal move has no infoset; its slot is FORCED. What is returned means nothing: entries and
    slots of all lanes are read before they are needed, in short loops, so that the processor waits for many of them at
    a time. In a table that is larger than its caches that wait is most of the work.
    """
    by = observer if observer >= 0 else role
    is_in_tree, keys, entries, numbers = lanes.is_in_tree, lanes.keys, table.entries, table.slots
    mask, touched = np.uint64(len(entries) - 1), 0.0
    for lane in range(len(slots)):
        slots[lane] = FORCED
        if is_in_tree[lane] and has_choice(legal, lane, words):
            slots[lane] = np.int64(keys[lane, by] & mask)
    for lane in range(len(slots)):
        if slots[lane] != FORCED:
            touched += entries[slots[lane], 0]
    for lane in range(len(slots)):
        if slots[lane] != FORCED:
            checks[lane] = make_check(legal, lane, words, role)
            slots[lane] = first_slot(entries, find_entry(entries, keys[lane, by], checks[lane]))
    for lane in range(len(slots)):
        if slots[lane] >= 0:
            for slot in range(slots[lane], min(slots[lane] + AHEAD, len(numbers)), 2):  # two to a line of the cache
                touched += numbers[slot, 0]
    return touched


@kernel
def choose_chance(
    target: FleetTarget, lanes: FleetLanes, legal: np.ndarray, words: Int, role: Int, moves: np.ndarray,
    inside: np.ndarray,
) -> None:  # fmt: skip
    """`random` moves, uniformly; where the walk is targeted, among the moves that stay inside (lanes changed)."""
    is_in_tree, nodes, joint, rng = lanes.is_in_tree, lanes.node, lanes.joint, lanes.rng
    other, chance, targeted, untargeted = lanes.other, lanes.chance, lanes.targeted, lanes.untargeted
    is_targeted = lanes.is_targeted
    for lane in range(len(nodes)):
        if not is_in_tree[lane]:
            continue
        count, node = list_ones(legal, lane, words, moves), nodes[lane]
        index, share = draw_index(rng, lane, count), 1.0 / count
        if node >= 0 and count > 1:
            mark_inside(target, node, role, moves, count, inside)
            members = 0
            for k in range(count):
                members += inside[k]
            if is_targeted[lane]:
                left, index = draw_index(rng, lane, members), np.int64(-1)
                while left >= 0:
                    index += 1
                    left -= inside[index]
            share = np.float64(1.0) / members if inside[index] else np.float64(0.0)
        joint[lane, role] = moves[index]
        if node >= 0:
            nodes[lane] = follow(target, node, role, moves[index])
        other[lane] /= count
        chance[lane] /= count
        untargeted[lane] /= count
        targeted[lane] *= share


@kernel
def draw_targeted(
    target: FleetTarget, node: Int, role: Int, is_targeted: bool, moves: np.ndarray, count: Int, phi: np.ndarray,
    inside: np.ndarray, rng: np.ndarray, lane: Int,
) -> tuple[np.int64, float]:  # fmt: skip
    """(index, its probability s1' / s1) above a target: `Sample` of line 9, phi [K] normalised on what stays inside."""
    mark_inside(target, node, role, moves, count, inside)
    total, members = 0.0, 0
    for k in range(count):
        if inside[k]:
            total += phi[k]
            members += 1
    if not is_targeted:
        index = draw_weighted(phi, count, 1.0, rng, lane)
        if not inside[index]:
            return index, 0.0
        return index, phi[index] / total if total > 0.0 else 1.0 / members
    left, last = draw_unit(rng, lane), np.int64(0)
    for k in range(count):
        share = 0.0
        if inside[k]:
            share = phi[k] / total if total > 0.0 else 1.0 / members
        if share > 0.0:
            last = np.int64(k)
            left -= share
            if left < 0.0:
                break
    return last, phi[last] / total if total > 0.0 else 1.0 / members


@kernel
def choose_by_regret(
    rule: FleetRule, table: FleetTable, target: FleetTarget, lanes: FleetLanes, log: FleetLog, used: Int,
    legal: np.ndarray, words: Int, role: Int, alone: bool, checks: np.ndarray, slots: np.ndarray, moves: np.ndarray,
    policy: np.ndarray, phi: np.ndarray, inside: np.ndarray,
) -> np.int64:  # fmt: skip
    """Lines 8 to 18 of Algorithm 1 in all lanes of the tree; returns the entries of the log in use.

    Changed in place: table, lanes, log; moves, policy, phi, inside [K] are scratch. `alone`: there is no other player,
    so that the walk of a role adds to its own policy sum.
    """
    is_in_tree, nodes, joint, rng, keys = lanes.is_in_tree, lanes.node, lanes.joint, lanes.rng, lanes.keys
    own, other, chance, targeted, untargeted = lanes.own, lanes.other, lanes.chance, lanes.targeted, lanes.untargeted
    is_targeted, updated, leaf_reach, last = lanes.is_targeted, lanes.updated, lanes.leaf_reach, lanes.last
    before, log_slot, log_role, log_count, chosen = log.before, log.slot, log.role, log.num_moves, log.chosen
    log_other, log_chance, log_policy, numbers = log.other, log.chance, log.policy, table.slots
    delta, gamma, epsilon = rule.delta, rule.gamma, rule.epsilon
    used = np.int64(used)
    for lane in range(len(slots)):
        if not is_in_tree[lane]:
            continue
        node, slot = nodes[lane], slots[lane]
        if slot == FORCED:
            joint[lane, role] = find_one(legal, lane, words)
            if node >= 0:
                nodes[lane] = follow(target, node, role, joint[lane, role])
            continue
        count = list_ones(legal, lane, words, moves)
        is_new, is_own = False, role == updated[lane]
        if slot < 0:
            slot, is_new = add_infoset(table, keys[lane, role], checks[lane], moves, count)
        sample = delta * targeted[lane] + (1.0 - delta) * untargeted[lane]
        share = 0.0
        if is_new:
            policy[:count] = 1.0 / count
            index = draw_index(rng, lane, count)
            is_in_tree[lane], leaf_reach[lane] = False, sample / count if slot >= 0 else sample
        else:
            match_regrets(numbers, slot, count, gamma, policy)
            explore = epsilon if is_own else 0.0
            for k in range(count):
                phi[k] = explore / count + (1.0 - explore) * policy[k]
            if node >= 0:
                index, share = draw_targeted(
                    target, node, role, is_targeted[lane], moves, count, phi, inside, rng, lane
                )
            else:
                index = draw_weighted(phi, count, 1.0, rng, lane)
                share = phi[index]
        joint[lane, role] = moves[index]
        if slot >= 0:
            before[used], log_slot[used], log_role[used] = last[lane], slot, role
            log_count[used], chosen[used], log_policy[used] = count, index, policy[index]
            log_other[used], log_chance[used] = other[lane], chance[lane]
            last[lane] = used
            used += 1
            if not is_own or alone:
                weight = (own[lane] if is_own else other[lane]) / sample
                for k in range(count):
                    numbers[slot + k, POLICY_SUM] += weight * policy[k]
        if not is_new:
            if node >= 0:
                nodes[lane] = follow(target, node, role, moves[index])
            targeted[lane] *= share
            untargeted[lane] *= phi[index]
            if is_own:
                own[lane] *= policy[index]
            else:
                other[lane] *= policy[index]
    return used
