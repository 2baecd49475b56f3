"""The layout of a drawn game tree: from left to right, a column per decision, the ends in rows from top to bottom.

1. The drawing begins at the root, or at all nodes of an infoset under a point that stands for it.
2. Nodes are unfolded level by level up to `max_nodes`; a node below which nothing is drawn is folded, and says how many
   nodes it stands for.
3. Ends and folded nodes get a row each; a node is in the middle of its children.
4. The nodes of an infoset are in one place of their column, so that the line that joins them is straight. Infosets of a
   column whose lines would touch stand beside each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from veil.equilibrium import CHANCE, GameTree

ROW, ASIDE = 24.0, 16.0  # pixels: between two ends, and between two infosets of a level
SLOPE, AFTER = 30.0, 16.0  # of an edge: its sloping part, and the room after the words on its level part
MOST_PASSES = 12  # of moving infosets into one column
IS_CHANCE, IS_END, IS_FOLDED, IS_KNOWN = -1, -2, -3, -4  # in place of the role that decides


class DrawnNode(NamedTuple):
    """A node of a drawing."""

    node: int  # of the tree; -1 for the point above the nodes of an infoset
    parent: int  # its place in the drawing; -1 for the first
    owner: int  # place of the role that decides, or IS_CHANCE, IS_END, IS_FOLDED, IS_KNOWN
    infoset: int  # -1 if no role decides
    x: float
    y: float
    bend: float  # where the edge that leads here becomes level
    hidden: int  # nodes that are folded into it
    below: int = -1  # the role that decides, or IS_CHANCE, if it is folded


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """A drawing without words. D drawn nodes; a parent's place is before its children's."""

    nodes: tuple[DrawnNode, ...]  # [D]
    lines: tuple[tuple[int, ...], ...]  # infosets of more than one drawn node: their places from top to bottom
    width: float
    height: float


def show_payoff(value: float) -> str:
    """Return a payoff as it stands at an end: `-1`, `0.5`, `33.333`."""
    return f"{round(value, 3) + 0.0:g}"


@dataclass(slots=True)
class _Shape:
    """The tree for drawing. N nodes, S slots."""

    tree: GameTree
    children: list[list[int]] = field(init=False)
    owner_of_slot: np.ndarray = field(init=False)  # [S]
    infoset_of_slot: np.ndarray = field(init=False)  # [S]
    sizes: np.ndarray = field(init=False)  # [N] nodes of the subtree, itself included

    def __post_init__(self) -> None:
        flat = self.tree.flat
        self.children = [[] for _ in range(len(flat.parent))]
        for node, parent in enumerate(flat.parent[1:].tolist(), 1):
            self.children[parent].append(node)
        owner = np.repeat(np.arange(len(self.tree.roles)), np.diff(flat.role_start))
        counts = np.diff(flat.slot_start)
        self.owner_of_slot = np.repeat(owner, counts)
        self.infoset_of_slot = np.repeat(np.arange(len(owner)), counts)
        self.sizes = np.ones(len(flat.parent), np.int64)
        for node in range(len(flat.parent) - 1, 0, -1):  # a parent's number is below its children's
            self.sizes[flat.parent[node]] += self.sizes[node]

    def decide(self, node: int) -> tuple[int, int]:
        """Return who decides at a node, and at which infoset."""
        if not self.children[node]:
            return IS_END, -1
        slot = int(self.tree.flat.slot[self.children[node][0]])
        return (IS_CHANCE, -1) if slot == CHANCE else (int(self.owner_of_slot[slot]), int(self.infoset_of_slot[slot]))


def lay_out_tree(
    tree: GameTree,
    measure: Callable[[int], float],
    roots: Sequence[int] = (0,),
    *,
    max_nodes: int,
    folded: Collection[int] = (),
) -> TreeLayout:
    """Return the drawing of a tree below some roots; the nodes in `folded` are drawn without what is below them.

    `measure` returns the width of the words on the edge that leads to a node.
    """
    shape = _Shape(tree)
    opened = _unfold(shape, roots, max_nodes, frozenset(folded))
    order, parents = _walk(shape, roots, opened)
    rows = _find_rows(order, parents)
    owners = [_decide(shape, node, opened) for node in order]
    depth = _find_levels(parents, [infoset for _, infoset in owners])
    aside = _set_aside(order, depth, rows, owners)
    starts, bends = _find_columns(depth, aside, [measure(node) for node in order])
    nodes = tuple(
        DrawnNode(
            node,
            parents[place],
            owners[place][0],
            owners[place][1],
            starts[depth[place]] + aside[place] * ASIDE,
            rows[place] * ROW,
            bends[depth[place]],
            0 if node < 0 or node in opened else int(shape.sizes[node]) - 1,
            -1 if node < 0 else shape.decide(node)[0],
        )
        for place, node in enumerate(order)
    )
    lines = _join_infosets(nodes)
    return TreeLayout(nodes, lines, max(node.x for node in nodes), max(node.y for node in nodes))


def _unfold(shape: _Shape, roots: Sequence[int], max_nodes: int, folded: frozenset[int]) -> set[int]:
    """Return the nodes whose children are drawn: breadth first, as long as there is room."""
    opened: set[int] = set()
    level, drawn = list(roots), len(roots)
    while level:
        following: list[int] = []
        for node in level:
            if shape.children[node] and node not in folded and drawn + len(shape.children[node]) <= max_nodes:
                opened.add(node)
                drawn += len(shape.children[node])
                following += shape.children[node]
        level = following
    return opened


def _walk(shape: _Shape, roots: Sequence[int], opened: set[int]) -> tuple[list[int], list[int]]:
    """Return the drawn nodes depth first, and the places of their parents."""
    order, parents = list[int](), list[int]()
    first = 0
    if len(roots) > 1:
        order.append(-1)
        parents.append(-1)
        first = 1
    waiting = [(root, 0 if first else -1) for root in reversed(roots)]
    while waiting:
        node, parent = waiting.pop()
        place = len(order)
        order.append(node)
        parents.append(parent)
        if node in opened:
            waiting.extend((child, place) for child in reversed(shape.children[node]))
    return order, parents


def _find_levels(parents: Sequence[int], infosets: Sequence[int]) -> list[int]:
    """Return the column of every node: to the right of its parent's, and that of its infoset where this is possible.

    Two infosets can each come before the other, in different histories; then they are moved `MOST_PASSES` times.
    """
    levels, wanted = [0] * len(parents), dict[int, int]()
    for _ in range(MOST_PASSES):
        before = list(levels)
        for place, (parent, infoset) in enumerate(zip(parents, infosets, strict=True)):
            least = levels[parent] + 1 if parent >= 0 else 0
            levels[place] = max(least, wanted.get(infoset, 0)) if infoset >= 0 else least
            if infoset >= 0:
                wanted[infoset] = levels[place]
        if levels == before:
            break
    return levels


def _find_rows(order: Sequence[int], parents: Sequence[int]) -> list[float]:
    """Return the rows of nodes: those without drawn children one after the other, others amid their children."""
    has_children = set(parents)
    rows, row = [0.0] * len(order), 0
    for place in range(len(order)):
        if place not in has_children:
            rows[place] = row
            row += 1
    ends: dict[int, list[float]] = defaultdict(list)
    for place in range(len(order) - 1, -1, -1):
        if place in has_children:
            rows[place] = (min(ends[place]) + max(ends[place])) / 2
        if parents[place] >= 0:
            ends[parents[place]].append(rows[place])
    return rows


def _decide(shape: _Shape, node: int, opened: set[int]) -> tuple[int, int]:
    if node < 0:
        return IS_KNOWN, -1
    owner, infoset = shape.decide(node)
    return (owner, infoset) if owner == IS_END or node in opened else (IS_FOLDED, infoset)


def _set_aside(
    order: Sequence[int], depth: Sequence[int], rows: Sequence[float], owners: Sequence[tuple[int, int]]
) -> list[int]:
    """Return how many places every node is moved aside, so that lines of infosets in a column do not touch."""
    spans: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place in range(len(order)):
        if owners[place][1] >= 0:
            spans[depth[place], owners[place][1]].append(place)
    taken: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    aside = [0] * len(order)
    for (level, _), places in sorted(spans.items(), key=lambda entry: rows[entry[1][0]]):
        low, high = min(rows[place] for place in places), max(rows[place] for place in places)
        lane = 0
        while any(low <= other_high and other_low <= high for other_low, other_high in taken[level, lane]):
            lane += 1
        taken[level, lane].append((low, high))
        for place in places:
            aside[place] = lane
    return aside


def _find_columns(
    depth: Sequence[int], aside: Sequence[int], widths: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Return where the nodes of every level begin, and where the edges that lead to them become level."""
    levels = range(max(depth) + 1)
    widest = [max(width for width, own in zip(widths, depth, strict=True) if own == level) for level in levels]
    lanes = [max(lane for lane, own in zip(aside, depth, strict=True) if own == level) for level in levels]
    starts, bends = [0.0], [0.0]
    for level in levels[1:]:
        bends.append(starts[-1] + lanes[level - 1] * ASIDE + SLOPE)
        starts.append(bends[-1] + widest[level] + AFTER)
    return starts, bends


def _join_infosets(nodes: Sequence[DrawnNode]) -> tuple[tuple[int, ...], ...]:
    members: dict[int, list[int]] = defaultdict(list)
    for place, node in enumerate(nodes):
        if node.infoset >= 0:
            members[node.infoset].append(place)
    return tuple(
        tuple(sorted(places, key=lambda place: nodes[place].y)) for places in members.values() if len(places) > 1
    )
