"""Information sets as constraint satisfaction (Richards & Amir 2012, figures 5 and 6), on the circuit of the game.

1. A stage graph hears the record and draws all conclusions: what is known before and after every round, which moves are
   plausible. Where it is contradictory, nothing explains the record; that is a proof.
2. `restart` (figure 5): choose a move for a variable, a round and a hidden role, draw all conclusions, go on until
   every move is certain or a conflict ends the attempt. Then all over again.
3. The weight of a history is its probability over that of the choices that led to it; for moves drawn uniformly that is
   its probability times the number of plausible moves at every choice. Attempts that fail weigh 0. So weighted sums are
   unbiased, whatever the order and however moves are drawn, and the mean of the weights of all attempts estimates the
   probability of the record (`log_evidence`). Without the weights the sample is neither uniform nor the posterior.
4. `backjump` goes back to the choice a conflict follows from instead; how likely it is to find a history is then not
   known, so histories are weighted by their probabilities alone, which is right only if all are found. Where `restart`
   has found nothing for a while, it does this, too. `all` (footnote 1) lists one history after the other.
5. Where attempts find the same histories again and again, there are few, and they are listed as in `all`, if that takes
   no more choices than the attempts took. Otherwise attempts go on.

Every history is played again before it is returned.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from time import perf_counter
from typing import Literal, Self

import numpy as np

from veil.belief.bag import history_keys, normalise
from veil.belief.contract import Cost, NoConsistentHistory, SamplerContext
from veil.belief.csp.stage_graph import Sampled, StageGraph
from veil.belief.history_search import HistorySearch
from veil.belief.replay_check import check_histories
from veil.clock import has_passed, pace
from veil.registry import check_options, option

BUDGET = 1_000_000  # choices per round of the record
AT_ONCE = 64  # attempts between two looks at the clock, at most
FIRST_LOOK = 32  # attempts before it is asked whether to go on like this; then four times as many, and so on
FEW = 1000  # histories at most that are listed where there seem to be few


@dataclass(frozen=True, slots=True, kw_only=True)
class CspConfig:
    """How moves are chosen; `order=random,draw=uniform,lanes=none,listing=false` is the article's algorithm."""

    samples: int | None = option(
        None, "histories, counted with repetitions; as many as are asked for by default", limit="worlds"
    )
    order: Literal["constrained", "random"] = option("constrained", "which round is chosen next: fewest moves, or any")
    conflict: Literal["restart", "backjump", "all"] = option("restart", "on a conflict; all: list every history")
    draw: Literal["guided", "uniform"] = option("guided", "as the record suggests, or any plausible move alike")
    lanes: Literal["none", "first", "always"] = option(
        "first", "test moves in lanes: never, once a round, every choice"
    )
    budget: int = option(BUDGET, "choices per round of the record, at most", limit="states")
    listing: bool = option(True, "list all histories where there seem to be few, instead of sampling on")
    resample: bool = option(False, "draw worlds by weight, so that all draws count the same")

    def __post_init__(self) -> None:
        check_options(self)


def make_csp(config: CspConfig, setting: SamplerContext) -> CspBelief:
    """The sampler of a row."""
    return CspBelief(config, setting)


