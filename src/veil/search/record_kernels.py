"""The kernel that lets the worlds of many records grow by a round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.belief import Shape, judge_some
from veil.engine import Code, Int, kernel, list_joint_moves, step_rows

FREE = -1  # an entry of a hash table


class Growing(NamedTuple):
    """N worlds of S records, sorted by record, and how the records go on."""

    states: np.ndarray  # [N, words]
    weights: np.ndarray  # [N]
    record: np.ndarray  # [N] of a world
    own_move: np.ndarray  # [S]
    percepts: np.ndarray  # [S, words]


@kernel
def grow_worlds(
    code: Code, shape: Shape, role: Int, growing: Growing, seeds: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """The worlds one round on: (states [M, words], weights [M], record [M], joint moves tested).

    Only where the role may do what it did, sees what it saw, and the game goes on. Equal states of a record are one
    world with all their weight; weights of a record add up to 1. seeds [S] say what is drawn of too many moves.
    """
    states, record = growing.states, growing.record
    roles, words = len(shape.legal) - 1, states.shape[1]
    own_moves, rng = np.empty(len(states), np.int64), np.empty(len(states), np.uint64)
    for world in range(len(states)):
        own_moves[world] = growing.own_move[record[world]]
        rng[world] = seeds[record[world]] ^ (np.uint64(world) << np.uint64(32))
    legal, ended = judge_some(code, shape, states, np.arange(len(states)))
    parent, joints, _ = list_joint_moves(legal, shape.legal, ~ended, role, own_moves, shape.limit, rng)
    following = np.zeros((len(parent), words), np.uint64)
    seen = np.zeros((len(parent), shape.percepts[roles]), np.uint64)
    step_rows(code, shape.width, states, parent, joints, following, seen, shape.percepts[:-1])
    agreeing, tested = find_agreeing(growing, parent, seen, shape.percepts[role])
    _, over = judge_some(code, shape, following, agreeing)
    goes_on = agreeing[~over]
    weights = np.empty(len(goes_on))
    for i in range(len(goes_on)):
        weights[i] = growing.weights[parent[goes_on[i]]] / tested[parent[goes_on[i]]]
    grown, merged, of = merge_worlds(following, goes_on, weights, record[parent[goes_on]])
    return grown, merged, of, len(parent)


@kernel
def find_agreeing(growing: Growing, parent: np.ndarray, seen: np.ndarray, column: Int) -> tuple[np.ndarray, np.ndarray]:
    """(candidates [A] whose percepts are those of their record, candidates per world [N])."""
    agreeing, count = np.empty(len(parent), np.int64), 0
    tested = np.zeros(len(growing.states), np.int64)
    for candidate in range(len(parent)):
        tested[parent[candidate]] += 1
        record, agrees = growing.record[parent[candidate]], True
        for word in range(growing.percepts.shape[1]):
            agrees &= seen[candidate, column + word] == growing.percepts[record, word]
        if agrees:
            agreeing[count] = candidate
            count += 1
    return agreeing[:count], tested


@kernel
def merge_worlds(
    states: np.ndarray, index: np.ndarray, weights: np.ndarray, record: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(states [M, words], weights [M], record [M]): equal ones of a record among states[index] are one.

    record [N] is sorted, and stays so; the weights of a record add up to 1.
    """
    words, size = states.shape[1], 4
    while size < 2 * len(index):
        size *= 2
    table = np.full(size, FREE, np.int64)
    merged, of = np.empty((len(index), words), np.uint64), np.empty(len(index), np.int64)
    total, count = np.zeros(len(index)), 0
    for i in range(len(index)):
        entry = np.int64(hash_state(states, index[i], record[i]) & np.uint64(size - 1))
        while table[entry] != FREE and not is_same(merged, of, table[entry], states, index[i], record[i]):
            entry = (entry + 1) & (size - 1)
        if table[entry] == FREE:
            table[entry], of[count] = count, record[i]
            for word in range(words):
                merged[count, word] = states[index[i], word]
            count += 1
        total[table[entry]] += weights[i]
    normalise_records(total[:count], of[:count])
    return merged[:count], total[:count], of[:count]


@kernel
def hash_state(states: np.ndarray, row: Int, record: Int) -> np.uint64:
    """A number for a state of a record; equal for equal ones."""
    mixed = np.uint64(record) * np.uint64(0x9E3779B97F4A7C15)
    for word in range(states.shape[1]):
        mixed = (mixed ^ states[row, word]) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
    return mixed


@kernel
def is_same(merged: np.ndarray, of: np.ndarray, world: Int, states: np.ndarray, row: Int, record: Int) -> bool:
    """Whether a world that is known already has this state, and is of this record."""
    same: bool = of[world] == record
    for word in range(states.shape[1]):
        same &= merged[world, word] == states[row, word]
    return same


@kernel
def normalise_records(weights: np.ndarray, record: np.ndarray) -> None:
    """Weights of a record add up to 1 (changed in place); record [N] is sorted."""
    begin = 0
    for end in range(1, len(weights) + 1):
        if end == len(weights) or record[end] != record[begin]:
            total = weights[begin:end].sum()
            for i in range(begin, end):
                weights[i] /= total
            begin = end
