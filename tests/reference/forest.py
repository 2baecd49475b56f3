"""One search tree per world, in plain objects: what `veil.search.playouts.pimc` does in kernels.

UCT with decoupled choices: in a round every role picks its move by its own counts, chance at random. Every iteration
adds a node to every tree, plays one random game from it, and counts what came out along the path.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log

import numpy as np

from veil.belief import Bag
from veil.engine import Machine

EXPLORE = 0.7  # of UCB1, with goals scaled to 0..1


@dataclass(slots=True)
class SearchNode:
    """A state of one world, with counts per role and move."""

    state: np.ndarray  # [words]
    moves: list[np.ndarray]  # [R] legal moves; none at the end of the game
    goals: np.ndarray | None  # [R] at the end
    visits: int = 0
    counts: list[np.ndarray] = field(default_factory=list)  # [R][moves]
    sums: list[np.ndarray] = field(default_factory=list)  # [R][moves] of the role's own goals
    children: dict[tuple[int, ...], SearchNode] = field(default_factory=dict)


class SlowForest:
    """One tree per world of a bag."""

    def __init__(self, machine: Machine, role: int, bag: Bag, chance: int | None, rng: np.random.Generator) -> None:
        self.machine, self.role, self.bag, self.chance, self.rng = machine, role, bag, chance, rng
        self.playouts = self.states_visited = 0
        self.span = max(1, *(max(own, default=0) for own in machine.program.goals))
        self.roots = self._nodes(bag.states)

    def grow(self, iterations: int) -> None:
        """So many iterations in every world."""
        for _ in range(iterations):
            paths = [self._descend(root) for root in self.roots]
            leaves = self._expand(paths)
            goals = self._play_out(leaves)
            for path, won in zip(paths, goals, strict=True):
                self._learn(path, won)

    def values(self) -> dict[int, float]:
        """The role's mean goals by first move, weighted by the worlds' probabilities."""
        total: dict[int, float] = {}
        for weight, root in zip(self.bag.weights, self.roots, strict=True):
            means = root.sums[self.role] / np.maximum(1, root.counts[self.role])
            for move, mean in zip(root.moves[self.role].tolist(), means.tolist(), strict=True):
                total[move] = total.get(move, 0.0) + float(weight) * mean
        return total

    def _nodes(self, states: np.ndarray) -> list[SearchNode]:
        judged = self.machine.judge(states)
        bits = self.machine.legal_bits(judged)
        nodes = []
        for row in range(len(states)):
            over = bool(judged.terminal[row])
            moves = [] if over else [np.flatnonzero(legal[row]) for legal in bits]
            node = SearchNode(states[row], moves, judged.goals[row].astype(float) if over else None)
            node.counts = [np.zeros(len(legal)) for legal in moves]
            node.sums = [np.zeros(len(legal)) for legal in moves]
            nodes.append(node)
        return nodes

    def _descend(self, node: SearchNode) -> list[tuple[SearchNode, tuple[int, ...]]]:
        """The choices from the root to a node that is not in the tree yet, or to the end of the game."""
        path = []
        while node.goals is None:
            joint = tuple(self._pick(node, role) for role in range(len(node.moves)))
            path.append((node, joint))
            child = node.children.get(joint)
            if child is None:
                break
            node = child
        return path

    def _pick(self, node: SearchNode, role: int) -> int:
        """UCB1 on the role's own counts: an index into its moves."""
        counts = node.counts[role]
        if len(counts) == 1:
            return 0
        if role == self.chance:
            return int(self.rng.integers(len(counts)))
        untried = np.flatnonzero(counts == 0)
        if len(untried):
            return int(untried[self.rng.integers(len(untried))])
        bound = node.sums[role] / (counts * self.span) + EXPLORE * np.sqrt(log(node.visits + 1) / counts)
        return int(bound.argmax())

    def _expand(self, paths: list[list[tuple[SearchNode, tuple[int, ...]]]]) -> list[SearchNode]:
        """The nodes at the ends of the paths; new ones are made in one step of the machine."""
        ends: list[SearchNode | None] = [path[-1][0].children.get(path[-1][1]) for path in paths]
        new = [at for at, end in enumerate(ends) if end is None]
        if new:
            parents = [paths[at][-1][0] for at in new]
            joints = [
                [own[index] for own, index in zip(parent.moves, paths[at][-1][1], strict=True)]
                for parent, at in zip(parents, new, strict=True)
            ]
            stepped = self.machine.step(np.stack([parent.state for parent in parents]), np.array(joints))
            for at, node in zip(new, self._nodes(stepped.states), strict=True):
                parent, joint = paths[at][-1]
                parent.children[joint] = node
                ends[at] = node
            self.states_visited += len(new)
        return [end for end in ends if end is not None]

    def _play_out(self, leaves: list[SearchNode]) -> list[np.ndarray]:
        """[R] goals at the end of one random game from every leaf."""
        going = [at for at, leaf in enumerate(leaves) if leaf.goals is None]
        goals = [leaf.goals if leaf.goals is not None else np.zeros(0) for leaf in leaves]
        self.playouts += len(leaves)  # an end is a playout of no moves
        if going:
            states = np.stack([leaves[at].state for at in going])
            played = self.machine.playouts(states, 1, int(self.rng.integers(2**31)))
            self.states_visited += played.steps
            for leaf, won in zip(going, played.goal_sum, strict=True):
                goals[leaf] = won
        return goals

    def _learn(self, path: list[tuple[SearchNode, tuple[int, ...]]], won: np.ndarray) -> None:
        for node, joint in path:
            node.visits += 1
            for role, index in enumerate(joint):
                node.counts[role][index] += 1
                node.sums[role][index] += won[role]
