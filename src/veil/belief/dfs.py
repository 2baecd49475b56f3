"""Depth-first search for information sets (Richards & Amir 2012, figure 4): the baseline for the other samplers.

From the start, the joint moves of a state are tried one after the other, in the order of the rules. A joint move whose
percepts are not those of the record is not followed. There are no lanes, and nothing is kept from round to round.
Histories come in the order in which they are found, so a search that ends early knows only one corner of the infoset.

All samplers here depart from the figure in two ways: the role's own moves are known, and so is whether the game goes
on.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from veil.belief.bag import Bag, normalise
from veil.belief.branches import weigh_by_opponents
from veil.belief.contract import Cost, NoConsistentHistory, SamplerContext
from veil.belief.replay_check import ObservedRecord, check_histories
from veil.clock import has_passed
from veil.registry import check_options, option

BUDGET = 100_000  # states in all before it gives up
OFTEN = 16  # states between two looks at the clock


@dataclass(frozen=True, slots=True, kw_only=True)
class DfsConfig:
    """Limits of the search."""

    limit: int | None = option(None, "histories; as many as worlds are asked for by default", limit="worlds")
    budget: int = option(BUDGET, "states visited at most", limit="states")

    def __post_init__(self) -> None:
        check_options(self)


class DfsBelief:
    """A record, and a search that begins when worlds are asked for."""

    def __init__(self, config: DfsConfig, setting: SamplerContext) -> None:
        self.machine, self.role, self.opponents = setting.machine, setting.role_id, setting.opponents
        self.limit, self.budget = config.limit or setting.count, config.budget
        self.rounds = self.states_visited = self.passes = 0
        self.record = ObservedRecord(self.role, (), False)
        self._deadline: float | None = None
        self._bag: Bag | None = None
        self._is_complete, self._deepest, self._last = True, 0, config.budget

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return Cost(self.states_visited, self.passes)

    def copy(self) -> Self:
        """Return an independent sampler with the same knowledge."""
        return copy(self)

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """Observe one more round. The search is made later, when worlds are asked for, and ends at the deadline."""
        self.record = self.record.then(own_move, percepts, over)
        self.rounds, self._deadline, self._bag = self.rounds + 1, deadline, None

    def drop_ended(self) -> None:
        """Search, if that has not been done. Raises `NoConsistentHistory`."""
        if self._bag is None:
            self._bag = self._search()

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return the first histories that are found, weighted by their probabilities."""
        self.drop_ended()
        bag = self._bag
        assert bag is not None
        if count is None or count >= len(bag):
            return bag
        weights = bag.weights[:count] / bag.weights[:count].sum()
        return replace(bag, histories=bag.histories[:count], states=bag.states[:count], weights=weights, exact=False)

    def _search(self) -> Bag:
        """Search as in figure 4, with a stack instead of recursion: an entry is what is left to try of a state."""
        histories: list[list[np.ndarray]] = []
        self._is_complete, self._deepest = True, 0
        self._last = self.states_visited + self.budget
        for history in self._histories():
            histories.append(history)
            if len(histories) == self.limit:
                self._is_complete = False
                break
        if not histories:
            number = self._deepest + 1 if self._is_complete else self.rounds
            raise NoConsistentHistory(number, proved=self._is_complete)
        return self._make_bag(np.array(histories, np.int32).reshape(len(histories), self.rounds, -1))

    def _histories(self) -> Iterator[list[np.ndarray]]:
        """Yield the histories that explain the record, in the order in which they are found."""
        if not self.rounds:
            yield []
            return
        stack, path = [self._agreeing(self.machine.initial_states(), 0)], list[np.ndarray]()
        while stack:
            step = next(stack[-1], None)
            del path[len(stack) - 1 :]
            if step is None:
                stack.pop()
                continue
            joint, state = step
            path.append(joint)
            if len(path) == self.rounds:
                yield list(path)
            else:
                stack.append(self._agreeing(state, len(path)))

    def _agreeing(self, state: np.ndarray, depth: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the joint moves of a state that agree with the record, and the next states; test one at a time."""
        own_move, percepts = self.record.rounds[depth]
        judged = self.machine.judge(state)
        listed = self.machine.candidates(judged.legal, ~judged.terminal, self.role, np.full(1, own_move))
        for joint in listed.joints:
            if self._is_spent():
                self._is_complete = False
                return
            stepped = self.machine.step(state, joint[None, :])
            self.states_visited += 1
            self.passes += 1
            over = self.record.over and depth + 1 == self.rounds
            if (stepped.percepts[self.role] == percepts).all() and self.machine.terminal(stepped.states)[0] == over:
                self._deepest = max(self._deepest, depth + 1)
                yield joint, stepped.states

    def _is_spent(self) -> bool:
        """Return whether the budget or the time has been used up."""
        return self.states_visited >= self._last or (self.states_visited % OFTEN == 0 and has_passed(self._deadline))

    def _make_bag(self, histories: np.ndarray) -> Bag:
        """Return the histories with their weights. Raises `ZeroLikelihood` if all have probability 0."""
        explained = check_histories(self.machine, self.record, histories, self.opponents)
        if self.opponents is not None and not np.isfinite(explained.log_prob).any():
            weigh_by_opponents(self.machine, self.role, histories, self.opponents, proved=self._is_complete)
        return Bag(
            histories=histories,
            states=explained.states,
            weights=normalise(explained.log_prob),
            sampler="dfs",
            exact=self._is_complete,
            size=len(histories) if self._is_complete else None,
            states_visited=self.states_visited,
            passes=self.passes,
        )
