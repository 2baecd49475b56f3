"""The contract of players: the methods start, play, stop and report, and the optional parts of a player.

After every round a player is told its own move and percepts. It answers with a move as text. It never sees a state.
A class declares each optional part. A player has a part if it has the methods of that class (`veil.parts`):

| part | a player with this part |
|---|---|
| `ObservesRounds` | can observe a round without choosing a move; other players are asked, and the answer is ignored |
| `TakesLegalMoves` | is given its legal moves before every `play`; without them it needs a belief to find them |
| `SeesTrueState` | is shown the true state before every `play`, if the match allows it |
| `MeetsPerson` | is given a person before `start`; the person chooses the moves |
| `IsElsewhere` | waits for answers over the network; it is asked at the same time as the other players |
| `KnowsInfosets`, `TellsStrategies` | tells what it knows about infosets |
| `CountsEffort` | tells how much work it has done |

Some parts need something from the program that runs the match. The row of a player names its needs before the player
is made (`needs`). The needs of a ready-made player follow from its parts (`find_needs`). Two needs occur in rows only:
`FILE`, the content of the file that the config names, and `PACKAGE`, a package that must be installed.

`veil exploit` reads the strategy of a player from its report: the entry `strategy` (or `policy`) maps each move to the
probability with which it was drawn. If the report has no such entry, `veil exploit` counts the moves that are played.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from veil.engine import Game
from veil.parts import OptionalPart

if TYPE_CHECKING:
    import numpy as np

    from veil.equilibrium import StrategyTable
    from veil.search import InfosetView

LEGAL_MOVES, TRUE_STATE, PERSON, FILE = "legal moves", "true state", "a person", "a file"
NETWORK, PACKAGE = "the network", "another package"
NOTHING: frozenset[str] = frozenset()  # the needs of most players: only their record
MARGIN, LEAST_MARGIN = 0.15, 0.02  # unused part of the play clock: a share of it, and the least seconds


class Observation(NamedTuple):
    """The observation of a role after a round, as text."""

    own_move: str  # as it was played
    percepts: frozenset[str]


class Request(NamedTuple):
    """The request for a move that a role gets in a round."""

    role: str
    observation: Observation | None  # of the last round; None before the first
    legal: tuple[str, ...] | None = None  # sorted; None if the player does not need them
    state: np.ndarray | None = None  # [words] the true state; None if the player may not see it


Person = Callable[[Request], str]  # returns a move; raises `VeilError` when the person stops answering


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """The information that a player gets before a match."""

    game: Game
    role: str
    seed: int
    start_seconds: float | None = None  # None: the budget of the player decides
    play_seconds: float | None = None
    grace: float = 0.0  # seconds by which an answer may exceed the clock
    scramble: int | None = None  # seed for replacing the words of the rules, for remote players

    def deadline(self) -> float | None:
        """Return the time at which a player must stop thinking if it is asked now; None without a play clock."""
        clock = self.play_seconds
        if clock is None:
            return None
        return perf_counter() + max(0.0, clock - max(LEAST_MARGIN, MARGIN * clock))

    @property
    def role_id(self) -> int:
        """The number of the role in the ground program."""
        return self.game.roles.index(self.role)

    def show_move(self, move_id: int) -> str:
        """Return the text of a move of the role, as the rules spell it."""
        return self.game.names.moves[self.role_id][move_id]


class Player(Protocol):
    """A player of one role in one match."""

    def start(self, seat: Seat) -> None:
        """Prepare for the match."""

    def play(self, observation: Observation | None) -> str:
        """Return a move. `observation` is that of the last round, and None before the first round."""

    def stop(self, observation: Observation | None) -> None:
        """End the match. `observation` is that of the last round."""

    def report(self) -> dict[str, Any]:
        """Return the reasons for the last move (values, worlds and so on) as plain data."""


class ObservesRounds(OptionalPart):
    """A player that can observe a round without being asked for a move."""

    @abstractmethod
    def observe(self, observation: Observation | None) -> None:
        """Observe the last round. The own move of the current round is known already, and is not asked for."""


class TakesLegalMoves(OptionalPart):
    """A player that is given its legal moves."""

    @abstractmethod
    def offer(self, legal: list[str]) -> None:
        """Take the sorted legal moves of this round; called before `play`."""


class SeesTrueState(OptionalPart):
    """A player that is shown the true state, for measuring."""

    @abstractmethod
    def peek(self, state: np.ndarray) -> None:
        """Take the true state [words]; called before `play`."""


class MeetsPerson(OptionalPart):
    """A player that passes requests on to a person."""

    @abstractmethod
    def meet(self, person: Person) -> None:
        """Take the person who chooses the moves; called before `start`."""


class ListeningPerson(OptionalPart):
    """A person who can observe rounds without being asked for a move."""

    @abstractmethod
    def observe(self, role: str, observation: Observation | None) -> None:
        """Take what the role observed in the last round."""


class IsElsewhere(OptionalPart):
    """A player that waits for answers over the network."""

    answer_seconds: float | None = None  # time of the last answer, without that of connecting; None: unknown

    @abstractmethod
    def close(self) -> None:
        """End the match, also before its regular end."""


class KnowsInfosets(OptionalPart):
    """A player that tells what it knows about infosets."""

    @abstractmethod
    def known(self) -> Iterator[InfosetView]:
        """Yield what the player knows about infosets of any role."""


class TellsStrategies(OptionalPart):
    """A player that returns its strategies as one table."""

    @abstractmethod
    def strategies(self) -> StrategyTable | None:
        """Return the mean strategies of its role, times their visits; None if the player keeps no table of them."""


class Effort(NamedTuple):
    """The work that a player has counted in a match; zeros if it counts nothing or ran in a process of its own."""

    decisions: int = 0
    moves_valued: int = 0
    states_visited: int = 0  # by search and belief
    belief_states: int = 0  # by the belief alone
    samplers: tuple[tuple[str, int], ...] = ()  # (sampler, number of its answers), sorted
    playouts: int = 0  # or walks, of its searches


class CountsEffort(OptionalPart):
    """A player that counts its work."""

    @abstractmethod
    def effort(self) -> Effort:
        """Return the work that the player has done so far."""


# The names of all methods and attributes of optional parts: an object that wraps a player forwards them.
PARTS = ("observe", "offer", "peek", "meet", "answer_seconds", "close", "known", "strategies", "effort")


def find_needs(player: Player) -> frozenset[str]:
    """Return what a player must be given beyond its observations, according to its parts."""
    parts = {LEGAL_MOVES: TakesLegalMoves, TRUE_STATE: SeesTrueState, PERSON: MeetsPerson, NETWORK: IsElsewhere}
    return frozenset(need for need, part in parts.items() if isinstance(player, part))


class NamesOpponents(OptionalPart):
    """A player config that names a model of the opponents, a row of `veil.search.OPPONENTS`."""

    @property
    @abstractmethod
    def opponents(self) -> str:
        """The spec of the model."""


class MaySeeAllMoves(OptionalPart):
    """A config of a player that may be a GDL-I player. In GDL-I every role sees all moves."""

    @property
    @abstractmethod
    def is_told_all_moves(self) -> bool:
        """Whether the player is told all moves."""
