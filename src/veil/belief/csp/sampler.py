"""Information sets as constraint satisfaction (Richards & Amir 2012, figures 5 and 6), on the circuit of the game.

1. A stage graph observes the record and draws all conclusions: what is known before and after every round, and which
   moves are plausible. If they contradict each other, that is a proof that nothing explains the record.
2. `restart` (figure 5): choose a move for a variable (a round and a hidden role), draw all conclusions, and go on
   until every move is certain or a conflict ends the attempt. Then begin again.
3. The weight of a history is its probability over that of the choices that led to it; for moves drawn uniformly that
   is its probability times the number of plausible moves at every choice. Attempts that fail weigh 0. Therefore
   weighted sums are unbiased in any order of variables and with any way to draw moves, and the mean of the weights of
   all attempts estimates the probability of the record; where attempts go on until enough of them succeed, the last
   one is left out (`log_evidence`). Without the weights the sample is neither uniform nor the posterior.
4. `backjump` goes back to the choice that a conflict follows from instead. The probability of finding a history is
   then not known, so histories are weighted by their own probabilities, which is correct only if all are found.
   `restart` does this, too, if it has found nothing for a while. `all` (footnote 1) lists one history after the other.
5. If attempts find the same histories again and again, there are few, and they are listed as in `all`, if that takes
   no more choices than the attempts took. Otherwise attempts go on.

Every history is played again before it is returned.
"""

from __future__ import annotations

from copy import copy
from time import perf_counter
from typing import Self

import numpy as np

from veil.belief.bag import history_keys, normalise
from veil.belief.configs import CspConfig
from veil.belief.contract import Cost, NoConsistentHistory, SamplerContext
from veil.belief.csp.stage_graph import Sampled, StageGraph
from veil.belief.history_search import HistorySearch
from veil.belief.replay_check import check_histories
from veil.clock import has_passed, pace

AT_ONCE = 64  # attempts between two looks at the clock, at most
FIRST_LOOK = 32  # attempts before the first check of how they go on; then four times as many, and so on
FEW = 1000  # histories at most that are listed if there seem to be few


