"""Perfect-information search in every world, as if it were the true one; then the mean over the worlds.

Each world has a search tree of its own (UCT with decoupled choices: in a round every role picks its move by its own
counts, chance at random). All worlds go down their trees side by side; their new leaves are stepped, judged and played
out in one batch each. What a role cannot know does not enter: this is the search that suffers from strategy fusion
(Frank & Basin 1998), which the imperfect-information searches are measured against.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log

import numpy as np

from veil.belief import Bag
from veil.clock import pace
from veil.engine import Machine
from veil.registry import check_options, option
from veil.search.montecarlo import per_world
from veil.search.protocol import Answer, SearchBudget, SearchQuestion, SearchTask, answer_by_values

EXPLORE = 0.7  # of UCB1, with goals scaled to 0..1


@dataclass(frozen=True, slots=True, kw_only=True)
class PimcConfig:
    """Worlds, and iterations of the search in each of them."""

    worlds: int = option(20, "that are searched", limit="worlds")
    iterations: int = option(100, "of the search in every world", limit="playouts")
    sampler: str = option("auto", "how worlds are found: a row of `veil samplers`", table="veil.belief:SAMPLERS")
    opponents: str = option("uniform", "how the others play: a row of `veil opponents`", table="veil.search:OPPONENTS")

    def __post_init__(self) -> None:
        check_options(self)

    def searcher(self, task: SearchTask) -> PimcSearch:
        """A searcher for one role of one match."""
        return PimcSearch(task, self)


class PimcSearch:
    """Perfect-information search in every world, then the mean."""

    def __init__(self, task: SearchTask, config: PimcConfig) -> None:
        self.task, self.config = task, config

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """The best moves after this record."""
        bag = question.belief.worlds(self.config.worlds, rng)
        machine = self.task.game.machine
        forest = Forest(machine, self.task.role_id, bag, machine.program.chance, rng)
        if budget.deadline is None:
            forest.grow(per_world(self.config.worlds * self.config.iterations, bag))
        else:
            for iterations in pace(budget.deadline):
                forest.grow(iterations)
        return replace(forest.answer(), bag=bag)


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


class Forest:
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

    def answer(self) -> Answer:
        """The role's mean goals by first move, weighted by the worlds' probabilities."""
        total: dict[int, float] = {}
        visits: dict[int, float] = {}
        for weight, root in zip(self.bag.weights, self.roots, strict=True):
            means = root.sums[self.role] / np.maximum(1, root.counts[self.role])
            counts = root.counts[self.role].tolist()
            for move, mean, count in zip(root.moves[self.role].tolist(), means.tolist(), counts, strict=True):
                total[move] = total.get(move, 0.0) + float(weight) * mean
                visits[move] = visits.get(move, 0.0) + count
        moves = np.array(sorted(total))
        values, counted = (np.array([by_move[move] for move in moves.tolist()]) for by_move in (total, visits))
        return answer_by_values(moves, values, counted, self.playouts, self.states_visited)

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
