"""Opponents that are asked by record: the common part of the models of opponents.

The policy of a role after a record is computed once and cached:

1. Rows without a choice, and `random`, are answered at once.
2. The records of the other rows that are not known yet are computed together (`work_out`).
3. The policy of a record is restricted to the legal moves of its row and mixed with uniform, so that no legal move has
   probability 0: (1 - mix) * policy + mix * uniform. If nothing was computed, the answer is uniform.

A record is known by its key. A model learns the content of a record by `observe`: samplers tell it how records grew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from veil.belief import RecordStep
from veil.engine import Machine, uniform_probabilities


class CachedOpponents(ABC):
    """Opponents whose policies are computed by record, once each."""

    heaviest_first = False  # whether the records of most rows are worked out first; otherwise in the order of keys

    def __init__(self, machine: Machine, mix: float) -> None:
        """Mix policies with uniform play, whose share is `mix`."""
        self.machine, self.mix = machine, mix
        self._known: dict[tuple[int, int], np.ndarray] = {}

    @abstractmethod
    def observe(self, growth: RecordStep) -> None:
        """Observe that records of a role have grown by a round; observing a record again changes nothing."""

    @abstractmethod
    def work_out(self, role_id: int, keys: list[int]) -> dict[int, np.ndarray]:
        """Return key -> weights [moves] of what the role does after these records. Missing ones are asked again.

        Raises `KeyError` for a record that was never observed.
        """

    def __call__(self, role_id: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return the probabilities [B, moves] of a role's moves after records [B], with legal moves [B, moves]."""
        answer = uniform_probabilities(legal)
        free = np.flatnonzero(legal.sum(axis=1) > 1)
        if role_id == self.machine.program.chance or not len(free):
            return answer
        records, which, counts = np.unique(keys[free], return_inverse=True, return_counts=True)
        order = np.argsort(-counts, kind="stable") if self.heaviest_first else np.arange(len(records))
        weights = np.empty((len(records), legal.shape[1]))
        weights[order] = self._look_up(role_id, records[order].tolist(), legal.shape[1])
        weights = weights[which] * legal[free]
        totals = weights.sum(axis=1, keepdims=True)
        policy = np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), answer[free])
        answer[free] = (1.0 - self.mix) * policy + self.mix * answer[free]
        return answer

    def _look_up(self, role_id: int, keys: list[int], num_moves: int) -> np.ndarray:
        """Return the weights [K, moves] of the moves after each record; all 0 if nothing is known."""
        missing = [key for key in keys if (role_id, key) not in self._known]
        if missing:
            found = self.work_out(role_id, missing)
            self._known |= {(role_id, key): weights for key, weights in found.items()}
        nothing = np.zeros(num_moves)
        return np.stack([self._known.get((role_id, key), nothing) for key in keys])
