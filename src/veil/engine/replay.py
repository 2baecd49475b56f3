"""Histories played again: what every role was told along them, in lanes, as numbers and as keys of records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from veil.engine.lanes import Machine, extend_keys, percept_keys, start_keys


class EncodedObservation(NamedTuple):
    """What a role is told after one round, as numbers."""

    own_move: int
    percepts: np.ndarray  # [words] packed


class ReplayedRound(NamedTuple):
    """One round of N histories that are played again. R roles."""

    states: np.ndarray  # [N, words] before the round
    keys: np.ndarray  # [N, R] of the records before it
    joint: np.ndarray  # [N, R]
    percepts: tuple[np.ndarray, ...]  # [R][N, words]
    next_states: np.ndarray  # [N, words]
    next_keys: np.ndarray  # [N, R]


def replay_histories(machine: Machine, histories: np.ndarray) -> Iterator[ReplayedRound]:
    """Histories [N, T, R] from the start, round by round, with what every role was told."""
    states, keys = machine.initial_states(len(histories)), root_keys(machine, len(histories))
    row = np.arange(len(histories))
    for round_index in range(histories.shape[1]):
        joint = histories[:, round_index].astype(np.int64)
        stepped = machine.step(states, joint)
        next_keys = grow_keys(keys, row, joint, stepped.percepts)
        yield ReplayedRound(states, keys, joint, stepped.percepts, stepped.states, next_keys)
        states, keys = stepped.states, next_keys


def observe_history(machine: Machine, history: np.ndarray, role_id: int) -> list[tuple[int, np.ndarray, bool]]:
    """What a role is told along one history [T, R]: (own move, percepts, whether the game is then over) per round."""
    return [
        (int(played.joint[0, role_id]), played.percepts[role_id][0], bool(machine.terminal(played.next_states)[0]))
        for played in replay_histories(machine, history[None, :])
    ]


def replay_keys(machine: Machine, histories: np.ndarray) -> np.ndarray:
    """[N, R] the keys of all roles' records after these histories [N, T, R]."""
    keys = root_keys(machine, len(histories))
    for played in replay_histories(machine, histories):
        keys = played.next_keys
    return keys


def root_keys(machine: Machine, count: int) -> np.ndarray:
    """[count, R] the keys of all roles' records before the first round."""
    return np.column_stack([start_keys(count)] * len(machine.program.roles))


def grow_keys(keys: np.ndarray, row: np.ndarray, joint: np.ndarray, percepts: tuple[np.ndarray, ...]) -> np.ndarray:
    """[N, R] the keys of all roles' records, one round longer: candidate n grows from row[n] of keys [B, R]."""
    columns = [extend_keys(keys[row, role], joint[:, role], percept_keys(seen)) for role, seen in enumerate(percepts)]
    return np.column_stack(columns)
