"""Fluents that say whose turn it is, and roles that may choose out of turn.

A turn marker is a fluent with one argument, such as `(control ?role)`, that holds for exactly one role in every state
of some random games. If a role that it does not name has several legal moves, a rule for `legal` has probably forgotten
to ask for it, and both roles move at once.
"""

from __future__ import annotations

from typing import NamedTuple

from veil.engine import Game
from veil.engine.lanes import unpack
from veil.review.random_games import play_random_games
from veil.vocabulary import arguments, signature


class IdleMarker(NamedTuple):
    """A turn marker that does not restrict a role."""

    marker: str  # the name of the fluent
    role: str  # a role that may choose out of turn
    states: int  # number of states in which it could
    seen: int  # number of states in which it was another role's turn


def find_idle_markers(game: Game, count: int, seed: int, max_rounds: int) -> list[IdleMarker]:
    """Return turn markers and the roles that they do not restrict, from `count` random games."""
    families = _list_families(game)
    is_marker = dict.fromkeys(families, True)
    free: dict[tuple[str, int], list[int]] = {
        (name, role_id): [0, 0] for name, columns in families.items() for role_id in columns
    }
    for part in play_random_games(game, count, seed, max_rounds) if families else ():
        if part.joint is None:
            continue
        bits = unpack(part.states, len(game.program.fluents))
        for name, columns in families.items():
            is_marker[name] &= bool((bits[:, list(columns.values())].sum(axis=1) == 1).all())
            for role_id, column in columns.items():
                idle = ~bits[:, column]
                tally = free[name, role_id]
                tally[0] += int(((part.legal[role_id].sum(axis=1) > 1) & idle).sum())
                tally[1] += int(idle.sum())
    return [
        IdleMarker(name, game.roles[role_id], states, seen)
        for (name, role_id), (states, seen) in free.items()
        if is_marker[name] and states
    ]


def _list_families(game: Game) -> dict[str, dict[int, int]]:
    """Return fluents of one argument that name two roles or more: name -> role id -> number of the fluent."""
    roles = {role: number for number, role in enumerate(game.program.roles)}
    families: dict[str, dict[int, int]] = {}
    others: set[str] = set()
    for column, fluent in enumerate(game.program.fluents):
        name, arity = signature(fluent)
        if arity == 1 and arguments(fluent)[0] in roles:
            families.setdefault(name, {})[roles[arguments(fluent)[0]]] = column
        elif arity == 1:
            others.add(name)  # other values than roles occur, too
    return {name: columns for name, columns in families.items() if len(columns) > 1 and name not in others}
