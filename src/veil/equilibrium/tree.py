"""The whole game as an explicit tree in flat arrays, expanded breadth-first in lanes.

Sequential form: the joint move of a round is serialised, `random` first, then the roles in the order of the rules. A
later mover does not see the earlier moves of the same round, and a forced move makes no node. An infoset is the record
of a role, its own moves and percepts round by round; its name is a 64-bit key (`engine.extend_keys`). `TreeBuilder`
plays the rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from veil.display import Displayed
from veil.engine import Game, Record, Stopwatch
from veil.engine.lanes import start_keys
from veil.equilibrium.infosets import Infoset, find_infoset, list_infosets
from veil.equilibrium.tree_builder import Level, TreeBuilder
from veil.equilibrium.tree_records import CHANCE, DEFAULT_BOUNDS, ExpandedRound, Tree, TreeBounds
from veil.equilibrium.tree_size import estimate_tree
from veil.errors import fail, phrase
from veil.limits import check_limit

MAX_NODES = 50_000_000
MAX_ROUNDS = 10_000  # a game without choices makes no nodes and could go on for ever


@dataclass(frozen=True, slots=True, repr=False)
class GameTree(Displayed):
    """The tree of a game: flat arrays, and the meaning of their numbers."""

    game: Game
    roles: tuple[str, ...]  # without `random`
    role_ids: tuple[int, ...]  # their numbers in the ground program
    flat: Tree
    seconds: float  # of the expansion, without grounding and compiling

    @property
    def num_nodes(self) -> int:
        """The number of nodes."""
        return len(self.flat.parent)

    @property
    def num_slots(self) -> int:
        """The number of slots: an infoset with n legal moves has n slots."""
        return self.flat.num_slots

    def __repr__(self) -> str:
        return f"GameTree({self.game.name!r}, nodes={self.num_nodes}, infosets={len(self.flat.infoset_node)})"

    def infosets(self) -> dict[str, dict[str, Infoset]]:
        """Return role -> record in words -> infoset: `tree.infosets()["first"]["noop: (card king); noop"].moves`."""
        return list_infosets(self)

    def infoset(self, record: Record) -> Infoset:
        """Return the infoset of a record. Raises `VeilError` with the nearest records if there is no such infoset."""
        return find_infoset(self, record)

    def infosets_of(self, role: int) -> range:
        """Return the infosets of a role, given by its place in `roles`."""
        start = self.flat.role_start
        return range(int(start[role]), int(start[role + 1]))

    def slots_in(self, infoset: int) -> range:
        """Return the slots of an infoset: one per legal move."""
        start = self.flat.slot_start
        return range(int(start[infoset]), int(start[infoset + 1]))

    def counts(self) -> dict[str, object]:
        """Return the sizes that `veil tree` shows."""
        tree, children = self.flat, self.flat.num_children
        slots = tree.slot_start[tree.role_start]
        return {
            "nodes": self.num_nodes,
            "terminals": int((children == 0).sum()),
            "chance_nodes": len(np.unique(tree.parent[1:][tree.slot[1:] == CHANCE])),
            "depth": measure_depth(tree),
            "infosets": dict(zip(self.roles, np.diff(tree.role_start).tolist(), strict=True)),
            "slots": dict(zip(self.roles, np.diff(slots).tolist(), strict=True)),
            "bytes": sum(array.nbytes for array in tree),
            "seconds": self.seconds,
        }


def measure_depth(tree: Tree) -> int:
    """Return the number of edges on the longest path."""
    from veil.equilibrium.expand_kernels import depths  # imports numba

    return int(depths(tree.parent).max())


def count_levels(tree: Tree) -> list[int]:
    """Return the number of nodes of every depth, from the root on."""
    from veil.equilibrium.expand_kernels import depths  # imports numba

    sizes: list[int] = np.bincount(depths(tree.parent)).tolist()
    return sizes


def find_constant_sum(tree: Tree) -> float | None:
    """Return the sum of the payoffs of all roles, if it is the same at every terminal; else None."""
    sums = tree.utility[tree.num_children == 0].sum(axis=1)
    spread = float(sums.max() - sums.min())
    return float(sums[0]) if spread <= 1e-9 * max(1.0, float(np.abs(sums).max())) else None


def expand(
    game: Game,
    max_nodes: int = MAX_NODES,
    progress: Callable[[int], None] = lambda _: None,
    *,
    bounds: TreeBounds = DEFAULT_BOUNDS,
    watch: Callable[[ExpandedRound], None] = lambda _: None,
) -> GameTree:
    """Expand a game; `progress` is called with the number of nodes after every round, `watch` with the round.

    Raises `VeilError` before the expansion if an estimate says that the tree is certainly too large, and during the
    expansion if it turns out to be too large.
    """
    check_limit("nodes", max_nodes, bounds.option)
    machine = game.machine
    refuse_large(game, max_nodes, bounds)
    level = Level(machine.initial_states(), np.zeros(1, np.int32), tuple(start_keys(1) for _ in machine.program.roles))
    unhurried = replace(bounds, seconds=None)
    TreeBuilder(game, max_nodes, unhurried).play_round(level)  # compile kernels before the clock starts
    builder, stopwatch = TreeBuilder(game, max_nodes, bounds, watch), Stopwatch()
    while len(level.node):
        level = builder.play_round(level)
        if builder.rounds > MAX_ROUNDS:
            raise fail("endless-game", rounds=f"{MAX_ROUNDS:,}")
        progress(builder.num_nodes)
    tree = builder.tree()
    ids = tuple(builder.players)
    return GameTree(game, tuple(game.roles[role] for role in ids), ids, tree, stopwatch.seconds())


def refuse_large(game: Game, max_nodes: int, bounds: TreeBounds = DEFAULT_BOUNDS) -> None:
    """Raise `VeilError` if an estimate says that the tree of a game is certainly too large."""
    estimate = estimate_tree(game)
    if estimate.exceeds(max_nodes):
        how = phrase("estimated-nodes", about=estimate.in_words(), walks=estimate.walks)
        raise fail("tree-too-large", nodes=f"{max_nodes:,}", how=how, option=bounds.option)
