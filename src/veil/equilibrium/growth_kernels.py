"""Kernels of trees that grow where play goes: numbers of infosets that persist, and the reach of nodes."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import extend_hash, kernel, row_key

ONE = np.uint64(1)
CHANCE = -1


@kernel
def fill_numbers(table: np.ndarray, names: np.ndarray, count: int) -> None:
    """Enter the first `count` names into an empty hash table (table changed in place)."""
    mask = np.uint64(len(table) - 1)
    for number in range(count):
        at = names[number] & mask
        while table[at] >= 0:
            at = (at + ONE) & mask
        table[at] = number


@kernel
def number_records(
    keys: np.ndarray,
    legal: np.ndarray,
    row: np.ndarray,
    counts: np.ndarray,
    table: np.ndarray,
    names: np.ndarray,
    starts: np.ndarray,
    known: int,
    next_slot: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Find the infosets of branches that have a choice, and number new ones (table, names, starts changed in place).

    A name is the hash of a record and its legal moves. names, starts: of the `known` infosets, with room for one more
    per branch. Returns (first slot of every branch [A], CHANCE without a choice; first branch of each new infoset).
    """
    mask = np.uint64(len(table) - 1)
    first_slot = np.full(len(row), CHANCE, np.int64)
    new = np.empty(len(row), np.int64)
    born = 0
    for a in range(len(row)):
        if counts[a] <= 1:
            continue
        name = extend_hash(keys[row[a]], row_key(legal, row[a], 0, legal.shape[1]))
        at = name & mask
        while table[at] >= 0 and names[table[at]] != name:
            at = (at + ONE) & mask
        infoset = table[at]
        if infoset < 0:
            infoset = known + born
            table[at], names[infoset], starts[infoset] = infoset, name, next_slot
            next_slot += counts[a]
            new[born] = a
            born += 1
        first_slot[a] = starts[infoset]
    return first_slot, new[:born]


@kernel
def reach_nodes(parent: np.ndarray, slot: np.ndarray, chance_prob: np.ndarray, policy: np.ndarray) -> np.ndarray:
    """Return [N] the probability of every node: chance times a policy [S]."""
    reach = np.ones(len(parent))
    for node in range(1, len(parent)):
        edge = chance_prob[node] if slot[node] == CHANCE else policy[slot[node]]
        reach[node] = reach[parent[node]] * edge
    return reach


@kernel
def value_nodes(
    parent: np.ndarray, slot: np.ndarray, chance_prob: np.ndarray, policy: np.ndarray, utility: np.ndarray
) -> np.ndarray:
    """Return [N] the expected payoff from every node on; utility [N] counts at terminals, and is 0 elsewhere."""
    value = utility.copy()
    for node in range(len(parent) - 1, 0, -1):
        edge = chance_prob[node] if slot[node] == CHANCE else policy[slot[node]]
        value[parent[node]] += edge * value[node]
    return value


@kernel
def origins(parent: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return [N] the world that every node lies under, -1 if none; start [W]: the nodes of the worlds."""
    origin = np.full(len(parent), -1, np.int64)
    for world in range(len(start)):
        origin[start[world]] = world
    for node in range(1, len(parent)):
        if origin[node] < 0:
            origin[node] = origin[parent[node]]
    return origin