class CspBelief(HistorySearch[StageGraph]):
    """The histories of a role, chosen in a stage graph."""

    name = "csp"

    def __init__(self, config: CspConfig, setting: SamplerContext) -> None:
        super().__init__(setting, config.samples)
        self.config, self.resample = config, config.resample
        self.states_visited = self.attempts = 0
        lanes, guided = config.lanes != "none", config.draw == "guided"
        self.graph = StageGraph(self.machine, self.role, setting.seed, lanes=lanes, guided=guided)
        self._ignore_termination = True  # attempts do not draw conclusions from the fact that the game went on
        self._clear()

    @property
    def cost(self) -> Cost:
        """Choices made and histories played again; passes over a round in lanes."""
        return Cost(self.states_visited, self.graph.passes)

    @property
    def log_evidence(self) -> float:
        """Log of the probability of the record: exact if all histories are known, else estimated by `restart`.

        The estimate (not its log) is unbiased. Where attempts ended because enough histories were found, the last
        attempt is a success for certain, and one success and one attempt are left out: (k - 1) / (N - 1) times the mean
        weight of the k histories of N attempts. One history alone gives no estimate: the result is nan.
        """
        if not self._complete and not (self.attempts and self._weighted):
            return float("nan")
        if not self.has_world:
            return float("-inf")
        total, found = float(np.logaddexp.reduce(self._log_weight)), len(self._log_weight)
        if self._complete:
            return total
        if not self._ends_with_success:
            return total - float(np.log(self.attempts))
        return float("nan") if found == 1 else total + float(np.log((found - 1) / found) - np.log(self.attempts - 1))

    def copy(self) -> Self:
        """Return an independent sampler with the same knowledge."""
        twin = copy(self)
        twin.graph = self.graph.copy()
        return twin

    def drop_ended(self) -> None:
        """Find a history. Raises `NoConsistentHistory` if none was found before the budget or time was used up.

        If there is no time to observe the whole record, nothing is known yet, and nothing is raised.
        """
        self._look_for(1)
        if not self.has_world and self._made:
            raise NoConsistentHistory(self.rounds, proved=False)

    def _weigh(self) -> tuple[np.ndarray, np.ndarray]:
        """Return each distinct history with the weight of all attempts that found it."""
        _, first, which = np.unique(history_keys(self._histories), return_index=True, return_inverse=True)
        if self._weighted:
            return first, np.bincount(which, normalise(self._log_weight))
        return first, normalise(self._log_weight[first])

    def _clear(self) -> None:
        """Forget all histories and attempts."""
        self._forget()
        self._weighted, self._complete = True, False
        self._ends_with_success = False  # attempts ended because enough histories were found
        self._made = self.attempts = 0
        self._next_look = FIRST_LOOK

    @property
    def _reader(self) -> StageGraph:
        return self.graph

    def _make_reader(self) -> StageGraph:
        return StageGraph(self.machine, self.role, self.seed)

    def _is_refuted(self, reader: StageGraph) -> bool:
        found = reader.search(1, self.config.budget // self.rounds + 1)
        return found.complete and not len(found.histories)

    def _look_for(self, wanted: int) -> None:
        """Find histories until `wanted` of them are known (steps 2 to 4)."""
        deadline = self._deadline
        if not self._listen(deadline):
            return
        if self.config.conflict == "all":
            if not self.has_world:
                self._search(self.samples, deadline)
            return
        if self.config.conflict == "restart" and self._weighted:
            self._restart(wanted, deadline)
        while (self.config.conflict == "backjump" or not self._weighted) and not self._is_enough(wanted, deadline):
            self._search(1, deadline)

    def _is_enough(self, wanted: int, deadline: float | None) -> bool:
        """Return whether there is nothing left to do, or no time to do it."""
        done = self._complete or len(self._histories) >= wanted or self._made >= self.config.budget
        return done or (self._made > 0 and has_passed(deadline))

    def _restart(self, wanted: int, deadline: float | None) -> None:
        """Make attempts in portions until there are enough histories (step 2); do steps 4 and 5 if they fail."""
        if self.config.listing and not self.attempts and self.graph.count_plausible() <= wanted:
            self._list_all(4 * wanted, deadline)
        ends = perf_counter() + 1e9 if deadline is None else deadline
        for portion in pace(ends):
            if not self._weighted or self._is_enough(wanted, deadline):
                return
            self._attempt(min(portion, AT_ONCE, wanted - len(self._histories)))
            self._ends_with_success = len(self._histories) >= wanted
            if self.attempts >= self._next_look:
                self._next_look *= 4
                if not self.has_world:
                    self._search(1, deadline, self._made)
                elif self.config.listing and 2 * len(np.unique(history_keys(self._histories))) <= len(self._histories):
                    self._list_all(self._made, deadline)

    def _attempt(self, tries: int) -> None:
        """Make `tries` attempts. If most of their histories end too early, later attempts draw more conclusions."""
        order, lanes = self.config.order == "constrained", self.config.lanes == "always"
        found = self.graph.sample(tries, constrained=order, lanes=lanes, ignore_termination=self._ignore_termination)
        rejected = self.rejected
        self._take(found)
        self.attempts += tries
        if 2 * (self.rejected - rejected) > len(found.histories):
            self._ignore_termination = False

    def _list_all(self, budget: int, deadline: float | None) -> None:
        """Replace the sampled histories by all histories (step 5), or change nothing."""
        found = self._find(FEW + 1, budget, deadline)
        if found.complete:
            self._forget()
            self._weighted, self._complete = False, True
        self._take(found if found.complete else found._replace(histories=found.histories[:0]))
        self._check_refuted()

    def _search(self, count: int, deadline: float | None, budget: int | None = None) -> None:
        """Find histories one after the other (step 4). Raises `NoConsistentHistory` if there is none at all."""
        found = self._find(count, self.config.budget if budget is None else budget, deadline)
        self._weighted = self._weighted and self.config.conflict == "restart" and not len(found.histories)
        self._complete = found.complete
        self._take(found)
        self._check_refuted()

    def _find(self, count: int, budget: int, deadline: float | None) -> Sampled:
        """Search with at most `budget` choices, and no more than are left."""
        budget = max(1, min(budget, self.config.budget - self._made))
        return self.graph.search(count, budget, constrained=self.config.order == "constrained", deadline=deadline)

    def _check_refuted(self) -> None:
        """Raise `NoConsistentHistory` if all histories have been listed, and there is none."""
        if self._complete and not self.has_world:
            raise NoConsistentHistory(self._find_unexplained(), proved=True)

    def _take(self, found: Sampled) -> None:
        """Play the histories again, and keep them with their weights."""
        self.states_visited += found.made + len(found.histories)
        self._made += max(1, found.made)
        if not len(found.histories):
            return
        explained = check_histories(self.machine, self.record, found.histories, self.opponents)
        self._keep(found.histories, explained, found.log_choices if self._weighted else 0.0)
