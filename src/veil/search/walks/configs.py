"""The configs of searches by walks: Online Outcome Sampling, ISMCTS, Smooth UCT. They import no kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from veil.errors import fail
from veil.limits import Limit
from veil.registry import check_options, option
from veil.search.contract import SearchTask
from veil.search.walks.contract import BanditRule, Grow, Lost, OosRule, Starts, Ties, WalkRule

if TYPE_CHECKING:
    from veil.search.walks.search import WalkSearch

MAX_NODES = 1_000_000
STATES = 5_000_000  # on a tree a quarter of a second
SHARE, PRIOR_ITERATIONS = Limit(0.0, 1.0), Limit(0, 1_000_000)

# Texts that options of several kinds share.
ITERATIONS, WORK = (
    "for a move, where no clock runs",
    "to visit for a move, where neither clock nor iterations are given",
)
NODES = "of a game that is searched as an explicit tree; larger ones are in lanes"
WORLDS, SAMPLER = "that are asked of the belief", "how worlds are found: a row of `veil samplers`"

Play = Literal["mean", "current", "most"]
Played = Literal["mean", "current", "most", "value"]


class WalkConfig(ABC):
    """What a `WalkSearch` needs of a config."""

    __slots__ = ()
    iterations: int | None  # of a search without a clock
    states: int  # to visit, if neither clock nor iterations are given
    max_nodes: int  # of a game that is searched as an explicit tree

    def __post_init__(self) -> None:
        check_options(self)

    @property
    @abstractmethod
    def rule(self) -> WalkRule:
        """The rule of its walker."""

    @property
    def played(self) -> Played:
        """The strategy that it answers with."""
        return "mean"

    @property
    def pruned(self) -> float:
        """The share of the most likely move below which moves are left out."""
        return 0.0

    def searcher(self, task: SearchTask) -> WalkSearch:
        """Return a searcher for one role of one match."""
        from veil.search.walks.search import WalkSearch  # imports numba, which a table of players does not need

        return WalkSearch(task, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class OosConfig(WalkConfig):
    """Online Outcome Sampling."""

    iterations: int | None = option(None, ITERATIONS + "; one is a walk per role", limit="iterations")
    states: int = option(STATES, WORK, limit="states")
    delta: float = option(0.9, "probability that a walk is targeted at where the match stands", limit=SHARE)
    epsilon: float = option(0.4, "exploration of the role whose regrets a walk updates", limit=SHARE)
    gamma: float = option(0.01, "uniform part of regret matching", limit=SHARE)
    target: Literal["ist", "pst"] = option("pst", "what is targeted: the infoset (ist), or the public subgame (pst)")
    play: Play = option("mean", "the mean strategy, that of the next walk (current), or the move of most walks (most)")
    prune: float = option(0.0, "moves below this share of the likeliest are not played", limit=SHARE)
    prior_iterations: int = option(
        0, "iterations of CFR+ before the match that a search on a tree begins with", limit=PRIOR_ITERATIONS
    )
    max_nodes: int = option(MAX_NODES, NODES, limit="nodes")
    worlds: int = option(100, WORLDS, limit="worlds")
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    @property
    def rule(self) -> OosRule:
        """The rule of its walker."""
        return OosRule(self.delta, self.epsilon, self.gamma, self.target, self.prior_iterations)

    @property
    def played(self) -> Played:
        """The strategy that it answers with."""
        return self.play

    @property
    def pruned(self) -> float:
        """The share of the most likely move below which moves are left out."""
        return self.prune


@dataclass(frozen=True, slots=True, kw_only=True)
class IsmctsConfig(WalkConfig):
    """Information Set Monte Carlo Tree Search."""

    iterations: int | None = option(None, ITERATIONS, limit="iterations")
    states: int = option(STATES, WORK, limit="states")
    select: Literal["uct", "rm"] = option("uct", "how moves are chosen: upper bounds (uct), or regret matching (rm)")
    constant: float = option(2.0, "exploration of uct, times the maximal outcome", limit=Limit(0.0, 1e6))
    gamma: float = option(0.2, "exploration of rm", limit=SHARE)
    observer: Literal["multiple", "single"] = option(
        "multiple", "whose records name statistics: of all movers, or of one role"
    )
    starts: Starts = option(
        "uniform", "how histories of the infoset are drawn: evenly, by probability, or evenly of those in memory"
    )
    grow: Grow = option("infoset", "what a walk adds to the memory; a history needs a game that fits into max_nodes")
    renew: bool = option(False, "whether a new history of an infoset makes its statistics begin anew")
    lost: Lost = option("search", "without a history in memory: walks from all, or random moves to the end")
    prior_walks: int = option(0, "walks from the root before the match", limit=Limit(0, 10**9))
    ties: Ties = option("random", "which of several best moves uct takes, in walks and to play")
    play: Literal["auto", "mean", "current", "most"] = option(
        "auto", "as of oos; auto: the move of most walks for uct, the mean for rm"
    )
    max_nodes: int = option(MAX_NODES, NODES, limit="nodes")
    worlds: int = option(1000, WORLDS, limit="worlds")
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    def __post_init__(self) -> None:
        super(IsmctsConfig, self).__post_init__()
        needs_histories = {"renew": self.renew, "starts=memory": self.starts == "memory", "lost": self.lost == "random"}
        if self.grow == "infoset" and any(needs_histories.values()):
            wanted = next(name for name, is_given in needs_histories.items() if is_given)
            raise fail("bad-option", what=f"{wanted} needs grow=history")
        if self.grow == "history" and self.observer == "single":
            raise fail("bad-option", what="grow=history needs observer=multiple")

    @property
    def rule(self) -> BanditRule:
        """The rule of its walker."""
        return BanditRule(
            select=self.select,
            constant=self.constant,
            gamma=self.gamma,
            starts=self.starts,
            observer=self.observer,
            ties=self.ties,
            grow=self.grow,
            renew=self.renew,
            lost=self.lost,
            prior_walks=self.prior_walks,
        )

    @property
    def played(self) -> Played:
        """The strategy that it answers with."""
        if self.play == "auto":
            return "most" if self.select == "uct" else "mean"
        return self.play


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothUctConfig(WalkConfig):
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

    @property
    def rule(self) -> BanditRule:
        """The rule of its walker."""
        return BanditRule("smooth", self.constant, self.gamma, self.eta, self.decay, self.starts)
