"""What a role believes after each of many records when it reads the others: equations (5) to (7) with a real policy.

As in `record_beliefs`, records of a round grow together. But how likely a move was depends on what its role was told
before, so a world is a state and the record of every role in it, known by its key:

1. All worlds are branched, and those that disagree with what the role did and saw go.
2. A world's weight is multiplied by the probabilities of the others' moves after their records, as the opponents say;
   the opponents hear how those records grew.
3. Too many worlds are thinned, and a sample that has died out goes back, as before.
"""

from __future__ import annotations

import numpy as np

from veil.belief import Opponents, branch, policy_log_probs, tell_opponents
from veil.engine import Machine, grow_keys, root_keys
from veil.search.record_beliefs import (
    MAX_CANDIDATES,
    PossibleStates,
    RecordBeliefs,
    Step,
    draw_by_record,
    uniform_of,
)


class WeighedBeliefs(RecordBeliefs):
    """The beliefs of one role, by the key of its record, weighed by how the others play."""

    def __init__(self, machine: Machine, role: int, *, models: int, seed: int, opponents: Opponents) -> None:
        self.opponents = opponents
        super().__init__(machine, role, models=models, seed=seed)

    def _make_start(self) -> PossibleStates:
        start = super()._make_start()
        return start._replace(keys=root_keys(self.machine, len(start.weights)))

    def _grow_from(
        self, before: list[PossibleStates], steps: list[Step], keys: list[int], most: int
    ) -> list[PossibleStates]:
        """Steps 1 to 3 from these states; at most so many of each are kept."""
        states = np.concatenate([each.states for each in before])
        told = np.concatenate([each.keys for each in before])  # [N, R]
        record = np.repeat(np.arange(len(keys)), [len(each.weights) for each in before])
        weights = np.concatenate([each.weights for each in before])
        own_moves = np.array([step.own_move for step in steps], np.int64)[record]
        percepts = np.stack([step.percepts for step in steps])[record]
        names = np.array(keys, np.uint64)
        words = (names + np.uint64(self.seed & (2**63 - 1)))[record] ^ (np.arange(len(record), dtype=np.uint64) << 32)
        judged = self.machine.judge(states)
        found = branch(self.machine, self.role, states, judged, own_moves, percepts, MAX_CANDIDATES, words)
        self.tested += int(found.tested.sum())
        sizes = [len(own) for own in self.machine.program.moves]
        policy = policy_log_probs(self.role, judged, found.joint, found.row, told, sizes, self.opponents)
        listed = found.log_prob + np.log(np.maximum(1, found.tested[found.row]))  # log of the share that was listed
        chances = weights[found.row] * np.exp(policy - listed)
        goes_on = np.flatnonzero(~self.machine.terminal(found.states) & (chances > 0))
        joint, row = found.joint[goes_on], found.row[goes_on]
        seen = tuple(part[goes_on] for part in found.percepts)
        grown = grow_keys(told, row, joint, seen)
        tell_opponents(self.opponents, told[row], joint, seen, grown)
        worlds = PossibleStates(found.states[goes_on], chances[goes_on], grown)
        return self._split(worlds, record[row], names, most)

    def _split(self, worlds: PossibleStates, record: np.ndarray, names: np.ndarray, most: int) -> list[PossibleStates]:
        """The worlds of each record [N], thinned, with weights that add up to 1."""
        totals = np.bincount(record, worlds.weights, minlength=len(names))
        weights = worlds.weights / totals[record]
        index = np.arange(len(record))
        if len(record) > most:
            index, weights = draw_by_record(weights, record, most, uniform_of(names, self.seed))
        thinned = worlds.take(index, weights)
        ends = np.searchsorted(record[index], np.arange(len(names)), side="right").tolist()
        return [
            thinned.take(np.arange(begin, end), weights[begin:end])
            for begin, end in zip([0, *ends[:-1]], ends, strict=True)
        ]
