"""What a role believes after each of many records if it models the others: equations (5) to (7) with a real policy.

As in `state_beliefs`, records of a round grow together. But the probability of a move depends on what its role was
told before, so a world is a state and the record of every role in it, known by its key:

1. All worlds are branched, and those that disagree with what the role did and saw are dropped.
2. A world's weight is multiplied by the probabilities of the others' moves after their records, as the opponents say;
   the opponents observe how those records grew.
3. Too many worlds are thinned, and a sample that has died out goes back, as in `state_beliefs`.
"""

from __future__ import annotations

import numpy as np

from veil.belief import Opponents, branch, policy_log_probs, tell_opponents
from veil.belief.many_records.record_table import Records
from veil.belief.many_records.state_beliefs import AT_ONCE, MAX_CANDIDATES, PossibleStates, RecordBeliefs, uniform_of
from veil.engine import Machine, grow_keys, root_keys


class WeightedBeliefs(RecordBeliefs):
    """The beliefs of one role, by its records, weighted by how the others play."""

    def __init__(
        self,
        machine: Machine,
        role: int,
        *,
        models: int,
        seed: int,
        opponents: Opponents,
        records: Records | None = None,
    ) -> None:
        self.opponents = opponents
        super().__init__(machine, role, models=models, seed=seed, records=records)

    def _make_start(self) -> PossibleStates:
        start = super()._make_start()
        return start._replace(keys=root_keys(self.machine, len(start.weights)))

    def _grow_portion(self, missing: np.ndarray, begin: int) -> tuple[int, list[int]]:
        """Do steps 1 to 3 for some records from `begin` on; return their end, and those of which no world is left."""
        from veil.belief.many_records.growth_kernels import find_end  # imports numba

        table = self.records.arrays
        end = int(find_end(table, missing, begin, AT_ONCE))
        numbers = missing[begin:end]
        before = [self._known(number) for number in table.before[numbers].tolist()]
        grown = self._grow_all(before, numbers, table.key[numbers], self.max_worlds)
        dead = []
        for number, found in zip(numbers.tolist(), grown, strict=True):
            if len(found.weights):
                self._replace(number, found)
            else:
                dead.append(number)
        return end, dead

    def _grow_from(self, before: PossibleStates, number: int, name: int, most: int) -> PossibleStates:
        """Do steps 1 to 3 for one record, from these states; at most `most` are kept."""
        (found,) = self._grow_all([before], np.array([number]), np.array([name], np.uint64), most)
        return found

    def _grow_all(
        self, before: list[PossibleStates], numbers: np.ndarray, names: np.ndarray, most: int
    ) -> list[PossibleStates]:
        """Do steps 1 to 3 from these states of each record; at most `most` of each are kept."""
        table = self.records.arrays
        states = np.concatenate([each.states for each in before])
        told = np.concatenate([each.keys for each in before])  # [N, R]
        record = np.repeat(np.arange(len(numbers)), [len(each.weights) for each in before])
        weights = np.concatenate([each.weights for each in before])
        own_moves = table.own_move[numbers][record]
        words = int(np.diff(self.machine.percept_columns)[self.role])
        percepts = np.ascontiguousarray(table.percepts[numbers, :words])[record]
        draws = (names + self._word)[record] ^ (np.arange(len(record), dtype=np.uint64) << 32)
        judged = self.machine.judge(states)
        found = branch(self.machine, self.role, states, judged, own_moves, percepts, MAX_CANDIDATES, draws)
        self.tested += int(found.tested.sum())
        sizes = [len(own) for own in self.machine.program.moves]
        policy = policy_log_probs(self.role, judged, found.joint, found.row, told, sizes, self.opponents)
        listed = found.log_prob + np.log(np.maximum(1, found.tested[found.row]))  # log of the share that was listed
        chances = weights[found.row] * np.exp(policy - listed)
        following = self.machine.judge(found.states)
        goes_on = np.flatnonzero(~following.terminal & (chances > 0))
        joint, row = found.joint[goes_on], found.row[goes_on]
        seen = tuple(part[goes_on] for part in found.percepts)
        grown = grow_keys(told, row, joint, seen)
        tell_opponents(self.opponents, told[row], joint, seen, grown)
        legal = np.concatenate(following.legal, axis=1)[goes_on]
        worlds = PossibleStates(found.states[goes_on], legal, chances[goes_on], grown)
        return self._split(worlds, record[row], names, most)

    def _split(self, worlds: PossibleStates, record: np.ndarray, names: np.ndarray, most: int) -> list[PossibleStates]:
        """Return the worlds of each record [N], thinned, with weights of the sum 1."""
        from veil.belief.many_records.thinning_kernels import draw_by_record  # imports numba

        totals = np.bincount(record, worlds.weights, minlength=len(names))
        weights = worlds.weights / totals[record]
        index, weights = draw_by_record(weights, record, most, uniform_of(names, self.seed))
        thinned = worlds.take(index, weights)
        ends = np.searchsorted(record[index], np.arange(len(names)), side="right").tolist()
        return [
            thinned.take(np.arange(begin, end), weights[begin:end])
            for begin, end in zip([0, *ends[:-1]], ends, strict=True)
        ]
