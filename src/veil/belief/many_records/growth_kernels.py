"""Kernels that let the worlds of many records grow by a round, and keep them in a pool."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.belief import judge_some
from veil.belief.many_records.records import UNKNOWN, Frontier, NextFrontier, RecordTable, WorldPool
from veil.belief.many_records.thinning_kernels import draw_by_record, uniform_of_keys
from veil.engine.lanes import (
    Code,
    Int,
    RowLayout,
    begin_hash,
    extend_hash,
    kernel,
    list_joint_moves,
    step_rows,
    table_size,
)

FREE = -1  # marks a free entry of a hash table


class GrowthLimits(NamedTuple):
    """Limits of the growth of beliefs."""

    most: int  # worlds of a record that are kept at most
    at_once: int  # worlds that grow in one pass
    seed: np.uint64


class MergedWorlds(NamedTuple):
    """M distinct worlds, sorted by record."""

    states: np.ndarray  # [M, words]
    weights: np.ndarray  # [M]
    record: np.ndarray  # [M]


@kernel
def grow_portion(
    code: Code,
    layout: RowLayout,
    role: Int,
    table: RecordTable,
    pool: WorldPool,
    missing: np.ndarray,
    begin: Int,
    limits: GrowthLimits,
) -> tuple[WorldPool, Int, np.ndarray, int]:
    """Compute the beliefs of some of the missing records [M], from `begin` on, whose records before are known.

    Returns the pool, which may have grown; the end of the portion; which of these records [D] have no world and are
    still UNKNOWN; and the number of joint moves tested. Table and pool are changed in place.
    """
    end = find_end(table, missing, begin, limits.at_once)
    numbers = missing[begin:end]
    growing = gather_worlds(table, pool, numbers)
    names = table.key[numbers]
    grown, tested = grow_worlds(code, layout, role, growing, names, limits)
    first = np.zeros(len(numbers) + 1, np.int64)
    for i in range(len(grown.record)):
        first[grown.record[i] + 1] += 1
    dead, num_dead = np.empty(len(numbers), np.int64), 0
    for i in range(len(numbers)):
        table.first_world[numbers[i]] = pool.used[0] + first[i]
        table.num_worlds[numbers[i]] = first[i + 1] if first[i + 1] else UNKNOWN
        if first[i + 1] == 0:
            dead[num_dead] = numbers[i]
            num_dead += 1
        first[i + 1] += first[i]
    return append_worlds(pool, grown), end, dead[:num_dead], tested


@kernel
def find_end(table: RecordTable, missing: np.ndarray, begin: Int, at_once: Int) -> Int:
    """Return the end of a portion of the records: records of one round that do not have too many worlds together."""
    end, worlds = begin, np.int64(0)
    while end < len(missing) and table.round[missing[end]] == table.round[missing[begin]]:
        worlds += table.num_worlds[table.before[missing[end]]]
        if end > begin and worlds > at_once:
            break
        end += 1
    return end


@kernel
def gather_worlds(table: RecordTable, pool: WorldPool, numbers: np.ndarray) -> Frontier:
    """Return the worlds of the records before those of `numbers` [S], and how they go on."""
    total = np.int64(0)
    for i in range(len(numbers)):
        total += table.num_worlds[table.before[numbers[i]]]
    states = np.empty((total, pool.states.shape[1]), np.uint64)
    legal = np.empty((total, pool.legal.shape[1]), np.uint64)
    weights, record = np.empty(total), np.empty(total, np.int64)
    row = 0
    for i in range(len(numbers)):
        before = table.before[numbers[i]]
        for world in range(table.first_world[before], table.first_world[before] + table.num_worlds[before]):
            states[row], legal[row] = pool.states[world], pool.legal[world]
            weights[row], record[row] = pool.weights[world], i
            row += 1
    return Frontier(states, legal, weights, record, table.own_move[numbers], table.percepts[numbers])


@kernel
def append_worlds(pool: WorldPool, grown: NextFrontier) -> WorldPool:
    """Append these worlds to the pool; return the pool itself, changed in place, or a larger one."""
    begin, end = pool.used[0], pool.used[0] + len(grown.weights)
    if end > len(pool.weights):
        room = max(end, 2 * len(pool.weights))
        states = np.empty((room, pool.states.shape[1]), np.uint64)
        legal = np.empty((room, pool.legal.shape[1]), np.uint64)
        weights, keys = np.empty(room), np.empty((room, pool.keys.shape[1]), np.uint64)
        states[:begin], legal[:begin] = pool.states[:begin], pool.legal[:begin]
        weights[:begin], keys[:begin] = pool.weights[:begin], pool.keys[:begin]
        pool = WorldPool(states, legal, weights, keys, pool.used)
    pool.states[begin:end], pool.legal[begin:end] = grown.states, grown.legal
    pool.weights[begin:end] = grown.weights
    pool.used[0] = end
    return pool


@kernel
def grow_worlds(
    code: Code, layout: RowLayout, role: Int, growing: Frontier, names: np.ndarray, limits: GrowthLimits
) -> tuple[NextFrontier, int]:
    """Return the worlds one round later, and how many joint moves were tested.

    A world is kept if the role may make its move, sees what it saw, and the game goes on. Equal states of a record are
    one world with the sum of their weights. If a record has too many worlds, or a world too many joint moves, some are
    drawn at random; the name [S] of the record and the seed determine which.
    """
    states, record = growing.states, growing.record
    roles, words = len(layout.legal) - 1, states.shape[1]
    own_moves, rng = np.empty(len(states), np.int64), np.empty(len(states), np.uint64)
    for world in range(len(states)):
        own_moves[world] = growing.own_move[record[world]]
        rng[world] = (names[record[world]] + limits.seed) ^ (np.uint64(world) << np.uint64(32))
    everywhere = np.ones(len(states), np.bool_)
    parent, joints, _ = list_joint_moves(growing.legal, layout.legal, everywhere, role, own_moves, layout.limit, rng)
    following = np.zeros((len(parent), words), np.uint64)
    seen = np.zeros((len(parent), layout.percepts[roles]), np.uint64)
    step_rows(code, layout.width, states, parent, joints, following, seen, layout.percepts[:-1])
    agreeing, tested = find_agreeing(growing, parent, seen, layout.percepts[role : role + 2])
    merged = merge_worlds(growing, following, agreeing, parent, tested)
    legal, over = judge_some(code, layout, merged.states, np.arange(len(merged.weights)))
    return thin_worlds(merged, legal, over, uniform_of_keys(names, limits.seed), limits.most), len(parent)


@kernel
def find_agreeing(
    growing: Frontier, parent: np.ndarray, seen: np.ndarray, columns: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (candidates [A] that have the percepts of their record, candidates per world [N]).

    The percepts stand in columns [columns[0], columns[1]).
    """
    agreeing, count = np.empty(len(parent), np.int64), 0
    tested = np.zeros(len(growing.states), np.int64)
    for candidate in range(len(parent)):
        tested[parent[candidate]] += 1
        record, agrees = growing.record[parent[candidate]], True
        for column in range(columns[0], columns[1]):
            agrees &= seen[candidate, column] == growing.percepts[record, column - columns[0]]
        if agrees:
            agreeing[count] = candidate
            count += 1
    return agreeing[:count], tested


