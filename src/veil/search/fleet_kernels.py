"""Kernels that walk in fleets: a batch of walks, 256 lanes at a time, and what the table learns from it.

1. Every lane begins a walk: at the root, or in a world of a belief.
2. All lanes go a round at a time: judge; the roles choose in serial order, in the lanes that are in the tree; step.
   A lane that has left the tree is played on uniformly by the machine itself, all such lanes in one pass.
3. A lane whose game ends begins its next walk, until it has made its share.
4. When all walks of the batch have ended, `learn_regrets` or `learn_payoffs` goes through them.

Regrets do not change within a batch: all its walks follow the same profile, and are independent samples of it.
"""

from __future__ import annotations

import numpy as np

from veil.engine import (
    Code,
    Int,
    advance_block,
    count_bits,
    extend_key,
    judge_block,
    kernel,
    lowest_bit,
    new_values,
    open_block,
    put_moves,
    read_goals,
    read_legal,
    read_percepts,
    row_key,
    seed_block,
    split_mix,
    step_block,
)
from veil.search.fleet_bandit_kernels import choose_by_bandit
from veil.search.fleet_choice_kernels import choose_by_regret, choose_chance, locate_infosets
from veil.search.fleet_draw_kernels import FORCED, draw_unit
from veil.search.fleet_records import (
    BELOW,
    OOS,
    REGRET,
    RM,
    TOTAL,
    UNDERWAY,
    VISITS,
    FleetEnds,
    FleetLanes,
    FleetLog,
    FleetRule,
    FleetShape,
    FleetStarts,
    FleetTable,
    FleetTarget,
)

ONE, ZERO = np.uint64(1), np.uint64(0)


@kernel
def run_batch(
    code: Code, shape: FleetShape, rule: FleetRule, table: FleetTable, target: FleetTarget, starts: FleetStarts,
    quota: np.ndarray, seed: np.ndarray,
) -> np.int64:  # fmt: skip
    """quota [L] walks in each lane, and what is learnt from them (table changed): states visited. seed [3]."""
    lanes, log = new_lanes(shape, quota, seed[2]), new_log(np.int64(4096))
    walks = np.int64(quota.sum())
    ends, done, used = new_ends(walks, len(shape.order)), np.int64(0), np.int64(0)
    v, rng = new_values(code, shape.width), np.empty((4, shape.width), np.uint64)
    start = np.zeros((1 + code.num_fluents, shape.width), np.uint64)
    seed_block(seed[:2], np.int64(0), rng)
    open_block(code, v, start, starts.states, starts.chosen)
    over, alive = np.zeros(shape.width, np.uint64), np.zeros(shape.width, np.uint64)
    for lane in range(len(quota)):
        alive[lane // 64] |= ONE << np.uint64(lane % 64)
    begun = begin_walks(shape, rule, target, starts, lanes, alive, np.int64(0), np.int64(0))
    now, next_look, states = np.int64(0), np.int64(rule.max_rounds), np.int64(0)
    while done < walks:
        judge_block(code, v, rng, over)
        if now == next_look:
            next_look = cut_long_walks(lanes, rule.max_rounds, now, over)
        for w in range(shape.width):
            over[w] &= alive[w]
            states += count_bits(alive[w] & ~over[w])
        done = end_walks(code, shape, rule, v, over, lanes, ends, done)
        used, log = choose_moves(code, shape, rule, table, target, lanes, v, log, used)
        is_any = bool(lanes.is_in_tree.any())
        step_block(code, v, is_any)
        if is_any:
            grow_records(code, shape, v, lanes)
        advance_block(code, v, start, over)
        now += 1
        drop_finished(lanes.left, over, alive)
        for w in range(shape.width):
            over[w] &= alive[w]
        begun = begin_walks(shape, rule, target, starts, lanes, over, begun, now)
    if rule.kind == OOS:
        learn_regrets(table.slots, log, ends)
    else:
        learn_payoffs(rule.kind, table.slots, log, ends)
    return states


@kernel
def new_lanes(shape: FleetShape, quota: np.ndarray, seed: np.uint64) -> FleetLanes:
    """Lanes that have not begun; each has random numbers of its own."""
    count, roles = len(quota), len(shape.order)
    chain, rng = np.full(1, seed), np.empty(count, np.uint64)
    for lane in range(count):
        rng[lane] = split_mix(chain, np.int64(0))
    number = np.zeros(count, np.int64)
    return FleetLanes(
        np.zeros(count, np.bool_), np.zeros((count, roles), np.uint64), np.zeros((count, roles), np.int64), rng,
        number.copy(), np.zeros(count, np.bool_), number.copy(), np.ones(count), np.ones(count), np.ones(count),
        np.ones(count), np.ones(count), np.ones(count), number.copy(), quota.copy(), number.copy(),
    )  # fmt: skip


@kernel
def new_log(size: Int) -> FleetLog:
    """A log with room for so many entries."""
    return FleetLog(
        np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int32), np.empty(size, np.int32),
        np.empty(size, np.int32), np.empty(size), np.empty(size), np.empty(size),
    )  # fmt: skip


