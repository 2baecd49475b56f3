"""The slots of a game under its symmetries."""

from __future__ import annotations

import numpy as np

from veil.equilibrium.streaming.layout import Automata, FlatClasses
from veil.equilibrium.streaming.record_automaton import ClassLevel
from veil.equilibrium.streaming.state_graph import StateGraph
from veil.equilibrium.streaming.symmetries import Symmetry
from veil.equilibrium.streaming.symmetry_kernels import ImageTables, find_first_images


def find_first_slots(
    graph: StateGraph, automata: Automata, flat: list[FlatClasses], symmetries: tuple[Symmetry, ...], slots: np.ndarray
) -> np.ndarray:
    """Return [S] the first of the images of every slot under symmetries without the identity.

    `slots` [R + 1] are the first slots of roles, and the number of all.
    """
    first = np.arange(slots[-1], dtype=np.int32)
    for role in range(len(graph.roles)):
        tables = _make_table(graph, role, automata[role], flat[role], symmetries, int(slots[role]))
        find_first_images(tables, first)
    return first


def _make_table(
    graph: StateGraph,
    role: int,
    levels: tuple[ClassLevel, ...],
    flat: FlatClasses,
    symmetries: tuple[Symmetry, ...],
    first: int,
) -> ImageTables:
    sets, legal, slots = 0, [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for level, own in zip(graph.levels, levels, strict=True):
        legal.append(own.legal + sets)
        slots.append(own.slots)
        sets += len(level.legal_moves[role])
    return ImageTables(
        moves=flat.moves,
        slots=np.concatenate(slots),
        legal=np.concatenate(legal),
        child_start=flat.child_start,
        child=flat.child,
        token=flat.token,
        offset=flat.offset,
        row=flat.row,
        entry=flat.entry,
        image_token=np.stack([symmetry.tokens[role] for symmetry in symmetries]),
        image_rank=np.stack([_map_ranks(graph, role, symmetry) for symmetry in symmetries]),
        first_slot=first,
        depth=len(graph.levels),
    )


def _map_ranks(graph: StateGraph, role: int, symmetry: Symmetry) -> np.ndarray:
    """Return [sets of legal moves of all levels, moves] the place of every move's image among those of the image."""
    images = [symmetry.moves[role][moves] for level in graph.levels for moves in level.legal_moves[role]]
    ranks = np.zeros((len(images), max(map(len, images), default=0)), np.int64)
    for number, image in enumerate(images):
        ranks[number, np.argsort(image)] = np.arange(len(image))  # legal moves are in the order of their numbers
    return ranks
