"""The contract of players: start, play, stop, report; and what a player may need beyond its record.

A player is told its own move and percepts after every round and answers with a move as text. It never sees a state.
What it needs besides is declared in its row of the table (`needs`) and, for players that are handed over ready-made, in
an attribute `needs`; whoever runs the match gives it, and nothing else:

| need | given before every `play` by |
|---|---|
| `LEGAL_MOVES` | `player.offer(legal)`: its legal moves as text, sorted; to find them out takes a belief |
| `TRUE_STATE` | `player.peek(state)`: the true state [words]; only where the match allows it |
| `PERSON` | once, before `start`: `player.meet(person)`: somebody who answers requests |
| `NETWORK` | nothing: it waits for somebody elsewhere, and is asked at the same time as all others |
| `PACKAGE` | nothing: it is made of a package that has to be installed |
| `FILE` | once, when it is made: the content of the file that its config names (`sources`) |

Who asks how exploitable a player is (`veil exploit`) reads the strategy that its move was drawn from in its report, as
`strategy` (or `policy`): move -> probability; where there is none, the moves it plays are counted. A player may have
two methods more. `hear(observation)` takes a round without a question for a move; a player without it is asked in
every round, and what it answers is ignored. `known()` gives what it knows about infosets (`search.InfosetView`).

A player that needs the network has `answer_seconds`, how long its last answer took since the connection stood, and
`close()`, called at the end of a match that may have ended early.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from veil.engine import Game

if TYPE_CHECKING:
    import numpy as np

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
