"""The order of evaluation of ground rules: strata, recursion, and dependence on moves.

1. Atoms that depend on each other form a component (almost always a single atom).
2. A component's level is one more than the highest level it depends on. Levels are found by peeling: level k consists
   of the components that depend on peeled components only.
3. Atoms that depend on a move are *dynamic* and stand above all *static* ones, so that a state can be judged alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Edges(NamedTuple):
    """E pairs: a body atom and the head above it."""

    below: np.ndarray  # [E] atom
    above: np.ndarray  # [E] atom
    negated: np.ndarray  # [E] bool


class Order(NamedTuple):
    """An order in which A atoms can be evaluated."""

    level: np.ndarray  # [A] level of an atom; -1 for atoms in a circle, before components are known
    component: np.ndarray  # [A] the component of an atom: atoms that depend on each other
    recursive: np.ndarray  # [A] bool


def order_atoms(num_atoms: int, edges: Edges) -> Order:
    """Return levels and components of all atoms."""
    component = np.arange(num_atoms)
    level = peel(num_atoms, edges.below, edges.above)
    recursive = np.zeros(num_atoms, dtype=bool)
    if (level < 0).any():
        component = _components(num_atoms, edges)
        below, above = component[edges.below], component[edges.above]
        outside = below != above
        level = peel(num_atoms, below[outside], above[outside])[component]
        circular = np.zeros(num_atoms, dtype=bool)
        circular[above[~outside]] = True
        recursive = circular[component]
    return Order(level, component, recursive)


def is_stratified(edges: Edges, order: Order) -> bool:
    """Return whether no atom depends on its own negation."""
    inside = order.component[edges.below] == order.component[edges.above]
    return not bool((inside & edges.negated & order.recursive[edges.above]).any())


def dependents(num_atoms: int, edges: Edges, sources: np.ndarray) -> np.ndarray:
    """Return [A] bool: the sources and everything above them."""
    return _reach(num_atoms, edges.below, edges.above, sources)


def dependencies(num_atoms: int, edges: Edges, targets: np.ndarray) -> np.ndarray:
    """Return [A] bool: the targets and everything below them."""
    return _reach(num_atoms, edges.above, edges.below, targets)


def peel(num_atoms: int, below: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Return [A] the length of the longest path that ends in each atom; -1 for atoms on or above a circle."""
    start, target = _adjacency(num_atoms, below, above)
    waiting_for = np.bincount(above, minlength=num_atoms)
    level = np.full(num_atoms, -1, dtype=np.int64)
    frontier = np.flatnonzero(waiting_for == 0)
    depth = 0
    while len(frontier):
        level[frontier] = depth
        reached, count = np.unique(_neighbours(start, target, frontier), return_counts=True)
        waiting_for[reached] -= count
        frontier = reached[waiting_for[reached] == 0]
        depth += 1
    return level


def _reach(num_atoms: int, source: np.ndarray, target: np.ndarray, begin: np.ndarray) -> np.ndarray:
    """Return [A] bool: `begin`, and the atoms reached from it along edges from `source` to `target`."""
    start, ordered = _adjacency(num_atoms, source, target)
    reachable = np.zeros(num_atoms, dtype=bool)
    frontier = np.unique(begin)
    reachable[frontier] = True
    while len(frontier):
        reached = np.unique(_neighbours(start, ordered, frontier))
        frontier = reached[~reachable[reached]]
        reachable[frontier] = True
    return reachable


def _adjacency(num_atoms: int, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges sorted by source: (start [A + 1], targets)."""
    start = np.zeros(num_atoms + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=num_atoms), out=start[1:])
    return start, target[np.argsort(source, kind="stable")]


def _neighbours(start: np.ndarray, target: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return the targets of all edges out of the given nodes, in one gather."""
    counts = start[nodes + 1] - start[nodes]
    offsets = np.repeat(start[nodes] - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
    reached: np.ndarray = target[offsets + np.arange(counts.sum())]
    return reached


def _components(num_atoms: int, edges: Edges) -> np.ndarray:
    """Return [A] the smallest atom of each atom's strongly connected component."""
    from scipy.sparse import csr_array  # takes long to import
    from scipy.sparse.csgraph import connected_components  # slow to import, and few games are recursive

    ones = np.ones(len(edges.below), dtype=np.int8)
    graph = csr_array((ones, (edges.below, edges.above)), shape=(num_atoms, num_atoms))
    _, label = connected_components(graph, connection="strong")
    first = np.full(num_atoms, num_atoms, dtype=np.int64)
    np.minimum.at(first, label, np.arange(num_atoms))
    smallest: np.ndarray = first[label]
    return smallest
