"""The records of a game under its symmetries: tables for the kernels that copy values from records to their images."""

from __future__ import annotations

import numpy as np

from veil.equilibrium.streaming.layout import Automata, FlatClasses
from veil.equilibrium.streaming.record_automaton import ClassLevel
from veil.equilibrium.streaming.state_graph import StateGraph
from veil.equilibrium.streaming.symmetries import Symmetry
from veil.equilibrium.streaming.symmetry_kernels import ImageTables


def make_images(
    graph: StateGraph, automata: Automata, flat: list[FlatClasses], symmetries: tuple[Symmetry, ...], first: np.ndarray
) -> tuple[ImageTables, ...]:
    """Return the tables of all roles for symmetries without the identity; first [R] are the first slots of roles."""
    return tuple(
        _make_table(graph, role, automata[role], flat[role], symmetries, int(first[role]))
        for role in range(len(graph.roles))
    )


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
