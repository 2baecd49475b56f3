"""A table of Online Outcome Sampling that begins with a policy instead of nothing, if the game is an explicit tree.

1. Before the match, some iterations of CFR+ over the whole tree give a mean policy. It is cached with the tree for
   later matches, unless a start clock has ended the iterations early.
2. Every infoset is in the table from the start. Its policy sum is that of the policy, as if it had been the mean of
   `weight` iterations. Its regrets are positive in proportion to the policy, with the largest size that regrets of
   `weight` iterations have: sqrt(weight) times the largest difference of payoffs, times the others' reach.
3. Walks go on from there, by Algorithm 1. The prior policy is a fixed number of iterations among more and more of
   them, so the guarantee is the same as without it.

An iteration over the whole tree counts for as many sampled ones as the tree has nodes, because it visits as many
states as that number of short walks. The factor was chosen for this reason, not tuned.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from veil.clock import has_passed
from veil.equilibrium import CfrPlusConfig, CfrSolver, fold_tree
from veil.search.walks.numbers import POLICY_SUM, REGRET
from veil.search.walks.tree.prior_kernels import find_infoset_reaches
from veil.search.walks.tree.records import WalkTables
from veil.search.walks.tree.search_tree import SearchTree

START_SHARE = 0.5  # share of the start clock that the iterations may take; the tree has been expanded by then


def find_start(tree: SearchTree, iterations: int, seconds: float | None) -> tuple[np.ndarray, int]:
    """Return (the mean policy [S] of CFR+, iterations made): `iterations`, or as many as a start clock allows."""
    kept = tree.starts.find(iterations)
    if kept is not None:
        return kept, iterations
    deadline = None if seconds is None else perf_counter() + START_SHARE * seconds
    solver, done = CfrSolver(fold_tree(tree.flat), CfrPlusConfig()), 0
    while done < iterations and not has_passed(deadline):
        solver.run(1)
        done += 1
    policy = solver.average()
    return (tree.starts.keep(iterations, policy) if done == iterations else policy), done


def fill_tables(tree: SearchTree, tables: WalkTables, policy: np.ndarray, weight: float) -> None:
    """Put a policy [S] into empty tables, as the mean of `weight` iterations (tables changed in place)."""
    flat = tree.flat
    own, other, chance = find_infoset_reaches(tree.walk_tree, flat.parent, tree.infoset, policy, len(flat.infoset_key))
    sizes = np.diff(flat.slot_start)
    regret = np.sqrt(weight) * 2.0 * tree.maximal_outcome * other
    tables.numbers[:, POLICY_SUM] = policy * np.repeat(weight * own * chance, sizes)
    tables.numbers[:, REGRET] = policy * np.repeat(regret, sizes)
    tables.is_known[flat.slot_start[:-1]] = True
