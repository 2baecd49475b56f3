"""One match that our player plays for a game manager.

1. The rules are read as they were sent. Rules in capitals are read in lower case, and the answers are in capitals then,
   because the manager expects that. In dialect A every role sees all moves.
2. Every message tells the player's observations. Dialect B does not tell the own move: it is the last answer.
3. The clocks of the manager are kept with a margin for the network. START is answered `ready` in time even if the
   player is not ready.
4. As long as there is no player, or it has no move, a legal move is sent that is found from the rules (`stopgap`).

If the dialect is not set, five items mean C. Three items with an empty list mean B: a joint move is never empty. Other
lists mean A if they cannot be percepts, but are a joint move, and B if not: managers send rules with `sees` in dialect
A as well. Until a message decides, rules without `sees` are prepared both ways, unless a role `random` shows that they
are GDL-II.

A message may be lost, or tell what the rules cannot tell. The player cannot follow the match from then on, and is
replaced by legal moves from the rules: one round that is not understood costs no move in later rounds.
"""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple

from veil.engine import Game, GroundingEndedError, GroundingStop, has_percepts, read_game, stoppable
from veil.errors import VeilError
from veil.match import Driver, served_seed
from veil.players import Observation, Seat
from veil.server.ggp.config import AUTO, ServerConfig
from veil.server.ggp.library import GameLibrary
from veil.server.ggp.seated import SPARE, SeatedPlayer
from veil.server.ggp.stopgap import Stopgap, ToldRound
from veil.server.ggp.translation import can_be_joint_move, can_be_percepts, observe
from veil.server.ggp.worker import OrderedWorker
from veil.vocabulary import RANDOM
from veil.wire import MessageError, RoundMessage, StartMessage, shout

LOG = logging.getLogger("veil.serve-player")
IDLE = 2.0  # seconds beyond its clock after which a silent manager may be replaced by another one
MAX_LOST = 50  # messages that may be lost one after the other


class AnsweredRound(NamedTuple):
    """A message that a round is over, and what was answered in that round."""

    message: RoundMessage | None  # None: it was lost
    answered: str | None


