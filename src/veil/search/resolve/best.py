"""`best`: the searcher that chooses what to do by the kind and the size of the game, and says what it did.

| game | what it does | `method` in the report |
|---|---|---|
| the tree fits, one role or two roles with a constant sum | solves it before the match | `solved` |
| the tree fits, other sums or more roles | the same, without a guarantee | `self-play on the tree` |
| two roles | solves what is left at every decision | `resolve` |
| one role | simulations with beliefs | `hyperplay2` |
| more roles | a tree search over the infoset | `ismcts` |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from veil.registry import check_options, option
from veil.search.contract import Answer, SearchBudget, Searcher, SearchQuestion, SearchTask
from veil.search.playouts.style import PLAYOUT, Playout
from veil.search.resolve.config import ITERATIONS, NODES, SAMPLER, WORLDS, ResolveConfig

if TYPE_CHECKING:
    import numpy as np

    from veil.engine import Game

BestPlayout = Literal["auto", "uniform", "decisive", "careful"]
SHORT = 40  # rounds: in longer games, decisive playouts take the time of the tree
MEASURED = 64  # random games


@dataclass(frozen=True, slots=True, kw_only=True)
class BestConfig:
    """The size of a game that is solved as a whole, and the options of `resolve` for larger ones."""

    whole: int = option(300_000, "nodes of a game that is solved before the match", limit="nodes")
    nodes: int = option(50_000, NODES, limit="nodes")
    iterations: int = option(1000, ITERATIONS, limit="iterations")
    playout: BestPlayout = option("auto", f"{PLAYOUT}; auto: decisive in games that are short at random")
    worlds: int = option(300, WORLDS, limit="worlds")
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    def __post_init__(self) -> None:
        check_options(self)

    def searcher(self, task: SearchTask) -> BestSearch:
        """Return a searcher for one role of one match."""
        return BestSearch(task, self)

    def make_resolve(self, game: Game, start_nodes: int) -> ResolveConfig:
        """Return the options of `resolve`."""
        playout: Playout = "uniform" if self.playout == "auto" else self.playout
        if self.playout == "auto" and measure_rounds(game) <= SHORT:
            playout = "decisive"
        return ResolveConfig(
            nodes=self.nodes,
            start_nodes=start_nodes,
            iterations=self.iterations,
            playout=playout,
            worlds=self.worlds,
            sampler=self.sampler,
        )


class BestSearch:
    """A search of the kind that the game asks for."""

    def __init__(self, task: SearchTask, config: BestConfig) -> None:
        self.method, self._searcher = choose_search(task, config)

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the strategy after this record."""
        answer = self._searcher.search(question, budget, rng)
        return replace(answer, details={"method": self.method} | answer.details)


def measure_rounds(game: Game) -> float:
    """Return the mean number of rounds of random games."""
    played = game.machine.playouts(game.machine.initial_states(), MEASURED, 0)
    return float(played.length_sum.sum()) / MEASURED


def choose_search(task: SearchTask, config: BestConfig) -> tuple[str, Searcher]:
    """Return the name of the method for a game, and its searcher."""
    from veil.equilibrium import estimate_tree, find_constant_sum  # imports numba
    from veil.search.hyperplay2.simulations import HyperPlay2Config  # imports numba
    from veil.search.resolve.search import ResolveSearch  # imports numba
    from veil.search.walks.configs import IsmctsConfig  # imports numba

    program = task.game.program
    players = len(program.roles) - (program.chance is not None)
    fits = not estimate_tree(task.game).exceeds(config.whole)
    if fits or players == 2:
        resolve = ResolveSearch(task, config.make_resolve(task.game, config.whole if fits else config.nodes))
        if resolve.subgame.is_complete:
            has_value = players == 1 or (players == 2 and find_constant_sum(resolve.subgame.flat) is not None)
            return "solved" if has_value else "self-play on the tree", resolve
        if players == 2:
            return "resolve", resolve
    if players == 1:
        return "hyperplay2", HyperPlay2Config(sampler=config.sampler).searcher(task)
    return "ismcts", IsmctsConfig(sampler=config.sampler).searcher(task)
