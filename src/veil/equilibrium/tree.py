"""The whole game as an explicit tree in flat arrays, expanded breadth-first in lanes.

Sequential form: the joint move of a round is serialised, `random` first, then the roles in the order of the rules. A
later mover does not see the earlier moves of the same round, and a forced move makes no node. An infoset is the record
of a role, its own moves and percepts round by round; its name is a 64-bit key (`engine.extend_keys`).

1. Judge all states of the level: legal moves, end, goals.
2. For `random` and every role in turn: make a branch for every legal move, and a node for each if there are several.
3. Step all branches at once. The results are the next level, and every role's record grows by a round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.engine import Game, Stopwatch
from veil.engine.lanes import extend_keys, percept_keys, start_keys
from veil.equilibrium.histories import history_in_words
from veil.equilibrium.tree_size import estimate_tree
from veil.errors import fail, phrase
from veil.limits import allowed_bytes, check_limit
from veil.signals import check_signals

CHANCE = -1  # in place of a slot
MAX_NODES = 50_000_000
MAX_ROUNDS = 10_000  # a game without choices makes no nodes and could go on for ever
MANY = 100_000  # branches: fewer take almost no time
NODE_BYTES = 20  # bytes of a node during expansion, without its payoffs


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeBounds:
    """Limits of an expansion besides nodes, and the user's name for the limit of nodes."""

    max_bytes: int | None = None  # None: the limits of the game; the system's limit counts in any case
    seconds: float | None = None
    option: str = "max_nodes"

    def __post_init__(self) -> None:
        if self.max_bytes is not None:
            check_limit("bytes", self.max_bytes, "max_bytes")
        if self.seconds is not None:
            check_limit("seconds", self.seconds, "seconds")


DEFAULT_BOUNDS = TreeBounds()


class Tree(NamedTuple):
    """A game as flat arrays. N nodes, I infosets, S slots (infoset, move), R roles without `random`.

    A parent's number is below its children's, siblings stand side by side in the order of their moves; `parent` as a
    whole need not be sorted. Infosets are sorted by role; within a role, those of earlier rounds come first.
    """

    parent: np.ndarray  # [N] node above; 0 for the root
    slot: np.ndarray  # [N] slot played to get here; CHANCE on chance edges and for the root
    move: np.ndarray  # [N] number of the move played to get here, among all of its role
    chance_prob: np.ndarray  # [N] probability of a chance edge, 1.0 elsewhere
    utility: np.ndarray  # [N, R] payoff per role; 0.0 at inner nodes
    slot_start: np.ndarray  # [I + 1] infoset i owns slots [start[i], start[i + 1])
    role_start: np.ndarray  # [R + 1] role r owns infosets [start[r], start[r + 1])
    infoset_node: np.ndarray  # [I] one of its nodes
    infoset_round: np.ndarray  # [I] rounds played before
    infoset_key: np.ndarray  # [I] 64-bit name of the record

    @property
    def num_slots(self) -> int:
        return int(self.slot_start[-1])

    @property
    def num_children(self) -> np.ndarray:
        """[N] 0 at terminals"""
        return np.bincount(self.parent[1:], minlength=len(self.parent))


@dataclass(frozen=True, slots=True)
class GameTree:
    """The tree of a game: flat arrays, and the meaning of their numbers."""

    game: Game
    roles: tuple[str, ...]  # without `random`
    role_ids: tuple[int, ...]  # their numbers in the ground program
    flat: Tree
    seconds: float  # of the expansion, without grounding and compiling

    @property
    def num_nodes(self) -> int:
        return len(self.flat.parent)

    @property
    def num_slots(self) -> int:
        return self.flat.num_slots

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


class ExpandedRound(NamedTuple):
    """One round of the A histories that have it, with the roles of the ground program, `random` included."""

    source: np.ndarray  # [A] place of the history in the round before; 0 in the first
    node: np.ndarray  # [A] the node after the round
    joint: np.ndarray  # [A, roles] moves, forced ones included
    keys: tuple[np.ndarray, ...]  # [roles][A] of the records after the round; nothing for `random`


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
    level = _Level(machine.initial_states(), np.zeros(1, np.int32), tuple(start_keys(1) for _ in machine.program.roles))
    unhurried = replace(bounds, seconds=None)
    _TreeBuilder(game, max_nodes, unhurried).play_round(level)  # compile kernels before the clock starts
    builder, stopwatch = _TreeBuilder(game, max_nodes, bounds, watch), Stopwatch()
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


class _Level(NamedTuple):
    """The states after a number of rounds, B of them."""

    states: np.ndarray  # [B, words]
    node: np.ndarray  # [B]
    keys: tuple[np.ndarray, ...]  # [roles][B] of the records


