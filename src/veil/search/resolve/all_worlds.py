"""All worlds after each of several records of a role, breadth-first and at once.

1. Every record begins with the initial state.
2. A round: all joint moves that agree with what the role did and saw; weights are multiplied by the probability of
   these moves if everybody plays as in the past (`PastPlay`).
3. Worlds of one record with the same state, in which all roles were told the same, become one world: they have the same
   future for everybody. Two dice that are rolled one after the other are such a case.
"""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.belief import branch
from veil.clock import has_passed
from veil.engine import Judged, Machine, grow_keys, replay_histories, root_keys
from veil.engine.lanes import MAX_CANDIDATES, percept_keys
from veil.search.resolve.past_play import PastPlay

TESTS = 100  # joint moves that are tested in a round, at most, for each world that there is room for
TESTS_PER_SECOND = 1_000_000  # about


class RecordWorlds(NamedTuple):
    """N worlds of several records. R roles."""

    record: np.ndarray  # [N] whose world it is; ascending
    histories: np.ndarray  # [N, T, R] one of those that lead to it
    states: np.ndarray  # [N, words]
    keys: np.ndarray  # [N, R] of all records
    weights: np.ndarray  # [N]

    def take(self, index: np.ndarray) -> RecordWorlds:
        """Return some of the worlds."""
        return RecordWorlds(*(column[index] for column in self))


def find_all_worlds(
    machine: Machine, past: PastPlay, role_id: int, histories: np.ndarray, room: int, deadline: float | None = None
) -> RecordWorlds | None:
    """Return all open worlds that a role holds possible after the records that histories [K, T, R] lead to.

    None if there are ever more than `room`, or too many joint moves to test, or the deadline passes before.
    """
    count = len(histories)
    start = np.zeros((count, 0, histories.shape[2]), histories.dtype)
    keys = root_keys(machine, count)
    worlds = RecordWorlds(np.arange(count), start, machine.initial_states(count), keys, np.ones(count))
    for played in replay_histories(machine, histories):
        judged = machine.judge(worlds.states)
        if count_tests(machine, judged, role_id) > (TESTS * room if deadline is None else tests_until(deadline)):
            return None
        own_moves, percepts = played.joint[worlds.record, role_id], played.percepts[role_id][worlds.record]
        grown = branch(machine, role_id, worlds.states, judged, own_moves, percepts)
        if len(grown.row) > room or (grown.tested >= MAX_CANDIDATES).any() or has_passed(deadline):
            return None
        ratio = past.compare_round(judged, worlds.keys, grown.joint, grown.row)
        worlds = join_equal(
            RecordWorlds(
                worlds.record[grown.row],
                np.concatenate((worlds.histories[grown.row], grown.joint[:, None].astype(histories.dtype)), axis=1),
                grown.states,
                grow_keys(worlds.keys, grown.row, grown.joint, grown.percepts),
                worlds.weights[grown.row] * np.exp(grown.log_prob) * ratio,
            ),
            machine.program.chance,
        )
    return worlds.take(np.flatnonzero(~machine.terminal(worlds.states)))


def count_tests(machine: Machine, judged: Judged, role_id: int) -> float:
    """Return how many joint moves are tested if a role's own move is known in each of the judged states."""
    counts = [bits.sum(axis=1, dtype=float) for bits in machine.legal_bits(judged)]
    return float(np.prod(np.delete(counts, role_id, axis=0), axis=0).sum())


def tests_until(deadline: float) -> float:
    """Return how many joint moves there is time to test."""
    return TESTS_PER_SECOND * (deadline - perf_counter())


def join_equal(worlds: RecordWorlds, chance: int | None) -> RecordWorlds:
    """Return the worlds with those joined that belong to one record, are in one state and told all roles the same."""
    names = name_worlds(worlds.states, worlds.keys, chance, worlds.record)
    _, first, which = np.unique(names, return_index=True, return_inverse=True)
    if len(first) == len(names):
        return worlds
    joined = worlds.take(first)._replace(weights=np.bincount(which, worlds.weights))
    return joined.take(np.argsort(first))


def name_worlds(
    states: np.ndarray, keys: np.ndarray, chance: int | None, record: np.ndarray | None = None
) -> np.ndarray:
    """Return a 64-bit name [N] of the states [N, words] and the records [N, R] of all roles but chance.

    With `record` [N] it also says whose world it is.
    """
    columns = [states, keys if chance is None else np.delete(keys, chance, axis=1)]
    if record is not None:
        columns.append(record[:, None].astype(np.uint64))
    return percept_keys(np.concatenate(columns, axis=1))
