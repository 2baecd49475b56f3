"""The contract of samplers: what every keeper of a belief can do, and how it says that it cannot.

A sampler hears what a role did and saw, round by round, and gives worlds: distinct histories that explain all of it,
with weights. It never sees the true state. A sampler that cannot go on raises one of two exceptions:

- `NoConsistentHistory`: no history was found; `proved` where there is none, else its budget or time has ended.
  `ZeroLikelihood` is the kind where histories were found, and the given opponents play none of them.
- `TooManyWorlds`: there are more than its budget holds; it is then as it was before, and another one may go on.
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
    """How the other roles play: a function of records, or an object with some of the optional parts below.

    `HearsRecords`, `TakesTime` and `CountsStates` are these parts.
    """

    def __call__(self, role_id: int, keys: np.ndarray, legal: np.ndarray, /) -> np.ndarray:
        """Return the probabilities [B, moves] of a role's moves: keys of its records [B], its legal moves [B, moves].

        It is asked about `random` as well, which plays uniformly.
        """


class RecordStep(NamedTuple):
    """How records of one role grew by a round. N records."""

    role_id: int
    before: np.ndarray  # [N] their keys before the round
    own_moves: np.ndarray  # [N]
    percepts: np.ndarray  # [N, words]
    after: np.ndarray  # [N] their keys after it


class HearsRecords(OptionalPart):
    """Opponents that must know how a record came about before they are asked what its role does. Samplers tell them."""

    @abstractmethod
    def hear(self, growth: RecordStep) -> None:
        """These records have grown by a round."""


class TakesTime(OptionalPart):
    """Opponents whose answers take time to work out."""

    @abstractmethod
    def allow(self, deadline: float | None) -> None:
        """Until the deadline (of `perf_counter`) they may work; without one, as much as their options say."""


class CountsStates(OptionalPart):
    """Opponents that count the states they visit."""

    @property
    @abstractmethod
    def states_visited(self) -> int:
        """So far."""


def tell_opponents(
    opponents: Opponents | None,
    before: np.ndarray,
    joint: np.ndarray,
    percepts: tuple[np.ndarray, ...],
    after: np.ndarray,
) -> None:
    """Tell opponents who need it how all roles' records grew: keys [N, R] before and after, joint moves [N, R]."""
    listener: object = opponents
    if isinstance(listener, HearsRecords):
        for role_id, seen in enumerate(percepts):
            listener.hear(RecordStep(role_id, before[:, role_id], joint[:, role_id], seen, after[:, role_id]))


def allow_opponents(opponents: Opponents | None, deadline: float | None) -> None:
    """Opponents whose answers take time may work until the deadline; without one, as much as their options say."""
    worker: object = opponents
    if isinstance(worker, TakesTime):
        worker.allow(deadline)


class TooManyWorlds(Exception):  # noqa: N818 - not an error: another sampler goes on
    """The next round does not fit into the budget (`room` worlds; None: the time); the sampler is as before."""

    def __init__(self, room: int | None) -> None:
        super().__init__(room)
        self.room = room


class NoConsistentHistory(Exception):  # noqa: N818 - the caller knows the record, and says it in words
    """No history was found that explains a round, counted from 1; `proved` if there is none."""

    def __init__(self, round_number: int, proved: bool) -> None:
        super().__init__(round_number, proved)
        self.round_number, self.proved = round_number, proved


class ZeroLikelihood(NoConsistentHistory):
    """Histories explain the record up to a round, but the opponents play none of them; `proved` if these are all."""

    def __str__(self) -> str:
        all_found = "all histories" if self.proved else "the histories that were found"
        return f"round {self.round_number}: {all_found} have probability 0, these opponents never play so"


class Cost(NamedTuple):
    """What a sampler has spent so far."""

    states_visited: int  # joint moves tested
    passes: int  # calls of the machine

    def plus(self, other: Cost) -> Cost:
        """Both together."""
        return Cost(self.states_visited + other.states_visited, self.passes + other.passes)


@dataclass(frozen=True, slots=True)
class SamplerContext:
    """What a sampler is made for. Whatever its config leaves open follows from here."""

    machine: Machine
    role_id: int
    count: int = 1000  # worlds that will be asked for
    seed: int = 0
    opponents: Opponents | None = None  # None: all play uniformly
    max_worlds: int | None = None  # kept exactly at most, by samplers that are exact at first; None: their own limit
    max_states: int | None = None  # visited per round at most, where a sampler searches back; None: its own limit
    min_particles: int = 1  # however few worlds are asked for; few particles die out soon
    min_models: int = 1


class Sampler(Protocol):
    """A role's belief, kept round by round. One module and one row of `SAMPLERS` make a new one."""

    role: int
    rounds: int  # heard so far

    @property
    def cost(self) -> Cost:
        """What has been spent so far."""

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """The role played own_move and saw percepts [words]. `over`: the game has ended with this round.

        After the deadline (of `perf_counter`) a sampler makes do with what it has found.
        """

    def drop_ended(self) -> None:
        """Drop the worlds in which the game has ended although it goes on, or the reverse; everybody knows that.

        Raises `NoConsistentHistory` where none is left.
        """

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """At most so many distinct histories that explain the record, with weights; without count, all there are."""

    def copy(self) -> Self:
        """Another one that knows the same; what it hears later does not change this one."""


class CatchesUp(OptionalPart):
    """A sampler that can use more time after `observe` where it has found no world yet: a cascade does."""

    @abstractmethod
    def catch_up(self, deadline: float) -> None:
        """Search on until the deadline (of `perf_counter`), if there is no world."""
