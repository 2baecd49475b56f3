"""Information sets as answer sets: the rounds of a record as a logic program for clingo, and its models as histories.

1. Every observed round is simplified by what is known (`folded_rounds`) and added to the program of the rounds before.
   The moves of hidden roles become choices, the gates of the circuit become rules, and own moves, percepts and the end
   of the game become constraints.
2. Histories are listed, if there are few; then the belief is exact, and the size of the infoset is known.
3. If there are more, `draw` finds one history after the other, each by random decisions (`answer_sets`). `list`
   continues the listing. The probabilities of finding a history are not known in either case, so histories are
   weighted by their own probabilities, which is correct only if all have been found.
4. A program without answer sets is a proof that nothing explains the record.

Every history is played again before it is returned.
"""

from __future__ import annotations

from copy import copy
from typing import Self

import numpy as np

from veil.belief.asp.answer_sets import AnswerSets, Listed, Until
from veil.belief.bag import history_keys, normalise
from veil.belief.configs import AspConfig
from veil.belief.contract import Cost, NoConsistentHistory, SamplerContext
from veil.belief.history_search import HistorySearch
from veil.belief.replay_check import check_histories
from veil.clock import has_passed


class AspBelief(HistorySearch[AnswerSets]):
    """The histories of a role, found by clingo."""

    name = "asp"

    def __init__(self, config: AspConfig, setting: SamplerContext) -> None:
        super().__init__(setting, config.samples)
        self.config, self.searches = config, 0
        self._answers: AnswerSets | None = None  # the reader, made when the first round is observed
        self._spent = 0  # decisions and histories played again, without the decisions of `_answers`
        self._clear()

    @property
    def cost(self) -> Cost:
        """Decisions made and histories played again; searches."""
        decisions = 0 if self._answers is None else self._answers.decisions
        return Cost(self._spent + decisions, self.searches)

    def copy(self) -> Self:
        """Return an independent sampler with the same knowledge. The copy observes the whole record again."""
        twin = copy(self)
        twin._answers, twin._spent = None, self.cost.states_visited
        return twin

    def drop_ended(self) -> None:
        """Find a history. Raises `NoConsistentHistory` if there is none, or if none was found in time.

        If there is no time to observe the whole record, nothing is known yet, and nothing is raised.
        """
        if self._listen(self._deadline) and not self.has_world:
            self._draw(1, self._deadline)
            if not self.has_world:
                raise NoConsistentHistory(self.rounds, proved=False)

    def _weigh(self) -> tuple[np.ndarray, np.ndarray]:
        return np.arange(len(self._histories)), normalise(self._log_weight)

    def _clear(self) -> None:
        """Forget all histories."""
        self._forget()
        self._keys = set[int]()
        self._drawn, self._complete, self._is_listed = 0, False, False
        self._last = self.cost.states_visited + self.config.budget

    @property
    def _reader(self) -> AnswerSets:
        if self._answers is None:
            self._answers = AnswerSets(self.machine, self.role, self.seed)
        return self._answers

    def _make_reader(self) -> AnswerSets:
        return AnswerSets(self.machine, self.role)

    def _is_refuted(self, reader: AnswerSets) -> bool:
        return reader.draw_history(Until(self.config.budget)).complete

    def _look_for(self, wanted: int) -> None:
        """Find histories until `wanted` of them are known (steps 2 and 3)."""
        if not self._listen(self._deadline):
            return
        listed = None if self._is_listed else self._list(self._deadline)
        if listed is not None and (listed.complete or self.config.models == "list"):
            self._take(listed)
        elif self.config.models == "draw":
            self._draw(wanted, self._deadline)
            if listed is not None and not self.has_world:  # there was no time to draw
                self._take(listed)

    def _list(self, deadline: float | None) -> Listed:
        """List histories (step 2). If there are many, the first are close to each other and not mixed with draws."""
        limit = self.samples if self.config.models == "list" else self.config.few
        self.searches += 1
        self._is_listed = True
        return self._reader.list_histories(limit, self._until(deadline))

    def _draw(self, wanted: int, deadline: float | None) -> None:
        """Draw histories until there were `wanted` draws, with repetitions (step 3); all are played again together."""
        drawn: list[np.ndarray] = []
        while self._drawn < wanted and not self._complete:
            found = self._reader.draw_history(self._until(deadline))
            self._drawn += 1
            self.searches += 1
            if found.complete:
                self._take(found)
            drawn.append(found.histories)
            if self._is_spent(deadline, sum(map(len, drawn))):
                break
        if drawn:
            self._take(Listed(np.concatenate(drawn), complete=False))

    def _until(self, deadline: float | None) -> Until:
        return Until(self._last - self.cost.states_visited, deadline)

    def _is_spent(self, deadline: float | None, unplayed: int) -> bool:
        """Return whether the budget or the time is used up, if `unplayed` histories still have to be played again."""
        return self.cost.states_visited + unplayed >= self._last or has_passed(deadline)

    def _take(self, listed: Listed) -> None:
        """Play new histories again, and keep them. Raises `NoConsistentHistory` if no history exists at all."""
        if listed.complete and not len(listed.histories):
            raise NoConsistentHistory(self._find_unexplained(), proved=True)
        keys, first = np.unique(history_keys(listed.histories), return_index=True)
        is_new = [key not in self._keys for key in keys.tolist()]
        histories = listed.histories[np.sort(first[is_new])]
        self._keys.update(keys.tolist())
        explained = check_histories(self.machine, self.record, histories, self.opponents)
        self._spent += len(histories)
        self._keep(histories, explained)
        self._complete = listed.complete
