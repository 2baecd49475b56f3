"""Online search with a table that grows by walks: the searcher over any `Walker`, and the configs of its kinds.

1. `aim` the walker at the record of the question.
2. Run iterations until the deadline; without one, as many as the config says, or until so many states were visited.
3. Answer with the mean strategy, the current one, or the move with the most visits, as the config says. A record that
   no walk has put into the table gets the uniform strategy. Moves of Online Outcome Sampling that are much less likely
   than the likeliest may be left out (`prune`).

A walker walks on the explicit tree where the game has at most `max_nodes` nodes, and in lanes otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from veil.clock import pace
from veil.equilibrium import StrategyTable
from veil.errors import VeilError
from veil.limits import Limit
from veil.registry import check_options, option
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask
from veil.search.walks.contract import (
    BanditRule,
    InfosetView,
    OosRule,
    Target,
    Walker,
    WalkRule,
    find_record_key,
)

MAX_NODES = 1_000_000
STATES = 5_000_000  # on a tree a quarter of a second
SHARE, WARM = Limit(0.0, 1.0), Limit(0, 1_000_000)
NO_TREE = ("tree-too-large", "tree-too-many-bytes", "tree-too-slow", "endless-game")  # what lanes can do all the same
FIRST_PIECE = 64  # iterations before the first look at the clock

# What options of several kinds say.
ITERATIONS, WORK = (
    "for a move, where no clock runs",
    "to visit for a move, where neither clock nor iterations are given",
)
NODES = "of a game that is searched as an explicit tree; larger ones are in lanes"
WORLDS, SAMPLER = "that are asked of the belief", "how worlds are found: a row of `veil samplers`"

Play = Literal["mean", "current", "most"]


class WalkConfig(Protocol):
    """What a `WalkSearch` has to know of its config."""

    @property
    def iterations(self) -> int | None:
        """Of a search without a clock."""

    @property
    def states(self) -> int:
        """To visit, where neither clock nor iterations are given."""

    @property
    def max_nodes(self) -> int:
        """Of a game that is searched as an explicit tree."""

    @property
    def rule(self) -> WalkRule:
        """How its walker walks."""

    @property
    def played(self) -> Play:
        """Which strategy it answers with."""

    @property
    def pruned(self) -> float:
        """Moves below this share of the likeliest are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OosConfig:
    """Online Outcome Sampling."""

    iterations: int | None = option(None, ITERATIONS + "; one is a walk per role", limit="iterations")
    states: int = option(STATES, WORK, limit="states")
    delta: float = option(0.9, "probability that a walk is targeted at where the match stands", limit=SHARE)
    epsilon: float = option(0.4, "exploration of the role whose regrets a walk updates", limit=SHARE)
    gamma: float = option(0.01, "uniform part of regret matching", limit=SHARE)
    target: Literal["ist", "pst"] = option("pst", "what is targeted: the infoset (ist), or the public subgame (pst)")
    play: Literal["mean", "current"] = option("mean", "which strategy is played")
    prune: float = option(0.0, "moves below this share of the likeliest are not played", limit=SHARE)
    warm: int = option(0, "iterations of CFR+ before the match that a search on a tree begins with", limit=WARM)
    max_nodes: int = option(MAX_NODES, NODES, limit="nodes")
    worlds: int = option(100, WORLDS, limit="worlds")
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def rule(self) -> OosRule:
        """How its walker walks."""
        return OosRule(self.delta, self.epsilon, self.gamma, self.target, self.warm)

    @property
    def played(self) -> Play:
        """Which strategy it answers with."""
        return self.play

    @property
    def pruned(self) -> float:
        """Moves below this share of the likeliest are left out."""
        return self.prune

    def searcher(self, task: SearchTask) -> WalkSearch:
        """A searcher for one role of one match."""
        return WalkSearch(task, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class IsmctsConfig:
    """Information Set Monte Carlo Tree Search."""

    iterations: int | None = option(None, ITERATIONS, limit="iterations")
    states: int = option(STATES, WORK, limit="states")
    select: Literal["uct", "rm"] = option("uct", "how moves are chosen: upper bounds (uct), or regret matching (rm)")
    constant: float = option(2.0, "exploration of uct, times the maximal outcome", limit=Limit(0.0, 1e6))
    gamma: float = option(0.2, "exploration of rm", limit=SHARE)
    observer: Literal["multiple", "single"] = option(
        "multiple", "whose records name statistics: of all movers, or of one role"
    )
    starts: Literal["uniform", "posterior"] = option(
        "uniform", "how histories of the infoset are drawn: evenly, or by probability"
    )
    play: Literal["auto", "mean", "most"] = option("auto", "most visits, or the mean; auto: of uct, of rm")
    max_nodes: int = option(MAX_NODES, NODES, limit="nodes")
    worlds: int = option(1000, WORLDS, limit="worlds")
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def rule(self) -> BanditRule:
        """How its walker walks."""
        return BanditRule(
            select=self.select,
            constant=self.constant,
            gamma=self.gamma,
            starts=self.starts,
            observer=self.observer,
        )

    @property
    def played(self) -> Play:
        """Which strategy it answers with."""
        if self.play == "auto":
            return "most" if self.select == "uct" else "mean"
        return self.play

    @property
    def pruned(self) -> float:
        """Nothing is left out."""
        return 0.0

    def searcher(self, task: SearchTask) -> WalkSearch:
        """A searcher for one role of one match."""
        return WalkSearch(task, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothUctConfig:
    """Smooth UCT; defaults are those of Heinrich & Silver (2015)."""

    iterations: int | None = option(None, ITERATIONS, limit="iterations")
    states: int = option(STATES, WORK, limit="states")
    constant: float = option(2.0, "exploration of uct, times the maximal outcome", limit=Limit(0.0, 1e6))
    gamma: float = option(0.1, "least probability of a step by uct; else by the mean strategy", limit=SHARE)
    eta: float = option(0.9, "probability of a step by uct at first", limit=SHARE)
    decay: float = option(0.001, "how fast it falls with the visits", limit=Limit(0.0, 1e6))
    starts: Literal["uniform", "posterior"] = option(
        "uniform", "how histories of the infoset are drawn: evenly, or by probability"
    )
    max_nodes: int = option(MAX_NODES, NODES, limit="nodes")
    worlds: int = option(1000, WORLDS, limit="worlds")
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def rule(self) -> BanditRule:
        """How its walker walks."""
        return BanditRule("smooth", self.constant, self.gamma, self.eta, self.decay, self.starts)

    @property
    def played(self) -> Play:
        """The mean strategy."""
        return "mean"

    @property
    def pruned(self) -> float:
        """Nothing is left out."""
        return 0.0

    def searcher(self, task: SearchTask) -> WalkSearch:
        """A searcher for one role of one match."""
        return WalkSearch(task, self)


class WalkSearch:
    """Walks until it has to answer. Its table survives between the moves of a match."""

    def __init__(self, task: SearchTask, config: WalkConfig) -> None:
        self.task, self.config = task, config
        self.walker = make_walker(task, config)

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """The strategy after this record."""
        walker = self.walker
        walks, states = walker.walks, walker.states_visited
        walker.aim(Target(self.task.role_id, question.record, question.belief, budget.deadline), rng)
        if budget.deadline is not None:
            for iterations in pace(budget.deadline, FIRST_PIECE):
                walker.run(iterations, rng)
        elif self.config.iterations is not None:
            walker.run(self.config.iterations, rng)
        else:
            visit_states(walker, self.config.states, rng)
        view = walker.look(self.task.role_id, find_record_key(self.task.game, question.record))
        if view is None:
            view = self._know_nothing(question, rng)
        strategy = prune_moves(choose_strategy(view, self.config.played), self.config.pruned)
        words = [self.task.game.names.moves[self.task.role_id][move] for move in view.moves.tolist()]
        return Answer(
            moves=view.moves,
            strategy=strategy,
            values=view.values,
            visits=view.visits,
            playouts=walker.walks - walks,
            states_visited=walker.states_visited - states,
            details={
                "strategy": dict(zip(words, strategy.tolist(), strict=True)),
                "visits": dict(zip(words, view.visits.tolist(), strict=True)),
            },
        )

    def known(self) -> Iterator[InfosetView]:
        """All infosets that walks have put into the table."""
        return self.walker.known()

    def strategies(self, role_id: int) -> StrategyTable:
        """The mean strategies of a role at all of them, times their visits."""
        return self.walker.strategies(role_id)

    def _know_nothing(self, question: SearchQuestion, rng: np.random.Generator) -> InfosetView:
        """The uniform strategy over the moves that are legal in a world of the belief."""
        role_id, machine = self.task.role_id, self.task.game.machine
        bag = question.belief.worlds(1, rng)
        moves = np.flatnonzero(machine.legal_bits(machine.judge(bag.states))[role_id][0])
        even = np.full(len(moves), 1.0 / len(moves))
        return InfosetView(role_id, 0, moves, even, even, np.full(len(moves), np.nan), np.zeros(len(moves)))


def visit_states(walker: Walker, states: int, rng: np.random.Generator) -> None:
    """Walk until so many states were visited: in pieces, by the length of the walks so far."""
    start, size, done = walker.states_visited, FIRST_PIECE, 0
    while size > 0:
        walker.run(size, rng)
        done += size
        spent = max(done, walker.states_visited - start)  # a walk of no steps counts as well
        size = min(2 * size, int((states - spent) * done / spent))


def make_walker(task: SearchTask, config: WalkConfig) -> Walker:
    """A walker on the explicit tree where the game is small enough, and time is; else one in lanes."""
    from veil.search.walks.lanes.walker import make_fleet_walker
    from veil.search.walks.tree.walkers import make_tree_walker

    try:
        return make_tree_walker(task, config.rule, config.max_nodes)
    except VeilError as error:
        if error.problems[0].code not in NO_TREE:
            raise
    return make_fleet_walker(task, config.rule)


def choose_strategy(view: InfosetView, play: Play) -> np.ndarray:
    """[K] what is played at an infoset."""
    if play == "current":
        return view.current
    if play == "mean" or view.visits.max() == 0:
        return view.mean
    most = view.visits == view.visits.max()
    strategy: np.ndarray = most / most.sum()
    return strategy


def prune_moves(strategy: np.ndarray, share: float) -> np.ndarray:
    """[K] the strategy without moves whose probability is below this share of the largest."""
    kept = np.where(strategy < share * strategy.max(), 0.0, strategy)
    return kept / kept.sum() if share > 0.0 else strategy
