"""The contract of searchers: `search(question, budget, rng) -> Answer`.

A question is what a role knows: the game, the role, its record, and a belief that gives worlds. A budget is work or a
deadline. An answer is a mixed strategy over the role's moves, with values, visits and cost. A searcher is made for one
role of one match (`SearchTask`) and may keep what it has built for the next question of that match. `SearchPlayer` in
`veil.players` plays any searcher. A new searcher needs one module with a config (which makes it) and one row.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from veil.belief import Bag
from veil.engine import Game, Record
from veil.parts import OptionalPart

if TYPE_CHECKING:
    from veil.equilibrium import StrategyTable
    from veil.search.walks.contract import InfosetView

TIE = 1e-9  # relative difference below which two values are equal


class SearchTask(NamedTuple):
    """The role of a match that a searcher searches for."""

    game: Game
    role_id: int
    seed: int
    start_seconds: float | None = None  # for the preparation; None: without a limit


class WorldSource(Protocol):
    """A source of possible worlds: a sampler, or a tracker of a belief."""

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return at most `count` worlds with weights; None: all known ones."""


class SearchQuestion(NamedTuple):
    """The decision that is to be made."""

    record: Record
    belief: WorldSource
    seed: tuple[int, ...]  # names this decision; playouts draw their own random numbers from it


class SearchBudget(NamedTuple):
    """The limit of a search: the deadline (of `perf_counter`) or, without one, the work that the config says."""

    deadline: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The result of a search. K moves of the role."""

    moves: np.ndarray  # [K] move numbers, ascending
    strategy: np.ndarray  # [K] probabilities of playing them
    values: np.ndarray  # [K] the expected goals of the role
    visits: np.ndarray  # [K] simulations that began with them
    playouts: int
    states_visited: int
    bag: Bag | None = None  # the worlds that were searched
    details: dict[str, Any] = field(default_factory=dict)  # more entries for a report; plain data

    def best(self) -> np.ndarray:
        """Return the moves that may be played."""
        return self.moves[self.strategy > 0]

    def draw(self, rng: np.random.Generator) -> int:
        """Draw a move with the probabilities of the strategy."""
        support = np.flatnonzero(self.strategy > 0)
        chances = self.strategy[support]
        if (chances == chances[0]).all():
            return int(self.moves[support[rng.integers(len(support))]])
        return int(self.moves[support[rng.choice(len(support), p=chances / chances.sum())]])


class Searcher(Protocol):
    """A search for moves of one role of one match."""

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the strategy after this record."""


class KeepsInfosets(OptionalPart):
    """A searcher that keeps a table of infosets from one search to the next."""

    @abstractmethod
    def known(self) -> Iterator[InfosetView]:
        """Return all infosets that are in the table."""

    @abstractmethod
    def strategies(self, role_id: int) -> StrategyTable:
        """Return the mean strategies of a role at all of them, times their visits."""


class SearchConfig(Protocol):
    """The options of a searcher: it names the sampler of its belief, and makes the searcher.

    It may also have an option `opponents`, a row of `OPPONENTS` (`players.contract.NamesOpponents`); without it, the
    others play uniformly.
    """

    sampler: str

    @property
    def worlds(self) -> int:
        """The number of worlds that the belief is asked for."""

    def searcher(self, task: SearchTask) -> Searcher:
        """Return a searcher for one role of one match."""


def answer_by_values(
    moves: np.ndarray,
    values: np.ndarray,
    visits: np.ndarray,
    playouts: int,
    states_visited: int,
) -> Answer:
    """Return an answer that plays the moves of the highest value uniformly (equation 14 of the HyperPlay article)."""
    return Answer(
        moves=moves,
        strategy=choose_best(values),
        values=values,
        visits=visits,
        playouts=playouts,
        states_visited=states_visited,
    )


def choose_best(values: np.ndarray) -> np.ndarray:
    """Return the strategy [K] that plays the moves of the highest value uniformly."""
    top = values.max()
    best = values >= top - TIE * max(1.0, abs(top))
    strategy: np.ndarray = best / best.sum()
    return strategy
