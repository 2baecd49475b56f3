"""Histories checked against a record: played again in lanes, with their probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.belief.branches import policy_log_probs
from veil.belief.contract import Opponents, tell_opponents
from veil.engine import Machine, replay_histories, uniform_log_probability


class ObservedRecord(NamedTuple):
    """What a role was told, round by round, as samplers observe it; `over`: the game has ended with the last round."""

    role: int
    rounds: tuple[tuple[int, np.ndarray], ...]  # own move, percepts [words]
    over: bool

    def then(self, own_move: int, percepts: np.ndarray, over: bool) -> ObservedRecord:
        """Return the record with one more round."""
        return ObservedRecord(self.role, (*self.rounds, (own_move, percepts)), over)


class CheckedHistories(NamedTuple):
    """N histories that were played again."""

    good: np.ndarray  # [N] whether all moves are legal, the record is the same, and the game is over or not as told
    log_prob: np.ndarray  # [N] of the others' moves
    states: np.ndarray  # [N, words] the states they lead to


def check_histories(
    machine: Machine, record: ObservedRecord, histories: np.ndarray, how: Opponents | None = None
) -> CheckedHistories:
    """Play histories [N, T, R] again. The others play uniformly, or as `how` says."""
    row = np.arange(len(histories))
    good, log_prob = np.ones(len(histories), np.bool_), np.zeros(len(histories))
    states, sizes = machine.initial_states(len(histories)), [len(own) for own in machine.program.moves]
    for played, (own_move, percepts) in zip(replay_histories(machine, histories), record.rounds, strict=True):
        judged = machine.judge(played.states)
        good &= ~judged.terminal & (played.joint[:, record.role] == own_move)
        good &= (played.percepts[record.role] == percepts).all(axis=1)
        for role, legal in enumerate(machine.legal_bits(judged)):
            good &= legal[row, played.joint[:, role]]
            if role != record.role and how is None:
                log_prob += uniform_log_probability(legal.sum(axis=1))
        if how is not None:
            log_prob += policy_log_probs(record.role, judged, played.joint, row, played.keys, sizes, how)
            tell_opponents(how, played.keys, played.joint, played.percepts, played.next_keys)
        states = played.next_states
    return CheckedHistories(good & (machine.terminal(states) == record.over), log_prob, states)
