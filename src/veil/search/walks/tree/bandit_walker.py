"""Walker of ISMCTS and Smooth UCT on the explicit tree of a game (`bandit_kernels`).

Every walk begins at a node of the infoset, uniformly or by its probability if the others play uniformly. The statistics
of a move are kept by the mover's record (multiple observers), or by that of the searching role (single observer;
Cowling, Powley & Whitehouse 2012). With a single observer, moves may differ between the nodes of one record, and bounds
count how often a move was available.
"""

from __future__ import annotations

import numpy as np

from veil.search.walks.contract import BanditRule, make_strategy
from veil.search.walks.numbers import POLICY_SUM, VISITS, find_current, number_rule
from veil.search.walks.tree.bandit_kernels import run_bandits
from veil.search.walks.tree.observers import single_observer_view
from veil.search.walks.tree.search_tree import SearchTree


class BanditTreeWalker:
    """Tables of ISMCTS and Smooth UCT, for one searching role."""

    def __init__(self, tree: SearchTree, rule: BanditRule, role: int) -> None:
        self.tree, self.rule = tree, rule
        self.mean_column = POLICY_SUM if rule.select == "rm" else VISITS
        self.walk_tree, self.tables = tree.walk_tree, tree.make_tables()
        if rule.observer == "single":
            self.walk_tree, self.tables = single_observer_view(tree, role)
        self._path = tree.make_path()
        self.walks = self.states_visited = 0
        numbers = number_rule(rule, role)
        self.numbers = numbers._replace(constant=float(numbers.constant * tree.maximal_outcome))
        self.target_infoset(None)
        self.run(0, np.random.default_rng(0))  # compiled now

    def target_infoset(self, infoset: int | None) -> None:
        """Start walks at this infoset, to which the match has come; None: at the root."""
        self._cumulative = np.zeros(0)
        self._starts = np.zeros(1, np.int64) if infoset is None else self.tree.members(infoset)
        if infoset is not None and self.rule.starts == "posterior":
            reach = find_prior(self.tree, self._starts, self.tree.role_of(infoset))
            self._cumulative = np.cumsum(reach / reach.sum())

    def run(self, iterations: int, rng: np.random.Generator) -> None:
        """Run `iterations` more walks."""
        random = rng.integers(0, 2**63, 1).astype(np.uint64)
        visited = run_bandits(
            self.walk_tree,
            self.tables,
            self._path,
            self._starts,
            self._cumulative,
            self.numbers,
            random,
            iterations,
        )
        self.states_visited += int(visited)
        self.walks += iterations

    def mean(self, slots: slice) -> np.ndarray:
        """Return the mean strategy of an infoset: of UCT and Smooth UCT, how often the moves were taken."""
        return make_strategy(self.tables.numbers[slots, self.mean_column])

    def current(self, slots: slice) -> np.ndarray:
        """Return the strategy of the next walk; of regret matching without exploration."""
        return find_current(self.numbers, self.tables.numbers[slots])


def find_prior(tree: SearchTree, nodes: np.ndarray, role: int) -> np.ndarray:
    """Return how likely each node [M] is if the others play uniformly, and the role plays to reach it."""
    walk_tree, parent = tree.walk_tree, tree.flat.parent
    reach, node = np.ones(len(nodes)), nodes.astype(np.int64)
    while node.any():
        above = parent[node]
        mover, count = walk_tree.nodes[above, 3], walk_tree.nodes[above, 1]
        step = np.where(mover < 0, walk_tree.chance_prob[node], 1.0 / np.maximum(count, 1))
        reach *= np.where((node > 0) & (mover != role), step, 1.0)
        node = np.where(node > 0, above, 0)
    return reach
