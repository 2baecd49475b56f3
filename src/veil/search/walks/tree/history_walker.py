"""ISMCTS on an explicit tree whose memory grows by histories instead of infosets.

The program of Lisý, Lanctot & Bowling (2014) does what the text of their paper does not say; each of it is an option of
`ismcts`, for whoever compares results with theirs:

- `grow=history`: a walk adds one history, not one infoset (`history_kernels`).
- `renew=true`: a new history of an infoset makes the statistics of the infoset begin anew.
- `starts=memory`: walks start at those histories of the match's infoset that are in memory. If there is none, the
  player moves at random to the end of the match (`lost=random`), or walks start at all histories (`lost=search`).

Their tree has nodes for forced moves and for chance with one outcome, ours has not.
"""

from __future__ import annotations

import numpy as np

from veil.search.walks.contract import BanditRule
from veil.search.walks.tree.bandit_walker import BanditTreeWalker
from veil.search.walks.tree.history_kernels import run_histories
from veil.search.walks.tree.records import FIRST_SLOT
from veil.search.walks.tree.search_tree import SearchTree


class HistoryTreeWalker(BanditTreeWalker):
    """Tables of ISMCTS for one searching role, and the nodes in memory."""

    def __init__(self, tree: SearchTree, rule: BanditRule, role: int) -> None:
        self.in_memory = np.zeros(len(tree.flat.parent), np.bool_)  # [N]
        self.has_given_up = False
        super().__init__(tree, rule, role)
        self._remember(np.zeros(1, np.int64))

    def target_infoset(self, infoset: int | None) -> None:
        """Start walks at this infoset, to which the match has come, or at the root; give up if that is the rule."""
        super().target_infoset(infoset)
        if infoset is None:
            return
        if self.rule.starts == "memory":
            remembered = self._starts[self.in_memory[self._starts]]
            if len(remembered):
                self._starts = remembered
                return
            if self.rule.lost == "random":
                self.has_given_up = True
                return
        self._remember(self._starts)

    def run(self, iterations: int, rng: np.random.Generator) -> None:
        """Run `iterations` more walks; none after the player has given up."""
        if self.has_given_up:
            return
        random = rng.integers(0, 2**63, 1).astype(np.uint64)
        visited = run_histories(
            self.walk_tree,
            self.tables,
            self.in_memory,
            self._path,
            self._starts,
            self._cumulative,
            self.numbers,
            self.rule.renew,
            random,
            iterations,
        )
        self.states_visited += int(visited)
        self.walks += iterations

    def _remember(self, nodes: np.ndarray) -> None:
        """Put nodes into memory, and their infosets into the table; statistics stay."""
        self.in_memory[nodes] = True
        slots = self.walk_tree.nodes[nodes, FIRST_SLOT]
        self.tables.is_known[slots[slots >= 0]] = True