class _Grown(NamedTuple):
    """The nodes after the moves of one role in one round."""

    parent: np.ndarray
    slot: np.ndarray  # from 0 on for each role, in order of creation
    move: np.ndarray
    chance_prob: np.ndarray


class _Infosets(NamedTuple):
    """Infosets of a role in one round."""

    size: np.ndarray  # moves
    node: np.ndarray  # first node
    key: np.ndarray
    round: np.ndarray


class _TreeBuilder:
    """A tree under construction."""

    def __init__(
        self,
        game: Game,
        max_nodes: int,
        bounds: TreeBounds,
        watch: Callable[[ExpandedRound], None] = lambda _: None,
    ) -> None:
        self.watch = watch
        self.game, self.machine, self.max_nodes, self.bounds = game, game.machine, max_nodes, bounds
        self.max_bytes = allowed_bytes(bounds.max_bytes or game.limits.max_bytes)
        self.deadline = None if bounds.seconds is None else perf_counter() + bounds.seconds
        machine = self.machine
        self.order, self.chance = machine.program.serial_order, machine.program.chance
        self.players = [role for role in self.order if role != self.chance]
        self.rounds, self.num_nodes, self.stepped = 0, 1, 0
        root = np.zeros(1, np.int32)
        self.grown = [_Grown(root, np.full(1, CHANCE, np.int32), np.full(1, -1, np.int32), np.ones(1))]
        self.grown_by: list[int | None] = [None]  # the role of each entry of `grown`
        self.infosets: dict[int, list[_Infosets]] = {role: [] for role in self.players}
        self.num_slots = dict.fromkeys(self.players, 0)
        self.ends: list[tuple[np.ndarray, np.ndarray]] = []  # nodes [T], goals [T, roles]

    def play_round(self, level: _Level) -> _Level:
        """Play one round from all states of the level; return the next level."""
        check_signals()
        judged = self.machine.judge(level.states)
        self.ends.append((level.node[judged.terminal], judged.goals[judged.terminal]))
        row = np.flatnonzero(~judged.terminal)
        node = level.node[row]
        joint = np.zeros((len(row), len(self.game.roles)), np.int64)
        for role in self.order:
            row, node, joint = self._fork(role, judged.legal[role], level, row, node, joint)
        if not len(row):
            return _Level(level.states[:0], node, tuple(keys[:0] for keys in level.keys))
        stepped = self.machine.step_from(level.states, row, joint)
        self.rounds += 1
        self.stepped += len(row)
        keys = tuple(
            extend_keys(old[row], joint[:, role], percept_keys(seen)) if role != self.chance else old[:0]
            for role, (old, seen) in enumerate(zip(level.keys, stepped.percepts, strict=True))
        )
        self.watch(ExpandedRound(row, node, joint, keys))
        return _Level(stepped.states, node, keys)

    def _fork(
        self, role: int, legal: np.ndarray, level: _Level, row: np.ndarray, node: np.ndarray, joint: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the branches after this role's moves."""
        from veil.equilibrium.expand_kernels import count_moves, fork, is_same_for_all, single_moves  # imports numba

        counts = count_moves(legal, row)
        if (counts == 0).any():
            self._refuse_stuck(role, level, int(row[np.argmin(counts)]))
        choosing = counts > 1
        if not choosing.any():
            if role != self.chance and not is_same_for_all(legal, row):
                self._number(role, legal, level, row, node, counts)  # checks that a record has one set of legal moves
            single_moves(legal, row, joint, role)
            return row, node, joint
        more = int(counts[choosing].sum())
        self._check_room(level, len(row), int(counts.sum()), more)
        first_slot = np.full(len(row), CHANCE, np.int64)
        if role != self.chance:
            first_slot = self._number(role, legal, level, row, node, counts)
        row, node, joint, *made = fork(legal, row, node, joint, role, counts, first_slot, self.num_nodes)
        self.grown.append(_Grown(*made))
        self.grown_by.append(role)
        self.num_nodes += more
        return row, node, joint

    def _check_room(self, level: _Level, branches: int, following: int, more: int) -> None:
        """Raise `VeilError` if the limits do not allow that `branches` become `following` with `more` new nodes."""
        nodes = self.num_nodes + more
        if nodes > self.max_nodes:
            how = phrase("reached-in-round", rounds=self.rounds)
            raise fail("tree-too-large", nodes=f"{self.max_nodes:,}", how=how, option=self.bounds.option)
        if self._bytes_with(level, branches, following, nodes) > self.max_bytes:
            raise fail("tree-too-many-bytes", gigabytes=self.max_bytes / 2**30, nodes=nodes, rounds=self.rounds)
        if self._is_late(following):
            raise fail("tree-too-slow", seconds=self.bounds.seconds, nodes=self.num_nodes, rounds=self.rounds)

    def _is_late(self, following: int) -> bool:
        """Return whether the time is up or, at the pace so far, will be up before `following` branches are stepped."""
        if self.deadline is None or self.bounds.seconds is None:
            return False
        left = self.deadline - perf_counter()
        pace = self.stepped / (self.bounds.seconds - left)
        return left <= 0 or (following > MANY and following > pace * left)

    def _bytes_with(self, level: _Level, branches: int, following: int, nodes: int) -> int:
        """Return the bytes in use at the worst moment of the next step.

        These are the level, the branches before and after, their results, and all nodes twice, because they are joined
        at the end.
        """
        roles, words = len(self.game.roles), self.machine.state_words
        held = level.states.nbytes + level.node.nbytes + sum(keys.nbytes for keys in level.keys)
        judged = len(level.states) * 8 * (int(self.machine.move_columns[-1]) + roles)
        branch = 8 + 4 + 8 * roles
        reached = 8 * (words + int(self.machine.percept_columns[-1]) + roles)
        in_the_tree = 2 * NODE_BYTES + 8 * len(self.players)
        return held + judged + branches * branch + following * (branch + reached) + nodes * in_the_tree

    def _number(
        self, role: int, legal: np.ndarray, level: _Level, row: np.ndarray, node: np.ndarray, counts: np.ndarray
    ) -> np.ndarray:
        """Return number the infosets of a role in this round; return the first slot of every branch [A]."""
        from veil.equilibrium.expand_kernels import number_infosets  # imports numba

        infoset, first, one, other = number_infosets(level.keys[role], legal, row, counts)
        if one >= 0:
            self._refuse_infoset(role, level, int(row[one]), int(row[other]))
        if not len(first):
            return np.full(len(row), CHANCE)
        size = counts[first]
        start = self.num_slots[role] + np.cumsum(size) - size
        self.num_slots[role] += int(size.sum())
        played = np.full(len(first), self.rounds, np.int32)
        self.infosets[role].append(_Infosets(size, node[first], level.keys[role][row[first]], played))
        return np.where(infoset >= 0, start[infoset], CHANCE)

    def tree(self) -> Tree:
        """Return the arrays of all that has been expanded."""
        role_slots = np.cumsum([0, *self.num_slots.values()])
        shift = {role: int(start) for role, start in zip(self.players, role_slots, strict=False)}
        slots = [
            made.slot + np.int32(shift[role]) if role in shift else made.slot
            for role, made in zip(self.grown_by, self.grown, strict=True)
        ]
        utility = np.zeros((self.num_nodes, len(self.players)))
        for nodes, goals in self.ends:
            utility[nodes] = self.game.utility.of(goals[:, self.players])
        by_role = self.infosets.values()
        counts = [sum(len(entry.size) for entry in entries) for entries in by_role]

        def gather(field: str, kind: type) -> np.ndarray:
            parts = [getattr(entry, field) for entries in by_role for entry in entries]
            return np.concatenate(parts or [np.zeros(0)]).astype(kind)

        return Tree(
            parent=np.concatenate([made.parent for made in self.grown]),
            slot=np.concatenate(slots),
            move=np.concatenate([made.move for made in self.grown]),
            chance_prob=np.concatenate([made.chance_prob for made in self.grown]),
            utility=utility,
            slot_start=np.concatenate(([0], np.cumsum(gather("size", np.int64)))).astype(np.int64),
            role_start=np.cumsum([0, *counts]).astype(np.int64),
            infoset_node=gather("node", np.int32),
            infoset_round=gather("round", np.int32),
            infoset_key=gather("key", np.uint64),
        )

    def _refuse_stuck(self, role: int, level: _Level, row: int) -> None:
        where = f"after {self.history(level.node[row])}: " if self.rounds else "at the start "
        raise fail("stuck", where=where, role=self.game.roles[role])

    def _refuse_infoset(self, role: int, level: _Level, one: int, other: int) -> None:
        """Raise `VeilError` for two histories that a role cannot tell apart, with different legal moves."""
        witnesses = [self.history(level.node[row]) for row in (one, other)]
        raise fail("infoset-moves", role=self.game.roles[role], one=witnesses[0], other=witnesses[1])

    def history(self, node: int) -> str:
        """Return the joint moves that lead to a node, in words."""
        parent = np.concatenate([made.parent for made in self.grown])
        move = np.concatenate([made.move for made in self.grown])
        return history_in_words(self.game, parent, move, node, self.rounds)
