"""`norns`: the optimal search of Norns for games of one role (Geisser, Keller & Mattmueller 2014).

1. *Past and present.* Hold a belief over the histories that agree with the record, each with its probability.
2. *Future.* A walk draws a history from the belief by its probability, and plays on from there. The memory is a tree of
   own moves and percepts: a node is a record, and never a state, so the role knows in the tree what it will know in the
   match.
3. At a record in memory the walk takes a move by UCT: untried moves first, then the highest mean + C sqrt(ln N / n).
   The first record that is not in memory is added, and the game is played out uniformly.
4. The goal at the end counts for every move of the walk at a record in memory.
5. Play the move of the highest mean.

Means converge to the true expected goals, also of moves that bring nothing but information: this is UCT on a Markov
decision process whose states are records. Perfect-information search and playouts in worlds do not have this property.

Departures. The paper finds its belief by sampling a tree of past states, whose probabilities improve with every walk;
here the belief is that of the sampler, exact as long as it fits. C is an option, times the largest goal. Memory is kept
from move to move. Walks run on the explicit tree of the game where that is small, and otherwise 256 at a time in lanes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veil.errors import fail
from veil.limits import Limit
from veil.registry import option
from veil.search.contract import SearchTask
from veil.search.walks.configs import ITERATIONS, MAX_NODES, NODES, SAMPLER, STATES, WORK, WORLDS, Played, WalkConfig
from veil.search.walks.contract import BanditRule

if TYPE_CHECKING:
    from veil.search.walks.search import WalkSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class NornsConfig(WalkConfig):
    """The work of a decision, the constant of UCT, and the belief."""

    iterations: int | None = option(None, ITERATIONS, limit="iterations")
    states: int = option(STATES, WORK, limit="states")
    constant: float = option(1.0, "exploration of uct, times the maximal outcome", limit=Limit(0.0, 1e6))
    max_nodes: int = option(MAX_NODES, NODES, limit="nodes")
    worlds: int = option(1000, WORLDS, limit="worlds")
    sampler: str = option("auto", SAMPLER, table="veil.belief:SAMPLERS")

    @property
    def rule(self) -> BanditRule:
        """The rule of its walker."""
        return BanditRule("uct", self.constant, starts="posterior")

    @property
    def played(self) -> Played:
        """The move of the highest mean."""
        return "value"

    def searcher(self, task: SearchTask) -> WalkSearch:
        """Return a searcher for the role of one match."""
        program = task.game.program
        players = len(program.roles) - (program.chance is not None)
        if players != 1:
            raise fail("bad-option", what=f"norns plays games of one role, and this one has {players}")
        return WalkConfig.searcher(self, task)
