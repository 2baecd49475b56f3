"""One match that our player plays for a game manager.

1. The rules are read as they were sent. Rules in capitals are read in lower case, and the answers are in capitals then,
   because the manager expects that. In dialect A every role sees all moves.
2. Every message tells the player's observations. Dialect B does not tell the own move: it is the last answer.
3. The clocks of the manager are kept with a margin for the network. START is answered `ready` in time even if the
   player is not ready.

If the dialect is not set, five items mean C, and three items mean B if the rules have `sees`, else A. Managers send
rules with `sees` in dialect A as well: it is A if the first message cannot be percepts, but is a joint move.
"""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future
from time import perf_counter

from veil.engine import GroundingStop, has_percepts, read_game, stoppable
from veil.errors import VeilError
from veil.match import Driver, served_seed
from veil.players import Observation, Seat
from veil.server.ggp.config import AUTO, ServerConfig
from veil.server.ggp.library import GameLibrary
from veil.server.ggp.seated import SeatedPlayer
from veil.server.ggp.translation import can_be_joint_move, can_be_percepts, observe
from veil.server.ggp.worker import OrderedWorker
from veil.wire import MessageError, RoundMessage, StartMessage, shout

LOG = logging.getLogger("veil.serve-player")


class MatchSession:
    """One match: `start`, `play`, `stop`, `close`. Several threads may call; they wait for each other."""

    def __init__(self, message: StartMessage, config: ServerConfig, library: GameLibrary, number: int) -> None:
        """Start the match; `number` counts the matches of the server."""
        self.message, self.config, self.library = message, config, library
        self.seed = served_seed(config.seed, number)
        self.is_loud = not any(char.islower() for char in message.rules)
        self.dialect: str = config.dialect  # `auto` as long as it is unknown
        self.observations: list[Observation] = []
        self.is_closed = False
        self._answer: str | None = None  # the last answer, as our rules spell it
        self._answered = -1  # number of rounds before the last answer
        self._player: SeatedPlayer | None = None
        self._stop = GroundingStop()  # what a closed session has to end while it gets ready
        self._driver: Driver | None = None
        self._is_open = False  # whether all moves are seen
        self._lock, self._worker = threading.Lock(), OrderedWorker(f"match {message.match}")
        self._starting: Future[None] = self._worker.do(lambda: self._seat_player(is_open=None))
        self._expect(message.start_clock)

    def is_lost(self) -> bool:
        """Return whether the manager has been silent for too long."""
        return not self._lock.locked() and perf_counter() > self._expires

    def start(self) -> str:
        """Wait until the player is ready or its clock has run out, and return `ready`.

        Raises `VeilError` or `MessageError` if the match cannot be played.
        """
        with self._lock:
            try:
                self._starting.result(self.config.think(self.message.start_clock))
            except TimeoutError:
                LOG.warning("match %s: not ready when the start clock had run down", self.message.match)
            self._expect(self.message.start_clock)
            return "ready"

    def play(self, message: RoundMessage) -> str:
        """Return the move of our player, in the manager's spelling. Raises `MessageError` if there is none."""
        deadline = perf_counter() + self.config.think(self.message.play_clock)
        self._expect(0.0)  # the manager is there, whether or not the player is ready
        with self._lock:
            player = self._find_player(deadline)
            if not self._is_repeated(message):
                player = self._take_message(message, player)
                self._answer, self._answered = None, len(self.observations)
                self._answer = player.decide(self.observations, deadline)
            self._expect(0.0)
            if self._answer is None:
                raise MessageError("no move was found for this round")
            return shout(self._answer) if self.is_loud else self._answer

    def stop(self, message: RoundMessage) -> None:
        """End the match, and tell the player its last observation."""
        with self._lock:
            try:
                player = self._find_player(perf_counter() + self.config.think(self.message.play_clock))
                told = len(self.observations)
                player = self._take_message(message, player)
                player.stop(self.observations[-1] if len(self.observations) > told else None)
            except MessageError as error:
                LOG.info("match %s: the end was not understood: %s", self.message.match, error)
        self.close()

    def close(self) -> None:
        """End the match, whatever the player is doing: also while its game is grounded or its process starts."""
        self.is_closed = True
        self._stop.end()
        if self._player is None and self._driver is not None and self.config.isolated:
            self._driver.close()
        if self._player is not None:
            self._player.close()
        self._worker.end()

    def _expect(self, seconds: float) -> None:
        """Set the time until which the manager may be silent: `seconds`, two rounds, and some patience."""
        self._expires = perf_counter() + seconds + 2 * self.message.play_clock + self.config.patience

    def _seat_player(self, is_open: bool | None) -> None:
        """Read the rules and start a player (in the worker).

        With None, all moves are seen if the rules have no `sees`.
        """
        rules = self.message.rules.lower() if self.is_loud else self.message.rules
        if is_open is None:
            is_open = self.dialect == "A"
            if self.dialect == AUTO:
                is_open = not has_percepts(read_game(rules))  # compiles nothing
        with stoppable(self._stop):
            game = self.library.find(rules, is_open=is_open)
        seat = Seat(
            game=game,
            role=game.role_name(self.message.role),
            seed=self.seed,
            start_seconds=self.config.think(self.message.start_clock),
            play_seconds=self.config.think(self.message.play_clock),
        )
        player = SeatedPlayer(seat, self.config, self._worker, self._note_driver)
        self._is_open, self._player = is_open, player
        if self.is_closed:
            player.close()

    def _note_driver(self, driver: Driver) -> None:
        """Keep the driver of a player that is starting."""
        self._driver = driver
        if self.is_closed:
            driver.close()

    def _find_player(self, deadline: float) -> SeatedPlayer:
        """Return the player when it is ready."""
        try:
            self._starting.result(max(0.0, deadline - perf_counter()))
        except TimeoutError:
            raise MessageError("the player is not ready yet") from None
        except Exception as fault:
            raise MessageError(f"the match could not be started: {describe_refusal(fault)}") from None
        if self._player is None or self.is_closed:
            raise MessageError("the match is over")
        return self._player

    def _is_repeated(self, message: RoundMessage) -> bool:
        """Return whether this message was answered already: a manager asks again if the answer was lost."""
        if message.turn is not None:
            return self.dialect in (AUTO, "C") and message.turn == self._answered
        return message.told is None and self._answered == 0

    def _take_message(self, message: RoundMessage, player: SeatedPlayer) -> SeatedPlayer:
        """Store the observation of a message.

        Return the player, which is new if the dialect turns out to be another one.
        """
        self.dialect = self._find_dialect(message, player.seat)
        if self.dialect != AUTO and (self.dialect == "A") != self._is_open:
            LOG.info("match %s: this is dialect %s; the player starts again", self.message.match, self.dialect)
            player.close()
            self._worker.do(lambda: self._seat_player(self.dialect == "A")).result()
            player = self._player or player
        expected = len(self.observations) + 1
        if message.turn not in (None, 0, expected):
            raise MessageError(f"turn {message.turn} is told, where turn {expected} is next")
        if message.turn == 0 or (message.told is None and not self.observations):
            if self.observations:
                raise MessageError("the first turn is over")
            return player
        self.observations.append(observe(player.seat, self.dialect, message, self._answer))
        return player

    def _find_dialect(self, message: RoundMessage, seat: Seat) -> str:
        """Return the dialect of the match, by this message and all before; `auto` if it is still unknown."""
        if self.dialect != AUTO:
            if (message.turn is not None) != (self.dialect == "C"):
                raise MessageError(f"the match is in dialect {self.dialect}, and this is none of its messages")
            return self.dialect
        if message.turn is not None:
            return "C"
        if self._is_open or message.told is None:
            return "A" if self._is_open else AUTO
        is_joint_move = not can_be_percepts(seat, message.told) and can_be_joint_move(seat.game, message.told)
        return "A" if is_joint_move else "B"


def describe_refusal(fault: BaseException) -> str:
    """Return in one line why a match is refused."""
    if isinstance(fault, VeilError):
        first = fault.problems[0]
        return f"{first.place}: {first.message}" if first.place else first.message
    return str(fault) if isinstance(fault, MessageError) else f"{type(fault).__name__}: {fault}"
