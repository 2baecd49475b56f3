"""The options of `resolve`. They import no kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from veil.limits import Limit
from veil.registry import check_options, option
from veil.search.contract import SearchTask
from veil.search.playouts.style import PLAYOUT, Playout

if TYPE_CHECKING:
    from veil.search.resolve.presumed_payoff import PresumedPayoffSearch
    from veil.search.resolve.search import ResolveSearch
    from veil.search.resolve.vector_minimax import VectorMinimaxSearch

# Texts that `best` has as well.
NODES, ITERATIONS = "of the tree of a decision, where no clock runs", "of PCFR+ for a decision, where no clock runs"
WORLDS, SAMPLER = "of the own belief", "how worlds are found: a row of `veil samplers`"

Gadget = Literal["none", "resolve", "maxmargin", "blend"]
Seeing = Literal["others", "me", "all", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveConfig:
    """Worlds of all orders, the size of the tree, and the work of the solver."""

    worlds: int = option(300, WORLDS, limit="worlds")
    orders: int = option(4, "of beliefs: 1 the own one, 2 also that of others, 3 ...", limit=Limit(1, 64))
    records: int = option(20, "records of others, the heaviest, whose beliefs are added per order", limit="worlds")
    nodes: int = option(20_000, NODES, limit="nodes")
    start_nodes: int | None = option(
        None, "of the tree from the start of the game; by default as of a decision", limit="nodes"
    )
    iterations: int = option(1000, ITERATIONS, limit="iterations")
    playouts: int = option(16, "from every leaf that is not an end of the game", limit="playouts")
    playout: Playout = option("uniform", PLAYOUT)
    gadget: Gadget = option(
        "resolve", "how the subgame is kept safe: others may take what they had, choose where to gain most, or both"
    )
    mix: float = option(0.1, "share of uniform play in what roles are taken to have played so far", limit="share")
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    def __post_init__(self) -> None:
        check_options(self)

    def searcher(self, task: SearchTask) -> ResolveSearch:
        """Return a searcher for one role of one match."""
        from veil.search.resolve.search import ResolveSearch  # imports numba, which a table of players does not need

        return ResolveSearch(task, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorMinimaxConfig:
    """Worlds, the size of the tree below them, and who sees everything."""

    worlds: int = option(100, WORLDS, limit="worlds")
    nodes: int = option(20_000, "of the tree", limit="nodes")
    playouts: int = option(4, "from every leaf that is not an end of the game", limit="playouts")
    playout: Playout = option("uniform", PLAYOUT)
    seeing: Seeing = option("others", "who is taken to see everything")
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    def __post_init__(self) -> None:
        check_options(self)

    def searcher(self, task: SearchTask) -> VectorMinimaxSearch:
        """Return a searcher for one role of one match."""
        from veil.search.resolve.vector_minimax import VectorMinimaxSearch  # imports numba

        return VectorMinimaxSearch(task, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PresumedPayoffConfig:
    """Worlds, and the size of the tree below them."""

    worlds: int = option(100, WORLDS, limit="worlds")
    nodes: int = option(20_000, "of the tree", limit="nodes")
    playouts: int = option(4, "from every leaf that is not an end of the game", limit="playouts")
    playout: Playout = option("uniform", PLAYOUT)
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    def __post_init__(self) -> None:
        check_options(self)

    def searcher(self, task: SearchTask) -> PresumedPayoffSearch:
        """Return a searcher for one role of one match."""
        from veil.search.resolve.presumed_payoff import PresumedPayoffSearch  # imports numba

        return PresumedPayoffSearch(task, self)