@kernel
def grow_log(log: FleetLog, used: Int) -> FleetLog:
    """The same entries with room for twice as many."""
    longer = new_log(np.int64(2 * len(log.slot)))
    longer.before[:used], longer.slot[:used], longer.num_moves[:used] = (
        log.before[:used],
        log.slot[:used],
        log.num_moves[:used],
    )
    longer.chosen[:used], longer.role[:used] = log.chosen[:used], log.role[:used]
    longer.other[:used], longer.policy[:used] = log.other[:used], log.policy[:used]
    longer.chance[:used] = log.chance[:used]
    return longer


@kernel
def new_ends(walks: Int, roles: Int) -> FleetEnds:
    """Room for the ends of so many walks."""
    return FleetEnds(
        np.empty(walks, np.int64), np.empty(walks, np.int64), np.empty(walks), np.empty(walks), np.empty((walks, roles))
    )


@kernel
def begin_walks(
    shape: FleetShape, rule: FleetRule, target: FleetTarget, starts: FleetStarts, lanes: FleetLanes, which: np.ndarray,
    number: Int, now: Int,
) -> np.int64:  # fmt: skip
    """The lanes in `which` [W] begin walk `number` of the batch and those after it (lanes changed): the next number.

    A walk is OOS(root, 1, 1, 1 / w_T, 1 / w_T, i); its scenario is drawn.
    """
    keys, start_keys, index = lanes.keys, starts.keys, starts.chosen
    is_in_tree, begun, last, updated, node = lanes.is_in_tree, lanes.begun, lanes.last, lanes.updated, lanes.node
    own, other, chance, targeted, untargeted = lanes.own, lanes.other, lanes.chance, lanes.targeted, lanes.untargeted
    is_targeted, rng, players = lanes.is_targeted, lanes.rng, shape.players
    first = 0 if target.first_child[0] >= 0 or len(target.path) > 0 else BELOW
    delta, reach, number = rule.delta, 1.0 / rule.weight, np.int64(number)
    for w in range(len(which)):
        word = which[w]
        while word:
            lane = 64 * w + lowest_bit(word)
            word &= word - ONE
            for role in range(keys.shape[1]):
                keys[lane, role] = start_keys[index[lane], role]
            is_in_tree[lane], begun[lane], last[lane] = True, now, -1
            updated[lane], node[lane] = players[number % len(players)], first
            is_targeted[lane] = draw_unit(rng, lane) < delta
            own[lane] = other[lane] = chance[lane] = 1.0
            targeted[lane] = untargeted[lane] = reach
            number += 1
    return number


@kernel
def drop_finished(left: np.ndarray, over: np.ndarray, alive: np.ndarray) -> None:
    """The lanes in `over` [W] have made a walk; those that have made all are alive no more (left, alive changed)."""
    for w in range(len(over)):
        word = over[w]
        while word:
            bit = lowest_bit(word)
            word &= word - ONE
            left[64 * w + bit] -= 1
            if left[64 * w + bit] == 0:
                alive[w] &= ~(ONE << np.uint64(bit))


