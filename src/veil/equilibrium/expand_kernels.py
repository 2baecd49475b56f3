"""Kernels of tree expansion: they count legal moves, number infosets and fork branches.

A *branch* is a state of the level together with the moves that some roles have already chosen in this round: `row` is
the number of the state, `node` the vertex of the tree, `joint` the moves.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import count_ones, kernel, lowest_bit, table_size

ONE = np.uint64(1)
CHANCE = -1


@kernel
def count_moves(legal: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Count the moves of every branch: legal [B, words] packed, row [A] -> [A]."""
    counts = np.zeros(len(row), np.int64)
    for a in range(len(row)):
        counts[a] = count_ones(legal, row[a], 0, legal.shape[1])
    return counts


@kernel
def number_infosets(
    keys: np.ndarray, legal: np.ndarray, row: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Return number the records of branches that have a choice, in the order of their first branch.

    keys [B] of records -> (infoset [A], -1 for branches without a choice; first branch of each infoset; two branches of
    one record whose legal moves differ, -1 if there are none).
    """
    size = table_size(len(row))
    table = np.full(size, -1, np.int64)
    mask = np.uint64(size - 1)
    infoset = np.full(len(row), -1, np.int64)
    first = np.empty(len(row), np.int64)
    found = 0
    for a in range(len(row)):
        key = keys[row[a]]
        at = key & mask  # keys are hashes already
        while table[at] >= 0 and keys[row[table[at]]] != key:
            at = (at + ONE) & mask
        twin = table[at]  # the first branch of this record
        if twin < 0:
            table[at] = a
            if counts[a] > 1:
                infoset[a] = found
                first[found] = a
                found += 1
            continue
        infoset[a] = infoset[twin]
        for w in range(legal.shape[1]):
            if legal[row[a], w] != legal[row[twin], w]:
                return infoset, first[:found], twin, a
    return infoset, first[:found], -1, -1


@kernel
def is_same_for_all(legal: np.ndarray, row: np.ndarray) -> bool:
    """Return whether all branches have the same legal moves."""
    for a in range(1, len(row)):
        for w in range(legal.shape[1]):
            if legal[row[a], w] != legal[row[0], w]:
                return False
    return True


@kernel
def single_moves(legal: np.ndarray, row: np.ndarray, joint: np.ndarray, role: int) -> None:
    """Write the only move of this role in every branch (joint changed in place)."""
    for a in range(len(row)):
        for w in range(legal.shape[1]):
            word = legal[row[a], w]
            if word:
                joint[a, role] = 64 * w + lowest_bit(word)


@kernel
def fork(
    legal: np.ndarray,
    row: np.ndarray,
    node: np.ndarray,
    joint: np.ndarray,
    role: int,
    counts: np.ndarray,
    first_slot: np.ndarray,
    next_node: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Make a branch for every legal move of a role.

    first_slot [A]: the slot of the branch's first move, CHANCE for chance. Branches with a choice get new nodes from
    next_node on; the others keep theirs. Returns (row, node, joint) of the new branches and (parent, slot, move,
    chance_prob) of the new nodes.
    """
    total, grown = counts.sum(), 0
    for count in counts:
        if count > 1:
            grown += count
    new_row, new_node = np.empty(total, np.int64), np.empty(total, np.int32)
    new_joint = np.empty((total, joint.shape[1]), np.int64)
    parent, slot = np.empty(grown, np.int32), np.empty(grown, np.int32)
    move, chance_prob = np.empty(grown, np.int32), np.ones(grown, np.float64)
    at = born = 0
    for a in range(len(row)):
        count, rank = counts[a], 0
        for w in range(legal.shape[1]):
            word = legal[row[a], w]
            while word:
                chosen = 64 * w + lowest_bit(word)
                word &= word - ONE
                new_row[at] = row[a]
                new_node[at] = node[a]
                for other in range(joint.shape[1]):
                    new_joint[at, other] = joint[a, other]
                new_joint[at, role] = chosen
                if count > 1:
                    new_node[at] = next_node + born
                    parent[born], move[born] = node[a], chosen
                    if first_slot[a] == CHANCE:
                        slot[born], chance_prob[born] = CHANCE, 1.0 / count
                    else:
                        slot[born] = first_slot[a] + rank
                    born += 1
                rank += 1
                at += 1
    return new_row, new_node, new_joint, parent, slot, move, chance_prob


@kernel
def depths(parent: np.ndarray) -> np.ndarray:
    """Return [N] the number of edges between the root and every node."""
    depth = np.zeros(len(parent), np.int32)
    for node in range(1, len(parent)):
        depth[node] = depth[parent[node]] + 1
    return depth
