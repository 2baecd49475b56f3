"""The value of information by definition, on states and words: every world a role can be in, every plan it can have.

The others and chance play uniformly. A world is (probability, state, what the role remembers); what is remembered of
one round may leave the percepts out. Where a role has a single legal move it makes it, and remembers that it did.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import Any

from veil.engine import Game, Record, State

World = tuple[float, State, tuple[Any, ...]]


def list_worlds(game: Game, record: Record) -> list[World]:
    """The worlds that a record leaves possible."""
    worlds: list[World] = [(1.0, game.initial_state(), ())]
    for own_move, percepts in record.rounds:
        worlds = [
            (chance, state, ())
            for chance, state, _, seen in _step_all(worlds, record.role, own_move)
            if frozenset(seen) == percepts
        ]
    return worlds


def value_move(game: Game, record: Record, move: str, *, tell: bool) -> float | None:
    """What a move pays at this record with the best plan after it; `tell`: its percepts are remembered. None where no
    plan is legal whatever was seen.
    """
    worlds = list_worlds(game, record)
    after = [
        (chance, state, (move, frozenset(seen) if tell else None))
        for chance, state, _, seen in _step_all(worlds, record.role, move)
    ]
    worth = _find_best(after, record.role)
    return None if worth is None else worth / sum(chance for chance, *_ in worlds)


def _find_best(worlds: list[World], role: str) -> float | None:
    total, groups, rest = 0.0, defaultdict[tuple[Any, ...], list[World]](list), list(worlds)
    while rest:
        chance, state, memory = rest.pop()
        legal = [] if state.is_terminal else state.legal(role)
        if state.is_terminal:
            total += chance * state.goals[role]
        elif len(legal) == 1:
            stepped = _step_all([(chance, state, memory)], role, legal[0])
            rest += [(p, s, (*memory, legal[0], frozenset(seen))) for p, s, _, seen in stepped]
        else:
            groups[memory].append((chance, state, memory))
    for memory, group in groups.items():
        common = set.intersection(*(set(state.legal(role)) for _, state, _ in group))
        worths = [
            _find_best(
                [(p, s, (*memory, move, frozenset(seen))) for p, s, _, seen in _step_all(group, role, move)], role
            )
            for move in sorted(common)
        ]
        known = [worth for worth in worths if worth is not None]
        if not known:
            return None
        total += max(known)
    return total


def _step_all(worlds: list[World], role: str, move: str) -> list[tuple[float, State, tuple[Any, ...], list[str]]]:
    """Every way a round can go in these worlds, the others uniformly."""
    found = []
    for chance, state, memory in worlds:
        if state.is_terminal or move not in state.legal(role):
            continue
        others = [name for name in state.game.roles if name != role]
        choices = [state.legal(name) for name in others]
        for joint in product(*choices):
            share = chance
            for options in choices:
                share /= len(options)
            following, percepts = state.play(dict(zip(others, joint, strict=True)) | {role: move})
            found.append((share, following, memory, percepts[role]))
    return found