class CspBelief(HistorySearch):
    """Histories of a role, chosen in a stage graph."""

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
        """Log of the probability of the record: estimated by `restart`, exact where all histories are known."""
        if not self._complete and not (self.attempts and self._weighted):
            return float("nan")
        if not self.has_world:
            return float("-inf")
        total = float(np.logaddexp.reduce(self._log_weight))
        return total if self._complete else total - float(np.log(self.attempts))

    def copy(self) -> Self:
        """Another one that knows the same; what it hears later does not change this one."""
        twin = copy(self)
        twin.graph = self.graph.copy()
        return twin

    def drop_ended(self) -> None:
        """Find a history. Raises `NoConsistentHistory` where choices were in vain until the budget or time was used up.

        Without time even to hear the record, nothing is known yet, and nothing is raised.
        """
        self._look_for(1)
        if not self.has_world and self._made:
            raise NoConsistentHistory(self.rounds, proved=False)

    def _weigh(self) -> tuple[np.ndarray, np.ndarray]:
        """Each of the different histories with the weight of all attempts that found it."""
        _, first, which = np.unique(history_keys(self._histories), return_index=True, return_inverse=True)
        if self._weighted:
            return first, np.bincount(which, normalise(self._log_weight))
        return first, normalise(self._log_weight[first])

    def _clear(self) -> None:
        """No history is known, and no attempt was made."""
        self._forget()
        self._weighted, self._complete = True, False
        self._made = self.attempts = 0
        self._next_look = FIRST_LOOK

    def _listen(self, deadline: float | None) -> bool:
        """Step 1, for the rounds that have not been heard, as long as there is time."""
        while self.graph.rounds < self.rounds and not has_passed(deadline):
            number = self.graph.rounds
            own_move, percepts = self.record.rounds[number]
            if not self.graph.hear(own_move, percepts, self.record.over and number + 1 == self.rounds):
                raise NoConsistentHistory(self._find_unexplained(), proved=True)
        return self.graph.rounds == self.rounds

    def _look_for(self, wanted: int) -> None:
        """Steps 2 to 4, until so many histories are known."""
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
        """Whether there is nothing left to do, or no time to do it."""
        done = self._complete or len(self._histories) >= wanted or self._made >= self.config.budget
        return done or (self._made > 0 and has_passed(deadline))

    def _restart(self, wanted: int, deadline: float | None) -> None:
        """Step 2: attempts, in portions, until there are histories enough; steps 4 and 5 where they lead nowhere."""
        if self.config.listing and not self.attempts and self.graph.count_plausible() <= wanted:
            self._list_all(4 * wanted, deadline)
        ends = perf_counter() + 1e9 if deadline is None else deadline
        for portion in pace(ends):
            if not self._weighted or self._is_enough(wanted, deadline):
                return
            self._attempt(min(portion, AT_ONCE, wanted - len(self._histories)))
            if self.attempts >= self._next_look:
                self._next_look *= 4
                if not self.has_world:
                    self._search(1, deadline, self._made)
                elif self.config.listing and 2 * len(np.unique(history_keys(self._histories))) <= len(self._histories):
                    self._list_all(self._made, deadline)

    def _attempt(self, tries: int) -> None:
        """So many attempts. Where more than half of their histories end too early, more conclusions are drawn."""
        order, lanes = self.config.order == "constrained", self.config.lanes == "always"
        found = self.graph.sample(tries, constrained=order, lanes=lanes, ignore_termination=self._ignore_termination)
        rejected = self.rejected
        self._take(found)
        self.attempts += tries
        if 2 * (self.rejected - rejected) > len(found.histories):
            self._ignore_termination = False

    def _list_all(self, budget: int, deadline: float | None) -> None:
        """Step 5: all histories in the place of those that were sampled, or nothing has changed."""
        found = self._find(FEW + 1, budget, deadline)
        if found.complete:
            self._forget()
            self._weighted, self._complete = False, True
        self._take(found if found.complete else found._replace(histories=found.histories[:0]))
        self._check_refuted()

    def _search(self, count: int, deadline: float | None, budget: int | None = None) -> None:
        """Step 4: histories one after the other. Raises `NoConsistentHistory` where there is none at all."""
        found = self._find(count, self.config.budget if budget is None else budget, deadline)
        self._weighted = self._weighted and self.config.conflict == "restart" and not len(found.histories)
        self._complete = found.complete
        self._take(found)
        self._check_refuted()

    def _find(self, count: int, budget: int, deadline: float | None) -> Sampled:
        """What a search gives with so many choices, and no more than are left."""
        budget = max(1, min(budget, self.config.budget - self._made))
        return self.graph.search(count, budget, constrained=self.config.order == "constrained", deadline=deadline)

    def _check_refuted(self) -> None:
        """Raise `NoConsistentHistory` where all histories have been listed, and there is none."""
        if self._complete and not self.has_world:
            raise NoConsistentHistory(self._find_unexplained(), proved=True)

    def _take(self, found: Sampled) -> None:
        """Play what was found again, and keep it with its weight."""
        self.states_visited += found.made + len(found.histories)
        self._made += max(1, found.made)
        if not len(found.histories):
            return
        explained = check_histories(self.machine, self.record, found.histories, self.opponents)
        self._keep(found.histories, explained, found.log_choices if self._weighted else 0.0)

    def _find_unexplained(self) -> int:
        """The first round that nothing explains, as far as the budget reaches: all rounds are heard again."""
        graph = StageGraph(self.machine, self.role, self.seed)
        for number, (own_move, percepts) in enumerate(self.record.rounds, 1):
            over = self.record.over and number == self.rounds
            if not graph.hear(own_move, percepts, over):
                return number
            found = graph.search(1, self.config.budget // self.rounds + 1)
            if found.complete and not len(found.histories):
                return number
        return self.rounds
