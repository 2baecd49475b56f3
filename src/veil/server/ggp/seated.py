"""Our player at its seat in one match. It is asked in another thread, so that an answer is ready in time.

When the clock runs out or the player fails, a legal move is the answer. Knowing a legal move takes a belief, which is
kept only if it is needed. A player that refuses a game is replaced by another one for this match.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from time import perf_counter

from veil.belief import BeliefTracker, NoConsistentHistory
from veil.engine import Record
from veil.errors import VeilError
from veil.match import Driver, Lineup, LocalDriver, MatchConfig, Reply, make_driver
from veil.players import LEGAL_MOVES, Observation, Request, Seat, make_belief
from veil.server.ggp.config import ServerConfig
from veil.server.ggp.worker import OrderedWorker
from veil.wire import MessageError

LOG = logging.getLogger("veil.serve-player")
WORLDS = 16  # of a belief that is only used for legal moves
SPARE = 0.2  # seconds to find a legal move when the clock has run out
RESERVES = ("hyperplay", "random")  # for games that the player refuses
GOODBYE = 1.0  # seconds to tell the player that the match is over


class LegalView:
    """The own legal moves, by a belief that follows the observations. Several threads may ask."""

    def __init__(self, seat: Seat) -> None:
        self._seat, self._lock = seat, threading.Lock()
        self._belief: BeliefTracker | None = None
        self._is_lost = False  # whether nothing explained a round: what was legal before says nothing any more

    def list(self, observations: Sequence[Observation], deadline: float | None) -> list[str]:
        """Return the legal moves after all these observations, sorted. Raises if nothing explains them."""
        with self._lock:
            if self._belief is None:
                self._belief = make_belief(self._seat, worlds=WORLDS)
            try:
                self._belief.follow(Record(self._seat.role, tuple(observations)), deadline)
            except NoConsistentHistory:
                self._is_lost = True
            if self._is_lost:
                raise MessageError("nothing explains what was told")
            return self._belief.legal()


class SeatedPlayer:
    """A player in a match. One thread at a time calls its methods; any thread may call `close`."""

    def __init__(
        self, seat: Seat, config: ServerConfig, worker: OrderedWorker, opened: Callable[[Driver], None]
    ) -> None:
        """Start the player, which may take long. Raises `VeilError` or `MessageError` if it cannot start.

        `opened` is called with the driver before the player starts, so that it can be closed meanwhile.
        """
        self.seat, self._isolated, self._worker = seat, config.isolated, worker
        self._legal, self._heard = LegalView(seat), 0  # heard: for how many rounds the player was asked
        self._driver: Driver
        for spec in (config.player, *RESERVES):
            why = self._open(spec, config, opened)
            if why is None:
                return
            LOG.warning("%s: %s does not play: %s", seat.role, spec, why)
        raise MessageError("no player starts")

    def _open(self, spec: str, config: ServerConfig, opened: Callable[[Driver], None]) -> str | None:
        """Start the player of a spec. Return why it does not start; None if it does."""
        seat = self.seat
        match = MatchConfig(start_seconds=seat.start_seconds, play_seconds=seat.play_seconds, isolated=config.isolated)
        self._driver = make_driver(Lineup(specs={seat.role: spec}, files=config.files), match)
        opened(self._driver)
        try:
            error = self._driver.start({seat.role: seat})[seat.role].error
        except VeilError as fault:
            error = fault.problems[0].message
        if error is not None:
            self._driver.close()
        return error

    def decide(self, observations: Sequence[Observation], deadline: float) -> str:
        """Return the player's move after these observations, the last of which is new.

        If the player gives no move in time, the result is a legal move.
        """
        told = list(observations)
        asked = self._worker.do(lambda: self._ask(told))
        try:
            reply = asked.result(max(0.0, deadline - perf_counter()))
        except TimeoutError:
            reply = Reply(error="it did not answer in time")
        except Exception as fault:
            reply = Reply(error=f"{type(fault).__name__}: {fault}")
        if isinstance(reply.move, str):
            return reply.move
        LOG.warning("%s: %s", self.seat.role, reply.error or "the player answered no text")
        try:
            return self._legal.list(told, perf_counter() + SPARE)[0]
        except Exception:
            raise MessageError("the player has no move") from None

    def stop(self, observation: Observation | None) -> None:
        """Tell the player that the match is over."""
        stopped = self._worker.do(lambda: self._driver.stop({self.seat.role: observation}))
        try:
            stopped.result(GOODBYE)
        except TimeoutError:
            LOG.warning("%s: the player did not take the end of the match in time", self.seat.role)

    def close(self) -> None:
        """End the player: its process at once, if it has one, otherwise when its current thought is over."""
        if self._isolated:
            self._driver.close()
        else:
            self._worker.do(self._driver.close)

    def _ask(self, told: Sequence[Observation]) -> Reply:
        """Ask for a move, after all earlier rounds of which the player has not heard (in the worker)."""
        role, requests = self.seat.role, [None, *told]
        for observation in requests[self._heard : -1]:
            missed = {role: Request(role, observation)}
            if isinstance(self._driver, LocalDriver):
                self._driver.tell(role, missed[role])
            else:
                self._driver.ask(missed)
        self._heard = len(requests)
        legal = None
        if LEGAL_MOVES in self._driver.needs[role]:
            legal = tuple(self._legal.list(told, self.seat.deadline()))
        return self._driver.ask({role: Request(role, told[-1] if told else None, legal)})[role]
