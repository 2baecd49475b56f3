"""Policies with names in a game that is walked: the records of the walk as an index, a policy [S] as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from veil.engine import round_in_words
from veil.equilibrium.large_policy import SUM_TOLERANCE, ArrayTable, RoleArrays
from veil.equilibrium.policy import MAX_SHOWN, THE_POLICY, Policy, bad_policy, check_rules, spread_row
from veil.equilibrium.record_index import IndexLevel, RecordIndex
from veil.equilibrium.response import uniform_policy
from veil.equilibrium.streaming.walk import Walk


def index_records(walk: Walk, role: int) -> RecordIndex:
    """Return the index of a role's records."""
    names, number = walk.game.names, walk.graph.role_ids[role]
    levels = []
    for level, own in zip(walk.graph.levels, walk.automata[role], strict=True):
        words = tuple(
            round_in_words(names.moves[number][move], names.percept_words(number, percepts))
            for move, percepts in zip(level.token_move[role], level.token_percepts[role], strict=True)
        )
        moves = tuple(tuple(names.moves[number][move] for move in legal) for legal in level.legal_moves[role])
        levels.append(IndexLevel(own.legal, own.child_start, own.token, own.child, own.offset, words, moves))
    return RecordIndex(tuple(levels))


def walk_policy_of(walk: Walk, slots: np.ndarray, made: Mapping[str, Any] | None = None) -> Policy:
    """Return the probabilities [S] of a walk's slots as a policy with names."""
    counts = np.diff(walk.form.role_start).tolist()
    table = {
        name: RoleArrays(index_records(walk, role), slots[walk.form.role_range(role)], counts[role])
        for role, name in enumerate(walk.roles)
    }
    return Policy(game=walk.game.name, rules=walk.game.fingerprint, table=ArrayTable(table), made=dict(made or {}))


def walk_slots_of(walk: Walk, policy: Policy, name: str = THE_POLICY) -> tuple[np.ndarray, int]:
    """Return a policy as probabilities [S] of a walk's slots, and the number of infosets that it does not have.

    Raises `VeilError` for a policy of other rules, or with roles, records or moves that the game does not have.
    """
    check_rules(walk.game, policy, name)
    slots, missing = uniform_policy(walk.form), 0
    for role in policy.table:
        if role not in walk.roles:
            raise bad_policy(name, f"there is no role {role}; the roles are {', '.join(walk.roles)}")
    for number, role in enumerate(walk.roles):
        index, rows = index_records(walk, number), policy.table.get(role, {})
        own = slots[walk.form.role_range(number)]
        given = policy.table.roles.get(role) if isinstance(policy.table, ArrayTable) else None
        if given is not None and given.records == index:
            own[:] = _check_sums(walk, number, given.probabilities, name)
        else:
            for record, row in rows.items():
                _put_row(index, record, row, own, f"{name}: {role}")
        missing += int(walk.form.role_start[number + 1] - walk.form.role_start[number]) - len(rows)
    return slots, missing


def _check_sums(walk: Walk, role: int, probabilities: np.ndarray, name: str) -> np.ndarray:
    """Return the policy of a role, every infoset with the sum 1. Raises `VeilError` if it is far from that."""
    starts = walk.form.slot_start[walk.form.role_start[role] : walk.form.role_start[role + 1]]
    if not len(starts):
        return probabilities
    exact = probabilities.astype(np.float64)
    sums = np.add.reduceat(exact, starts - walk.form.role_slots[role])
    if (np.abs(sums - 1.0) > SUM_TOLERANCE).any():
        raise bad_policy(name, f"the probabilities of a record of {walk.roles[role]} do not add up to 1")
    sizes = np.diff(np.append(starts, walk.form.role_slots[role + 1]))
    normal: np.ndarray = exact / np.repeat(sums, sizes)
    return normal


def _put_row(index: RecordIndex, record: str, row: Mapping[str, float], slots: np.ndarray, whose: str) -> None:
    """Write the probabilities of one record (slots changed in place); messages name the policy and the role."""
    name, _, role = whose.rpartition(": ")
    found = index.find(record)
    if found is None:
        raise bad_policy(name, f"{role} is never told `{record[:MAX_SHOWN]}`")
    try:
        slots[found.slot : found.slot + len(found.moves)] = spread_row(row, list(found.moves))
    except KeyError as unknown:
        where, text = f"{role} at `{record[:MAX_SHOWN]}`", ", ".join(found.moves)
        raise bad_policy(name, f"{where} has no move {unknown.args[0]}; its moves are {text}") from None
