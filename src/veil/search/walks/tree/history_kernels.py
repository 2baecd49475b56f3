"""Kernels of ISMCTS on an explicit tree that grows by histories, as the program of Lisý, Lanctot & Bowling does (2014).

1. Draw a start: a node of the infoset where the match stands. It is in memory.
2. At a node in memory choose by the bandit of its infoset. The first node that is not in memory, of any mover, is
   added, and from there on moves are uniform. Its own infoset learns nothing from this walk.
3. If the rule says so, the statistics of its infoset begin anew, because the infoset has a new history.
4. The payoff of the mover is added to every infoset at which the walk chose.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, draw_index, draw_unit, draw_weighted, inlined, kernel
from veil.search.walks.numbers import WalkNumbers
from veil.search.walks.tree.bandit_kernels import choose_move, find_place, update_step
from veil.search.walks.tree.records import (
    EVEN_CHANCE,
    FIRST_CHILD,
    FIRST_SLOT,
    MOVER,
    NUM_CHILDREN,
    WalkPath,
    WalkTables,
    WalkTree,
)


@inlined
def add_history(
    nodes: np.ndarray, learnt: np.ndarray, is_known: np.ndarray, in_memory: np.ndarray, node: Int, renews: bool
) -> None:
    """Add a node to the memory, and its infoset to the table; its statistics begin anew if `renews` (all changed)."""
    in_memory[node] = True
    slot = nodes[node, FIRST_SLOT]
    if slot >= 0:
        is_known[slot] = True
        if renews:
            for k in range(nodes[node, NUM_CHILDREN]):
                for column in range(learnt.shape[1]):
                    learnt[slot + k, column] = 0.0


@kernel
def run_histories(
    tree: WalkTree,
    tables: WalkTables,
    in_memory: np.ndarray,
    path: WalkPath,
    starts: np.ndarray,
    cumulative: np.ndarray,
    numbers: WalkNumbers,
    renews: bool,
    random: np.ndarray,
    iterations: int,
) -> Int:
    """Run `iterations` walks (tables, in_memory [N], path and random changed); return the number of nodes passed.

    starts and cumulative as in `run_bandits`; all starts are in memory.
    """
    nodes, slot, chance_prob, utility = tree  # records are unpacked once: each use would count references
    learnt, is_known, available = tables
    at, chosen, policies = path.node, path.chosen, path.policy
    visited: Int = np.int64(0)
    for _ in range(iterations):
        chance = draw_unit(random, 0)
        place = find_place(cumulative, chance) if len(cumulative) > 0 else int(chance * len(starts))
        node: Int = starts[place]
        steps: Int = np.int64(0)
        is_inside = True
        while nodes[node, NUM_CHILDREN] > 0:
            count, first, first_slot = nodes[node, NUM_CHILDREN], nodes[node, FIRST_CHILD], nodes[node, FIRST_SLOT]
            visited += 1
            if is_inside and first_slot >= 0:
                index = choose_move(learnt, available, slot, first, count, numbers, policies[steps], random)
                at[steps], chosen[steps] = node, index
                steps += 1
                node = first + index
            elif nodes[node, MOVER] >= EVEN_CHANCE:  # uniform: chance, or a playout
                node = first + draw_index(random, 0, count)
            else:
                node = first + draw_weighted(chance_prob[first : first + count], count, 1.0, random, 0)
            if is_inside and not in_memory[node]:
                add_history(nodes, learnt, is_known, in_memory, node, renews)
                is_inside = False
        for step in range(steps):
            above = at[step]
            first, count, mover = nodes[above, FIRST_CHILD], nodes[above, NUM_CHILDREN], nodes[above, MOVER]
            payoff, index = utility[node, mover], chosen[step]
            update_step(learnt, available, slot, first, count, numbers, policies[step], index, payoff)
    return visited
