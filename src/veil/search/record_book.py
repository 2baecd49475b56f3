"""Records by their keys, and opponents that are asked by record.

Samplers know a record by its 64-bit key. Whoever needs more of it (the words of a policy file, the belief of the role
that was told it) must know how it came about: `RecordBook` remembers, for every key, the key of the record a round
earlier, the own move and the percepts.

`RecordedOpponents` is what all models of opponents share. What a role does after a record is worked out once and kept:

1. Rows without a choice, and `random`, are answered at once.
2. The records of the other rows that are not known yet are worked out together (`work_out`).
3. The policy of a record is restricted to the legal moves of its row and mixed with uniform, so that no legal move has
   probability 0: (1 - mix) * policy + mix * uniform. Where nothing was worked out, the answer is uniform.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from veil.belief import Growth
from veil.engine import START_KEY, Machine, uniform_probabilities


class RecordStep(NamedTuple):
    """How a record came about."""

    before: int  # key of the record a round earlier
    own_move: int
    percepts: np.ndarray  # [words]


class RecordBook:
    """The steps of all records that were heard of, by role and key."""

    def __init__(self) -> None:
        self._steps: dict[tuple[int, int], RecordStep] = {}

    def hear(self, growth: Growth) -> None:
        """Records of a role have grown by a round; what was heard first stays."""
        after, first = np.unique(growth.after, return_index=True)
        for key, row in zip(after.tolist(), first.tolist(), strict=True):
            if (growth.role_id, key) not in self._steps:
                step = RecordStep(int(growth.before[row]), int(growth.own_moves[row]), growth.percepts[row].copy())
                self._steps[(growth.role_id, key)] = step

    def step(self, role_id: int, key: int) -> RecordStep:
        """The last round of a record that is not empty. A record that nobody has told of is a KeyError."""
        return self._steps[(role_id, key)]

    def walk_back(self, role_id: int, key: int) -> Iterator[tuple[int, RecordStep]]:
        """(key, step) of a record and of all before it, the latest first."""
        while key != int(START_KEY):
            step = self.step(role_id, key)
            yield key, step
            key = step.before

    def steps(self, role_id: int, key: int) -> list[RecordStep]:
        """All rounds of a record, the first one first."""
        return [step for _, step in self.walk_back(role_id, key)][::-1]


class RecordedOpponents:
    """Opponents whose policies are worked out by record, once each."""

    def __init__(self, machine: Machine, mix: float) -> None:
        """`mix` is the share of uniform play."""
        self.machine, self.mix, self.book = machine, mix, RecordBook()
        self._known: dict[tuple[int, int], np.ndarray] = {}

    def hear(self, growth: Growth) -> None:
        """Records of a role have grown by a round."""
        if growth.role_id != self.machine.program.chance:
            self.book.hear(growth)

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

    def work_out(self, role_id: int, keys: list[int]) -> dict[int, np.ndarray]:
        """key -> weights [moves] of what the role does after these records; those that are left out are asked again."""
        raise NotImplementedError

    def _look_up(self, role_id: int, keys: list[int], num_moves: int) -> np.ndarray:
        """[K, moves] weights of the moves after each record; all 0 where nothing is known."""
        missing = [key for key in keys if (role_id, key) not in self._known]
        if missing:
            found = self.work_out(role_id, missing)
            self._known |= {(role_id, key): weights for key, weights in found.items()}
        nothing = np.zeros(num_moves)
        return np.stack([self._known.get((role_id, key), nothing) for key in keys])
