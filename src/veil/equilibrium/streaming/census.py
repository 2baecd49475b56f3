"""The size of a game, exactly, without its tree: paths of the state graph are counted.

As in the tree, the roles move one after the other in a round, and a forced move makes no node. Numbers are exact,
however large: they are Python integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from veil.equilibrium.streaming.layout import Automata
from veil.equilibrium.streaming.state_graph import StateGraph, StateLevel
from veil.signals import check_signals


@dataclass(frozen=True, slots=True)
class Census:
    """The sizes of a game. Histories of a round are all joint moves so far, forced ones included."""

    levels: tuple[int, ...]  # nodes of every depth
    terminals: int
    chance_nodes: int
    histories: tuple[int, ...]  # after every round, games that have ended not included
    steps: int  # histories times what can be played next: what one pass of a walk has to look at

    @property
    def nodes(self) -> int:
        """The number of nodes of the tree."""
        return sum(self.levels)


def take_census(graph: StateGraph) -> Census:
    """Count the nodes of the tree of a game."""
    nodes, terminals, chance_nodes, steps = {0: 1}, int(not graph.levels), 0, 0
    histories = list[int]()
    by_depth: dict[int, np.ndarray] = {0: np.ones(1, object)}  # depth -> paths to every state
    for number, level in enumerate(graph.levels):
        check_signals()
        size = graph.levels[number + 1].size if number + 1 < len(graph.levels) else 0
        following: dict[int, np.ndarray] = {}
        depths = (level.choices > 1).sum(axis=0)
        histories.append(sum(int(paths.sum()) for paths in by_depth.values()))
        for depth, paths in by_depth.items():
            chance_nodes += int(paths[level.choices[0] > 1].sum())
            terminals += _count_ends(level, paths)
            steps += int((paths * np.diff(level.edge_start)).sum())
            _add_nodes(nodes, depth, level, paths)
            for more in np.unique(depths).tolist():
                _push(following, depth + more, level, np.where(depths == more, paths, 0), size)
        by_depth = following
    return Census(tuple(nodes[depth] for depth in sorted(nodes)), terminals, chance_nodes, tuple(histories), steps)


def _add_nodes(nodes: dict[int, int], depth: int, level: StateLevel, paths: np.ndarray) -> None:
    """Add the nodes that a round makes below histories of one depth (nodes changed)."""
    width, made = paths.copy(), np.zeros(level.size, np.int64)
    for choices in level.choices:
        made += choices > 1
        width = width * choices
        for more in np.unique(made[choices > 1]).tolist():
            new = int(width[(choices > 1) & (made == more)].sum())
            if new:
                nodes[depth + more] = nodes.get(depth + more, 0) + new


def _count_ends(level: StateLevel, paths: np.ndarray) -> int:
    """Return the number of games that end in a round."""
    ends = np.add.reduceat(level.target < 0, level.edge_start[:-1], dtype=np.int64)
    return int((paths * ends).sum())


def _push(following: dict[int, np.ndarray], depth: int, level: StateLevel, paths: np.ndarray, size: int) -> None:
    """Add the paths to the states of the next level (following changed)."""
    source = np.repeat(np.arange(level.size), np.diff(level.edge_start))
    inner = (level.target >= 0) & (paths[source] > 0)
    if inner.any():
        counts = following.setdefault(depth, np.zeros(size, object))
        np.add.at(counts, level.target[inner], paths[source[inner]])


def count_remaining(graph: StateGraph) -> np.ndarray:
    """Return [N] the steps from every state on, all levels one after the other, as floating-point numbers."""
    parts, below = list[np.ndarray](), np.zeros(0)
    for level in reversed(graph.levels):
        steps = np.ones(len(level.target))
        inner = level.target >= 0
        steps[inner] += below[level.target[inner]]
        below = np.add.reduceat(steps, level.edge_start[:-1])
        parts.append(below)
    return np.concatenate([*parts[::-1], np.zeros(0)])


def count_tree(graph: StateGraph, automata: Automata) -> dict[str, Any]:
    """Return the sizes that `veil tree` shows, with those of the state graph."""
    census = take_census(graph)
    heads = [levels[0] if levels else None for levels in automata]
    return {
        "nodes": census.nodes,
        "terminals": census.terminals,
        "chance_nodes": census.chance_nodes,
        "depth": len(census.levels) - 1,
        "infosets": {role: int(head.infosets[0]) if head else 0 for role, head in zip(graph.roles, heads, strict=True)},
        "slots": {role: int(head.slots[0]) if head else 0 for role, head in zip(graph.roles, heads, strict=True)},
        "states": graph.num_states,
        "steps": census.steps,
        "levels": list(census.levels),
    }
