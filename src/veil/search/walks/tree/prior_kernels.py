"""The kernel of a prior policy: how likely the infosets of a tree are under a policy."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, kernel
from veil.search.walks.tree.records import FIRST_SLOT, MOVER, WalkTree


@kernel
def find_infoset_reaches(
    tree: WalkTree, parent: np.ndarray, infoset: np.ndarray, policy: np.ndarray, count: Int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return own, other, chance [count]: reaches of an infoset by its mover alone, by all others, by chance alone.

    policy [S] says how all roles play; infoset [N] is that of each node, -1 if no role decides. The reaches by others
    and by chance are sums over the nodes of the infoset; that of the mover is the same at all of them.
    """
    roles = tree.utility.shape[1]
    reach = np.ones((len(parent), roles + 1))  # of each role, and of chance
    own, other, chance = np.zeros(count), np.zeros(count), np.zeros(count)
    for node in range(len(parent)):
        if node > 0:
            above = parent[node]
            reach[node] = reach[above]
            if tree.nodes[above, FIRST_SLOT] >= 0:
                reach[node, tree.nodes[above, MOVER]] *= policy[tree.slot[node]]
            else:
                reach[node, roles] *= tree.chance_prob[node]
        if infoset[node] >= 0:
            mover, others = tree.nodes[node, MOVER], 1.0
            for role in range(roles + 1):
                if role != mover:
                    others *= reach[node, role]
            own[infoset[node]] = reach[node, mover]
            other[infoset[node]] += others
            chance[infoset[node]] += reach[node, roles]
    return own, other, chance
