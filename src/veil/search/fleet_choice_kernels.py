"""Kernels of the choices of one role in all lanes of a fleet that are still in the tree.

1. `locate_infosets`: the legal moves of every lane, and where its infoset stands in the table.
2. `choose_chance`, `choose_by_regret` (Online Outcome Sampling) or `choose_by_bandit` (ISMCTS, Smooth UCT): a move per
   lane, and the reaches after it. A lane whose infoset is unknown adds it, moves uniformly and leaves the tree.

What needs no result of the walk is added to the table at once: policy sums, and the walks underway of UCT. Nothing of
this is read by the regret matching of the same batch.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from veil.engine import Int, inlined, kernel, lowest_bit, split_mix
from veil.search.fleet_records import (
    POLICY_SUM,
    REGRET,
    RM,
    SMOOTH,
    TOTAL,
    UNDERWAY,
    VISITS,
    FleetLanes,
    FleetLog,
    FleetRule,
    FleetTable,
    Trie,
)
from veil.search.fleet_table_kernels import find_entry, first_slot, insert_infoset, make_check
from veil.search.fleet_trie_kernels import follow, mark_children

TO_UNIT = 2.0**-53
FORCED = -2  # in place of a slot: the role has one legal move
AHEAD = 8  # slots of an infoset that are read ahead; the processor foresees the rest


@inlined
def draw_unit(rng: np.ndarray, lane: Int) -> float:
    """A number in [0, 1) (rng [L] changed in place)."""
    return np.float64(split_mix(rng, lane) >> np.uint64(11)) * TO_UNIT


@inlined
def draw_index(rng: np.ndarray, lane: Int, count: Int) -> np.int64:
    """A number below count (rng [L] changed in place)."""
    return np.int64(draw_unit(rng, lane) * count)


@inlined
def draw_weighted(weights: np.ndarray, count: Int, total: float, rng: np.ndarray, lane: Int) -> np.int64:
    """An index in proportion to its weight, one with a positive weight; `total` is their sum (rng changed)."""
    left, last = draw_unit(rng, lane) * total, np.int64(0)
    for k in range(count):
        if weights[k] > 0.0:
            last = np.int64(k)
            left -= weights[k]
            if left < 0.0:
                break
    return last


@inlined
def list_ones(legal: np.ndarray, lane: Int, words: Int, moves: np.ndarray) -> np.int64:
    """The moves of a packed row, ascending (moves [K] changed in place): how many."""
    count = np.int64(0)
    for w in range(words):
        word = legal[lane, w]
        while word:
            moves[count] = 64 * w + lowest_bit(word)
            word &= word - np.uint64(1)
            count += 1
    return count


@inlined
def find_one(legal: np.ndarray, lane: Int, words: Int) -> np.int64:
    """The first move of a packed row."""
    w = np.int64(0)
    while w < words - 1 and not legal[lane, w]:
        w += 1
    return 64 * w + lowest_bit(legal[lane, w])


@inlined
def has_choice(legal: np.ndarray, lane: Int, words: Int) -> bool:
    """Whether a packed row has more than one one."""
    found = np.uint64(0)
    for w in range(words):
        word = legal[lane, w]
        if word & (word - np.uint64(1)) or (word and found):
            return True
        found |= word
    return False


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
    trie: Trie, lanes: FleetLanes, legal: np.ndarray, words: Int, role: Int, moves: np.ndarray, inside: np.ndarray
) -> None:
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
            mark_children(trie, node, moves, count, inside)
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
            nodes[lane] = follow(trie, node, moves[index])
        other[lane] /= count
        chance[lane] /= count
        untargeted[lane] /= count
        targeted[lane] *= share


@kernel
def add_infoset(
    table: FleetTable, key: np.uint64, check: np.uint64, moves: np.ndarray, count: Int
) -> tuple[np.int64, bool]:
    """(first slot of an infoset that an earlier lane may have added, whether it is new); -1 where there is no room."""
    place = find_entry(table.entries, key, check)
    slot = first_slot(table.entries, place)
    if slot >= 0:
        return slot, False
    return insert_infoset(table, place, key, check, moves, count), True


@inlined
def match_regrets(slots: np.ndarray, first: Int, count: Int, gamma: float, policy: np.ndarray) -> None:
    """sigma_gamma = gamma / |A(I)| + (1 - gamma) * regret matching (policy [K] changed in place)."""
    total = 0.0
    for k in range(count):
        total += max(slots[first + k, REGRET], 0.0)
    scale = (1.0 - gamma) / total if total > 0.0 else 0.0
    even = (gamma if total > 0.0 else 1.0) / count
    for k in range(count):
        policy[k] = even + scale * max(slots[first + k, REGRET], 0.0)


@kernel
def draw_targeted(
    trie: Trie, node: Int, is_targeted: bool, moves: np.ndarray, count: Int, phi: np.ndarray, inside: np.ndarray,
    rng: np.ndarray, lane: Int,
) -> tuple[np.int64, float]:  # fmt: skip
    """(index, its probability s1' / s1) above a target: `Sample` of line 9, phi [K] normalised on what stays inside."""
    mark_children(trie, node, moves, count, inside)
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
    rule: FleetRule, table: FleetTable, trie: Trie, lanes: FleetLanes, log: FleetLog, used: Int, legal: np.ndarray,
    words: Int, role: Int, alone: bool, checks: np.ndarray, slots: np.ndarray, moves: np.ndarray, policy: np.ndarray,
    phi: np.ndarray, inside: np.ndarray,
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
                nodes[lane] = follow(trie, node, joint[lane, role])
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
                index, share = draw_targeted(trie, node, is_targeted[lane], moves, count, phi, inside, rng, lane)
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
                nodes[lane] = follow(trie, node, moves[index])
            targeted[lane] *= share
            untargeted[lane] *= phi[index]
            if is_own:
                own[lane] *= policy[index]
            else:
                other[lane] *= policy[index]
    return used


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
