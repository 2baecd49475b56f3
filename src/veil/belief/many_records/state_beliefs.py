"""What a role believes after each of many records, computed together: the beliefs of players inside a simulation.

A world is a state here, not a history. A player that values its moves by random playouts only needs the states it may
be in. What happens next depends on the state alone, because the others are assumed to move at random. Therefore
histories that lead to the same state are one world, with the sum of their weights, and there are often far fewer
worlds than histories.

1. Records whose record before is known grow together: all their worlds are branched in one pass of the machine, and
   those that disagree with what the role did and saw are dropped (Definition 5 of the HyperPlay article).
2. Equal states of a record are merged; weights are the posterior (equation 6).
3. If a record has more worlds than are kept, that number of worlds is drawn by weight: an unbiased sample.
4. If no world of a sample is left, the role goes back some rounds and forward again with more worlds, further and
   further back, as HyperPlay does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from veil.belief.many_records.record_table import Records
from veil.belief.many_records.records import UNKNOWN, Frontier, NextFrontier, WorldPool
from veil.engine import Machine

MIN_WORLDS, PER_MODEL = 128, 8  # states of a record that are kept, at least and per model that is wanted
MORE, MOST = 4, 2048  # if a sample has died out, MORE times as many worlds are kept on the way, repeatedly, up to MOST
MAX_TOTAL = 4_000_000  # states of all records that are kept
MAX_CANDIDATES = 4096  # joint moves of a world; if there are more, some are drawn at random
AT_ONCE = 1 << 10  # worlds that grow in one pass: few enough to look at the clock in between


class PossibleStates(NamedTuple):
    """The states in which a role may be after a record. N of them."""

    states: np.ndarray  # [N, words]
    legal: np.ndarray  # [N, words] packed legal moves of all roles
    weights: np.ndarray  # [N] their sum is 1
    keys: np.ndarray  # [N, R] keys of the records of all roles; [N, 0] if they are not needed

    def take(self, index: np.ndarray, weights: np.ndarray) -> PossibleStates:
        """Return the states of this index, with these weights."""
        return PossibleStates(self.states[index], self.legal[index], weights, self.keys[index])


class RecordBeliefs:
    """The beliefs of one role, by its records."""

    def __init__(self, machine: Machine, role: int, *, models: int, seed: int, records: Records | None = None) -> None:
        """Know the start alone. `records` may be shared by the beliefs of all roles."""
        self.machine, self.role, self.seed = machine, role, seed
        self.max_worlds = max(MIN_WORLDS, PER_MODEL * models)
        self.tested = 0  # joint moves
        self.records = records or Records(machine)
        self._layout = machine.row_layout(MAX_CANDIDATES)
        self._start = self._make_start()
        self._nothing = self._start.take(np.zeros(0, np.int64), np.zeros(0))
        self.forget()

    def observe(self, before: np.ndarray, own_moves: np.ndarray, percepts: np.ndarray, after: np.ndarray) -> None:
        """Observe that records have grown: keys before [P], own moves [P], percepts [P, words], keys after [P]."""
        self.records.observe(self.role, before, own_moves, percepts, after)

    def after(self, keys: Iterable[int], check_clock: Callable[[], None]) -> list[PossibleStates]:
        """Return the states after each of these records; an empty set if no world was found.

        `check_clock` is called before every pass; what is known when it raises is kept.
        """
        numbers = self.records.find(self.role, np.array(list(keys), np.uint64))
        self.work_out(numbers, check_clock)
        return [self._known(number) for number in numbers.tolist()]

    def work_out(self, numbers: np.ndarray, check_clock: Callable[[], None]) -> WorldPool:
        """Find the states after these records [S]; return the pool that contains them."""
        from veil.belief.many_records.table_kernels import list_missing  # imports numba

        if self.pool.used[0] > MAX_TOTAL:  # they can be computed again; memory is limited
            self.forget()
        missing, done = list_missing(self.records.arrays, numbers), 0
        while done < len(missing):
            check_clock()
            done, dead = self._grow_portion(missing, done)
            for number in dead:
                self._replace(number, self._go_back(number, check_clock))
        return self.pool

    def warm_up(self, key: int) -> None:
        """Call the kernels of step 4 for a record that is known, so that they are ready when a clock runs."""
        (number,) = self.records.find(self.role, np.array([key], np.uint64)).tolist()
        before = self._known(int(self.records.arrays.before[number]))
        self._replace(number, self._thin(self._grow_from(before, number, key, 1), key))

    def _make_start(self) -> PossibleStates:
        states = self.machine.initial_states()
        legal = np.concatenate(self.machine.legal(states), axis=1)
        return PossibleStates(states, legal, np.ones(1), np.zeros((1, 0), np.uint64))

    def forget(self) -> None:
        """Forget all beliefs but that of the start."""
        table = self.records.arrays
        own = np.flatnonzero(table.role[: len(self.records)] == self.role)
        starts = own[table.round[own] == 0]
        table.num_worlds[own] = UNKNOWN
        states, legal, weights, keys = (part.copy() for part in self._start)
        self.pool = WorldPool(states, legal, weights, keys, used=np.ones(1, np.int64))
        table.first_world[starts], table.num_worlds[starts] = 0, 1

    def _known(self, number: int) -> PossibleStates:
        """Return the states after a record whose belief is known."""
        table = self.records.arrays
        rows = slice(table.first_world[number], table.first_world[number] + table.num_worlds[number])
        return PossibleStates(*(part[rows].copy() for part in self.pool[:-1]))

    def _grow_portion(self, missing: np.ndarray, begin: int) -> tuple[int, list[int]]:
        """Do steps 1 to 3 for some records from `begin` on; return their end, and those of which no world is left.

        All of them have a record before that is known. Records after a record without worlds have no worlds either.
        """
        from veil.belief.many_records.growth_kernels import GrowthLimits, grow_portion  # imports numba

        limits = GrowthLimits(self.max_worlds, AT_ONCE, self._word)
        code, table = self.machine.code, self.records.arrays
        self.pool, end, dead, tested = grow_portion(
            code, self._layout, self.role, table, self.pool, missing, begin, limits
        )
        self.tested += tested
        return int(end), dead.tolist()

    def _grow_from(self, before: PossibleStates, number: int, name: int, most: int) -> PossibleStates:
        """Do steps 1 to 3 for one record, from these states; at most `most` are kept."""
        from veil.belief.many_records.growth_kernels import GrowthLimits, grow_worlds  # imports numba

        table = self.records.arrays
        growing = Frontier(
            before.states,
            before.legal,
            before.weights,
            np.zeros(len(before.weights), np.int64),
            table.own_move[number : number + 1],
            table.percepts[number : number + 1],
        )
        limits = GrowthLimits(most, AT_ONCE, self._word)
        names = np.array([name], np.uint64)
        grown, tested = grow_worlds(self.machine.code, self._layout, self.role, growing, names, limits)
        self.tested += tested
        keys = np.zeros((len(grown.weights), 0), np.uint64)
        return PossibleStates(grown.states, grown.legal, grown.weights, keys)

    @property
    def _word(self) -> np.uint64:
        """The seed for kernels."""
        return np.uint64(self.seed & (2**63 - 1))

    def _replace(self, number: int, found: PossibleStates) -> None:
        """Store these states as the belief after a record."""
        from veil.belief.many_records.growth_kernels import append_worlds  # imports numba

        table, begin = self.records.arrays, int(self.pool.used[0])
        table.first_world[number], table.num_worlds[number] = begin, len(found.weights)
        grown = NextFrontier(found.states, found.legal, found.weights, np.zeros(len(found.weights), np.int64))
        self.pool = append_worlds(self.pool, grown)
        self.pool.keys[begin : begin + len(found.weights)] = found.keys

    def _go_back(self, number: int, check_clock: Callable[[], None]) -> PossibleStates:
        """Do step 4; return nothing if no world is found even from the start, or if the record before had none."""
        table = self.records.arrays
        if not table.num_worlds[table.before[number]]:
            return self._nothing
        back, most = 2, MORE * self.max_worlds
        while True:
            path, earlier = [number], int(table.before[number])
            while table.round[earlier] > 0 and len(path) < back:
                path.append(earlier)
                earlier = int(table.before[earlier])
            found = self._known(earlier)
            for later in reversed(path):
                if len(found.weights):
                    check_clock()
                    found = self._grow_from(found, later, int(table.key[later]) ^ back, most)
            if len(found.weights) or (table.round[earlier] == 0 and most >= MOST):
                return self._thin(found, int(table.key[number]))
            back, most = MORE * back, min(MORE * most, max(MOST, self.max_worlds))

    def _thin(self, found: PossibleStates, key: int) -> PossibleStates:
        """Return at most `max_worlds` of the states."""
        from veil.belief.many_records.thinning_kernels import draw_by_record  # imports numba

        one = np.zeros(len(found.weights), np.int64)
        index, weights = draw_by_record(found.weights, one, self.max_worlds, uniform_of(np.array([key], np.uint64), 0))
        return found.take(index, weights)


def uniform_of(keys: np.ndarray, seed: int) -> np.ndarray:
    """Return a number from 0 to 1 for every 64-bit key [N]; equal keys and seeds give equal numbers."""
    from veil.belief.many_records.thinning_kernels import uniform_of_keys  # imports numba

    uniform: np.ndarray = uniform_of_keys(keys, np.uint64(seed & (2**63 - 1)))
    return uniform
