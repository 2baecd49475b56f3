"""The exact evaluation of a policy in a game that is walked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from veil.equilibrium.response import Evaluation, evaluate_profile, uniform_policy
from veil.equilibrium.streaming.layout import flatten_classes, make_tables
from veil.equilibrium.streaming.state_graph import StateGraph, join_equal_states
from veil.equilibrium.streaming.walk import Share, Walk, ignore_share


def evaluate_on_walk(walk: Walk, policy: np.ndarray, share: Share = ignore_share) -> Evaluation:
    """Return the value of a profile, policy [S], to every role, and the value of each role's best response.

    A policy that is the same under all symmetries of the game is evaluated with their help. `share` is called with the
    share of the work that is done.
    """
    roles, is_symmetric = len(walk.roles), walk.is_symmetric(policy)

    def find_payoffs(role: int, policy: np.ndarray, x: np.ndarray, q: np.ndarray) -> None:
        del x
        walk.add_payoffs(role, policy, q, lambda done: share((role + done) / roles), is_symmetric=is_symmetric)

    return evaluate_profile(walk.form, policy, find_payoffs)


def evaluate_uniform_play(walk: Walk, share: Share = ignore_share) -> Evaluation:
    """Return what `evaluate_on_walk` gives for uniform play, many times as fast."""
    roles = len(walk.roles)

    def find_payoffs(role: int, policy: np.ndarray, x: np.ndarray, q: np.ndarray) -> None:
        del x
        add_uniform_payoffs(walk, role, policy, q, lambda done: share((role + done) / roles))

    return evaluate_profile(walk.form, uniform_policy(walk.form), find_payoffs)


def add_uniform_payoffs(walk: Walk, role: int, policy: np.ndarray, q: np.ndarray, share: Share = ignore_share) -> None:
    """Do what `walk.add_payoffs` does, many times as fast, if the others play uniformly in `policy` [S].

    Against uniform play the others are chance: what they were told says nothing about what they will do. So all
    histories of a record that have the same state are one.
    """
    graph = leave_to_chance(walk.graph, role)
    flat = [flatten_classes(graph, 0, walk.automata[role])]
    tables = make_tables(graph, 0, flat, walk.form.role_slots[role : role + 1])
    walk.add_payoffs(role, policy, q, share, tables)


def leave_to_chance(graph: StateGraph, role: int) -> StateGraph:
    """Return the game of one role in which chance plays for all others."""
    levels = []
    for level in graph.levels:
        others = np.delete(level.choices, 1 + role, axis=0).prod(axis=0)
        levels.append(
            level._replace(
                chance=np.repeat(1.0 / others, np.diff(level.edge_start)),
                choices=np.stack([others, level.choices[1 + role]]),
                rank=level.rank[role : role + 1],
                token=level.token[role : role + 1],
                legal=level.legal[role : role + 1],
                legal_moves=level.legal_moves[role : role + 1],
                token_move=level.token_move[role : role + 1],
                token_percepts=level.token_percepts[role : role + 1],
            )
        )
    ids, payoffs = graph.role_ids[role : role + 1], graph.payoffs[:, role : role + 1]
    return replace(
        graph, roles=(graph.roles[role],), role_ids=ids, levels=join_equal_states(tuple(levels)), payoffs=payoffs
    )
