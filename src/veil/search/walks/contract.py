"""The contract of searches that grow a table of infosets by random walks: Online Outcome Sampling, ISMCTS, Smooth UCT.

A walker belongs to one role of one match. Its table survives between the moves of the match. It may walk on the
explicit tree of a game (`tree`) or in lanes (`lanes`); its methods are the same.

1. `set_root` says where the match stands: the record of the role and a belief about it.
2. `run` walks, again and again, within a budget.
3. `infoset` returns what the walks found at a record of any role; `known` returns it for all.

The rule of a walker, `OosRule` or `BanditRule`, says how it walks. Every kind of walker has a function that makes it
from a `SearchTask` and a `WalkRule`.
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
Starts = Literal["uniform", "posterior", "memory"]
Observer = Literal["multiple", "single"]
Ties = Literal["random", "first"]
Grow = Literal["infoset", "history"]
Lost = Literal["search", "random"]


class OosRule(NamedTuple):
    """The rule of Online Outcome Sampling (Lisý, Lanctot & Bowling 2015); defaults are theirs for matches."""

    delta: float = 0.9  # probability of the targeted scenario
    epsilon: float = 0.4  # exploration of the role whose regrets a walk updates
    gamma: float = 0.01  # uniform part of regret matching
    target: Targeting = "pst"  # at the infoset, or at the public subgame; if nothing is public, at the infoset
    prior_iterations: int = 0  # full iterations before the match that a table on a tree begins with


class BanditRule(NamedTuple):
    """The rule of ISMCTS and Smooth UCT: every infoset is a bandit of its mover."""

    select: Selection = "uct"
    constant: float = 2.0  # of UCT, times the maximal outcome: half of the difference between best and worst payoff
    gamma: float = 0.2  # of regret matching: exploration. Of Smooth UCT: the least probability of a step by UCT
    eta: float = 0.9  # of Smooth UCT: the probability of a step by UCT at the first visit
    decay: float = 0.001  # of Smooth UCT: how fast that probability falls with the visits
    starts: Starts = "uniform"  # how histories of the infoset are drawn: evenly, by probability, or evenly in memory
    observer: Observer = "multiple"  # a mover's statistics: by its own record, or by that of the searching role
    ties: Ties = "random"  # of UCT: which of several moves with the largest bound is taken
    grow: Grow = "infoset"  # what a walk adds to the memory: an infoset, or a history (only on a tree)
    renew: bool = False  # whether a new history of an infoset makes its statistics begin anew
    lost: Lost = "search"  # if no history is in memory: walks from all of them, or random moves to the end of the match
    prior_walks: int = 0  # from the root, before the match


WalkRule = OosRule | BanditRule


class SearchRoot(NamedTuple):
    """The position of the match: the record of the role, and a source of worlds that explain it."""

    role_id: int
    key: int  # of the record of the role, see `find_record_key`
    rounds: int  # of the record
    belief: WorldSource
    deadline: float | None = None  # a time of `perf_counter` at which the walks that follow must have ended


class InfosetView(NamedTuple):
    """What walks found at one infoset. K moves."""

    role_id: int
    key: int  # of the record, as `engine.extend_keys` makes it
    moves: np.ndarray  # [K] move numbers, ascending
    mean: np.ndarray  # [K] the mean strategy: of UCT, how often the moves were taken
    current: np.ndarray  # [K] the strategy of the next walk; of regret matching in ISMCTS without its exploration
    values: np.ndarray  # [K] mean payoff to the role after each move, in goals; NaN if nothing is known
    visits: np.ndarray  # [K] walks that took the move


class Walker(Protocol):
    """A table of infosets that grows by walks."""

    @property
    def walks(self) -> int:
        """The number of walks so far."""

    @property
    def states_visited(self) -> int:
        """The number of states visited by all walks so far."""

    def set_root(self, root: SearchRoot, rng: np.random.Generator) -> None:
        """Move the root of the search to this record; walks go on from what is known."""

    def run(self, iterations: int, rng: np.random.Generator) -> None:
        """Run `iterations` more iterations: a walk per role of Online Outcome Sampling, one walk of a bandit."""

    def infoset(self, role_id: int, key: int) -> InfosetView | None:
        """Return what is known of a record; None if no walk has put it into the table."""

    def known(self) -> Iterator[InfosetView]:
        """Return all infosets in the table."""

    def strategies(self, role_id: int) -> StrategyTable:
        """Return a role's mean strategies at all infosets that walks have passed, times their visits."""


def make_strategy(weights: np.ndarray) -> np.ndarray:
    """Return weights [K] as probabilities; uniform if all are 0."""
    total = weights.sum()
    strategy: np.ndarray = weights / total if total > 0.0 else np.full(len(weights), 1.0 / len(weights))
    return strategy


def weigh_strategies(
    keys: np.ndarray, start: np.ndarray, moves: np.ndarray, sums: np.ndarray, visits: np.ndarray
) -> StrategyTable:
    """Return mean strategies times visits of N infosets with the keys [N], and the sums themselves.

    Infoset n has the rows [start[n], start[n + 1]) of moves, sums of the mean strategy and visits, all [M]. Infosets
    without visits are left out.
    """
    sizes = np.diff(start)
    if not len(sizes):
        return StrategyTable(keys, start, moves, sums)
    total, passed = np.add.reduceat(sums, start[:-1]), np.add.reduceat(visits, start[:-1])
    row_total = np.repeat(total, sizes)
    mean = np.where(row_total > 0.0, sums / np.where(row_total > 0.0, row_total, 1.0), 1.0 / np.repeat(sizes, sizes))
    kept = passed > 0.0
    rows = np.repeat(kept, sizes)
    new_start = np.concatenate(([0], np.cumsum(sizes[kept])))
    return StrategyTable(keys[kept], new_start, moves[rows], (mean * np.repeat(passed, sizes))[rows], sums[rows])


def find_record_key(game: Game, record: Record) -> int:
    """Return the 64-bit key of a record."""
    key = start_keys(1)
    for own_move, percepts in encode(game, record):
        key = extend_keys(key, np.array([own_move]), percept_keys(percepts[None, :]))
    return int(key[0])