@kernel
def cut_long_walks(lanes: FleetLanes, max_rounds: Int, now: Int, over: np.ndarray) -> np.int64:
    """Walks that have had their rounds are over where they stand (over [W] changed): when to look again."""
    next_look = now + max_rounds
    for lane in range(len(lanes.begun)):
        if now - lanes.begun[lane] >= max_rounds:
            over[lane // 64] |= ONE << np.uint64(lane % 64)
        else:
            next_look = min(next_look, lanes.begun[lane] + max_rounds)
    return np.int64(next_look)


@kernel
def end_walks(
    code: Code, shape: FleetShape, rule: FleetRule, v: np.ndarray, over: np.ndarray, lanes: FleetLanes,
    ends: FleetEnds, done: Int,
) -> np.int64:  # fmt: skip
    """Note how the walks in `over` [W] ended (ends and lanes changed): walks that have ended so far."""
    is_in_tree, last, updated, chance = lanes.is_in_tree, lanes.last, lanes.updated, lanes.chance
    targeted, untargeted, leaf_reach = lanes.targeted, lanes.untargeted, lanes.leaf_reach
    end_last, end_updated, end_reach, end_chance = ends.last, ends.updated, ends.leaf_reach, ends.chance
    delta, before, done = rule.delta, np.int64(done), np.int64(done)
    for w in range(len(over)):
        word = over[w]
        while word:
            lane = 64 * w + lowest_bit(word)
            word &= word - ONE
            if is_in_tree[lane]:
                leaf_reach[lane] = delta * targeted[lane] + (1.0 - delta) * untargeted[lane]
            is_in_tree[lane] = False
            end_last[done], end_updated[done] = last[lane], updated[lane]
            end_reach[done], end_chance[done] = leaf_reach[lane], chance[lane]
            done += 1
    for role in range(len(shape.order)):
        read_goals(code, v, role, over, ends.payoff[before:done, role])
        for walk in range(before, done):
            ends.payoff[walk, role] = (ends.payoff[walk, role] - shape.centre[role]) / shape.half[role]
    return done


@kernel
def choose_moves(
    code: Code, shape: FleetShape, rule: FleetRule, table: FleetTable, target: FleetTarget, lanes: FleetLanes,
    v: np.ndarray, log: FleetLog, used: Int,
) -> tuple[np.int64, FleetLog]:  # fmt: skip
    """The moves of all roles in the lanes of the tree (table, lanes, v changed): (entries of the log in use, log)."""
    count, most = len(lanes.node), shape.most_moves
    legal = np.empty((count, shape.move_words.max()), np.uint64)
    checks, slots = np.zeros(count, np.uint64), np.empty(count, np.int64)
    moves, policy, phi = np.empty(most, np.int64), np.empty(most), np.empty(most)
    inside, steered = np.empty(most, np.bool_), np.zeros(shape.width, np.uint64)
    used = np.int64(used)
    for role in shape.order:
        is_any = False
        for w in range(shape.width):
            steered[w] = ZERO
        for lane in range(count):
            if lanes.is_in_tree[lane]:
                steered[lane // 64] |= ONE << np.uint64(lane % 64)
                is_any = True
        if not is_any:
            return used, log
        if used + count > len(log.slot):
            log = grow_log(log, used)
        read_legal(code, v, role, legal)
        words = shape.move_words[role]
        if role == shape.chance:
            choose_chance(target, lanes, legal, words, role, moves, inside)
        else:
            locate_infosets(table, lanes, legal, words, role, rule.observer, checks, slots)
            if rule.kind == OOS:
                used = choose_by_regret(
                    rule, table, target, lanes, log, used, legal, words, role, len(shape.players) == 1, checks, slots,
                    moves, policy, phi, inside,
                )  # fmt: skip
            else:
                used = choose_by_bandit(rule, table, lanes, log, used, legal, words, role, checks, slots, moves, policy)
            for lane in range(count):
                if slots[lane] == FORCED:  # the machine has drawn that move
                    steered[lane // 64] &= ~(ONE << np.uint64(lane % 64))
        put_moves(code, v, role, steered, lanes.joint)
    return used, log


@kernel
def grow_records(code: Code, shape: FleetShape, v: np.ndarray, lanes: FleetLanes) -> None:
    """Every role's record grows by a round, in the lanes of the tree (lanes changed in place)."""
    is_in_tree, keys, joint = lanes.is_in_tree, lanes.keys, lanes.joint
    percepts = np.zeros((len(is_in_tree), shape.percept_words.max()), np.uint64)  # a role may have none at all
    for role in shape.players:
        read_percepts(code, v, role, percepts)
        words = shape.percept_words[role]
        for lane in range(len(is_in_tree)):
            if is_in_tree[lane]:
                seen = row_key(percepts, lane, np.int64(0), words)
                keys[lane, role] = extend_key(keys[lane, role], joint[lane, role], seen)


@kernel
def learn_regrets(slots: np.ndarray, log: FleetLog, ends: FleetEnds) -> None:
    """Lines 19 to 27 of Algorithm 1, walk by walk, from the last step up (slots changed in place)."""
    log_before, log_slot, log_count, log_chosen, log_role = log.before, log.slot, log.num_moves, log.chosen, log.role
    log_policy, payoffs, lasts = log.policy, ends.payoff, ends.last
    log_other, log_chance = log.other, log.chance
    for walk in range(len(lasts)):
        entry, updated = lasts[walk], ends.updated[walk]
        value = payoffs[walk, updated] * ends.chance[walk] / ends.leaf_reach[walk]  # u x / l, with all of chance
        while entry >= 0:
            first, chosen, role = log_slot[entry], log_slot[entry] + log_chosen[entry], log_role[entry]
            if role == updated:
                gain = value * log_other[entry] / log_chance[entry]  # c W
                for slot in range(first, first + log_count[entry]):
                    slots[slot, REGRET] -= gain * log_policy[entry]
                slots[chosen, REGRET] += gain
            slots[chosen, VISITS] += 1.0
            slots[chosen, TOTAL] += payoffs[walk, role]
            value *= log_policy[entry]
            entry = log_before[entry]


@kernel
def learn_payoffs(kind: Int, slots: np.ndarray, log: FleetLog, ends: FleetEnds) -> None:
    """Every infoset of the table that a walk has passed learns the payoff of its mover (slots changed in place)."""
    log_before, log_slot, log_count, log_chosen, log_role = log.before, log.slot, log.num_moves, log.chosen, log.role
    log_policy, payoffs, lasts = log.policy, ends.payoff, ends.last
    for walk in range(len(lasts)):
        entry = lasts[walk]
        while entry >= 0:
            first, chosen = log_slot[entry], log_slot[entry] + log_chosen[entry]
            payoff = payoffs[walk, log_role[entry]]
            if kind == RM:
                for slot in range(first, first + log_count[entry]):
                    slots[slot, REGRET] -= payoff
                slots[chosen, REGRET] += payoff / log_policy[entry]
            else:
                slots[chosen, UNDERWAY] -= 1.0
            slots[chosen, VISITS] += 1.0
            slots[chosen, TOTAL] += payoff
            entry = log_before[entry]
