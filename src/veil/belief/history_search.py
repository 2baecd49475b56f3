"""The base of samplers that search histories of a whole record, and play each again before they keep it: `csp`, `asp`.

1. A new round makes all histories that were found useless; the sampler draws the conclusions it can (`_listen`).
2. Histories are searched when worlds are asked for, or before that (`search_on`), by the method of the sampler
   (`_look_for`). Those that explain the record are kept with the logs of their weights.
3. A bag is made of the distinct ones (`_weigh`): all of them, or `count` draws by weight.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, Protocol, TypeVar

import numpy as np

from veil.belief.bag import Bag, draw_systematic
from veil.belief.branches import weigh_by_opponents
from veil.belief.contract import Cost, NoConsistentHistory, SamplerContext
from veil.belief.replay_check import CheckedHistories, ObservedRecord
from veil.clock import has_passed


class RoundReader(Protocol):
    """What a method knows of the rounds that it has observed."""

    @property
    def rounds(self) -> int:
        """The number of rounds observed so far."""

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False) -> bool:
        """Observe one more round, with percepts [words]; return False if nothing can explain it."""


R = TypeVar("R", bound=RoundReader)


class HistorySearch(ABC, Generic[R]):
    """Histories of a role that were found, and the record that they explain."""

    name: str  # of the sampler
    resample = False  # whether worlds are drawn by weight even if fewer are known than are wanted

    def __init__(self, setting: SamplerContext, samples: int | None) -> None:
        """Look for at most `samples` histories; None: as many as are asked for."""
        self.machine, self.role = setting.machine, setting.role_id
        self.opponents, self.seed = setting.opponents, setting.seed
        self.samples = samples or setting.count
        self.rounds = self.rejected = 0
        self.record = ObservedRecord(self.role, (), False)
        self._complete = False  # whether the known histories are all that exist
        self._deadline: float | None = None
        self._forget()

    @property
    @abstractmethod
    def cost(self) -> Cost:
        """The cost so far."""

    @property
    def has_world(self) -> bool:
        """Whether a history is known that explains the record."""
        return len(self._histories) > 0

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """Observe one more round. Raises `NoConsistentHistory` if the conclusions prove it.

        Rounds for which there is no time are observed later.
        """
        self.record = self.record.then(own_move, percepts, over)
        self.rounds, self._deadline = self.rounds + 1, deadline
        self._clear()
        self._listen(deadline)

    def search_on(self, deadline: float | None) -> None:
        """Find histories until the deadline, as many as are wanted."""
        self._deadline = deadline
        self._look_for(self.samples)

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return at most `count` distinct histories with their weights."""
        self._look_for(self.samples if count is None else min(count, self.samples))
        if not self.has_world:
            raise NoConsistentHistory(self.rounds, proved=False)
        if self.opponents is not None and not np.isfinite(self._log_weight).any():  # raises `ZeroLikelihood`
            weigh_by_opponents(self.machine, self.role, self._histories, self.opponents, proved=self._complete)
        index, weights = self._weigh()
        known = len(index)
        some = self.samples if self.resample and count is None else count
        if some is not None and (self.resample or some < known):
            drawn, times = np.unique(draw_systematic(weights, some, rng), return_counts=True)
            index, weights = index[drawn], times / some
        return Bag(
            histories=self._histories[index],
            states=self._states[index],
            weights=weights,
            sampler=self.name,
            exact=self._complete and len(index) == known and not self.resample,
            size=known if self._complete else None,
            states_visited=self.cost.states_visited,
            passes=self.cost.passes,
        )

    @abstractmethod
    def _clear(self) -> None:
        """Forget what was found before: a round was added."""

    @property
    @abstractmethod
    def _reader(self) -> R:
        """What is known of the rounds so far."""

    @abstractmethod
    def _make_reader(self) -> R:
        """Return a reader that has observed nothing yet."""

    @abstractmethod
    def _is_refuted(self, reader: R) -> bool:
        """Return whether a search proves that nothing explains the rounds of this reader."""

    def _listen(self, deadline: float | None) -> bool:
        """Observe the rounds that are new; return whether there was time for all of them.

        Raises `NoConsistentHistory` if they contradict each other.
        """
        while (number := self._reader.rounds) < self.rounds:
            if has_passed(deadline):
                return False
            if not self._reader.observe(*self.record.rounds[number], self.record.over and number + 1 == self.rounds):
                raise NoConsistentHistory(self._find_unexplained(), proved=True)
        return True

    def _find_unexplained(self) -> int:
        """Return the first round that nothing explains, within the budget. All rounds are observed again."""
        reader = self._make_reader()
        for number, entry in enumerate(self.record.rounds, 1):
            if not reader.observe(*entry, self.record.over and number == self.rounds) or self._is_refuted(reader):
                return number
        return self.rounds

    @abstractmethod
    def _look_for(self, wanted: int) -> None:
        """Find `wanted` histories, as far as the budget and the time until `_deadline` allow."""

    @abstractmethod
    def _weigh(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (index [D] of the distinct known histories, their weights [D] with the sum 1)."""

    def _forget(self) -> None:
        """Forget all histories."""
        self._histories = np.zeros((0, self.rounds, len(self.machine.program.roles)), np.int32)
        self._log_weight, self._states = np.zeros(0), self.machine.initial_states(0)

    def _keep(self, histories: np.ndarray, explained: CheckedHistories, log_choices: np.ndarray | float = 0.0) -> None:
        """Add the histories that explain the record, weighted by their probabilities times exp(`log_choices` [N])."""
        good = explained.good
        logs = (explained.log_prob + log_choices)[good]
        self.rejected += int((~good).sum())
        self._histories = np.concatenate([self._histories, histories[good]])
        self._log_weight = np.concatenate([self._log_weight, logs])
        self._states = np.concatenate([self._states, explained.states[good]])
