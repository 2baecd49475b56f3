"""What a role believes after each of many records by HyperGames: the players inside HyperPlay-II as it is printed.

Each record has a bag of models of its own. Every model is a HyperGame (`belief/hyperplay`): it plays moves that agree
with the record, and goes back where none does; there is no remedy against bias, and no re-seeding.

1. A record takes over the bag of the newest record before it that still has one; otherwise its models begin at the
   start of the game.
2. The models of all records of a round are searched together until they explain their records.
3. Every model on line is a world; its weight is the product of the probabilities of the others' choices (5) to (7).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from veil.belief.hyperplay.records import FULL, NOTHING, PAUSED, EncodedRecords, Models, Paths, Stacks
from veil.belief.hyperplay.sampler import BUDGET
from veil.belief.many_records.record_table import Records
from veil.belief.many_records.records import UNKNOWN, NextFrontier, WorldPool
from veil.belief.many_records.state_beliefs import RecordBeliefs
from veil.engine import Machine

ROOM = 16  # entries of a stack, at first
NO_BAG = -1


class HyperGameBeliefs(RecordBeliefs):
    """The beliefs of one role, by its records: a bag of `models` HyperGames each."""

    def __init__(self, machine: Machine, role: int, *, models: int, seed: int, records: Records | None = None) -> None:
        self.models, self._rng = models, np.random.default_rng((seed, role))
        super().__init__(machine, role, models=models, seed=seed, records=records)

    def work_out(self, numbers: np.ndarray, check_clock: Callable[[], None]) -> WorldPool:
        """Find the worlds after these records [S]; return the pool that contains them."""
        table = self.records.arrays
        missing = np.unique(numbers[table.num_worlds[numbers] == UNKNOWN])
        for rounds in np.unique(table.round[missing]).tolist():
            self._explain(missing[table.round[missing] == rounds], rounds, check_clock)
        return self.pool

    def forget(self) -> None:
        """Forget all beliefs and bags but the start."""
        super().forget()
        self._bag_of = np.full(len(self.records.arrays.key), NO_BAG)  # [C] the bag of a record
        self._paths, self._stacks = self._make_bags(0)
        self._seeds, self._complete = np.zeros(0, np.uint64), np.zeros(0, np.bool_)

    def _explain(self, numbers: np.ndarray, rounds: int, check_clock: Callable[[], None]) -> None:
        """Do steps 1 to 3 for these records [K], all of `rounds` rounds."""
        bags = self._take_bags(numbers)
        rows = (bags[:, None] * self.models + np.arange(self.models)).ravel()
        own_move, percepts = self._read_records(numbers, rounds)
        records = EncodedRecords(self.role, np.repeat(np.arange(len(numbers)), self.models), own_move, percepts, False)
        self._lengthen(rounds)
        self._search(records, rows, check_clock)
        self._bag_of[numbers] = bags
        self._store_worlds(numbers, rows, rounds)

    def _take_bags(self, numbers: np.ndarray) -> np.ndarray:
        """Return the bags [K] of these records: that of a record before, which has none afterwards, or a new one."""
        table, bags, earlier = self.records.arrays, np.full(len(numbers), NO_BAG), numbers
        if len(table.key) > len(self._bag_of):
            more = np.full(len(table.key) - len(self._bag_of), NO_BAG)
            self._bag_of = np.concatenate([self._bag_of, more])
        for _ in range(int(table.round[numbers].max(initial=0))):
            earlier = table.before[earlier]
            taken, first = np.unique(earlier, return_index=True)  # two records may have the same one before
            some = first[(self._bag_of[taken] != NO_BAG) & (bags[first] == NO_BAG)]
            bags[some] = self._bag_of[earlier[some]]
            self._bag_of[earlier[some]] = NO_BAG
        new = np.flatnonzero(bags == NO_BAG)
        bags[new] = len(self._seeds) // self.models + np.arange(len(new))
        self._add_bags(len(new))
        return bags

    def _read_records(self, numbers: np.ndarray, rounds: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (own moves [K, T], percepts [K, T, words]) of records of T rounds."""
        table, width = self.records.arrays, int(np.diff(self._layout.percepts)[self.role])
        own_move = np.zeros((len(numbers), rounds), np.int64)
        percepts = np.zeros((len(numbers), rounds, width), np.uint64)
        for number in range(rounds - 1, -1, -1):
            own_move[:, number], percepts[:, number] = table.own_move[numbers], table.percepts[numbers, :width]
            numbers = table.before[numbers]
        return own_move, percepts

    def _search(self, records: EncodedRecords, rows: np.ndarray, check_clock: Callable[[], None]) -> None:
        """Bring these models on line; each may visit as many states as in the article."""
        from veil.belief.hyperplay.search_kernels import search  # imports numba

        visited, tally = np.zeros(len(rows), np.int64), np.zeros(5, np.int64)
        paths, stacks = Paths(*(part[rows] for part in self._paths)), Stacks(*(part[rows] for part in self._stacks))
        seeds, complete, end = self._seeds[rows], self._complete[rows], PAUSED
        while end in (PAUSED, FULL):
            check_clock()
            models = Models(paths, stacks, seeds, complete, visited, np.zeros(len(rows), np.bool_))
            end = search(self.machine.code, self._layout, records, models, BUDGET, tally)
            if end == FULL:
                stacks, self._stacks = _widen(stacks), _widen(self._stacks)
        if end == NOTHING:
            raise ValueError("a record of a simulation that no history explains")
        self.tested += int(visited.sum())
        for mine, changed in zip((*self._paths, *self._stacks), (*paths, *stacks), strict=True):
            mine[rows] = changed
        self._seeds[rows], self._complete[rows] = seeds, complete

    def _store_worlds(self, numbers: np.ndarray, rows: np.ndarray, rounds: int) -> None:
        """Append the worlds of the models on line to the pool, and note where those of each record are."""
        from veil.belief.many_records.growth_kernels import append_worlds  # imports numba

        on_line = self._paths.round[rows] == rounds
        record = np.repeat(np.arange(len(numbers)), self.models)[on_line]
        states = np.ascontiguousarray(self._paths.state[rows[on_line], rounds])
        legal = np.concatenate(self.machine.legal(states), axis=1)
        logs = self._paths.log_weight[rows[on_line], rounds]
        highest = np.full(len(numbers), -np.inf)
        np.maximum.at(highest, record, logs)
        weights = np.exp(logs - highest[record])
        weights /= np.bincount(record, weights, len(numbers))[record]
        table, counts = self.records.arrays, np.bincount(record, minlength=len(numbers))
        table.first_world[numbers] = self.pool.used[0] + np.cumsum(counts) - counts
        table.num_worlds[numbers] = counts
        self.pool = append_worlds(self.pool, NextFrontier(states, legal, weights, record))

    def _add_bags(self, count: int) -> None:
        """Add bags whose models are at the start of the game."""
        paths, stacks = self._make_bags(count * self.models)
        self._paths = Paths(*map(_join, self._paths, paths))
        self._stacks = Stacks(*map(_join, self._stacks, stacks))
        more = self._rng.integers(0, 2**64, count * self.models, np.uint64)
        self._seeds = np.concatenate([self._seeds, more])
        self._complete = np.concatenate([self._complete, np.ones(len(more), np.bool_)])

    def _make_bags(self, models: int) -> tuple[Paths, Stacks]:
        """Return models at the start, with as much room as those that are there."""
        roles, words = len(self.machine.program.roles), self.machine.state_words
        rounds = self._paths.joint.shape[1] if hasattr(self, "_paths") else 0
        room = self._stacks.round.shape[1] if hasattr(self, "_stacks") else ROOM
        state = np.zeros((models, rounds + 1, words), np.uint64)
        state[:, 0] = self.machine.initial_states()
        paths = Paths(
            np.zeros(models, np.int64),
            np.zeros((models, rounds, roles), np.int32),
            state,
            np.zeros((models, rounds + 1)),
        )
        stacks = Stacks(
            np.zeros(models, np.int64),
            np.zeros((models, room), np.int32),
            np.zeros((models, room), np.int32),
            np.zeros((models, room, roles), np.int32),
            np.zeros((models, room, words), np.uint64),
            np.zeros((models, room)),
        )
        return paths, stacks

    def _lengthen(self, rounds: int) -> None:
        """Make room for that many rounds in the paths."""
        more = rounds - self._paths.joint.shape[1]
        if more > 0:
            longer = (
                np.concatenate([part, np.zeros_like(part, shape=(len(part), more, *part.shape[2:]))], axis=1)
                for part in self._paths[1:]
            )
            self._paths = Paths(self._paths.round, *longer)


def _join(before: np.ndarray, more: np.ndarray) -> np.ndarray:
    return np.concatenate([before, more]) if len(more) else before


def _widen(stacks: Stacks) -> Stacks:
    """Return stacks with twice the room."""
    return Stacks(stacks.top, *(np.concatenate([part, np.zeros_like(part)], axis=1) for part in stacks[1:]))
