"""The contract of searches that grow a table of infosets by random walks: Online Outcome Sampling, ISMCTS.

A walker belongs to one role of one match. Its table survives between the moves of the match. It may walk on the
explicit tree of a game or in lanes; whoever asks it does not notice.

1. `aim` says where the match stands: the record of the role and a belief about it.
2. `run` walks, again and again, within a budget.
3. `look` tells what the walks found at a record of any role; `known` tells it of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from veil.engine import Record
from veil.search.protocol import Worlds


class Target(NamedTuple):
    """Where the match stands: what the role was told, and who knows the worlds that explain it."""

    role_id: int
    record: Record
    belief: Worlds


class InfosetView(NamedTuple):
    """What walks found at one infoset. K moves."""

    role_id: int
    key: int  # of the record, as `engine.extend_keys` makes it
    moves: np.ndarray  # [K] move numbers, ascending
    mean: np.ndarray  # [K] the mean strategy
    current: np.ndarray  # [K] the strategy of the next walk
    values: np.ndarray  # [K] mean payoff to the role after each move, in goals; NaN where nothing is known
    visits: np.ndarray  # [K] walks that took the move


class Walker(Protocol):
    """A table of infosets that grows by walks."""

    walks: int  # so far
    states_visited: int

    def aim(self, target: Target, rng: np.random.Generator) -> None:
        """The match has come to this record; walks go on from what is known."""

    def run(self, iterations: int, rng: np.random.Generator) -> None:
        """So many iterations more."""

    def look(self, role_id: int, key: int) -> InfosetView | None:
        """What is known of a record; nothing where no walk has put it into the table."""

    def known(self) -> Iterator[InfosetView]:
        """Everything that is in the table."""