@kernel
def merge_worlds(
    growing: Frontier, following: np.ndarray, agreeing: np.ndarray, parent: np.ndarray, tested: np.ndarray
) -> MergedWorlds:
    """Return the states that the agreeing candidates [A] lead to; equal states of a record are one.

    The weight of a candidate is that of its parent, divided by the number of `tested` candidates of that world.
    """
    words, size = following.shape[1], table_size(len(agreeing))
    table = np.full(size, FREE, np.int64)
    states, of = np.empty((len(agreeing), words), np.uint64), np.empty(len(agreeing), np.int64)
    total, count = np.zeros(len(agreeing)), 0
    for i in range(len(agreeing)):
        row, world = agreeing[i], parent[agreeing[i]]
        record = growing.record[world]
        entry = np.int64(hash_state(following, row, record) & np.uint64(size - 1))
        while table[entry] != FREE and not is_same(states, of, table[entry], following, row, record):
            entry = (entry + 1) & (size - 1)
        if table[entry] == FREE:
            table[entry], of[count] = count, record
            for word in range(words):
                states[count, word] = following[row, word]
            count += 1
        total[table[entry]] += growing.weights[world] / tested[world]
    return MergedWorlds(states[:count], total[:count], of[:count])


@kernel
def thin_worlds(
    merged: MergedWorlds, legal: np.ndarray, over: np.ndarray, uniform: np.ndarray, most: Int
) -> NextFrontier:
    """Return the worlds in which the game goes on, at most `most` of a record; uniform [S] decides which are drawn."""
    going = np.flatnonzero(~over)
    weights, record = merged.weights[going], merged.record[going]
    normalise_records(weights, record)
    index, drawn = draw_by_record(weights, record, most, uniform)
    kept = going[index]
    return NextFrontier(merged.states[kept], legal[kept], drawn, merged.record[kept])


@kernel
def hash_state(states: np.ndarray, row: Int, record: Int) -> np.uint64:
    """Return a hash of a state of a record; equal states of a record have equal hashes."""
    hashed = begin_hash(record)
    for word in range(states.shape[1]):
        hashed = extend_hash(hashed, states[row, word])
    return hashed


@kernel
def is_same(merged: np.ndarray, of: np.ndarray, world: Int, states: np.ndarray, row: Int, record: Int) -> bool:
    """Return whether a known world has this state and belongs to this record."""
    same: bool = of[world] == record
    for word in range(states.shape[1]):
        same &= merged[world, word] == states[row, word]
    return same


@kernel
def normalise_records(weights: np.ndarray, record: np.ndarray) -> None:
    """Scale the weights of each record to the sum 1 (changed in place); record [N] is sorted."""
    begin = 0
    for end in range(1, len(weights) + 1):
        if end == len(weights) or record[end] != record[begin]:
            total = weights[begin:end].sum()
            for i in range(begin, end):
                weights[i] /= total
            begin = end
