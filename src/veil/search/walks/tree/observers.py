"""The single observer of ISMCTS: all statistics by what the searching role was told (Cowling et al. 2012).

1. Nodes where the searching role moves keep the slots of their infoset.
2. Nodes where another role moves are grouped by the mover and the record of the searching role at the start of the
   round. A group has a slot for every move that some of its nodes have.
"""

from __future__ import annotations

import numpy as np

from veil.search.walks.tree.records import FIRST_SLOT, MOVER, WalkTables, WalkTree
from veil.search.walks.tree.search_tree import SearchTree


def single_observer_view(tree: SearchTree, role: int) -> tuple[WalkTree, WalkTables]:
    """Return the tree with the slots of a single observer, and empty tables for them. Own slots stay the same."""
    walk_tree, parent = tree.walk_tree, tree.flat.parent
    record = find_records(tree, role)
    nodes, slot = walk_tree.nodes.copy(), walk_tree.slot.copy()
    edges = np.flatnonzero((slot >= 0) & (walk_tree.nodes[parent, MOVER] != role))
    above = parent[edges]
    group = np.unique(np.stack([record[above], walk_tree.nodes[above, MOVER]]), axis=1, return_inverse=True)[1]
    pair = np.stack([group.reshape(-1), tree.flat.move[edges]])
    pairs, place = np.unique(pair, axis=1, return_inverse=True)  # sorted: the slots of a group stand side by side
    shift = tree.flat.num_slots
    slot[edges] = shift + place.reshape(-1)
    first = np.searchsorted(pairs[0], group.reshape(-1))
    nodes[above, FIRST_SLOT] = shift + first
    slots = shift + pairs.shape[1]
    tables = WalkTables(np.zeros((slots, 4)), np.zeros(slots, np.bool_), np.zeros(slots))
    return walk_tree._replace(nodes=nodes, slot=slot), tables


def find_records(tree: SearchTree, role: int) -> np.ndarray:
    """Return the number [N] of a role's record at the start of the round in which a node's mover moves."""
    role_id, parent = tree.role_ids[role], tree.flat.parent
    keys = np.zeros(len(parent), np.uint64)
    has_key = np.zeros(len(parent), np.bool_)
    has_key[0] = True
    for played in tree.rounds:  # a node that rounds without a choice pass through gets the record of the last of them
        keys[played.node], has_key[played.node] = played.keys[role_id], True
    missing = np.flatnonzero(~has_key)  # another role has moved before in the same round
    while len(missing):
        ready = missing[has_key[parent[missing]]]
        keys[ready], has_key[ready] = keys[parent[ready]], True
        missing = missing[~has_key[missing]]
    numbers: np.ndarray = np.unique(keys, return_inverse=True)[1]
    return numbers
