"""Kernels of the choices of one role in all lanes that are still in the tree.

1. `locate_infosets`: where the infoset of every lane stands in the table.
2. `choose_chance`, `choose_by_regret` (Online Outcome Sampling) or `choose_by_bandit` (ISMCTS and Smooth UCT, in
   `bandit_kernels`): a move per lane, and the reaches after it. A lane whose infoset is unknown adds it, moves
   uniformly and leaves the tree.

The lanes in which the role has a choice are listed in the scratch, which has their legal moves too.

Numbers that do not depend on the result of the walk are added to the table at once: policy sums, and the walks
underway of UCT. The regret matching of the same batch reads none of them.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import (
    Int,
    borrowing,
    count_ones,
    draw_index,
    draw_unit,
    draw_weighted,
    find_one,
    list_ones,
    lowest_bit,
    mix_regrets,
    prefetch_rows,
    remove_lane,
)
from veil.search.walks.lanes.records import LaneLog, LaneScratch, LaneTable, LaneTarget, WalkLanes
from veil.search.walks.lanes.table_kernels import add_infoset, find_entry, first_slot, make_check
from veil.search.walks.lanes.target_kernels import follow, mark_inside
from veil.search.walks.numbers import POLICY_SUM, REGRET, WalkNumbers

ONE = np.uint64(1)
AHEAD = 16  # slots of an infoset that are fetched; the processor fetches the rest itself


@borrowing
def locate_infosets(
    table: LaneTable, lanes: WalkLanes, scratch: LaneScratch, choosers: Int, words: Int, role: Int, observer: Int
) -> None:
    """Find checks and first slots (-1 if unknown) of the infosets of the first lanes of the list (scratch changed).

    Entries and slots of all lanes are fetched before they are needed, so that the processor waits for many of them at
    a time. In a table that is larger than its caches, that wait is most of the work.
    """
    by = observer if observer >= 0 else role
    keys, entries, numbers, legal = lanes.keys, table.entries, table.slots, scratch.legal
    listed, checks, slots = scratch.lanes, scratch.checks, scratch.slots
    mask = np.uint64(len(entries) - 1)
    for place in range(choosers):
        prefetch_rows(entries, np.int64(keys[listed[place], by] & mask), np.int64(1))
    for place in range(choosers):
        lane = listed[place]
        checks[lane] = make_check(legal, lane, words, role)
        slots[lane] = first_slot(entries, find_entry(entries, keys[lane, by], checks[lane]))
        if slots[lane] >= 0:
            prefetch_rows(numbers, slots[lane], min(np.int64(AHEAD), count_ones(legal, lane, 0, words)))


@borrowing
def follow_all(target: LaneTarget, lanes: WalkLanes, which: np.ndarray, role: Int) -> None:
    """Update the nodes of the lanes in `which` [W] after the moves of a role (lanes changed in place)."""
    for w in range(len(which)):
        word = which[w]
        while word:
            lane = 64 * w + lowest_bit(word)
            word &= word - ONE
            if lanes.node[lane] >= 0:
                lanes.node[lane] = follow(target, lanes.node[lane], role, lanes.joint[lane, role])


@borrowing
def choose_chance(
    target: LaneTarget, lanes: WalkLanes, scratch: LaneScratch, choosers: Int, words: Int, role: Int
) -> None:
    """Draw the moves of `random` uniformly; in targeted walks among the moves that stay inside (lanes changed).

    A lane without a target to follow keeps the move that the machine has drawn, and is removed from `several`.
    """
    nodes, joint, rng, legal, moves, inside = (
        lanes.node, lanes.joint, lanes.rng, scratch.legal, scratch.moves, scratch.inside
    )  # fmt: skip
    other, chance, targeted, untargeted = lanes.other, lanes.chance, lanes.targeted, lanes.untargeted
    for place in range(choosers):
        lane = scratch.lanes[place]
        node, count = nodes[lane], count_ones(legal, lane, 0, words)
        share = 1.0 / count
        other[lane] *= share
        chance[lane] *= share
        untargeted[lane] *= share
        if node < 0:
            targeted[lane] *= share
            remove_lane(scratch.several, lane)
            continue
        list_ones(legal, lane, 0, words, moves)
        mark_inside(target, node, role, moves, count, inside)
        members = 0
        for k in range(count):
            members += inside[k]
        if lanes.is_targeted[lane]:
            left, index = draw_index(rng, lane, members), np.int64(-1)
            while left >= 0:
                index += 1
                left -= inside[index]
        else:
            index = draw_index(rng, lane, count)
        joint[lane, role] = moves[index]
        nodes[lane] = follow(target, node, role, moves[index])
        targeted[lane] *= 1.0 / members if inside[index] else 0.0


@borrowing
def draw_targeted(
    target: LaneTarget, node: Int, role: Int, is_targeted: bool, moves: np.ndarray, count: Int, phi: np.ndarray,
    inside: np.ndarray, rng: np.ndarray, lane: Int,
) -> tuple[np.int64, float]:  # fmt: skip
    """Draw a move above a target (`Sample` of line 9); return (index, its probability s1' / s1).

    phi [K] is normalised on the moves that stay inside.
    """
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


@borrowing
def choose_by_regret(
    rule: WalkNumbers, table: LaneTable, target: LaneTarget, lanes: WalkLanes, log: LaneLog, used: Int,
    scratch: LaneScratch, choosers: Int, words: Int, role: Int, alone: bool,
) -> np.int64:  # fmt: skip
    """Do lines 8 to 18 of Algorithm 1 in the first lanes of the list; return the entries of the log in use.

    Changed in place: table, lanes, log, scratch. `alone`: there is no other player, so the walk of a role adds to its
    own policy sum.
    """
    nodes, joint, rng, keys, legal = lanes.node, lanes.joint, lanes.rng, lanes.keys, scratch.legal
    own, other, chance, targeted, untargeted = lanes.own, lanes.other, lanes.chance, lanes.targeted, lanes.untargeted
    is_targeted, updated, leaf_reach, last = lanes.is_targeted, lanes.updated, lanes.leaf_reach, lanes.last
    before, log_slot, log_role, log_count, chosen = log.before, log.slot, log.role, log.num_moves, log.chosen
    log_other, log_chance, log_policy, numbers = log.other, log.chance, log.policy, table.slots
    moves, policy, phi, inside = scratch.moves, scratch.policy, scratch.phi, scratch.inside
    delta, gamma, epsilon = rule.delta, rule.gamma, rule.epsilon
    used = np.int64(used)
    for place in range(choosers):
        lane = scratch.lanes[place]
        node, slot, count = nodes[lane], scratch.slots[lane], count_ones(legal, lane, 0, words)
        is_new, is_own, share = False, role == updated[lane], 0.0
        if slot < 0 or node >= 0:
            list_ones(legal, lane, 0, words, moves)
        if slot < 0:
            slot, is_new = add_infoset(table, keys[lane, role], scratch.checks[lane], moves, count)
        sample = delta * targeted[lane] + (1.0 - delta) * untargeted[lane]
        if is_new:
            policy[:count] = 1.0 / count
            index = draw_index(rng, lane, count)
            leaf_reach[lane] = sample / count if slot >= 0 else sample
            remove_lane(lanes.tree, lane)
        else:
            mix_regrets(numbers, REGRET, slot, count, gamma / count, 1.0 - gamma, policy)
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
        joint[lane, role] = find_one(legal, lane, 0, index)
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
                nodes[lane] = follow(target, node, role, joint[lane, role])
            targeted[lane] *= share
            untargeted[lane] *= phi[index]
            if is_own:
                own[lane] *= policy[index]
            else:
                other[lane] *= policy[index]
    return used
