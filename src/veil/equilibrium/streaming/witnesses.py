"""Histories that show why a game cannot be analysed: found by playing on from the start."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from veil.engine import Game
from veil.errors import fail


def refuse_stuck(game: Game, levels: list[np.ndarray], state: int, role: int) -> NoReturn:
    """Raise the error for a role without a legal move in a state of the last level; levels hold all states so far."""
    wanted = levels[-1][state]
    history = list[str]()
    for states in reversed(levels[:-1]):
        rows, joints = game.machine.joint_moves(states)
        following = game.machine.step_from(states, rows, joints).states
        edge = int(np.flatnonzero((following == wanted).all(axis=1))[0])
        history.append(_in_words(game, joints[edge]))
        wanted = states[rows[edge]]
    where = f"after {'; '.join(reversed(history))}: " if history else "at the start "
    raise fail("stuck", where=where, role=game.roles[role])


def refuse_infoset(game: Game, role: int, record: list[tuple[int, np.ndarray]]) -> NoReturn:
    """Raise the error for two histories with this record of a role, (own move, percepts) per round, but other moves."""
    machine = game.machine
    states, told = machine.initial_states(), [""]
    for own_move, percepts in record:
        rows, joints = machine.joint_moves(states)
        stepped = machine.step_from(states, rows, joints)
        fits = (joints[:, role] == own_move) & (stepped.percepts[role] == percepts).all(axis=1)
        places = np.flatnonzero(fits)
        _, first = np.unique(stepped.states[places], axis=0, return_index=True)
        places = places[first]
        told = ["; ".join(filter(None, [told[rows[place]], _in_words(game, joints[place])])) for place in places]
        judged = machine.judge(stepped.states[places])
        goes_on = np.flatnonzero(~judged.terminal)
        states, told = stepped.states[places][goes_on], [told[place] for place in goes_on]
    legal = machine.judge(states).legal[role]
    other = int(np.flatnonzero((legal != legal[0]).any(axis=1))[0])
    raise fail("infoset-moves", role=game.roles[role], one=told[0] or "the start", other=told[other])


def _in_words(game: Game, joint: np.ndarray) -> str:
    """Return the moves of a round in the order of the roles."""
    return " ".join(game.names.joint_words(joint).values())
