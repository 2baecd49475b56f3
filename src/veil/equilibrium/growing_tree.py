"""`GrowingTree`: the part of a game below many weighted worlds, grown leaf by leaf.

1. The root is a chance node with an edge per world; a `Crown` may put moves of a role between them (a gadget).
2. A leaf is a state in which the game goes on and somebody has a choice. A round in which all moves are forced makes no
   node and is played at once.
3. `grow` plays one round from chosen leaves. Infosets of all rounds and growths are joined by record; their slots are
   numbered per role in the order of creation, so what was learned about a slot stays with it.
4. `tree` returns flat arrays in which leaves are terminals, with values that the caller gives.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine import Game
from veil.equilibrium.entered_cfr import Entries
from veil.equilibrium.tree_builder import GrownNodes, Level, NewInfosets, TreeBuilder
from veil.equilibrium.tree_records import CHANCE, DEFAULT_BOUNDS, Tree
from veil.errors import fail

MAX_FORCED = 10_000  # rounds without a choice, one after the other
MOST_NODES = 2**31 - 1  # the caller bounds the growth


class Worlds(NamedTuple):
    """W worlds after the same number of rounds, with weights."""

    states: np.ndarray  # [W, words]
    keys: tuple[np.ndarray, ...]  # [roles][W] of all records; nothing for `random`
    weights: np.ndarray  # [W] positive, their sum is 1


class Crown(NamedTuple):
    """The nodes above the worlds. W worlds, R roles without `random`."""

    layers: tuple[tuple[int | None, GrownNodes], ...]  # (role in the ground program or None for chance, nodes)
    infosets: dict[int, NewInfosets]  # by role in the ground program
    world_node: np.ndarray  # [W]
    ends: tuple[np.ndarray, np.ndarray]  # nodes [T] above all worlds that are terminals, utilities [T, R]
    bonus: np.ndarray | None = None  # [W, R] added to the utility of every end below a world
    entries: Entries | None = None  # the role that enters its records: its first slots, one for each


class TreeLeaves(NamedTuple):
    """L leaves."""

    level: Level
    cost: np.ndarray  # [L] nodes that a round from here adds
    infoset: np.ndarray  # [L] a name of the record of the role that chooses first; of any role, if only chance chooses

    def take(self, index: np.ndarray) -> TreeLeaves:
        """Return some of the leaves."""
        states, node, keys = self.level
        kept = tuple(own[index] if len(own) else own for own in keys)
        return TreeLeaves(Level(states[index], node[index], kept), self.cost[index], self.infoset[index])

    def __len__(self) -> int:
        return len(self.cost)


def root_nodes() -> GrownNodes:
    """Return the root alone."""
    return GrownNodes(np.zeros(1, np.int32), np.full(1, CHANCE, np.int32), np.full(1, -1, np.int32), np.ones(1))


def chance_nodes(parent: np.ndarray, probability: np.ndarray) -> GrownNodes:
    """Return nodes below chance, each with its parent and probability."""
    nothing = np.full(len(parent), CHANCE, np.int32)
    return GrownNodes(parent.astype(np.int32), nothing, nothing, probability.astype(float))


def make_plain_crown(weights: np.ndarray, num_roles: int) -> Crown:
    """Return a crown in which chance draws a world."""
    count = len(weights)
    layers = ((None, root_nodes()), (None, chance_nodes(np.zeros(count), weights)))
    ends = np.zeros(0, np.int64), np.zeros((0, num_roles))
    return Crown(layers, {}, np.arange(1, count + 1, dtype=np.int32), ends)


class InfosetNumbers:
    """The infosets of one role by record, numbered in the order of creation."""

    def __init__(self) -> None:
        self.count = 0
        self.table = np.full(16, -1, np.int64)
        self.names, self.starts = np.zeros(0, np.uint64), np.zeros(0, np.int64)

    def make_room(self, more: int) -> None:
        """Make room for `more` infosets."""
        from veil.equilibrium.growth_kernels import fill_numbers  # imports numba

        needed = self.count + more
        if needed > len(self.names):
            size = max(needed, 2 * len(self.names))
            for field in ("names", "starts"):
                old = getattr(self, field)
                grown = np.zeros(size, old.dtype)
                grown[: self.count] = old[: self.count]
                setattr(self, field, grown)
        if 2 * needed > len(self.table):
            self.table = np.full(1 << (4 * needed).bit_length(), -1, np.int64)
            fill_numbers(self.table, self.names, self.count)


class GrowingTree(TreeBuilder):
    """A tree that grows from worlds."""

    def __init__(self, game: Game, worlds: Worlds, crown: Crown | None = None) -> None:
        super().__init__(game, MOST_NODES, DEFAULT_BOUNDS)
        crown = crown or make_plain_crown(worlds.weights, len(self.players))
        self.crown = crown
        self.grown = [nodes for _, nodes in crown.layers]
        self.grown_by = [role for role, _ in crown.layers]
        self.num_nodes = sum(len(nodes.parent) for nodes in self.grown)
        for role, infosets in crown.infosets.items():
            self.infosets[role].append(infosets)
            self.num_slots[role] = int(infosets.size.sum())
        self.numbers = {role: InfosetNumbers() for role in self.players}
        self.passed: list[tuple[np.ndarray, tuple[np.ndarray, ...]]] = []  # nodes and records after every round
        self.frontier = TreeLeaves(
            Level(worlds.states[:0], crown.world_node[:0], _none(worlds.keys)), np.zeros(0, int), np.zeros(0, np.uint64)
        )
        self._sort_out(Level(worlds.states, crown.world_node, worlds.keys))

    def grow(self, chosen: np.ndarray) -> int:
        """Play one round from these leaves of the frontier; return the number of new leaves.

        New leaves come last in the frontier. The others keep their order.
        """
        left = np.ones(len(self.frontier), np.bool_)
        left[chosen] = False
        level = self.frontier.take(chosen).level
        self.frontier = self.frontier.take(np.flatnonzero(left))
        before = len(self.frontier)
        self._sort_out(self.play_round(level))
        return len(self.frontier) - before

    def _sort_out(self, level: Level) -> None:
        """Put open states into the frontier, end ended ones, and play forced rounds until nothing else is left."""
        from veil.equilibrium.expand_kernels import count_moves  # imports numba

        for _ in range(MAX_FORCED):
            if not len(level.node):
                return
            self.passed.append((level.node, level.keys))
            judged = self.machine.judge(level.states)
            every = np.arange(len(level.node))
            branches, cost = np.ones(len(every), np.int64), np.zeros(len(every), np.int64)
            infoset, chooses = level.keys[self.players[0]].copy(), np.zeros(len(every), np.bool_)
            for role in self.order:
                counts = count_moves(judged.legal[role], every)
                branches *= counts
                cost += np.where(counts > 1, branches, 0)
                if role != self.chance:
                    infoset = np.where((counts > 1) & ~chooses, level.keys[role] ^ np.uint64(role), infoset)
                    chooses |= counts > 1
            over = judged.terminal | (branches == 0)
            self.ends.append((level.node[over], judged.goals[over]))
            self._append(TreeLeaves(level, cost, infoset).take(np.flatnonzero(~over & (cost > 0))))
            level = self.play_round(TreeLeaves(level, cost, infoset).take(np.flatnonzero(~over & (cost == 0))).level)
        raise fail("endless-game", rounds=f"{MAX_FORCED:,}")

    def _append(self, more: TreeLeaves) -> None:
        (states, node, keys), cost, infoset = self.frontier
        level = Level(
            np.concatenate((states, more.level.states)),
            np.concatenate((node, more.level.node)),
            tuple(np.concatenate(pair) for pair in zip(keys, more.level.keys, strict=True)),
        )
        self.frontier = TreeLeaves(level, np.concatenate((cost, more.cost)), np.concatenate((infoset, more.infoset)))

    def list_passed(self, role: int) -> tuple[np.ndarray, np.ndarray]:
        """Return all nodes between two rounds, and the keys of a role's records there; nodes may occur repeatedly."""
        nodes = np.concatenate([node for node, _ in self.passed])
        return nodes, np.concatenate([keys[role] for _, keys in self.passed])

    def tree(self, leaf_utility: np.ndarray | None = None) -> Tree:
        """Return the arrays of all that has grown; leaves are terminals with these utilities [L, R] (0 without)."""
        tree = super().tree()
        nodes, utilities = self.crown.ends
        tree.utility[nodes] = utilities
        if leaf_utility is not None:
            tree.utility[self.frontier.level.node] = leaf_utility
        bonus = self.spread_bonus()
        if bonus is not None:
            tree.utility[:] += bonus * (tree.num_children == 0)[:, None]
        return tree

    def spread_bonus(self) -> np.ndarray | None:
        """Return what ends below every node [N, R] get beside their utility; None if the crown gives nothing."""
        return None if self.crown.bonus is None else self.spread(self.crown.bonus)

    def spread(self, given: np.ndarray) -> np.ndarray:
        """Return for all nodes [N, C] what is given for the worlds above them [W, C]; 0 for nodes above worlds."""
        spread = np.zeros((self.num_nodes, given.shape[1]))
        spread[self.crown.world_node] = given
        first = 0
        for made in self.grown:
            layer = slice(first, first + len(made.parent))
            spread[layer] += spread[made.parent] * (made.parent != np.arange(layer.start, layer.stop))[:, None]
            first = layer.stop
        return spread

    def find_depths(self) -> np.ndarray:
        """Return the number of moves between the root and every node [N]."""
        depth = np.zeros(self.num_nodes, np.int64)
        first = 1
        for made in self.grown[1:]:
            depth[first : first + len(made.parent)] = depth[made.parent] + 1
            first += len(made.parent)
        return depth

    def _number(
        self, role: int, legal: np.ndarray, level: Level, row: np.ndarray, node: np.ndarray, counts: np.ndarray
    ) -> np.ndarray:
        """Return the first slot of every branch [A]; infosets of earlier growths are found again by record."""
        from veil.equilibrium.growth_kernels import number_records  # imports numba

        numbers = self.numbers[role]
        numbers.make_room(len(row))
        memory = numbers.table, numbers.names, numbers.starts, numbers.count, self.num_slots[role]
        first_slot, new = number_records(level.keys[role], legal, row, counts, *memory)
        size = counts[new]
        numbers.count += len(new)
        self.num_slots[role] += int(size.sum())
        unknown = np.zeros(len(new), np.int32)  # leaves lie at different rounds
        self.infosets[role].append(NewInfosets(size, node[new], level.keys[role][row[new]], unknown))
        return first_slot


def _none(keys: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    return tuple(own[:0] for own in keys)