class MatchSession:
    """One match: `start`, `play`, `stop`, `close`. Several threads may call; they wait for each other."""

    def __init__(self, message: StartMessage, config: ServerConfig, library: GameLibrary, number: int) -> None:
        """Start the match; `number` counts the matches of the server."""
        self.message, self.config, self.library = message, config, library
        self.seed = served_seed(config.seed, number)
        self.is_loud = not any(char.islower() for char in message.rules)
        self.dialect: str = config.dialect  # `auto` as long as it is unknown
        self.rounds: list[AnsweredRound] = []
        self.observations: list[Observation] = []  # of the first of these rounds, for the player
        self.is_closed = self.is_dead = False  # dead: there is no move, and there will be none
        self._is_astray = False  # whether a round was not understood, so that no player can follow
        self._first_turn = 0  # the number of the first turn in dialect C
        self._asked: RoundMessage | None = None  # the question that is being answered, or was answered last
        self._answer = ""  # the last answer, as our rules spell it
        self._answered = -1  # number of rounds before the last answer
        self._game: Game | None = None  # as its rules were sent; nothing is ground
        self._has_percepts = False
        self._player: SeatedPlayer | None = None
        self._stop = GroundingStop()  # what a closed session has to end while it gets ready
        self._driver: Driver | None = None
        self._is_open = False  # whether all moves are seen
        self._stopgap: Stopgap | None = None
        self._lock = threading.Lock()
        self._worker, self._helper = OrderedWorker(f"match {message.match}"), OrderedWorker("stopgap")
        self._starting: Future[None] = self._worker.do(lambda: self._seat_player(is_open=None))
        self._expect(message.start_clock)

    def is_idle(self) -> bool:
        """Return whether the manager has said nothing for longer than its clock, or the match cannot be played."""
        return self.is_dead or (not self._lock.locked() and perf_counter() > self.idle_at)

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
            except GroundingEndedError:
                raise
            except Exception as fault:
                move = self._helper.do(lambda: self._find_any_move(perf_counter()))
                if move.exception(self.config.think(self.message.start_clock)) is not None:
                    raise fault from None
                why = describe_refusal(fault)
                LOG.warning("match %s: moves are legal and nothing more: %s", self.message.match, why)
            self._expect(self.message.start_clock)
            return self.spell("ready")

    def play(self, message: RoundMessage) -> str:
        """Return the move of our player, in the manager's spelling. Raises `MessageError` if there is none."""
        deadline = perf_counter() + self.config.think(self.message.play_clock)
        self._expect(0.0)  # the manager is there, whether or not the player is ready
        is_asked_now = self._lock.locked() and message == self._asked
        with self._lock:
            if self.is_closed:
                raise MessageError("the match is over")
            if not (is_asked_now and self._has_answered()) and not self._is_repeated(message):
                self._asked = message
                self._take_message(message)
                move = self._decide(deadline)
                self._answer, self._answered = move, len(self.rounds)
            self._expect(0.0)
            return self.spell(self._answer)

    def _has_answered(self) -> bool:
        """Return whether a move was sent for the round that is played."""
        return self._answered == len(self.rounds)

    def spell(self, text: str) -> str:
        """Return an answer as the manager spells words."""
        return shout(text) if self.is_loud else text

    def stop(self, message: RoundMessage) -> None:
        """End the match, and tell the player its last observation."""
        with self._lock:
            try:
                told = len(self.observations)
                self._take_message(message)
                player = self._follow(perf_counter())
                if player is not None:
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
        self._helper.end()

    def _expect(self, seconds: float) -> None:
        """Set how long the manager may be silent: until a new one may take its place, and until it is given up."""
        now = perf_counter() + seconds + self.message.play_clock
        self.idle_at = now + IDLE
        self._expires = now + self.message.play_clock + self.config.patience

    def _seat_player(self, is_open: bool | None) -> None:
        """Read the rules and start a player (in the worker).

        With None, all moves are seen if the rules have no `sees` and no role `random`.
        """
        rules = self.message.rules.lower() if self.is_loud else self.message.rules
        if self._game is None:
            self._game = read_game(rules)  # compiles nothing
            self._has_percepts = has_percepts(self._game)
        is_certain = is_open is not None or self.dialect != AUTO or self._has_percepts or RANDOM in self._game.roles
        if is_open is None:
            is_open = self.dialect == "A" or not is_certain
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
        self._is_open, self._player, self.observations = is_open, player, []
        if self.is_closed:
            player.close()
        elif not is_certain:
            threading.Thread(target=self._prepare_other_reading, args=(rules,), daemon=True).start()

    def _prepare_other_reading(self, rules: str) -> None:
        """Make the game in which not all moves are seen, so that the player can start again within its clock."""
        if self.dialect == AUTO and not self.is_closed:
            with stoppable(self._stop), suppress(VeilError, GroundingEndedError):
                self.library.find(rules, is_open=False)

    def _note_driver(self, driver: Driver) -> None:
        """Keep the driver of a player that is starting."""
        self._driver = driver
        if self.is_closed:
            driver.close()

    def _decide(self, deadline: float) -> str:
        """Return a move: the player's, or a legal one."""
        stopgap = None if self._starting.done() else self._helper.do(lambda: self._find_any_move(deadline))
        player = self._follow(deadline)
        if player is not None:
            with suppress(MessageError):
                return player.decide(self.observations, deadline)
            LOG.warning("match %s: the player has no move; a legal one is sent", self.message.match)
        try:
            if stopgap is None:
                stopgap = self._helper.do(lambda: self._find_any_move(perf_counter() + SPARE))
            return stopgap.result(max(0.0, deadline - perf_counter()) + 2 * SPARE)
        except TimeoutError:
            raise MessageError("the player is not ready yet") from None
        except MessageError:
            self.is_dead = self._starting.done()
            raise

    def _find_any_move(self, deadline: float) -> str:
        """Return a legal move, found from the rules. Raises `MessageError` if there is none, or it is not found."""
        try:
            if self._game is None:
                rules = self.message.rules.lower() if self.is_loud else self.message.rules
                self._game = read_game(rules)
            if self._stopgap is None:
                self._stopgap = Stopgap(self._game, self.message.role)
            moves = self._stopgap.find_moves([self._as_told(entry) for entry in self.rounds], deadline)
        except Exception as fault:
            raise MessageError(f"no move is found in these rules: {describe_refusal(fault)}") from None
        if not moves:
            raise MessageError("no legal move is known")
        return moves[0]

    def _as_told(self, entry: AnsweredRound) -> ToldRound:
        message = entry.message
        if message is None:
            return ToldRound(entry.answered, None, is_joint=False)
        own_move = entry.answered if message.own_move is None else message.own_move
        is_joint = self.dialect == "A" or (self.dialect == AUTO and self._is_open)
        return ToldRound(None if is_joint else own_move, message.told or (), is_joint)

    def _follow(self, deadline: float) -> SeatedPlayer | None:
        """Return the player, with all rounds told, when it is ready; None if it is not ready in time, or never, or if
        a round was not understood.

        The player is new if the dialect turns out to be another one.
        """
        for _ in range(2):
            try:
                self._starting.result(max(0.0, deadline - perf_counter()))
            except Exception as fault:
                if not isinstance(fault, TimeoutError):
                    LOG.warning("match %s: there is no player: %s", self.message.match, describe_refusal(fault))
                return None
            player = self._player
            if player is None or self.is_closed:
                return None
            self.dialect = self._find_dialect(player.seat)
            if self.dialect == AUTO or (self.dialect == "A") == self._is_open:
                self._translate(player.seat)
                return None if self._is_astray else player
            LOG.info("match %s: this is dialect %s; the player starts again", self.message.match, self.dialect)
            player.close()
            self._starting = self._worker.do(lambda: self._seat_player(self.dialect == "A"))
        return None

    def _translate(self, seat: Seat) -> None:
        """Store what the player observes in rounds that are new, up to the first one that is not understood."""
        for message, answered in self.rounds[len(self.observations) :]:
            if self._is_astray:
                return
            try:
                if message is None:
                    raise MessageError("a message was lost")
                self.observations.append(observe(seat, self.dialect, message, answered))
            except MessageError as error:
                self._is_astray = True
                LOG.warning("match %s: from now on, moves are legal and nothing more: %s", self.message.match, error)

    def _is_repeated(self, message: RoundMessage) -> bool:
        """Return whether this message was answered already: a manager asks again if the answer was lost."""
        if message.turn is not None:
            return self.dialect in (AUTO, "C") and message.turn - self._first_turn == self._answered
        return message.told is None and self._answered == 0

    def _take_message(self, message: RoundMessage) -> None:
        """Note a message. Raises `MessageError` if it cannot come next."""
        if self.dialect != AUTO and (message.turn is not None) != (self.dialect == "C"):
            raise MessageError(f"the match is in dialect {self.dialect}, and this is none of its messages")
        is_first = self._is_first(message)
        if is_first and self.rounds:
            raise MessageError("the first turn is over")
        if not is_first:
            self._note_lost(message)
        if message.turn is not None:
            self.dialect = "C"
        elif self.dialect == AUTO and message.told == () and not is_first:
            self.dialect = "B"
        if is_first:
            self._first_turn = message.turn or 0
        else:
            self.rounds.append(AnsweredRound(message, self._answer if self._has_answered() else None))

    def _is_first(self, message: RoundMessage) -> bool:
        """Return whether no round is over: some managers write an empty list instead of NIL, or count from 1."""
        if message.turn == 0:
            return True
        is_empty = not message.told and message.own_move is None
        if self.rounds or not is_empty:
            return False
        return (message.turn or 0) <= 1 if self._answered < 0 else message.turn is None and message.told is None

    def _note_lost(self, message: RoundMessage) -> None:
        """Note the rounds before this one of which nothing was told. Raises `MessageError` if they are too many."""
        if message.turn is None:
            return
        expected = len(self.rounds) + 1
        lost = message.turn - self._first_turn - expected
        if not 0 <= lost <= MAX_LOST:
            raise MessageError(f"turn {message.turn} is told, where turn {expected + self._first_turn} is next")
        for _ in range(lost):
            self.rounds.append(AnsweredRound(None, self._answer if self._has_answered() else None))

    def _find_dialect(self, seat: Seat) -> str:
        """Return the dialect of the match, by the last message; `auto` if it is still unknown."""
        if self.dialect != AUTO or not self.rounds:
            return self.dialect
        message = self.rounds[-1].message
        told = None if message is None else message.told
        if not told:
            return AUTO
        if not self._has_percepts:
            return "A"
        return "A" if not can_be_percepts(seat, told) and can_be_joint_move(seat.game, told) else "B"


def describe_refusal(fault: BaseException) -> str:
    """Return in one line why a match is refused."""
    if isinstance(fault, VeilError):
        first = fault.problems[0]
        return f"{first.place}: {first.message}" if first.place else first.message
    return str(fault) if isinstance(fault, MessageError) else f"{type(fault).__name__}: {fault}"
