"""The arrays of a walk: all levels of the state graph and of the automata, one after the other.

`lay_out_infosets` gives the infosets of all records in the order of the walk; `make_tables` what the walk of a role
reads. Both are made of classes, so only the infosets take memory that grows with the game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.equilibrium.form import Form
from veil.equilibrium.streaming.layout_kernels import fill_infosets
from veil.equilibrium.streaming.record_automaton import ClassLevel
from veil.equilibrium.streaming.state_graph import StateGraph, StateLevel
from veil.equilibrium.streaming.walk_kernels import NOWHERE, OWN, SEVERAL, PassTables

Automata = tuple[tuple[ClassLevel, ...], ...]


class FlatClasses(NamedTuple):
    """The classes of all levels of one role. C classes, K ways to go on."""

    moves: np.ndarray  # [C]
    child_start: np.ndarray  # [C + 1]
    child: np.ndarray  # [K]
    token: np.ndarray  # [K] tokens of later levels are counted on
    rank: np.ndarray  # [K] the own move on the way, counted among the legal ones
    offset: np.ndarray  # [K]
    row: np.ndarray  # [C] where the tokens of a class begin in `entry`
    entry: np.ndarray  # way to go on of a class and a token of its level; -1 if it cannot be told


def flatten_classes(graph: StateGraph, role: int, levels: tuple[ClassLevel, ...]) -> FlatClasses:
    """Join the levels of one role's automaton."""
    parts = list[FlatClasses]()
    classes = entries = rows = first_token = 0
    for level, own in zip(graph.levels, levels, strict=True):
        count, tokens = len(own.moves), len(level.token_move[role])
        source = np.repeat(np.arange(count), np.diff(own.child_start))
        entry = np.full((count, tokens), -1, np.int64)
        entry[source, own.token] = entries + np.arange(len(source))
        rank_of = np.zeros((len(level.legal_moves[role]), tokens), np.int64)
        for number, moves in enumerate(level.legal_moves[role]):
            rank_of[number] = np.searchsorted(moves, level.token_move[role])
        parts.append(
            FlatClasses(
                own.moves,
                own.child_start[:-1] + entries,
                own.child + classes + count,
                own.token + first_token,
                rank_of[own.legal[source], own.token],
                own.offset,
                rows + tokens * np.arange(count),
                entry.ravel(),
            )
        )
        classes, entries, rows = classes + count, entries + len(source), rows + entry.size
        first_token += tokens
    joined = [np.concatenate([np.zeros(0, np.int64), *field]) for field in zip(*parts, strict=True)]
    flat = FlatClasses(*joined) if joined else FlatClasses(*[np.zeros(0, np.int64)] * 8)
    return flat._replace(child_start=np.append(flat.child_start, entries))


def lay_out_infosets(graph: StateGraph, automata: Automata, flat: list[FlatClasses]) -> Form:
    """Return the infosets of all roles as a sequence form without entries: the walk finds what they would hold."""
    roles = len(graph.roles)
    slots = [int(levels[0].slots[0]) if levels else 0 for levels in automata]
    infosets = [int(levels[0].infosets[0]) if levels else 0 for levels in automata]
    role_slots, role_start = np.cumsum([0, *slots]), np.cumsum([0, *infosets])
    slot_start = np.empty(role_start[-1] + 1, np.int64)
    before = np.empty(role_start[-1], np.int32)
    slot_start[-1] = role_slots[-1]
    for role in range(roles):
        own = slice(role_start[role], role_start[role + 1])
        empty = role_slots[-1] + role
        fill_infosets(flat[role], len(graph.levels), role_slots[role], empty, slot_start[own], before[own])
    nothing = np.zeros(0)
    starts = np.zeros(role_slots[-1] + roles + 1, np.int8)  # no entries
    others = np.zeros((roles - 1, 0), np.int32)
    return Form(slot_start, role_start, role_slots, before, starts, nothing, others)


def make_tables(graph: StateGraph, role: int, flat: list[FlatClasses], role_slots: np.ndarray) -> PassTables:
    """Return what the walk of one role reads."""
    others = [other for other in range(len(graph.roles)) if other != role]
    own, rest = flat[role], [flat[other] for other in others]
    rows = np.cumsum([0, *(len(part.entry) for part in rest)])
    following = [
        np.append(np.column_stack([part.row[part.child] + at, part.offset]), [[0, 0]], axis=0)[part.entry]
        for part, at in zip(rest, rows[:-1], strict=True)
    ]
    first_child = np.repeat(own.child_start[:-1], np.diff(np.append(own.row, len(own.entry))))
    return PassTables(
        *_join_edges(graph, role, others),
        payoff=np.ascontiguousarray(graph.payoffs[:, role]),
        moves=own.moves,
        child_start=own.child_start,
        child=own.child,
        child_offset=own.offset,
        child_rank=own.rank,
        row=own.row,
        place=(own.entry - first_child).astype(np.int32),
        room=_bound_edges(graph, role)[own.token],
        other_next=np.concatenate([np.zeros((0, 2), np.int64), *following]).astype(np.int32),
        other_start=np.column_stack([rows[:-1], role_slots[others]]) if others else np.zeros((0, 2), np.int64),
        merges=bool(any((level.choices[0] > 1).any() for level in graph.levels)),
        first_slot=int(role_slots[role]),
        depth=len(graph.levels),
        halt=np.zeros(1, np.bool_),
    )


