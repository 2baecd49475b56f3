"""The contract of samplers: the methods of every sampler, and the exceptions it raises.

A sampler observes what a role did and saw, round by round, and returns worlds: distinct histories that explain all of
it, with weights. It never sees the true state. A sampler that cannot go on raises one of two exceptions:

- `NoConsistentHistory`: no history was found. `proved` is True if none exists; otherwise the budget or the time was
  used up. `ZeroLikelihood` is the kind for histories that were found but that the given opponents never play.
- `TooManyWorlds`: there are more worlds than the budget allows. The sampler is as it was before the round, and another
  sampler may go on.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np

from veil.belief.bag import Bag
from veil.engine import Machine
from veil.parts import OptionalPart


class Opponents(Protocol):
    """The way the other roles play: a function of records, or an object with some of the optional parts below.

    `ObservesRecords`, `TakesTime` and `CountsStates` are these parts.
    """

    def __call__(self, role_id: int, keys: np.ndarray, legal: np.ndarray, /) -> np.ndarray:
        """Return the probabilities [B, moves] of a role's moves after records with keys [B]; legal [B, moves].

        It is called for `random` as well, which plays uniformly.
        """


class RecordStep(NamedTuple):
    """The growth of records of one role by one round. N records."""

    role_id: int
    before: np.ndarray  # [N] their keys before the round
    own_moves: np.ndarray  # [N]
    percepts: np.ndarray  # [N, words]
    after: np.ndarray  # [N] their keys after it


class ObservesRecords(OptionalPart):
    """Opponents that must observe how a record came about before they are asked about its role. Samplers tell them."""

    @abstractmethod
    def observe(self, growth: RecordStep) -> None:
        """Observe that these records have grown by a round."""


class TakesTime(OptionalPart):
    """Opponents that need time for their answers."""

    @abstractmethod
    def allow(self, deadline: float | None) -> None:
        """Let them work until the deadline (of `perf_counter`); without a deadline, as long as their options say."""


class CountsStates(OptionalPart):
    """Opponents that count the states they visit."""

    @property
    @abstractmethod
    def states_visited(self) -> int:
        """The number of states visited so far."""


def tell_opponents(
    opponents: Opponents | None,
    before: np.ndarray,
    joint: np.ndarray,
    percepts: tuple[np.ndarray, ...],
    after: np.ndarray,
) -> None:
    """Tell opponents that need it how all records grew: keys [N, R] before and after, joint moves [N, R]."""
    listener: object = opponents
    if isinstance(listener, ObservesRecords):
        for role_id, seen in enumerate(percepts):
            listener.observe(RecordStep(role_id, before[:, role_id], joint[:, role_id], seen, after[:, role_id]))


def allow_opponents(opponents: Opponents | None, deadline: float | None) -> None:
    """Let opponents that need time work until the deadline; without a deadline, as long as their options say."""
    worker: object = opponents
    if isinstance(worker, TakesTime):
        worker.allow(deadline)


class TooManyWorlds(Exception):  # noqa: N818 - not an error: another sampler goes on
    """Raised if the next round does not fit into the budget (`room` worlds; None: time). The sampler is as before."""

    def __init__(self, room: int | None) -> None:
        super().__init__(room)
        self.room = room


class NoConsistentHistory(Exception):  # noqa: N818 - the caller knows the record, and says it in words
    """Raised if no history was found that explains a round, counted from 1; `proved` if none exists."""

    def __init__(self, round_number: int, proved: bool) -> None:
        super().__init__(round_number, proved)
        self.round_number, self.proved = round_number, proved


class ZeroLikelihood(NoConsistentHistory):
    """Raised if the opponents play none of the histories that explain the record; `proved` if these are all."""

    def __str__(self) -> str:
        all_found = "all histories" if self.proved else "the histories that were found"
        return f"round {self.round_number}: {all_found} have probability 0, these opponents never play so"


class Cost(NamedTuple):
    """The work that a sampler has done so far."""

    states_visited: int  # joint moves tested
    passes: int  # calls of the machine

    def plus(self, other: Cost) -> Cost:
        """Return the sum of both costs."""
        return Cost(self.states_visited + other.states_visited, self.passes + other.passes)


@dataclass(frozen=True, slots=True)
class SamplerContext:
    """What a sampler is made for. Options that its config leaves open follow from here."""

    machine: Machine
    role_id: int
    count: int = 1000  # worlds that will be asked for
    seed: int = 0
    opponents: Opponents | None = None  # None: all play uniformly
    max_worlds: int | None = None  # kept exactly at most, by samplers that are exact at first; None: their own limit
    max_states: int | None = None  # visited per round at most, if a sampler searches back; None: its own limit
    min_particles: int = 1  # even if fewer worlds are asked for: few particles die out soon
    min_models: int = 1


class Sampler(Protocol):
    """A role's belief, kept round by round. A new sampler needs one module and one row of `SAMPLERS`."""

    role: int
    rounds: int  # observed so far

    @property
    def cost(self) -> Cost:
        """The cost so far."""

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """Observe that the role played own_move and saw percepts [words]. `over`: the game has ended with this round.

        After the deadline (of `perf_counter`) a sampler stops searching and keeps what it has found.
        """

    def drop_ended(self) -> None:
        """Drop the worlds that contradict whether the game has ended, which all roles know.

        Raises `NoConsistentHistory` if no world is left.
        """

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return at most `count` distinct histories that explain the record, with weights; None: all known ones."""

    def copy(self) -> Self:
        """Return an independent sampler with the same knowledge. Later observations of one do not change the other."""


class CatchesUp(OptionalPart):
    """A sampler that can use more time after `observe` if it has found no world yet, such as a cascade."""

    @abstractmethod
    def catch_up(self, deadline: float) -> None:
        """Search on until the deadline (of `perf_counter`), if there is no world."""
