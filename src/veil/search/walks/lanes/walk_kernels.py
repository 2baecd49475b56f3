"""Kernels that walk in lanes: a batch of walks, 256 lanes at a time, and what the table learns from it.

1. Every lane begins a walk: at the root, or in a world of a belief.
2. All lanes go a round at a time: judge; the roles choose in serial order, in the lanes that are in the tree; step. A
   lane that has left the tree is played on uniformly by the machine itself, all such lanes in one pass.
3. A lane whose game ends begins its next walk, until it has made its share. Lane l of L makes the walks l, l + L, l +
   2 L, ... of the batch, so that short games are not counted more often than long ones.
4. When all walks of the batch have ended, `learn_regrets` or `learn_payoffs` goes through them.

Regrets do not change within a batch: all its walks follow the same profile, and are independent samples of it.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import (
    Code,
    Int,
    advance_block,
    borrowing,
    change_starts,
    count_bits,
    draw_unit,
    extend_key,
    find_choices,
    judge_block,
    kernel,
    list_lanes,
    lowest_bit,
    new_values,
    open_block,
    put_moves,
    read_goals,
    read_legal,
    read_only_moves,
    read_percepts,
    row_key,
    seed_block,
    step_block,
)
from veil.search.walks.lanes.allocation_kernels import grow_log, new_ends, new_lanes, new_log, new_scratch
from veil.search.walks.lanes.bandit_kernels import choose_by_bandit
from veil.search.walks.lanes.choice_kernels import choose_by_regret, choose_chance, follow_all, locate_infosets
from veil.search.walks.lanes.learning_kernels import learn_payoffs, learn_regrets
from veil.search.walks.lanes.records import (
    BELOW,
    DONE,
    NEXT_LOOK,
    NOW,
    STATES,
    USED,
    LaneBlock,
    LaneEnds,
    LaneLog,
    LaneScratch,
    LaneShape,
    LaneStarts,
    LaneTable,
    LaneTarget,
    WalkLanes,
)
from veil.search.walks.numbers import OOS, WalkNumbers

ONE, ZERO = np.uint64(1), np.uint64(0)


@kernel
def run_batch(
    code: Code, shape: LaneShape, rule: WalkNumbers, table: LaneTable, target: LaneTarget, starts: LaneStarts,
    most_lanes: Int, seed: np.ndarray,
) -> np.int64:  # fmt: skip
    """Walk from every chosen start, and learn from the walks (table changed); return the states visited. seed [3]."""
    walks = np.int64(len(starts.chosen))
    count = min(np.int64(most_lanes), walks)
    lanes, scratch = new_lanes(shape, count, seed[2]), new_scratch(shape, count)
    ends, log = new_ends(walks, len(shape.order)), new_log(np.int64(4096))
    v, rng = new_values(code, shape.width), np.empty((4, shape.width), np.uint64)
    block = LaneBlock(v, np.zeros((1 + code.num_fluents, shape.width), np.uint64), rng, np.zeros(5, np.int64))
    seed_block(seed[:2], np.int64(0), rng)
    for lane in range(count):
        lanes.start[lane] = starts.chosen[lane]
    open_block(code, v, block.start, starts.states, lanes.start)
    begin_walks(shape, rule, target, starts, lanes, lanes.alive, np.int64(0))
    block.counts[NEXT_LOOK] = rule.max_rounds
    while block.counts[DONE] < walks:
        walk_on(code, shape, rule, table, target, starts, lanes, log, ends, scratch, block)
        if block.counts[DONE] < walks:
            log = grow_log(log, block.counts[USED])
    if rule.kind == OOS:
        learn_regrets(table.slots, log, ends)
    else:
        learn_payoffs(rule.kind, table.slots, log, ends)
    return np.int64(block.counts[STATES])


@borrowing
def walk_on(
    code: Code, shape: LaneShape, rule: WalkNumbers, table: LaneTable, target: LaneTarget, starts: LaneStarts,
    lanes: WalkLanes, log: LaneLog, ends: LaneEnds, scratch: LaneScratch, block: LaneBlock,
) -> None:  # fmt: skip
    """Walk round after round until all walks have ended, or the log may have no room for another round.

    Everything is changed but `code`, `shape`, `rule`, `target` and `starts`.
    """
    v, over, alive, counts = block.v, lanes.over, lanes.alive, block.counts
    walks, per_round = len(ends.last), len(lanes.node) * len(shape.players)
    while counts[DONE] < walks and counts[USED] + per_round <= len(log.slot):
        judge_block(code, v, block.rng, over)
        if counts[NOW] == counts[NEXT_LOOK]:
            counts[NEXT_LOOK] = cut_long_walks(lanes, rule.max_rounds, counts[NOW], over)
        is_any_over = False
        for w in range(shape.width):
            over[w] &= alive[w]
            counts[STATES] += count_bits(alive[w] & ~over[w])
            is_any_over |= over[w] != ZERO
        if is_any_over:
            counts[DONE] = end_walks(code, shape, rule, v, lanes, ends, counts[DONE])
        counts[USED] = choose_moves(code, shape, rule, table, target, lanes, v, log, scratch, counts[USED])
        is_in_tree = False
        for w in range(shape.width):
            is_in_tree |= lanes.tree[w] != ZERO
        step_block(code, v, is_in_tree)
        if is_in_tree:
            grow_records(code, shape, v, lanes, scratch)
        counts[NOW] += 1
        if is_any_over:
            plan_next_walks(code, starts, lanes, block.start, scratch.square)
        advance_block(code, v, block.start, over)
        if is_any_over:
            begin_walks(shape, rule, target, starts, lanes, over, counts[NOW])


@borrowing
def begin_walks(
    shape: LaneShape, rule: WalkNumbers, target: LaneTarget, starts: LaneStarts, lanes: WalkLanes,
    which: np.ndarray, now: Int,
) -> None:  # fmt: skip
    """Begin walks in the lanes in `which` [W] (lanes changed in place).

    A walk is OOS(root, 1, 1, 1 / w_T, 1 / w_T, i); its scenario is drawn.
    """
    keys, start_keys, start, tree = lanes.keys, starts.keys, lanes.start, lanes.tree
    begun, last, updated, node, walk = lanes.begun, lanes.last, lanes.updated, lanes.node, lanes.walk
    own, other, chance, targeted, untargeted = lanes.own, lanes.other, lanes.chance, lanes.targeted, lanes.untargeted
    is_targeted, rng, players = lanes.is_targeted, lanes.rng, shape.players
    first = 0 if target.first_child[0] >= 0 or len(target.path) > 0 else BELOW
    delta, reach = rule.delta, 1.0 / rule.weight
    for w in range(len(which)):
        word = which[w]
        tree[w] |= word
        while word:
            lane = 64 * w + lowest_bit(word)
            word &= word - ONE
            for role in range(keys.shape[1]):
                keys[lane, role] = start_keys[start[lane], role]
            begun[lane], last[lane], node[lane] = now, -1, first
            updated[lane] = players[walk[lane] % len(players)]
            is_targeted[lane] = delta > 0.0 and draw_unit(rng, lane) < delta
            own[lane] = other[lane] = chance[lane] = 1.0
            targeted[lane] = untargeted[lane] = reach


@borrowing
def plan_next_walks(
    code: Code, starts: LaneStarts, lanes: WalkLanes, start: np.ndarray, square: np.ndarray
) -> None:  # fmt: skip
    """Give the lanes in `over`, which have made a walk, their next start (lanes and start [1 + F, W] changed).

    Lanes that have made all their walks are no longer alive; the others stay in `over`.
    """
    over, alive, walk, chosen, walks = lanes.over, lanes.alive, lanes.walk, starts.chosen, len(starts.chosen)
    for w in range(len(over)):
        word = over[w]
        while word:
            bit = lowest_bit(word)
            word &= word - ONE
            lane = 64 * w + bit
            walk[lane] += len(walk)
            if walk[lane] < walks:
                lanes.start[lane] = chosen[walk[lane]]
            else:
                alive[w] &= ~(ONE << np.uint64(bit))
        over[w] &= alive[w]
    if len(starts.states) > 1:
        change_starts(code, start, over, starts.states, lanes.start, square)


@borrowing
def cut_long_walks(lanes: WalkLanes, max_rounds: Int, now: Int, over: np.ndarray) -> np.int64:
    """End walks that have had `max_rounds` rounds where they stand (over [W] changed); return when to look again."""
    next_look = now + max_rounds
    for lane in range(len(lanes.begun)):
        if now - lanes.begun[lane] >= max_rounds:
            over[lane // 64] |= ONE << np.uint64(lane % 64)
        else:
            next_look = min(next_look, lanes.begun[lane] + max_rounds)
    return np.int64(next_look)


@borrowing
def end_walks(
    code: Code, shape: LaneShape, rule: WalkNumbers, v: np.ndarray, lanes: WalkLanes, ends: LaneEnds, done: Int
) -> np.int64:
    """Note how the walks in `over` ended (ends and lanes changed); return how many walks have ended so far."""
    over, tree, last, updated, chance = lanes.over, lanes.tree, lanes.last, lanes.updated, lanes.chance
    targeted, untargeted, leaf_reach = lanes.targeted, lanes.untargeted, lanes.leaf_reach
    end_last, end_updated, end_reach, end_chance = ends.last, ends.updated, ends.leaf_reach, ends.chance
    delta, before, done = rule.delta, np.int64(done), np.int64(done)
    for w in range(len(over)):
        word = over[w]
        while word:
            bit = lowest_bit(word)
            word &= word - ONE
            lane = 64 * w + bit
            if (tree[w] >> np.uint64(bit)) & ONE:
                leaf_reach[lane] = delta * targeted[lane] + (1.0 - delta) * untargeted[lane]
            end_last[done], end_updated[done] = last[lane], updated[lane]
            end_reach[done], end_chance[done] = leaf_reach[lane], chance[lane]
            done += 1
        tree[w] &= ~over[w]
    for role in range(len(shape.order)):
        read_goals(code, v, role, over, ends.payoff[before:done, role])
        for walk in range(before, done):
            ends.payoff[walk, role] = (ends.payoff[walk, role] - shape.centre[role]) / shape.half[role]
    return done


@borrowing
def choose_moves(
    code: Code, shape: LaneShape, rule: WalkNumbers, table: LaneTable, target: LaneTarget, lanes: WalkLanes,
    v: np.ndarray, log: LaneLog, scratch: LaneScratch, used: Int,
) -> np.int64:  # fmt: skip
    """Choose the moves of all roles in the lanes of the tree (table, lanes, v, log changed); return log entries used.

    If a role has one legal move, or if chance moves and no target has to be followed, the machine has drawn the move.
    """
    several, forced, legal = scratch.several, scratch.forced, scratch.legal
    leads = rule.kind == OOS and (target.first_child[0] >= 0 or len(target.path) > 0)
    used = np.int64(used)
    for role in shape.order:
        if role == shape.chance and rule.kind != OOS:
            continue
        has_choice, words = find_choices(code, v, role, lanes.tree, several), shape.move_words[role]
        for w in range(shape.width):
            forced[w] = lanes.tree[w] & ~several[w]
        if role != shape.chance or leads:
            read_only_moves(code, v, role, forced, lanes.joint)
        if leads:
            follow_all(target, lanes, forced, role)
        if not has_choice:
            continue
        read_legal(code, v, role, several, legal, scratch.square)
        count = list_lanes(several, scratch.lanes)
        if role == shape.chance:
            choose_chance(target, lanes, scratch, count, words, role)
        else:
            locate_infosets(table, lanes, scratch, count, words, role, rule.observer)
            if rule.kind == OOS:
                alone = len(shape.players) == 1
                used = choose_by_regret(rule, table, target, lanes, log, used, scratch, count, words, role, alone)
            else:
                used = choose_by_bandit(rule, table, lanes, log, used, scratch, count, words, role)
        put_moves(code, v, role, several, lanes.joint)
    return used


@borrowing
def grow_records(code: Code, shape: LaneShape, v: np.ndarray, lanes: WalkLanes, scratch: LaneScratch) -> None:
    """Extend every role's record by a round, in the lanes of the tree (lanes changed in place)."""
    keys, joint, percepts = lanes.keys, lanes.joint, scratch.percepts
    count = list_lanes(lanes.tree, scratch.lanes)
    for role in shape.players:
        words = shape.percept_words[role]
        read_percepts(code, v, role, lanes.tree, percepts, scratch.square)
        for place in range(count):
            lane = scratch.lanes[place]
            seen = row_key(percepts, lane, np.int64(0), words)
            keys[lane, role] = extend_key(keys[lane, role], joint[lane, role], seen)
