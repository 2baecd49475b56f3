"""Opponents that are asked by record: what the models of opponents share.

What a role does after a record is worked out once and kept:

1. Rows without a choice, and `random`, are answered at once.
2. The records of the other rows that are not known yet are worked out together (`work_out`).
3. The policy of a record is restricted to the legal moves of its row and mixed with uniform, so that no legal move has
   probability 0: (1 - mix) * policy + mix * uniform. Where nothing was worked out, the answer is uniform.

A record is known by its key. What is in it, a model learns by `hear`: samplers tell it how records grew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from veil.belief import RecordStep
from veil.engine import Machine, uniform_probabilities


class CachedOpponents(ABC):
    """Opponents whose policies are worked out by record, once each."""

    def __init__(self, machine: Machine, mix: float) -> None:
        """`mix` is the share of uniform play."""
        self.machine, self.mix = machine, mix
        self._known: dict[tuple[int, int], np.ndarray] = {}

    @abstractmethod
    def hear(self, growth: RecordStep) -> None:
        """Records of a role have grown by a round; to hear of one again changes nothing."""

    @abstractmethod
    def work_out(self, role_id: int, keys: list[int]) -> dict[int, np.ndarray]:
        """key -> weights [moves] of what the role does after these records; those that are left out are asked again.

        A record that nobody has told of is a KeyError.
        """

    def __call__(self, role_id: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """[B, moves] the probabilities of a role's moves after records [B], of which legal [B, moves] can be played."""
        answer = uniform_probabilities(legal)
        free = np.flatnonzero(legal.sum(axis=1) > 1)
        if role_id == self.machine.program.chance or not len(free):
            return answer
        records, which = np.unique(keys[free], return_inverse=True)
        weights = self._look_up(role_id, records.tolist(), legal.shape[1])[which] * legal[free]
        totals = weights.sum(axis=1, keepdims=True)
        policy = np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), answer[free])
        answer[free] = (1.0 - self.mix) * policy + self.mix * answer[free]
        return answer

    def _look_up(self, role_id: int, keys: list[int], num_moves: int) -> np.ndarray:
        """[K, moves] weights of the moves after each record; all 0 where nothing is known."""
        missing = [key for key in keys if (role_id, key) not in self._known]
        if missing:
            found = self.work_out(role_id, missing)
            self._known |= {(role_id, key): weights for key, weights in found.items()}
        nothing = np.zeros(num_moves)
        return np.stack([self._known.get((role_id, key), nothing) for key in keys])
