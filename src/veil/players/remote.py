"""A remote player: requests go out as messages of the GGP protocol, and moves come back as answers.

1. START sends the rules in the words of the match, or with replaced words (`Seat.scramble`). A player that is busy is
   asked again until the start clock has run out.
2. PLAY sends the observation in the dialect of the player and receives its move. A late or missing answer is an error
   of the player, and the referee moves for it.
3. STOP ends a match that was played to its end. ABORT ends any other match.

Dialect A tells all moves, as GDL-I requires. They are derived from the record of the role and from nothing else. A
role whose record does not determine them cannot be played in this dialect.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from secrets import token_hex
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, Literal

from veil.engine import write_statements
from veil.errors import fail
from veil.limits import Limit
from veil.players.contract import Observation, Seat
from veil.registry import check_options, option
from veil.wire import DIALECTS, Address, Scrambler, Told, UnreachableError, WireError, ask, first_term

if TYPE_CHECKING:
    from veil.players.seen_moves import SeenMoves

BUSY_PAUSE = 0.25  # seconds before a busy player is asked again
GOODBYE = 2.0  # seconds at most that STOP and ABORT wait for an answer
MAX_SHOWN = 60  # characters of an answer in a message
MAX_MOVE = 10_000  # characters of a move


class RemotePlayerError(Exception):
    """A wrong or missing answer of a remote player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteConfig:
    """The address of the player, and the protocol options."""

    host: str = option("127.0.0.1", "the machine it listens on")
    port: int = option(9147, "the port it listens on", limit=Limit(1, 65535))
    dialect: Literal["A", "B", "C"] = option("C", "A: GDL-I, all moves; B: percepts; C: turn, own move, percepts")
    name: str = option("", "what it is called in messages to it")
    connect: float = option(5.0, "seconds until a connection must stand", limit="seconds")
    start: float = option(30.0, "seconds to get ready, in matches without a start clock", limit="seconds")
    play: float = option(5.0, "seconds per move, in matches without a play clock", limit="seconds")

    def __post_init__(self) -> None:
        check_options(self)
        if not self.host or any(char.isspace() or not char.isprintable() for char in self.host + self.name):
            raise fail("bad-option", what="remote: host and name are words without spaces, and a host is needed")

    @property
    def is_told_all_moves(self) -> bool:
        """Whether the player uses the dialect of GDL-I, in which every role sees all moves."""
        return self.dialect == "A"


class RemotePlayer:
    """A player that forwards every request to an address."""

    answer_seconds: float | None = None  # time of the last answer, without that of connecting

    def __init__(self, config: RemoteConfig) -> None:
        self.config, self.dialect = config, DIALECTS[config.dialect]
        self.address = Address(config.host, config.port)
        self.match_id = ""  # empty unless a match is being played
        self._report: dict[str, Any] = {}
        self._turn = 0
        self._scrambler: Scrambler | None = None
        self._seen_moves: SeenMoves | None = None

    def start(self, seat: Seat) -> None:
        """Send START and wait for `ready`. Raise `VeilError` if the player cannot be reached or stays busy."""
        self.seat, self._turn, self._seen_moves = seat, 0, None
        start_clock = self._whole_seconds(seat.start_seconds or self.config.start, "start")
        self._play_clock = self._whole_seconds(seat.play_seconds or self.config.play, "play")
        rules = write_statements(seat.game)
        self._scrambler = None if seat.scramble is None else Scrambler(rules, seat.scramble)
        match_id = make_match_id()
        written = [self._out(rule) for rule in rules]
        message = self.dialect.start(match_id, self._out(seat.role), written, start_clock, self._play_clock)
        deadline = perf_counter() + start_clock
        while True:
            answer = self._ask_to_start(message, max(0.0, deadline - perf_counter()))
            if answer != "busy":
                break
            if perf_counter() + BUSY_PAUSE > deadline:
                raise fail("remote-busy", where=str(self.address))
            sleep(BUSY_PAUSE)
        self.match_id = match_id
        if answer != "ready":
            raise RemotePlayerError(f"{self.address} answered {answer[:MAX_SHOWN]} instead of ready")

    def play(self, observation: Observation | None) -> str:
        """Send PLAY and return the move of the answer, in the words of the rules."""
        message = self.dialect.round("PLAY", self.match_id, self._tell(observation, over=False))
        return self._back(self._ask(message, self._play_clock + self.seat.grace))

    def stop(self, observation: Observation | None) -> None:
        """Send STOP and ignore the answer."""
        message = self.dialect.round("STOP", self.match_id, self._tell(observation, over=True))
        if self.match_id:
            self._ask(message, GOODBYE)
            self.match_id = ""

    def report(self) -> dict[str, Any]:
        """Return the last answer and the seconds it took."""
        return self._report

    def close(self) -> None:
        """Send ABORT if a match is being played."""
        self.match_id, match_id = "", self.match_id
        if match_id:
            with suppress(RemotePlayerError, UnreachableError):  # the player will notice it without the message
                self._ask(self.dialect.abort(match_id), GOODBYE)

    def _ask_to_start(self, message: str, seconds: float) -> str:
        try:
            return first_term(self._ask(message, seconds + self.seat.grace)).strip().lower()
        except UnreachableError as error:
            raise fail("remote-unreachable", where=str(self.address), reason=str(error)) from None

    def _ask(self, message: str, seconds: float) -> str:
        """Send a message and return the answer. Raises `RemotePlayerError`; before a match `UnreachableError` too."""
        request = self.dialect.request(message, self.config.name or self.config.host)
        self.answer_seconds, clock = None, perf_counter()
        try:
            answer = ask(self.address, request, connect_seconds=self.config.connect, seconds=seconds)
        except UnreachableError as error:
            if not self.match_id:
                raise
            raise RemotePlayerError(f"{self.address}: {error}") from None
        except WireError as error:
            raise RemotePlayerError(f"{self.address}: {error}, after {perf_counter() - clock:.2f} s") from None
        self.answer_seconds = answer.seconds
        self._report = {"answer": answer.text[:MAX_SHOWN], "seconds": round(answer.seconds, 4)}
        return answer.text

    def _tell(self, observation: Observation | None, *, over: bool) -> Told | None:
        """Return the content of the message of this round; None before the first round."""
        if observation is None:
            return None
        self._turn += 1
        percepts = [self._out(percept) for percept in sorted(observation.percepts)]
        joint_move = self._find_joint_move(observation, over) if self.dialect.name == "A" else []
        return Told(self._turn, self._out(observation.own_move), percepts, [self._out(move) for move in joint_move])

    def _find_joint_move(self, observation: Observation, over: bool) -> list[str]:
        """Return the moves of all roles in the last round, in their order, as the own record determines them."""
        if self._seen_moves is None:
            from veil.players.seen_moves import SeenMoves  # beliefs take long to import

            self._seen_moves = SeenMoves(self.seat)
        return self._seen_moves.observe(observation, over)

    def _out(self, text: str) -> str:
        """Return a text of the rules as it is sent to the player."""
        return text if self._scrambler is None else self._scrambler.scramble(text)

    def _back(self, answer: str) -> str:
        """Return the move of an answer: its first term, as some players add remarks. The referee judges it later."""
        move = first_term(answer).strip()[:MAX_MOVE]
        return move if self._scrambler is None else self._scrambler.unscramble(move)

    def _whole_seconds(self, seconds: float, which: str) -> int:
        if seconds < 1:
            raise fail("short-clock", which=which, seconds=seconds)
        return int(seconds)


def make_match_id() -> str:
    """Return a new random name for a match: one word, as the protocol requires."""
    return f"veil{token_hex(5)}"
