"""The value of information: what the percepts after a move are worth to the role that makes it.

At an infoset, against others with a fixed policy, two values are computed for every move of the role:

1. *with* the percepts: the move, then the best plan that may depend on everything the role is told;
2. *without* them: the move, then the best plan that does not depend on what the role sees in the round of that move.
   Infosets that differ only in these percepts become one, and the role must do the same in all of them: only moves that
   are legal in each of them count. The role still sees the percepts of later rounds.

The difference is the value of the information. It is never below zero, because a plan without the percepts is also a
plan with them. It assumes that the other roles do not change their play.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np

from veil.equilibrium.histories import list_records, slot_move_ids, slot_moves
from veil.equilibrium.prepared_game import PreparedGame
from veil.equilibrium.tree import GameTree
from veil.equilibrium.tree_records import CHANCE, Tree

Weighted = list[tuple[int, float]]  # nodes and their reach by the others and chance


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveInformation:
    """One move of an infoset, in utility of the role that makes it."""

    move: str
    with_percepts: float
    without_percepts: float | None  # None if the role needs the percepts to know a legal move

    @property
    def value(self) -> float | None:
        """The value of the percepts; None if the role cannot act without them."""
        return None if self.without_percepts is None else self.with_percepts - self.without_percepts


def find_information_values(prepared: PreparedGame, policy: np.ndarray, infoset: int) -> list[MoveInformation] | None:
    """Return the moves of an infoset in the order of its slots; None if the others' policy [S] never reaches it."""
    tree = prepared.tree
    role = int(np.searchsorted(tree.flat.role_start, infoset, side="right")) - 1
    plans = _Plans(tree, policy, role)
    start = plans.nodes_of(infoset)
    total = sum(weight for _, weight in start)
    if total <= 0.0:
        return None
    round_index = int(tree.flat.infoset_round[infoset])
    below = plans.find_own_infosets_below(start)
    blurred = _blur(tree, below, round_index)
    moves = slot_moves(tree)
    found = []
    for slot in tree.slots_in(infoset):
        after = plans.play(start, int(plans.move_ids[slot]))
        with_percepts = plans.find_best(after, int)  # every infoset by itself, so there is always a plan
        assert with_percepts is not None
        without = plans.find_best(after, lambda own: blurred[own])
        found.append(
            MoveInformation(
                move=moves[slot],
                with_percepts=with_percepts / total,
                without_percepts=None if without is None else without / total,
            )
        )
    return found


def _blur(tree: GameTree, infosets: list[int], round_index: int) -> dict[int, Hashable]:
    """Return the records of these infosets without the percepts of one round."""
    records = list_records(tree, np.array(infosets, np.int64))
    return {
        infoset: tuple(move if number == round_index else (move, seen) for number, (move, seen) in enumerate(record))
        for infoset, record in zip(infosets, records, strict=True)
    }


class _Plans:
    """The best plans of one role against a fixed policy [S] of the others, on the tree."""

    def __init__(self, tree: GameTree, policy: np.ndarray, role: int) -> None:
        flat = tree.flat
        self.flat, self.utility = flat, flat.utility[:, role]
        slots = flat.slot_start[flat.role_start]
        self.low, self.high = int(slots[role]), int(slots[role + 1])
        self.move_ids = slot_move_ids(tree)
        self.num_children = flat.num_children
        self.first_child = find_first_children(flat)
        self.edge = np.where(flat.slot == CHANCE, flat.chance_prob, 1.0)
        others = (flat.slot != CHANCE) & ((flat.slot < self.low) | (flat.slot >= self.high))
        self.edge[others] = policy[flat.slot[others]]
        self.reach = find_reach(flat, self.edge)

    def nodes_of(self, infoset: int) -> Weighted:
        """Return the nodes of an infoset that the others and chance can reach."""
        first_slot = self.flat.slot_start[infoset]
        nodes = self.flat.parent[np.flatnonzero(self.flat.slot == first_slot)]
        return [(int(node), float(self.reach[node])) for node in nodes if self.reach[node] > 0.0]

    def children(self, node: int) -> range:
        """Return the nodes below a node, in the order of their moves."""
        first = int(self.first_child[node])
        return range(first, first + int(self.num_children[node]))

    def own_infoset(self, node: int) -> int | None:
        """Return the infoset of a node if the role decides there, else None."""
        slot = int(self.flat.slot[self.first_child[node]])
        if not self.low <= slot < self.high:
            return None
        return int(np.searchsorted(self.flat.slot_start, slot, side="right")) - 1

    def play(self, nodes: Weighted, move: int) -> Weighted:
        """Return the nodes after a move of the role from these nodes, without nodes where it is not legal."""
        return [
            (child, weight) for node, weight in nodes for child in self.children(node) if self.flat.move[child] == move
        ]

    def pass_others(self, nodes: Weighted) -> tuple[float, dict[int, Weighted]]:
        """Go on to the role's next decisions: (payoff of games that end before them, infoset -> its nodes)."""
        paid, reached, rest = 0.0, defaultdict[int, Weighted](list), list(nodes)
        while rest:
            node, weight = rest.pop()
            if not self.num_children[node]:
                paid += weight * float(self.utility[node])
                continue
            own = self.own_infoset(node)
            if own is not None:
                reached[own].append((node, weight))
                continue
            for child in self.children(node):
                share = weight * float(self.edge[child])
                if share > 0.0:
                    rest.append((child, share))
        return paid, reached

    def find_best(self, nodes: Weighted, name: Callable[[int], Hashable]) -> float | None:
        """Return the payoff of the best plan from these nodes on; infosets with one name count as one infoset.

        The result is None if a plan needs a move that is not legal in all of them.
        """
        total, reached = self.pass_others(nodes)
        merged: dict[Hashable, list[int]] = defaultdict(list)
        for own in reached:
            merged[name(own)].append(own)
        for group in merged.values():
            legal = set.intersection(*(self._legal(own) for own in group))
            there = [entry for own in group for entry in reached[own]]
            worths = [self.find_best(self.play(there, move), name) for move in sorted(legal)]
            known = [worth for worth in worths if worth is not None]
            if not known:
                return None
            total += max(known)
        return total

    def find_own_infosets_below(self, nodes: Weighted) -> list[int]:
        """Return all infosets of the role that can come after these nodes."""
        found: set[int] = set()
        rest = [(child, weight) for node, weight in nodes for child in self.children(node)]
        while rest:
            _, reached = self.pass_others(rest)
            found |= set(reached)
            decided = [entry for there in reached.values() for entry in there]
            rest = [(child, weight) for node, weight in decided for child in self.children(node)]
        return sorted(found)

    def _legal(self, infoset: int) -> set[int]:
        start = self.flat.slot_start
        return set(self.move_ids[int(start[infoset]) : int(start[infoset + 1])].tolist())


def find_first_children(flat: Tree) -> np.ndarray:
    """Return [N] the first child of every node; 0 at terminals. Siblings stand side by side."""
    first = np.zeros(len(flat.parent), np.int64)
    first[flat.parent[:0:-1]] = np.arange(len(flat.parent) - 1, 0, -1)
    return first


def find_reach(flat: Tree, edge: np.ndarray) -> np.ndarray:
    """Return [N] the product of `edge` [N] from the root to every node."""
    from veil.equilibrium.expand_kernels import depths  # imports numba

    reach, depth = np.ones(len(flat.parent)), depths(flat.parent)
    for level in range(1, int(depth.max(initial=0)) + 1):
        nodes = np.flatnonzero(depth == level)
        reach[nodes] = reach[flat.parent[nodes]] * edge[nodes]
    return reach
