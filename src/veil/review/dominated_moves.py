"""Moves that are never better, and somewhere worse, than another move of the same infoset, whatever the others do.

Two moves are compared at every node of their infoset. What follows is paired: as long as chance or another role chooses
from the same moves after both, in the same infoset, each of these moves is compared with itself. Where play is no
longer the same, the best end after the one move must not be above the worst end after the other. What is found is
certain; a domination that needs a longer argument is not found.
"""

from __future__ import annotations

import numpy as np

from veil.equilibrium import CHANCE, GameTree, Tree

MAX_COMPARISONS = 300_000  # of pairs of nodes; a larger game is compared only until these are used up
NONE = -1


def find_dominators(tree: GameTree) -> np.ndarray:
    """Return [S] a slot of the same infoset that is never worse and somewhere better; -1 if none is found."""
    flat = tree.flat
    comparison = _PairComparison(flat)
    better = np.full(flat.num_slots, NONE, np.int64)
    played = np.flatnonzero(flat.slot != CHANCE)
    played = played[np.lexsort((flat.slot[played], flat.parent[played]))]
    by_infoset: dict[int, list[int]] = {}
    infosets = np.repeat(np.arange(len(flat.slot_start) - 1), np.diff(flat.slot_start))
    for node, infoset in zip(played.tolist(), infosets[flat.slot[played]].tolist(), strict=True):
        by_infoset.setdefault(infoset, []).append(node)
    for infoset, nodes in by_infoset.items():
        first, count = int(flat.slot_start[infoset]), int(np.diff(flat.slot_start)[infoset])
        role = int(np.searchsorted(flat.role_start, infoset, side="right")) - 1
        rows = np.array(nodes).reshape(-1, count)
        for slot in range(count):
            for other in range(count):
                if slot != other and comparison.is_better(rows[:, slot].tolist(), rows[:, other].tolist(), role):
                    better[first + slot] = first + other
                    break
    return better


class _PairComparison:
    """Pairs of nodes of one tree, with the worst and the best end below every node."""

    def __init__(self, flat: Tree) -> None:
        self.flat, self.left = flat, MAX_COMPARISONS
        self.num_children = flat.num_children
        self.low, self.high = _back_up_extremes(flat, self.num_children)
        self.first = np.zeros(len(flat.parent), np.int64)
        self.first[flat.parent[:0:-1]] = np.arange(len(flat.parent) - 1, 0, -1)

    def is_better(self, worse: list[int], better: list[int], role: int) -> bool:
        """Return whether the second move is never worse and somewhere better, from the nodes after both."""
        signs = [self._compare(one, other, role) for one, other in zip(worse, better, strict=True)]
        return None not in signs and any(signs)

    def _compare(self, worse: int, better: int, role: int) -> bool | None:
        """Return whether the second node is somewhere better; None if it may be worse, or if that is not known."""
        self.left -= 1
        if self.high[worse, role] <= self.low[better, role]:
            return bool(self.low[worse, role] < self.high[better, role])
        if self.left < 0 or not self._is_same_question(worse, better):
            return None
        found = False
        for place in range(int(self.num_children[worse])):
            sign = self._compare(int(self.first[worse]) + place, int(self.first[better]) + place, role)
            if sign is None:
                return None
            found |= sign
        return found

    def _is_same_question(self, one: int, other: int) -> bool:
        """Return whether somebody chooses from the same moves at both nodes, without knowing which of them it is."""
        size = int(self.num_children[one])
        if not size or size != int(self.num_children[other]):
            return False
        here, there = (slice(int(self.first[node]), int(self.first[node]) + size) for node in (one, other))
        flat = self.flat
        same_slots = bool((flat.slot[here] == flat.slot[there]).all())
        return same_slots and bool((flat.move[here] == flat.move[there]).all())


def _back_up_extremes(flat: Tree, children: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the worst and the best utility [N, R] at any end below every node."""
    inner = children > 0
    low, high = flat.utility.copy(), flat.utility.copy()
    low[inner], high[inner] = np.inf, -np.inf
    depth, node = np.zeros(len(flat.parent), np.int64), np.arange(len(flat.parent))
    while node.any():
        depth += node > 0
        node = flat.parent[node]
    order = np.argsort(depth, kind="stable")
    for there in reversed(np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)[1:]):
        np.minimum.at(low, flat.parent[there], low[there])
        np.maximum.at(high, flat.parent[there], high[there])
    return low, high
