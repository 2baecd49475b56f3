"""The infosets of a game that is walked, found by the keys of their records.

A search names the records that it knows by 64-bit keys (`engine.extend_keys`). Nothing else in a walk needs them, so
they are computed when an index is asked for: one pass through the records of every role.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import percept_keys
from veil.equilibrium.online_players import InfosetIndex, sort_keys
from veil.equilibrium.streaming.layout import flatten_classes
from veil.equilibrium.streaming.record_key_kernels import KeyTables, fill_keys
from veil.equilibrium.streaming.records import legal_sets
from veil.equilibrium.streaming.walk import Walk


def index_walk(walk: Walk) -> InfosetIndex:
    """Return the index of a walk's infosets. It takes about 30 bytes for each."""
    form = walk.form
    count = len(form.infoset_before)
    last, legal = np.zeros(count, np.int32), np.zeros(count, np.int32)
    by_key, ranks, sets = list[tuple[np.ndarray, np.ndarray]](), list[np.ndarray](), 0
    for role in range(len(walk.roles)):
        own = slice(int(form.role_start[role]), int(form.role_start[role + 1]))
        keys = np.zeros(own.stop - own.start, np.uint64)
        if walk.graph.levels:
            flat, tables = flatten_classes(walk.graph, role, walk.automata[role]), _make_key_tables(walk, role)
            fill_keys(flat, tables, len(walk.graph.levels), keys, last[own], legal[own])
        last[own] += own.start
        legal[own] += sets
        ranks.append(_rank_moves(walk, role))
        sets += len(ranks[-1])
        by_key.append(sort_keys(keys, own.start))
    rank_of = _stack(ranks)

    def find_slots(infosets: np.ndarray, moves: np.ndarray) -> np.ndarray:
        known = moves < rank_of.shape[1]
        rank = np.where(known, rank_of[legal[infosets], np.where(known, moves, 0)], -1)
        return np.where(rank >= 0, form.slot_start[infosets] + rank, -1)

    return InfosetIndex(by_key, np.arange(count, dtype=np.int32), last, find_slots)


def _make_key_tables(walk: Walk, role: int) -> KeyTables:
    """Return what the records of a role are told, and the sizes and legal moves of its classes, level after level."""
    nothing = np.zeros(0, np.int64)
    levels, automaton = walk.graph.levels, walk.automata[role]
    return KeyTables(
        move=np.concatenate([nothing, *(level.token_move[role] for level in levels)]),
        percepts=np.concatenate([percept_keys(level.token_percepts[role]) for level in levels]),
        legal=legal_sets(walk, role)[0],
        infosets=np.concatenate([nothing, *(own.infosets for own in automaton)]),
    )


def _rank_moves(walk: Walk, role: int) -> np.ndarray:
    """Return [sets, moves] the place of a move among the legal ones of every set of all levels; -1 for all others."""
    _, sets = legal_sets(walk, role)
    rank = np.full((len(sets), len(walk.game.program.moves[walk.graph.role_ids[role]])), -1, np.int32)
    for number, moves in enumerate(sets):
        rank[number, moves] = np.arange(len(moves))
    return rank


def _stack(tables: list[np.ndarray]) -> np.ndarray:
    """Return tables [., moves] one below the other, filled up with -1 to the width of the widest."""
    width = max(table.shape[1] for table in tables)
    return np.concatenate(
        [np.pad(table, ((0, 0), (0, width - table.shape[1])), constant_values=-1) for table in tables]
    )
