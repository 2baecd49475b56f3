"""A player elsewhere: what a role is told goes out as messages of the GGP protocol, its answers come back.

1. START brings the rules in the words of the match, or in other words for them (`Seat.scramble`). A player that is busy
   is asked again until the start clock has run down.
2. PLAY brings what was observed, in the dialect that the player speaks, and takes its move. No answer in time, or none
   at all, is an error of the player; the referee plays for it.
3. STOP ends the match, ABORT a match that was not played to its end.

Dialect A tells all moves, as GDL-I wants it. They are worked out from what the role was told and from nothing else: a
role that cannot know them cannot be played in this dialect.
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
from veil.wire import DIALECTS, Address, Scrambler, Told, UnreachableError, WireError, ask

if TYPE_CHECKING:
    from veil.players.seen_moves import SeenMoves

BUSY_PAUSE = 0.25  # seconds before a busy player is asked again
GOODBYE = 2.0  # seconds at most that STOP and ABORT wait for an answer
MAX_SHOWN = 60  # characters of an answer in a message
MAX_MOVE = 10_000  # characters of a move


class RemotePlayerError(Exception):
    """A player elsewhere did not answer as it should."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteConfig:
    """Where the player is, and how it is spoken to."""

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
        """Whether the player speaks of GDL-I, where everybody sees all moves."""
        return self.dialect == "A"


class RemotePlayer:
    """Speaks for a player that listens at an address."""

    answer_seconds: float | None = None  # of the last answer, since the connection stood

    def __init__(self, config: RemoteConfig) -> None:
        self.config, self.dialect = config, DIALECTS[config.dialect]
        self.address = Address(config.host, config.port)
        self.match_id = ""  # while a match is on
        self._report: dict[str, Any] = {}
        self._turn = 0
        self._scrambler: Scrambler | None = None
        self._seen_moves: SeenMoves | None = None

    def start(self, seat: Seat) -> None:
        """Send START and wait for `ready`. A player that is not there, or stays busy, is for the user to repair."""
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
        """The move that it answers, in the words of the rules."""
        message = self.dialect.round("PLAY", self.match_id, self._tell(observation, over=False))
        return self._back(self._ask(message, self._play_clock + self.seat.grace))

    def stop(self, observation: Observation | None) -> None:
        """Send STOP; what it answers is not looked at."""
        message = self.dialect.round("STOP", self.match_id, self._tell(observation, over=True))
        if self.match_id:
            self._ask(message, GOODBYE)
            self.match_id = ""

    def report(self) -> dict[str, Any]:
        """What it answered last, and after how many seconds."""
        return self._report

    def close(self) -> None:
        """Send ABORT, if a match is on: it was not played to its end."""
        self.match_id, match_id = "", self.match_id
        if match_id:
            with suppress(RemotePlayerError, UnreachableError):  # then it will find out by itself
                self._ask(self.dialect.abort(match_id), GOODBYE)

    def _ask_to_start(self, message: str, seconds: float) -> str:
        try:
            return self._ask(message, seconds + self.seat.grace).strip().lower()
        except UnreachableError as error:
            raise fail("remote-unreachable", where=str(self.address), reason=str(error)) from None

    def _ask(self, message: str, seconds: float) -> str:
        """What it answers to a message. Raises `RemotePlayerError`; of START, `UnreachableError` as well."""
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
        """What the message of this round says."""
        if observation is None:
            return None
        self._turn += 1
        percepts = [self._out(percept) for percept in sorted(observation.percepts)]
        joint_move = self._find_joint_move(observation, over) if self.dialect.name == "A" else []
        return Told(self._turn, self._out(observation.own_move), percepts, [self._out(move) for move in joint_move])

    def _find_joint_move(self, observation: Observation, over: bool) -> list[str]:
        """The moves of all roles in the last round, in their order, as the own record tells them."""
        if self._seen_moves is None:
            from veil.players.seen_moves import SeenMoves  # beliefs take long to import

            self._seen_moves = SeenMoves(self.seat)
        return self._seen_moves.hear(observation, over)

    def _out(self, text: str) -> str:
        """A text of the rules as the player is told it."""
        return text if self._scrambler is None else self._scrambler.scramble(text)

    def _back(self, answer: str) -> str:
        """The move of an answer; what is no move the referee will refuse."""
        move = answer.strip()[:MAX_MOVE]
        return move if self._scrambler is None else self._scrambler.unscramble(move)

    def _whole_seconds(self, seconds: float, which: str) -> int:
        if seconds < 1:
            raise fail("short-clock", which=which, seconds=seconds)
        return int(seconds)


def make_match_id() -> str:
    """A new name for a match, as the protocol wants it: one word."""
    return f"veil{token_hex(5)}"
