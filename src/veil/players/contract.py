"""The contract of players: start, play, stop, report; and the parts that a player may have beside these.

A player is told its own move and percepts after every round and answers with a move as text. It never sees a state.
Each optional part is declared by a class, and a player has the part if it has the methods (`veil.parts`):

| part | what it is for |
|---|---|
| `HearsRounds` | takes a round without a question for a move; others are asked, and the answer is ignored |
| `TakesLegalMoves` | is given its legal moves before every `play`; to find them out takes a belief |
| `SeesTrueState` | is shown the true state before every `play`; only where the match allows it |
| `MeetsPerson` | is given a person who answers, before `start` |
| `IsElsewhere` | waits for somebody over the network, and is asked at the same time as all others |
| `KnowsInfosets`, `TellsStrategies` | says what it knows about infosets |
| `CountsEffort` | says how much it has done |

Some parts need something of whoever runs the match. The row of a player says so before the player is made (`needs`);
of a player that is handed over ready-made, its parts say it (`find_needs`). Two needs belong to rows alone: `FILE`, the
content of the file that its config names, and `PACKAGE`, a package that has to be installed.

Who asks how exploitable a player is (`veil exploit`) reads the strategy that its move was drawn from in its report, as
`strategy` (or `policy`): move -> probability; where there is none, the moves it plays are counted.
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
NOTHING: frozenset[str] = frozenset()  # what most players need beyond their record
MARGIN, LEAST_MARGIN = 0.15, 0.02  # of the play clock, and seconds, that are left unused


class Observation(NamedTuple):
    """What a role is told after a round, in words."""

    own_move: str  # as it was played
    percepts: frozenset[str]


class Request(NamedTuple):
    """What a role is asked in a round."""

    role: str
    observation: Observation | None  # of the last round; None before the first
    legal: tuple[str, ...] | None = None  # sorted; None where nobody asked for them
    state: np.ndarray | None = None  # [words] the true state; None where nobody may see it


Person = Callable[[Request], str]  # answers with a move; raises `VeilError` when it will not answer any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """What a player is told before a match."""

    game: Game
    role: str
    seed: int
    start_seconds: float | None = None  # None: as long as its budget takes
    play_seconds: float | None = None
    grace: float = 0.0  # seconds that an answer may be late without being so
    scramble: int | None = None  # the seed of other words for those of the rules, to players elsewhere

    def deadline(self) -> float | None:
        """When to stop thinking about a move that is asked for now; None where the budget decides."""
        clock = self.play_seconds
        if clock is None:
            return None
        return perf_counter() + max(0.0, clock - max(LEAST_MARGIN, MARGIN * clock))

    @property
    def role_id(self) -> int:
        """The number of the role in the ground program."""
        return self.game.roles.index(self.role)

    def show_move(self, move_id: int) -> str:
        """A move of the role, as the rules spell it."""
        return self.game.names.moves[self.role_id][move_id]


class Player(Protocol):
    """One role in one match."""

    def start(self, seat: Seat) -> None:
        """Get ready."""

    def play(self, observation: Observation | None) -> str:
        """A move, given what was observed in the last round; None before the first."""

    def stop(self, observation: Observation | None) -> None:
        """The match is over."""

    def report(self) -> dict[str, Any]:
        """Why the last move: values, worlds, whatever there is; plain data."""


class HearsRounds(OptionalPart):
    """A player that can be told of a round without being asked for a move."""

    @abstractmethod
    def hear(self, observation: Observation | None) -> None:
        """This was observed in the last round, and the own move of this round is known already."""


class TakesLegalMoves(OptionalPart):
    """A player that is given its legal moves."""

    @abstractmethod
    def offer(self, legal: list[str]) -> None:
        """The legal moves of this round, sorted; called before `play`."""


class SeesTrueState(OptionalPart):
    """A player that is shown the true state, for measuring."""

    @abstractmethod
    def peek(self, state: np.ndarray) -> None:
        """The true state [words]; called before `play`."""


class MeetsPerson(OptionalPart):
    """A player that passes requests on to a person."""

    @abstractmethod
    def meet(self, person: Person) -> None:
        """This person plays; called before `start`."""


class ListeningPerson(OptionalPart):
    """A person who is told of rounds without a question."""

    @abstractmethod
    def hear(self, role: str, observation: Observation | None) -> None:
        """The role has observed this in the last round."""


class IsElsewhere(OptionalPart):
    """A player that waits for somebody over the network."""

    answer_seconds: float | None = None  # how long the last answer took since the connection stood; None: nobody knows

    @abstractmethod
    def close(self) -> None:
        """The match has ended, perhaps early."""


class KnowsInfosets(OptionalPart):
    """A player that says what it knows about infosets."""

    @abstractmethod
    def known(self) -> Iterator[InfosetView]:
        """What it knows, of infosets of any role."""


class TellsStrategies(OptionalPart):
    """A player that says its strategies as one table."""

    @abstractmethod
    def strategies(self) -> StrategyTable | None:
        """The mean strategies of its role, times their visits; None where it keeps no table of them."""


class Effort(NamedTuple):
    """What a player has counted in a match; zeros where it counts nothing, or was in a process of its own."""

    decisions: int = 0
    moves_valued: int = 0
    states_visited: int = 0  # by search and belief
    belief_states: int = 0  # by the belief alone
    samplers: tuple[tuple[str, int], ...] = ()  # which sampler answered, and how often; sorted


class CountsEffort(OptionalPart):
    """A player that counts what it does."""

    @abstractmethod
    def effort(self) -> Effort:
        """What it has done so far."""


# The names of all optional parts: what is handed on where a player stands behind another object.
PARTS = ("hear", "offer", "peek", "meet", "answer_seconds", "close", "known", "strategies", "effort")


def find_needs(player: Player) -> frozenset[str]:
    """What a player must be given beyond its observations, by its parts."""
    parts = {LEGAL_MOVES: TakesLegalMoves, TRUE_STATE: SeesTrueState, PERSON: MeetsPerson, NETWORK: IsElsewhere}
    return frozenset(need for need, part in parts.items() if isinstance(player, part))


class NamesOpponents(OptionalPart):
    """A config of a player that names its model of the opponents, a row of `veil.search.OPPONENTS`."""

    @property
    @abstractmethod
    def opponents(self) -> str:
        """A spec of that table."""


class MaySeeAllMoves(OptionalPart):
    """A config of a player that may be one of GDL-I, where everybody sees all moves."""

    @property
    @abstractmethod
    def is_told_all_moves(self) -> bool:
        """Whether it is."""
