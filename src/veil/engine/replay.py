"""Replay of histories: what roles were told along them, in words, as numbers and as keys of records.

`record_of` takes the moves of one game in words; the others take many histories as numbers, one lane each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from veil.engine.game import Game
from veil.engine.lanes import Machine, extend_keys, percept_keys, start_keys
from veil.engine.record import Record
from veil.errors import phrase


class ReplayedRound(NamedTuple):
    """One round of N replayed histories. R roles."""

    states: np.ndarray  # [N, words] before the round
    keys: np.ndarray  # [N, R] of the records before it
    joint: np.ndarray  # [N, R]
    percepts: tuple[np.ndarray, ...]  # [R][N, words]
    next_states: np.ndarray  # [N, words]
    next_keys: np.ndarray  # [N, R]


def record_of(game: Game, role: str, joint_moves: Sequence[Mapping[str, str]]) -> Record:
    """Return the record of a role after these joint moves, one per round.

    Raises `VeilError` if one cannot be played.
    """
    state, record = game.initial_state(), game.record(role)
    for number, joint in enumerate(joint_moves, 1):
        terms = state.joint_terms(joint, where=phrase("before-a-round", number=number))
        moves = {game.rules.show(who): game.rules.show(move) for who, move in terms.items()}
        state, percepts = state.play_terms(terms)
        record = record.then(moves[record.role], percepts[record.role])
    return Record(record.role, record.rounds, state.is_terminal)


def replay_histories(machine: Machine, histories: np.ndarray) -> Iterator[ReplayedRound]:
    """Play histories [N, T, R] from the start and yield each round, with what all roles were told in it."""
    states, keys = machine.initial_states(len(histories)), root_keys(machine, len(histories))
    row = np.arange(len(histories))
    for round_index in range(histories.shape[1]):
        joint = histories[:, round_index].astype(np.int64)
        stepped = machine.step(states, joint)
        next_keys = grow_keys(keys, row, joint, stepped.percepts)
        yield ReplayedRound(states, keys, joint, stepped.percepts, stepped.states, next_keys)
        states, keys = stepped.states, next_keys


def observe_history(machine: Machine, history: np.ndarray, role_id: int) -> list[tuple[int, np.ndarray, bool]]:
    """Return what a role is told along one history [T, R]: (own move, percepts, whether the game is over) per round."""
    return [
        (int(played.joint[0, role_id]), played.percepts[role_id][0], bool(machine.terminal(played.next_states)[0]))
        for played in replay_histories(machine, history[None, :])
    ]


def replay_keys(machine: Machine, histories: np.ndarray) -> np.ndarray:
    """Return [N, R] the keys of all roles' records after these histories [N, T, R]."""
    keys = root_keys(machine, len(histories))
    for played in replay_histories(machine, histories):
        keys = played.next_keys
    return keys


def root_keys(machine: Machine, count: int) -> np.ndarray:
    """Return [count, R] the keys of all roles' records before the first round."""
    return np.column_stack([start_keys(count)] * len(machine.program.roles))


def grow_keys(keys: np.ndarray, row: np.ndarray, joint: np.ndarray, percepts: tuple[np.ndarray, ...]) -> np.ndarray:
    """Return [N, R] the keys of all records after one more round: candidate n grows from row[n] of keys [B, R]."""
    columns = [extend_keys(keys[row, role], joint[:, role], percept_keys(seen)) for role, seen in enumerate(percepts)]
    return np.column_stack(columns)
