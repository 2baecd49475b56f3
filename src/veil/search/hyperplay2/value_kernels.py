"""Kernels that value the moves of many infosets of a role by random playouts from the worlds of their beliefs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.belief.many_records import RecordTable, WorldPool, draw_by_record, uniform_of_keys
from veil.engine.lanes import (
    SPLIT,
    Code,
    Int,
    PlayoutTally,
    RowLayout,
    count_ones,
    find_one,
    kernel,
    lowest_bit,
    play_blocks,
    split_mix,
    step_rows,
)
from veil.search.hyperplay2.records import PlayoutPairs, ValuePool

HIGH, ONE = float(1 << SPLIT), np.uint64(1)
ONLY = np.int64(0)


class PlayoutRules(NamedTuple):
    """The rules of playouts and of their goals."""

    role: int  # the role whose goals count
    chance: int  # the number of `random`; -1 if there is none
    foresight: int  # of all roles in playouts, as in `Machine.playouts`
    discount: float  # of a goal per round
    max_rounds: int  # of a playout


@kernel
def list_pairs(
    table: RecordTable, pool: WorldPool, layout: RowLayout, role: Int, numbers: np.ndarray, budget: np.ndarray,
    seed: np.uint64,
) -> PlayoutPairs:  # fmt: skip
    """Return the playouts to play after these records [S], all of which have worlds.

    budget [2]: at most budget[0] worlds of a record, which are drawn by weight, and budget[1] playouts per world and
    move. A record with fewer worlds has as many playouts in all, which its worlds share.
    """
    models, total = budget[0], np.int64(0)
    for i in range(len(numbers)):
        total += table.num_worlds[numbers[i]]
    rows, weights, owner = np.empty(total, np.int64), np.empty(total), np.empty(total, np.int64)
    count = 0
    for i in range(len(numbers)):
        first = table.first_world[numbers[i]]
        for row in range(first, first + table.num_worlds[numbers[i]]):
            rows[count], weights[count], owner[count] = row, pool.weights[row], i
            count += 1
    index, drawn = draw_by_record(weights, owner, models, uniform_of_keys(table.key[numbers], seed))
    rows, infoset, size = rows[index], owner[index], np.int64(0)
    worlds = np.zeros(len(numbers), np.int64)
    for i in range(len(rows)):
        worlds[infoset[i]] += 1
        size += count_ones(pool.legal, rows[i], layout.legal[role], layout.legal[role + 1])
    world, move, end = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    pair, playouts = 0, np.int64(0)
    for i in range(len(rows)):
        share = -(-models * budget[1] // worlds[infoset[i]])
        for column in range(layout.legal[role], layout.legal[role + 1]):
            word = pool.legal[rows[i], column]
            while word:
                playouts += share
                world[pair], move[pair], end[pair] = i, 64 * (column - layout.legal[role]) + lowest_bit(word), playouts
                word &= word - ONE
                pair += 1
    return PlayoutPairs(infoset, rows, drawn, world, move, end, np.zeros(size))


@kernel
def play_pairs(
    code: Code, layout: RowLayout, rules: PlayoutRules, pool: WorldPool, pairs: PlayoutPairs, begin: Int, end: Int,
    tally: PlayoutTally, rng: np.ndarray,
) -> np.int64:  # fmt: skip
    """Play the playouts [begin, end) of all pairs, and add their goals up in `pairs`; return the states visited.

    The others' moves of the first round are drawn at random. tally has room for as many states; it, pairs.sums and rng
    [1], a state of SplitMix64, are changed in place.
    """
    count, roles = end - begin, len(layout.legal) - 1
    pair, rows = np.empty(count, np.int64), np.empty(count, np.int64)
    joints = np.empty((count, roles), np.int64)
    current = np.searchsorted(pairs.end, begin, side="right")
    for i in range(count):
        while pairs.end[current] <= begin + i:
            current += 1
        pair[i], rows[i] = current, pairs.row[pairs.world[current]]
        for role in range(roles):
            if role == rules.role:
                joints[i, role] = pairs.move[current]
            else:
                joints[i, role] = draw_legal(pool.legal, rows[i], layout.legal[role], layout.legal[role + 1], rng)
    states = np.zeros((count, pool.states.shape[1]), np.uint64)
    seen = np.zeros((count, layout.percepts[roles]), np.uint64)
    step_rows(code, layout.width, pool.states, rows, joints, states, seen, layout.percepts[:-1])
    tally.goal_high_sum[:count], tally.goal_low_sum[:count], tally.length_sum[:count] = 0, 0, 0
    tally.totals[0] = 0
    seed, one = np.empty(2, np.uint64), np.int64(1)
    seed[0], seed[1] = split_mix(rng, ONLY), split_mix(rng, ONLY)
    quota, owner = np.ones(count, np.int64), np.arange(count)
    depth, chance, longest = np.int64(rules.foresight), np.int64(rules.chance), np.int64(rules.max_rounds)
    play_blocks(code, layout.width, states, owner, quota, seed, ONLY, one, longest, tally, depth, chance)
    for i in range(count):
        goal = tally.goal_high_sum[i, rules.role] * HIGH + tally.goal_low_sum[i, rules.role]
        if rules.discount != 1.0:
            goal *= rules.discount ** (1 + tally.length_sum[i])  # the first move is a round
        pairs.sums[pair[i]] += goal
    return np.int64(tally.totals[0]) + count


@kernel
def draw_legal(legal: np.ndarray, row: Int, begin: Int, end: Int, rng: np.ndarray) -> np.int64:
    """Draw a move from packed columns [begin, end) of a row, uniformly (rng [1] changed); 0 if there is none."""
    size = count_ones(legal, row, begin, end)
    if size == 0:
        return np.int64(0)
    return find_one(legal, row, begin, np.int64(split_mix(rng, ONLY) % np.uint64(size)) if size > 1 else np.int64(0))


@kernel
def store_values(
    table: RecordTable, values: ValuePool, pairs: PlayoutPairs, numbers: np.ndarray, num_moves: Int
) -> ValuePool:
    """Store the values (13) of the moves after records [S]; return the pool or a larger one (table changed)."""
    begin = values.used[0]
    if begin + len(pairs.move) > len(values.move):
        room = max(begin + len(pairs.move), 2 * len(values.move))
        move, value, visits = np.empty(room, np.int64), np.empty(room), np.empty(room, np.int64)
        move[:begin], value[:begin] = values.move[:begin], values.value[:begin]
        visits[:begin] = values.visits[:begin]
        values = ValuePool(move, value, visits, values.used)
    totals, played = np.zeros(num_moves), np.zeros(num_moves, np.int64)
    first, before = 0, np.int64(0)
    for i in range(len(numbers)):
        while first < len(pairs.move) and pairs.infoset[pairs.world[first]] == i:
            share = pairs.end[first] - before
            totals[pairs.move[first]] += pairs.weights[pairs.world[first]] * pairs.sums[first] / share
            played[pairs.move[first]] += share
            before = pairs.end[first]
            first += 1
        table.first_value[numbers[i]] = values.used[0]
        for move_id in range(num_moves):
            if played[move_id]:
                place = values.used[0]
                values.move[place], values.value[place] = move_id, totals[move_id]
                values.visits[place] = played[move_id]
                values.used[0] += 1
                totals[move_id], played[move_id] = 0.0, 0
        table.num_values[numbers[i]] = values.used[0] - table.first_value[numbers[i]]
    return values
