"""The contract of searches that grow a table of infosets by random walks: Online Outcome Sampling, ISMCTS, Smooth UCT.

A walker belongs to one role of one match. Its table survives between the moves of the match. It may walk on the
explicit tree of a game (`tree_walks`) or in lanes (`fleet`); whoever asks it does not notice.

1. `aim` says where the match stands: the record of the role and a belief about it.
2. `run` walks, again and again, within a budget.
3. `look` tells what the walks found at a record of any role; `known` tells it of all.

How it walks stands in a rule: `OosRule` or `BanditRule`. Whoever makes walkers of a kind offers a function
`(SearchTask, WalkRule) -> Walker`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, Protocol

import numpy as np

from veil.engine import Game, Record, encode
from veil.engine.lanes import extend_keys, percept_keys, start_keys
from veil.equilibrium import StrategyTable
from veil.search.contract import WorldSource

Targeting = Literal["ist", "pst"]
Selection = Literal["uct", "rm", "smooth"]
Starts = Literal["uniform", "posterior"]
Observer = Literal["multiple", "single"]


class OosRule(NamedTuple):
    """How Online Outcome Sampling walks (Lisý, Lanctot & Bowling 2015); defaults are theirs for matches."""

    delta: float = 0.9  # probability of the targeted scenario
    epsilon: float = 0.4  # exploration of the role whose regrets a walk updates
    gamma: float = 0.01  # uniform part of regret matching
    target: Targeting = "pst"  # at the infoset, or at the public subgame; where nothing is public, at the infoset
    warm: int = 0  # full iterations before the match that a table on a tree begins with


class BanditRule(NamedTuple):
    """How ISMCTS and Smooth UCT walk: every infoset is a bandit of its mover."""

    select: Selection = "uct"
    constant: float = 2.0  # of UCT, times the maximal outcome: half of the difference between best and worst payoff
    gamma: float = 0.2  # of regret matching: exploration. Of Smooth UCT: the least probability of a step by UCT
    eta: float = 0.9  # of Smooth UCT: the probability of a step by UCT at the first visit
    decay: float = 0.001  # of Smooth UCT: how fast that probability falls with the visits
    starts: Starts = "uniform"  # how the histories of the infoset are drawn: evenly, or by their probability
    observer: Observer = "multiple"  # a mover's statistics: by its own record, or by that of the searching role


WalkRule = OosRule | BanditRule


class SearchRoot(NamedTuple):
    """Where the match stands: what the role was told, and who knows the worlds that explain it."""

    role_id: int
    record: Record
    belief: WorldSource
    deadline: float | None = None  # a time of `perf_counter`: the walks that follow have to be over by then


class InfosetView(NamedTuple):
    """What walks found at one infoset. K moves."""

    role_id: int
    key: int  # of the record, as `engine.extend_keys` makes it
    moves: np.ndarray  # [K] move numbers, ascending
    mean: np.ndarray  # [K] the mean strategy: of UCT, how often the moves were taken
    current: np.ndarray  # [K] the strategy of the next walk
    values: np.ndarray  # [K] mean payoff to the role after each move, in goals; NaN where nothing is known
    visits: np.ndarray  # [K] walks that took the move


class Walker(Protocol):
    """A table of infosets that grows by walks."""

    @property
    def walks(self) -> int:
        """How many there were so far."""

    @property
    def states_visited(self) -> int:
        """By all walks so far."""

    def set_root(self, root: SearchRoot, rng: np.random.Generator) -> None:
        """The match has come to this record; walks go on from what is known."""

    def run(self, iterations: int, rng: np.random.Generator) -> None:
        """So many iterations more. One of Online Outcome Sampling is a walk per role, one of a bandit is one walk."""

    def infoset(self, role_id: int, key: int) -> InfosetView | None:
        """What is known of a record; nothing where no walk has put it into the table."""

    def known(self) -> Iterator[InfosetView]:
        """Everything that is in the table."""

    def strategies(self, role_id: int) -> StrategyTable:
        """The mean strategies of a role at all infosets that walks have passed, times their visits: `known` at once."""


def make_strategy(weights: np.ndarray) -> np.ndarray:
    """[K] weights as probabilities; uniform where all are 0."""
    total = weights.sum()
    strategy: np.ndarray = weights / total if total > 0.0 else np.full(len(weights), 1.0 / len(weights))
    return strategy


def weigh_strategies(
    keys: np.ndarray, start: np.ndarray, moves: np.ndarray, sums: np.ndarray, visits: np.ndarray
) -> StrategyTable:
    """Mean strategies times visits: of N infosets with the keys [N], infoset n has the rows [start[n], start[n + 1])
    of moves, sums of the mean strategy and visits, all [M]. Infosets without visits are left out."""
    sizes = np.diff(start)
    if not len(sizes):
        return StrategyTable(keys, start, moves, sums)
    total, passed = np.add.reduceat(sums, start[:-1]), np.add.reduceat(visits, start[:-1])
    row_total = np.repeat(total, sizes)
    mean = np.where(row_total > 0.0, sums / np.where(row_total > 0.0, row_total, 1.0), 1.0 / np.repeat(sizes, sizes))
    kept = passed > 0.0
    rows = np.repeat(kept, sizes)
    new_start = np.concatenate(([0], np.cumsum(sizes[kept])))
    return StrategyTable(keys[kept], new_start, moves[rows], (mean * np.repeat(passed, sizes))[rows])


def find_record_key(game: Game, record: Record) -> int:
    """The 64-bit name of a record."""
    key = start_keys(1)
    for own_move, percepts in encode(game, record):
        key = extend_keys(key, np.array([own_move]), percept_keys(percepts[None, :]))
    return int(key[0])
