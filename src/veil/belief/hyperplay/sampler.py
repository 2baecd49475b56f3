"""HyperPlay: a bag of models that correct themselves (Schofield & Thielscher 2019, section 3, figures 3 and 4).

1. Every model (HyperGame) completes the record on its own: at its step, all joint moves are tested in one pass of the
   machine, together with those of all other models that are behind.
2. The moves that agree are pushed on the model's stack in random order, and the model plays the first. If no move
   agrees, it backtracks: it plays the next move on its stack, however far back, and goes on from there.
3. A model that visits more states than its budget goes off line. Its search is kept, and goes on in the next round.
4. The weight of a history is the product of the probabilities of the others' choices, equations (5) to (8).

Beyond the article, `reseed`: a model that is off line is replaced by one that starts from a random round of a model
that is on line. Models fail because of early guesses that late percepts contradict, and chronological backtracking
changes early guesses last. The early rounds of a model on line agree with all percepts so far.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from veil.belief.bag import Bag, history_keys, normalise
from veil.belief.branches import weigh_by_opponents
from veil.belief.contract import Cost, NoConsistentHistory, Opponents, SamplerContext
from veil.belief.hyperplay.records import DONE, FULL, NOTHING, EncodedRecords, Models, Paths, Stacks
from veil.clock import has_passed, pace, split_portions
from veil.engine import Machine
from veil.errors import fail
from veil.limits import check_limit
from veil.registry import check_options, option
from veil.signals import check_signals

BUDGET = 100_000  # states a model may visit per round, as in the article
MODELS = 100
MAX_CANDIDATES = 4096  # joint moves of a step; if there are more, some are drawn
REMEDIES = ("none", "weight", "balance")
ROOM = 64  # entries of a stack, at first
PATIENCE = 2_000  # states before a model off line starts again from a model on line
FEW_STATES, FEW_CANDIDATES = 100, 1000  # per model, and in a step of all, between two looks at the clock, at first
CLONINGS = 8  # times a model may start again in a round


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperGamesConfig:
    """The bag of models; `reseed=false` is the article's algorithm."""

    models: int | None = option(None, "how many; as many as worlds are asked for where none is given", limit="worlds")
    budget: int = option(BUDGET, "states that a model may visit per round", limit="states")
    remedy: Literal["none", "weight", "balance"] = option("weight", "against bias: none, weights, or equal numbers")
    reseed: bool = option(True, "lost models begin anew from a healthy one")

    def __post_init__(self) -> None:
        if self.remedy not in REMEDIES:
            raise fail("unknown-remedy", name=self.remedy, names=", ".join(REMEDIES))
        check_options(self)


def make_hyperplay(config: HyperGamesConfig, setting: SamplerContext) -> HyperPlayBelief:
    """Return the sampler of a row of `SAMPLERS`."""
    return HyperPlayBelief(
        setting.machine,
        setting.role_id,
        models=config.models or setting.count,
        budget=config.budget,
        seed=setting.seed,
        remedy=config.remedy,
        reseed=config.reseed,
        opponents=setting.opponents,
    )


