"""`TreeBuilder`: a tree in flat arrays that grows by rounds.

1. Judge all states of the level: legal moves, end, goals.
2. For `random` and every role in turn: make a branch for every legal move, and a node for each if there are several.
3. Step all branches at once. The results are the next level, and every role's record grows by a round.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.engine import Game
from veil.engine.lanes import extend_keys, percept_keys
from veil.equilibrium.histories import history_in_words
from veil.equilibrium.tree_records import CHANCE, ExpandedRound, Tree, TreeBounds
from veil.errors import fail, phrase
from veil.limits import allowed_bytes
from veil.signals import check_signals

MANY = 100_000  # branches: fewer take almost no time
NODE_BYTES = 20  # bytes of a node during expansion, without its payoffs


class Level(NamedTuple):
    """The states after a number of rounds, B of them."""

    states: np.ndarray  # [B, words]
    node: np.ndarray  # [B]
    keys: tuple[np.ndarray, ...]  # [roles][B] of the records


class GrownNodes(NamedTuple):
    """The nodes after the moves of one role in one round."""

    parent: np.ndarray
    slot: np.ndarray  # from 0 on for each role, in order of creation
    move: np.ndarray
    chance_prob: np.ndarray


class NewInfosets(NamedTuple):
    """Infosets of a role in one round."""

    size: np.ndarray  # moves
    node: np.ndarray  # first node
    key: np.ndarray
    round: np.ndarray


class TreeBuilder:
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
        self.grown = [GrownNodes(root, np.full(1, CHANCE, np.int32), np.full(1, -1, np.int32), np.ones(1))]
        self.grown_by: list[int | None] = [None]  # the role of each entry of `grown`
        self.infosets: dict[int, list[NewInfosets]] = {role: [] for role in self.players}
        self.num_slots = dict.fromkeys(self.players, 0)
        self.ends: list[tuple[np.ndarray, np.ndarray]] = []  # nodes [T], goals [T, roles]

    def play_round(self, level: Level) -> Level:
        """Play one round from all states of the level; return the next level."""
        check_signals()
        judged = self.machine.judge(level.states)
        self.ends.append((level.node[judged.terminal], judged.goals[judged.terminal]))
        row = np.flatnonzero(~judged.terminal)
        node = level.node[row]
        joint = np.zeros((len(row), len(self.game.roles)), np.int64)
        if self.bounds.by_legal:
            level = self._split_records(level, judged.legal, row)
        for role in self.order:
            row, node, joint = self._fork(role, judged.legal[role], level, row, node, joint)
        if not len(row):
            return Level(level.states[:0], node, tuple(keys[:0] for keys in level.keys))
        stepped = self.machine.step_from(level.states, row, joint)
        self.rounds += 1
        self.stepped += len(row)
        keys = tuple(
            extend_keys(old[row], joint[:, role], percept_keys(seen)) if role != self.chance else old[:0]
            for role, (old, seen) in enumerate(zip(level.keys, stepped.percepts, strict=True))
        )
        self.watch(ExpandedRound(row, node, joint, keys))
        return Level(stepped.states, node, keys)

    def _split_records(self, level: Level, legal: tuple[np.ndarray, ...], row: np.ndarray) -> Level:
        """Return the level with legal moves as a part of the records of roles whose records do not determine them."""
        from veil.equilibrium.expand_kernels import count_moves, number_infosets  # imports numba

        keys = list(level.keys)
        for role in self.players:
            *_, one, _ = number_infosets(keys[role], legal[role], row, count_moves(legal[role], row))
            if one >= 0:
                keys[role] = keys[role] ^ percept_keys(legal[role])
        return level._replace(keys=tuple(keys))

    def _fork(
        self, role: int, legal: np.ndarray, level: Level, row: np.ndarray, node: np.ndarray, joint: np.ndarray
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
        self.grown.append(GrownNodes(*made))
        self.grown_by.append(role)
        self.num_nodes += more
        return row, node, joint

    def _check_room(self, level: Level, branches: int, following: int, more: int) -> None:
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

    def _bytes_with(self, level: Level, branches: int, following: int, nodes: int) -> int:
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
        self, role: int, legal: np.ndarray, level: Level, row: np.ndarray, node: np.ndarray, counts: np.ndarray
    ) -> np.ndarray:
        """Number the infosets of a role in this round; return the first slot of every branch [A]."""
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
        self.infosets[role].append(NewInfosets(size, node[first], level.keys[role][row[first]], played))
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

    def _refuse_stuck(self, role: int, level: Level, row: int) -> None:
        where = f"after {self.history(level.node[row])}: " if self.rounds else "at the start "
        raise fail("stuck", where=where, role=self.game.roles[role])

    def _refuse_infoset(self, role: int, level: Level, one: int, other: int) -> None:
        """Raise `VeilError` for two histories that a role cannot tell apart, with different legal moves."""
        witnesses = [self.history(level.node[row]) for row in (one, other)]
        raise fail("infoset-moves", role=self.game.roles[role], one=witnesses[0], other=witnesses[1])

    def history(self, node: int) -> str:
        """Return the joint moves that lead to a node, in words."""
        parent = np.concatenate([made.parent for made in self.grown])
        move = np.concatenate([made.move for made in self.grown])
        return history_in_words(self.game, parent, move, node, self.rounds)