class LevelEdges(NamedTuple):
    """The first fields of `PassTables`."""

    edge_start: np.ndarray
    edges: np.ndarray
    chance: np.ndarray
    chooser: np.ndarray
    choices: np.ndarray
    is_leaf: np.ndarray
    end_start: np.ndarray
    ends: np.ndarray


def _join_edges(graph: StateGraph, role: int, others: list[int]) -> LevelEdges:
    """Return the edges of all levels."""
    parts, states, edges, ends = list[LevelEdges](), 0, 0, 0
    for level in skip_decided(graph.levels):
        states += level.size
        part = _list_edges(graph, level, role, others)
        inner = part.edges[:, 0] >= 0
        part.edges[inner, 0] += states
        at = np.where(part.end_start == NOWHERE, NOWHERE, part.end_start + ends)
        parts.append(part._replace(edge_start=part.edge_start[:-1] + edges, end_start=at))
        edges, ends = edges + len(part.edges), ends + len(part.ends)
    if not parts:
        nothing = np.zeros(0, np.int64)
        empty = np.zeros((0, 3 + 2 * len(others)), np.int32)
        return LevelEdges(np.zeros(1, np.int64), empty, np.zeros(0), nothing, nothing, nothing, nothing, np.zeros(0))
    joined = LevelEdges(*(np.concatenate(field) for field in zip(*parts, strict=True)))
    return joined._replace(edge_start=np.append(joined.edge_start, edges))


def _list_edges(graph: StateGraph, level: StateLevel, role: int, others: list[int]) -> LevelEdges:
    """Return the edges of a level, and the payoffs of moves that end the game in plain states."""
    source = np.repeat(np.arange(level.size), np.diff(level.edge_start))
    order = [role, *others]  # the chooser OWN is -1: the last one if it is counted from the end
    has_choice = level.choices[[0, *(1 + number for number in order)]] > 1
    chooser = np.where(has_choice[1:].any(axis=0), has_choice[1:].argmax(axis=0) - 1, OWN)
    chooser[(has_choice.sum(axis=0) > 1) | has_choice[0]] = SEVERAL
    columns = [level.target, level.rank[role], level.token[role]]
    for other in others:
        columns += [np.where(level.choices[1 + other][source] > 1, level.rank[other] + 1, 0), level.token[other]]
    moves = np.diff(level.edge_start)  # of a chooser: every edge is a move
    is_end = (level.target < 0) & (chooser[source] != SEVERAL)
    has_end = np.bincount(source[is_end], minlength=level.size) > 0
    end_start = np.where(has_end, np.cumsum(np.where(has_end, moves, 0)) - moves, NOWHERE)
    kept_here = has_end[source]
    ends = np.where(is_end, graph.payoffs[~np.minimum(level.target, -1), role], 0.0)[kept_here]
    start = np.concatenate(([0], np.cumsum(np.bincount(source[~is_end], minlength=level.size))))
    edges = np.column_stack(columns).astype(np.int32)[~is_end]
    is_leaf = (np.diff(start) == 0) & (chooser != SEVERAL) & has_choice.any(axis=0)
    return LevelEdges(start, edges, level.chance[~is_end], chooser, moves, is_leaf, end_start, ends)


def skip_decided(levels: tuple[StateLevel, ...]) -> tuple[StateLevel, ...]:
    """Return the levels with edges that lead to the payoffs at once where nobody has a choice any more."""
    shortened, decided = list[StateLevel](), np.zeros(0, np.int32)
    for level in reversed(levels):
        inner = level.target >= 0
        target = level.target.copy()
        target[inner] = np.where(decided[target[inner]] < 0, decided[target[inner]], target[inner])
        single = np.diff(level.edge_start) == 1
        decided = np.where(single, np.minimum(target[level.edge_start[:-1]], 0), 0)
        shortened.append(level._replace(target=target))
    return tuple(reversed(shortened))


def _bound_edges(graph: StateGraph, role: int) -> np.ndarray:
    """Return [tokens of all levels] how many edges of one state can have a token, at most."""
    bounds = [np.zeros(0, np.int64)]
    for level in graph.levels:
        tokens = len(level.token_move[role])
        state = np.repeat(np.arange(level.size), np.diff(level.edge_start))
        key, count = np.unique((state * tokens + level.token[role])[level.target >= 0], return_counts=True)
        most = np.zeros(tokens, np.int64)
        np.maximum.at(most, key % tokens, count)
        bounds.append(most)
    return np.concatenate(bounds)
