"""What other roles know: the infosets of many records of a role, generated together (Richards & Amir 2012).

"By considering the observations that the opponent would have had, one can generate its information set at that point."
The worlds of a record are those of the record a round earlier, one round on:

1. All worlds of all records of a level branch in one pass of the machine; a lane is a joint move of a world.
2. Those that agree with the own move and the percepts of their record stay, with the weight of their world times the
   probability of the joint move (the others of the opponent play uniformly, as far as it knows); ended ones go out.
3. A record with more than `models` of them keeps so many draws, by systematic sampling; one with fewer is exact.
4. A record without any is generated anew from the start, by the cascade of samplers; where that fails as well, nothing
   is known of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.belief import AutoConfig, NothingExplains, Setting, TooManyWorlds, branch, make_auto
from veil.engine import START_KEY, Machine
from veil.search.record_book import RecordBook, RecordStep
from veil.streams import key_words

MAX_CANDIDATES = 256  # joint moves of a world in a round; more are drawn at random, which keeps the weights unbiased
MAX_KEPT = 50_000  # records whose worlds are kept; they can be worked out again
MAX_WORLDS, CHOICES, BUDGET = 500, 100, 1_000  # of the cascade that generates anew: exact worlds, choices, states


class RecordWorlds(NamedTuple):
    """The worlds of one record. N of them, none ended."""

    states: np.ndarray  # [N, words]
    weights: np.ndarray  # [N] adding up to 1


class RecordLevel(NamedTuple):
    """The worlds of the records a round earlier. K records, B worlds."""

    states: np.ndarray  # [B, words]
    weights: np.ndarray  # [B]
    record: np.ndarray  # [B] whose world it is, ascending


class OpponentBeliefs:
    """The worlds of records of all roles, by role and key."""

    def __init__(self, machine: Machine, book: RecordBook, *, models: int, seed: int) -> None:
        self.machine, self.book, self.models, self.seed = machine, book, models, seed
        self.states_visited = 0
        self._rng = np.random.default_rng(seed)
        self._kept: dict[tuple[int, int], RecordWorlds | None] = {}

    def find(self, role_id: int, keys: list[int]) -> list[RecordWorlds | None]:
        """The worlds of these records, each of which was told to the book; None where none was found."""
        if len(self._kept) > MAX_KEPT:
            self._kept.clear()
        for level in self._missing(role_id, keys):
            self._grow(role_id, level)
        return [self._worlds(role_id, key) for key in keys]

    def _missing(self, role_id: int, keys: list[int]) -> list[list[int]]:
        """The records to be worked out first: a list per number of rounds, the shortest first."""
        levels: dict[int, set[int]] = {}
        for key in keys:
            back = []
            for earlier, _ in self.book.walk_back(role_id, key):
                if (role_id, earlier) in self._kept:
                    break
                back.append(earlier)
            for rounds, earlier in enumerate(reversed(back)):  # rounds beyond what is kept
                levels.setdefault(rounds, set()).add(earlier)
        return [sorted(levels[rounds]) for rounds in sorted(levels)]

    def _worlds(self, role_id: int, key: int) -> RecordWorlds | None:
        if key == int(START_KEY):
            return RecordWorlds(self.machine.initial_states(), np.ones(1))
        return self._kept[(role_id, key)]

    def _grow(self, role_id: int, keys: list[int]) -> None:
        """Work out the worlds of records; those of the records before are known."""
        steps = [self.book.step(role_id, key) for key in keys]
        earlier = [self._worlds(role_id, step.before) for step in steps]
        for key, worlds in zip(keys, earlier, strict=True):
            if worlds is None:
                self._kept[(role_id, key)] = None
        known = [place for place, worlds in enumerate(earlier) if worlds is not None]
        if not known:
            return
        parents = [worlds for worlds in earlier if worlds is not None]
        level = RecordLevel(
            np.concatenate([worlds.states for worlds in parents]),
            np.concatenate([worlds.weights for worlds in parents]),
            np.repeat(np.arange(len(parents)), [len(worlds.weights) for worlds in parents]),
        )
        grown = self._branch(role_id, level, [steps[place] for place in known])
        bounds = np.searchsorted(grown.record, np.arange(len(known) + 1))
        for number, place in enumerate(known):
            rows = slice(bounds[number], bounds[number + 1])
            worlds = RecordWorlds(grown.states[rows], grown.weights[rows])
            self._kept[(role_id, keys[place])] = worlds if len(worlds.weights) else self._generate(role_id, keys[place])

    def _branch(self, role_id: int, level: RecordLevel, steps: list[RecordStep]) -> RecordLevel:
        """Steps 1 to 3."""
        own_moves = np.array([step.own_move for step in steps])[level.record]
        percepts = np.stack([step.percepts for step in steps])[level.record]
        words = self._rng.integers(0, 2**64, len(level.record), np.uint64, endpoint=False)
        judged = self.machine.judge(level.states)
        grown = branch(
            self.machine, role_id, level.states, judged, own_moves, percepts, limit=MAX_CANDIDATES, rng=words
        )
        self.states_visited += int(grown.tested.sum())
        going = np.flatnonzero(~self.machine.terminal(grown.states))
        row = grown.row[going]
        weights = level.weights[row] / grown.tested[row]
        kept, weights = thin(level.record[row], weights, len(steps), self.models, self._rng)
        return RecordLevel(grown.states[going[kept]], weights, level.record[row][kept])

    def _generate(self, role_id: int, key: int) -> RecordWorlds | None:
        """Step 4."""
        seed = int(np.random.SeedSequence((self.seed, role_id, *key_words(key))).generate_state(1)[0])
        setting = Setting(self.machine, role_id, count=self.models, seed=seed, max_worlds=MAX_WORLDS)
        belief = make_auto(AutoConfig(choices=CHOICES, budget=BUDGET), setting)
        try:
            for step in self.book.steps(role_id, key):
                belief.observe(step.own_move, step.percepts)
            bag = belief.worlds(self.models, np.random.default_rng(seed))
        except (NothingExplains, TooManyWorlds):
            return None
        finally:
            self.states_visited += belief.cost.states_visited
        return RecordWorlds(bag.states, bag.weights)


def thin(
    record: np.ndarray, weights: np.ndarray, num_records: int, count: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """(index, weights) of the worlds that stay: all of a record that has at most `count` of them, else `count` draws.

    `record` [N] says whose world it is, ascending; the weights that come out add up to 1 for every record that has any.
    """
    sizes = np.bincount(record, minlength=num_records)
    totals = np.bincount(record, weights, minlength=num_records)
    shares = weights / totals[record]
    many = np.flatnonzero(sizes > count)
    few = np.flatnonzero(sizes[record] <= count)
    if not len(many):
        return few, shares[few]
    first = np.cumsum(sizes) - sizes
    edges = np.cumsum(shares)
    before = np.where(first > 0, edges[np.maximum(first, 1) - 1], 0.0)
    points = before[many, None] + (np.arange(count) + rng.random((len(many), 1))) / count
    drawn = np.searchsorted(edges, points, side="right")
    drawn = np.clip(drawn, first[many, None], (first + sizes)[many, None] - 1)
    picked, times = np.unique(drawn, return_counts=True)
    index = np.concatenate([few, picked])
    order = np.argsort(index)
    return index[order], np.concatenate([shares[few], times / count])[order]
