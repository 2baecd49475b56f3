"""What samplers share that look for histories of a whole record, and play each again before they keep it: `csp`, `asp`.

1. A round that is heard makes all that was found worthless; the sampler draws what conclusions it can (`_listen`).
2. Histories are looked for when worlds are asked for, or ahead of that (`catch_up`), each in the sampler's way
   (`_look_for`); those that explain the record are kept with the logs of their weights.
3. A bag is made of the different ones (`_weigh`), all of them or so many drawn by weight.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from veil.belief.bag import Bag, draw_systematic
from veil.belief.branches import weigh_by_opponents
from veil.belief.contract import Cost, NoConsistentHistory, SamplerContext
from veil.belief.replay_check import CheckedHistories, HeardRecord


class HistorySearch(ABC):
    """Histories of a role that were found, and the record that they explain."""

    name: str  # of the sampler
    resample = False  # whether worlds are drawn by weight even where fewer are known than are wanted

    def __init__(self, setting: SamplerContext, samples: int | None) -> None:
        """`samples` histories are looked for at most; as many as are wanted where None."""
        self.machine, self.role = setting.machine, setting.role_id
        self.opponents, self.seed = setting.opponents, setting.seed
        self.samples = samples or setting.count
        self.rounds = self.rejected = 0
        self.record = HeardRecord(self.role, (), False)
        self._complete = False  # whether the histories that are known are all there are
        self._deadline: float | None = None
        self._forget()

    @property
    @abstractmethod
    def cost(self) -> Cost:
        """What has been spent so far."""

    @property
    def has_world(self) -> bool:
        """Whether a history is known that explains the record."""
        return len(self._histories) > 0

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """One round more. Raises `NoConsistentHistory` where the conclusions say so.

        Rounds for which there is no time are heard later.
        """
        self.record = self.record.then(own_move, percepts, over)
        self.rounds, self._deadline = self.rounds + 1, deadline
        self._clear()
        self._listen(deadline)

    def search_on(self, deadline: float | None) -> None:
        """Find histories until then, as many as are wanted."""
        self._deadline = deadline
        self._look_for(self.samples)

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """At most so many distinct histories with their weights."""
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
        """A round was added: what was found before is worthless."""

    @abstractmethod
    def _listen(self, deadline: float | None) -> bool:
        """Hear the rounds that have not been heard; whether there was time for all of them.

        Raises `NoConsistentHistory` where they contradict each other.
        """

    @abstractmethod
    def _look_for(self, wanted: int) -> None:
        """Find so many histories, as far as the budget and the time until `_deadline` go."""

    @abstractmethod
    def _weigh(self) -> tuple[np.ndarray, np.ndarray]:
        """(index [D] of the different histories that are known, their weights [D], adding up to 1)."""

    def _forget(self) -> None:
        """No history is known."""
        self._histories = np.zeros((0, self.rounds, len(self.machine.program.roles)), np.int32)
        self._log_weight, self._states = np.zeros(0), self.machine.initial_states(0)

    def _keep(self, histories: np.ndarray, explained: CheckedHistories, log_choices: np.ndarray | float = 0.0) -> None:
        """Add those that explain the record. Their weight is their probability times that of `log_choices` [N]."""
        good = explained.good
        logs = (explained.log_prob + log_choices)[good]
        self.rejected += int((~good).sum())
        self._histories = np.concatenate([self._histories, histories[good]])
        self._log_weight = np.concatenate([self._log_weight, logs])
        self._states = np.concatenate([self._states, explained.states[good]])
