"""What a role believes after each of many records, worked out together: the beliefs of players inside a simulation.

A world is a state here, not a history. A player that values its moves by random playouts asks only where it may stand,
and what happens next depends on the state alone, because the others are taken to move at random; so histories that lead
to the same state are one world, with all their weight. Few worlds are left where histories are many.

1. Records whose record before is known grow together: all their worlds are branched in one pass of the machine, and
   those that disagree with what the role did and saw go (Definition 5 of the HyperPlay article).
2. Equal states of a record are merged; weights are the posterior (equation 6).
3. Where a record has more worlds than are kept, so many are drawn by weight: an unbiased sample.
4. Where no world is left of a sample, the role goes back some rounds and forward again with more worlds, further and
   further back, as HyperPlay does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from veil.belief import Shape
from veil.engine import START_KEY, Machine, extend_keys

MIN_WORLDS, PER_MODEL = 128, 8  # states of a record that are kept, at least and per model that is wanted
MORE, MOST = 4, 2048  # where a sample has died out: times as many are kept on the way, again and again, up to so many
MAX_TOTAL = 4_000_000  # states of all records that are kept
MAX_CANDIDATES = 4096  # joint moves of a world; more are drawn at random
NO_KEYS = np.zeros((0, 0), np.uint64)
AT_ONCE = 1 << 10  # worlds that grow in one pass: few enough to look at the clock in between


class Step(NamedTuple):
    """How a record came about."""

    before: int  # key of the record a round earlier
    own_move: int
    percepts: np.ndarray  # [words]
    rounds: int


class PossibleStates(NamedTuple):
    """The states in which a role may be after a record. N of them."""

    states: np.ndarray  # [N, words]
    weights: np.ndarray  # [N], adding up to 1
    keys: np.ndarray = NO_KEYS  # [N, R] of what every role was told there; empty where nobody asks

    def take(self, index: np.ndarray, weights: np.ndarray) -> PossibleStates:
        """Some of them, with these weights."""
        return PossibleStates(self.states[index], weights, self.keys[index] if len(self.keys) else self.keys)


class RecordBeliefs:
    """The beliefs of one role, by the key of its record."""

    def __init__(self, machine: Machine, role: int, *, models: int, seed: int) -> None:
        self.machine, self.role, self.seed = machine, role, seed
        self.max_worlds = max(MIN_WORLDS, PER_MODEL * models)
        self.tested = 0  # joint moves
        self._steps: dict[int, Step] = {}
        self._start = self._make_start()
        self._nothing = self._start.take(np.zeros(0, np.int64), np.zeros(0))
        self._forget()

    def hear(self, before: np.ndarray, own_moves: np.ndarray, percepts: np.ndarray, after: np.ndarray) -> None:
        """Records have grown: keys before [P], own moves [P], percepts [P, words], keys after [P]."""
        new, first = np.unique(after, return_index=True)
        for key, row in zip(new.tolist(), first.tolist(), strict=True):
            if key not in self._steps:
                earlier = int(before[row])
                rounds = self._steps[earlier].rounds + 1 if earlier in self._steps else 1
                self._steps[key] = Step(earlier, int(own_moves[row]), percepts[row].copy(), rounds)

    def after(self, keys: Iterable[int], check_clock: Callable[[], None]) -> list[PossibleStates]:
        """The states after each of these records; none at all where no world was found.

        `check_clock` is called before every pass; what is known when it raises is kept.
        """
        keys = list(keys)
        if self._total > MAX_TOTAL:  # they can be worked out again; memory cannot
            self._forget()
        for together in self._missing(keys):
            for portion in self._portions(together):
                check_clock()
                for key, found in zip(portion, self._grow(portion), strict=True):
                    self._known[key] = found if len(found.weights) else self._go_back(key, check_clock)
                    self._total += len(self._known[key].weights)
        return [self._known[key] for key in keys]

    def _make_start(self) -> PossibleStates:
        return PossibleStates(self.machine.initial_states(), np.ones(1))

    def _forget(self) -> None:
        self._known: dict[int, PossibleStates] = {int(START_KEY): self._start}
        self._total = 1

    def _missing(self, keys: list[int]) -> list[list[int]]:
        """The records that are to be worked out, those of earlier rounds first."""
        by_round: dict[int, list[int]] = {}
        seen: set[int] = set()
        for key in keys:
            while key not in self._known and key not in seen:
                seen.add(key)
                step = self._steps[key]
                by_round.setdefault(step.rounds, []).append(key)
                key = step.before
        return [by_round[rounds] for rounds in sorted(by_round)]

    def _portions(self, keys: list[int]) -> Iterator[list[int]]:
        """Records that grow in one pass: some, so that they do not have too many worlds together."""
        portion: list[int] = []
        worlds = 0
        for key in keys:
            worlds += len(self._known[self._steps[key].before].weights)
            if portion and worlds > AT_ONCE:
                yield portion
                portion, worlds = [], len(self._known[self._steps[key].before].weights)
            portion.append(key)
        yield portion

    def _grow(self, keys: list[int]) -> list[PossibleStates]:
        """Steps 1 to 3 for records whose record before is known."""
        steps = [self._steps[key] for key in keys]
        return self._grow_from([self._known[step.before] for step in steps], steps, keys, self.max_worlds)

    def _grow_from(
        self, before: list[PossibleStates], steps: list[Step], keys: list[int], most: int
    ) -> list[PossibleStates]:
        """The same, from these states; at most so many of each are kept."""
        from veil.search.record_kernels import Growing, grow_worlds

        machine = self.machine
        growing = Growing(
            np.concatenate([each.states for each in before]),
            np.concatenate([each.weights for each in before]),
            np.repeat(np.arange(len(keys)), [len(each.weights) for each in before]),
            np.array([step.own_move for step in steps], np.int64),
            np.stack([step.percepts for step in steps]),
        )
        names = np.array(keys, np.uint64)
        shape = Shape(machine.width, machine.move_columns, machine.percept_columns, MAX_CANDIDATES)
        words = names + np.uint64(self.seed & (2**63 - 1))
        states, weights, record, tested = grow_worlds(machine.code, shape, self.role, growing, words)
        self.tested += tested
        if len(record) > most:
            index, weights = draw_by_record(weights, record, most, uniform_of(names, self.seed))
            states, record = states[index], record[index]
        ends = np.searchsorted(record, np.arange(len(keys)), side="right").tolist()
        return [
            PossibleStates(states[begin:end], weights[begin:end])
            for begin, end in zip([0, *ends[:-1]], ends, strict=True)
        ]

    def _go_back(self, key: int, check_clock: Callable[[], None]) -> PossibleStates:
        """Step 4: nothing where even from the start no world is found, nor where the record before had none."""
        if not len(self._known[self._steps[key].before].weights):
            return self._nothing
        back, most = 2, MORE * self.max_worlds
        while True:
            path, name = [key], self._steps[key].before
            while name in self._steps and len(path) < back:
                path.append(name)
                name = self._steps[name].before
            found = self._known[name]
            for later in reversed(path):
                if len(found.weights):
                    check_clock()
                    (found,) = self._grow_from([found], [self._steps[later]], [later ^ back], most)
            if len(found.weights) or (name not in self._steps and most >= MOST):
                return self._thin(found, key)
            back, most = MORE * back, min(MORE * most, max(MOST, self.max_worlds))

    def _thin(self, found: PossibleStates, key: int) -> PossibleStates:
        """At most so many states as are kept."""
        one = np.zeros(len(found.weights), np.int64)
        index, weights = draw_by_record(found.weights, one, self.max_worlds, uniform_of(np.array([key], np.uint64), 0))
        return found.take(index, weights)


def draw_by_record(
    weights: np.ndarray, record: np.ndarray, most: int, uniform: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(index, weight): all worlds of a record with at most `most`; otherwise those that as many draws give, each with
    its share of the draws (systematic sampling). record [N] is sorted, weights [N] of each add up to 1; uniform [S] is
    the random number of each.
    """
    sizes = np.bincount(record, minlength=len(uniform))
    large = np.flatnonzero(sizes > most)
    if not len(large):
        return np.arange(len(weights)), weights
    ends, edges = np.cumsum(sizes), np.cumsum(weights)
    starts = ends - sizes
    before = np.where(starts > 0, edges[np.maximum(starts - 1, 0)], 0.0)
    points = before[large, None] + (np.arange(most) + uniform[large, None]) / most
    drawn = np.clip(np.searchsorted(edges, points, side="right"), starts[large, None], ends[large, None] - 1)
    times = np.bincount(drawn.ravel(), minlength=len(weights))
    is_large = sizes[record] > most
    index = np.flatnonzero(~is_large | (times > 0))
    return index, np.where(is_large, times / most, weights)[index]


def uniform_of(names: np.ndarray, seed: int) -> np.ndarray:
    """[N] a number from 0 to 1 for every 64-bit name; the same for the same name and seed."""
    mixed = extend_keys(names, np.zeros(len(names), np.int64), np.full(len(names), seed & (2**63 - 1), np.uint64))
    uniform: np.ndarray = (mixed >> np.uint64(11)).astype(float) * 2.0**-53
    return uniform