class HyperPlayBelief:
    """A bag of HyperGames of a role."""

    def __init__(
        self,
        machine: Machine,
        role: int,
        *,
        models: int = MODELS,
        budget: int = BUDGET,
        seed: int = 0,
        remedy: str = "weight",
        reseed: bool = True,
        opponents: Opponents | None = None,
    ) -> None:
        check_limit("worlds", models, "models")
        check_limit("states", budget, "budget")
        if remedy not in REMEDIES:
            raise fail("unknown-remedy", name=remedy, names=", ".join(REMEDIES))
        self.machine, self.role, self.budget = machine, role, budget
        self.remedy, self.reseed, self.opponents = remedy, reseed, opponents
        self.rounds = self.states_visited = self.passes = 0
        self.visited = np.zeros(models, np.int64)  # [M] states of each model in the last update
        self.first_time = 1.0  # share of the newest round's joint moves that agreed, equation (16)
        self.branching = 1.0  # joint moves of the newest round, on average
        self._rng = np.random.SeedSequence(seed).generate_state(models, np.uint64)
        self._own_move, self._percepts = np.zeros(0, np.int64), np.zeros((0, 0), np.uint64)
        self._complete = np.ones(models, np.bool_)  # whether the stack holds all that is left of the tree
        self._over = False
        self._explained = 0  # rounds of the record that some model has explained
        roles, words = len(machine.program.roles), machine.state_words
        self._layout = machine.row_layout(MAX_CANDIDATES)
        self._paths = Paths(
            np.zeros(models, np.int64),
            np.zeros((models, 0, roles), np.int32),
            machine.initial_states(models)[:, None, :],
            np.zeros((models, 1)),
        )
        self._stacks = Stacks(
            np.zeros(models, np.int64),
            np.zeros((models, ROOM), np.int32),
            np.zeros((models, ROOM), np.int32),
            np.zeros((models, ROOM, roles), np.int32),
            np.zeros((models, ROOM, words), np.uint64),
            np.zeros((models, ROOM)),
        )

    @property
    def on_line(self) -> np.ndarray:
        """[M] whether a model explains the whole record."""
        explaining: np.ndarray = self._paths.round == self.rounds
        return explaining

    @property
    def has_world(self) -> bool:
        """Whether a model explains the whole record."""
        return bool(self.on_line.any())

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return Cost(self.states_visited, self.passes)

    def copy(self) -> Self:
        """Return an independent sampler with the same knowledge."""
        twin = copy(self)
        twin.visited, twin._rng, twin._complete = self.visited.copy(), self._rng.copy(), self._complete.copy()
        twin._paths = Paths(*(part.copy() for part in self._paths))
        twin._stacks = Stacks(*(part.copy() for part in self._stacks))
        return twin

    def drop_ended(self) -> None:
        """Do nothing: a model that explains a round also explains whether the game goes on."""

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """Observe one more round. Raises `NoConsistentHistory` if a model has searched everything without success.

        Models that have not caught up by the deadline stay behind; their search goes on in the next round. After the
        deadline the round is only stored, so that a long record that is told at once takes no more time than allowed.
        """
        self._own_move = np.append(self._own_move, own_move)
        old = self._percepts if self.rounds else np.zeros((0, len(percepts)), np.uint64)
        self._percepts = np.vstack([old, percepts[None, :]])
        self.rounds += 1
        self._over = over
        self._lengthen()
        self.visited[:] = 0
        if not has_passed(deadline):
            self.search_on(deadline)
        if self.remedy == "balance":
            self._balance()

    def search_on(self, deadline: float | None) -> None:
        """Search with the models that are behind, each within what is left of its budget for this round."""
        before = int(self.visited.sum())
        if self.reseed:
            self._search(min(PATIENCE, self.budget), deadline)
            self._reseed(deadline)
        while not self.on_line.all() and not (self.reseed and self.on_line.any()):
            so_far = self.visited.sum()
            self._search(self.budget, deadline)  # a model that is reset is idle for the rest of a search
            if self.visited.sum() == so_far or has_passed(deadline):
                break
        self.states_visited += int(self.visited.sum()) - before

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return the distinct histories of the models on line.

        Raises `NoConsistentHistory` if all are off line, and `ZeroLikelihood` if all have probability 0.
        """
        models = np.flatnonzero(self.on_line)
        if not len(models):
            raise NoConsistentHistory(self.rounds, proved=False)
        histories = self._paths.joint[models][:, : self.rounds]
        _, first, times = np.unique(history_keys(histories), return_index=True, return_counts=True)
        if self.opponents is None:
            logs = self._paths.log_weight[models[first], self.rounds]
        else:
            logs = weigh_by_opponents(self.machine, self.role, histories[first], self.opponents, proved=False)
        if self.remedy == "none":
            logs = logs + np.log(times)
        if count is not None and count < len(first):
            some = np.sort(rng.permutation(np.flatnonzero(np.isfinite(logs)))[:count])
            first, logs = first[some], logs[some]
        return Bag(
            histories=histories[first],
            states=self._paths.state[models[first], self.rounds],
            weights=normalise(logs),
            sampler="hyperplay",
            states_visited=self.states_visited,
            passes=self.passes,
        )

    def counts(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (histories [N, T, R], how many models have each [N]): the sample before any remedy."""
        histories = self._paths.joint[self.on_line][:, : self.rounds]
        _, first, times = np.unique(history_keys(histories), return_index=True, return_counts=True)
        return histories[first], times

    def _search(self, budget: int, deadline: float | None, idle: np.ndarray | None = None) -> None:
        """Bring models on line that are not idle, each within a budget of states; under a deadline, in portions."""
        idle = np.zeros(len(self.visited), np.bool_) if idle is None else idle
        if deadline is None:
            self._search_on(budget, idle)
            return
        behind = np.flatnonzero(~idle & ~self.on_line)
        few = 1 + int(FEW_CANDIDATES / self.branching)
        for part in split_portions(len(behind), len(behind), deadline, few):
            some, others = behind[part], np.ones(len(idle), np.bool_)
            others[some] = False
            for states in pace(deadline, FEW_STATES):
                searching = some[~others[some] & ~self.on_line[some] & (self.visited[some] < budget)]
                if not len(searching):
                    break
                self._search_on(min(budget, int(self.visited[searching].min()) + states), others)

    def _search_on(self, budget: int, idle: np.ndarray) -> None:
        """Search without a clock (idle [M] is changed: a model that is reset is idle for the rest)."""
        from veil.belief.hyperplay.search_kernels import search  # imports numba

        own = np.zeros(len(self.visited), np.int64)  # all models explain one record
        records = EncodedRecords(self.role, own, self._own_move[None], self._percepts[None], self._over)
        tally = np.zeros(5, np.int64)
        tally[4] = self._explained
        while True:
            models = Models(self._paths, self._stacks, self._rng, self._complete, self.visited, idle)
            end = search(self.machine.code, self._layout, records, models, budget, tally)
            self._explained = int(tally[4])
            if end == NOTHING:
                raise NoConsistentHistory(self._explained + 1, proved=True)
            if end == DONE:
                break
            if end == FULL:
                self._make_room()
            check_signals()  # a search that has only paused goes on
        self.passes += int(tally[0])
        if tally[1]:
            self.branching = float(tally[2] / tally[1])
            self.first_time = float(tally[3] / max(1, tally[2]))

    def _reseed(self, deadline: float | None) -> None:
        """Start models off line again from a random round of a model on line; each has its budget once more."""
        from veil.engine.lanes import split_mix  # imports numba

        for _ in range(CLONINGS):  # a copy may fail as well
            lost, healthy = np.flatnonzero(~self.on_line), np.flatnonzero(self.on_line)
            if not len(lost) or not len(healthy) or has_passed(deadline):
                return
            draws = np.array([split_mix(self._rng, model) for model in lost.tolist()], np.uint64)
            source = healthy[(draws % np.uint64(len(healthy))).astype(np.int64)]
            cut = ((draws >> np.uint64(32)) % np.uint64(max(1, self.rounds))).astype(np.int64)
            for part in (self._paths.joint, self._paths.state, self._paths.log_weight):
                part[lost] = part[source]
            self._paths.round[lost] = cut
            self._stacks.top[lost] = 0
            self._complete[lost] = False
            before = self.visited[lost]
            self.visited[lost] = 0
            idle = np.ones(len(self.visited), np.bool_)
            idle[lost] = False
            self._search(min(PATIENCE, self.budget), deadline, idle)
            self.visited[lost] += before

    def _balance(self) -> None:
        """Give every distinct history the same number of models, as far as possible."""
        models = np.flatnonzero(self.on_line)
        if not len(models):
            return
        keys = history_keys(self._paths.joint[models][:, : self.rounds])
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        share, more = divmod(len(models), len(first))
        wanted = np.full(len(first), share)
        wanted[:more] += 1
        have = np.bincount(which, minlength=len(first))
        wanted = wanted[np.argsort(np.argsort(-have, kind="stable"), kind="stable")]  # the most frequent keep one more
        spare = [at for at, rank in enumerate(_ranks(which)) if rank >= wanted[which[at]]]
        for history in np.flatnonzero(have < wanted).tolist():
            for _ in range(int(wanted[history] - have[history])):
                self._copy(int(models[first[history]]), int(models[spare.pop()]))

    def _copy(self, source: int, target: int) -> None:
        """Make a model a copy of another, with its own random numbers."""
        for record in (self._paths, self._stacks):
            for part in record:
                part[target] = part[source]
        self._complete[target] = self._complete[source]

    def _lengthen(self) -> None:
        """Make room for one more round in the paths."""
        paths = self._paths
        models, _, roles = paths.joint.shape
        if paths.joint.shape[1] >= self.rounds:
            return
        more = max(8, self.rounds)
        self._paths = paths._replace(
            joint=np.concatenate([paths.joint, np.zeros((models, more, roles), np.int32)], axis=1),
            state=np.concatenate([paths.state, np.zeros((models, more, paths.state.shape[2]), np.uint64)], axis=1),
            log_weight=np.concatenate([paths.log_weight, np.zeros((models, more))], axis=1),
        )

    def _make_room(self) -> None:
        """Double the room on all stacks."""

        def wider(part: np.ndarray) -> np.ndarray:
            return np.concatenate([part, np.zeros_like(part)], axis=1)

        top, *parts = self._stacks
        self._stacks = Stacks(top, *(wider(part) for part in parts))


def _ranks(which: np.ndarray) -> list[int]:
    """Return, for every entry, how many equal ones stand before it."""
    seen: dict[int, int] = {}
    ranks = []
    for value in which.tolist():
        ranks.append(seen.get(value, 0))
        seen[value] = ranks[-1] + 1
    return ranks
