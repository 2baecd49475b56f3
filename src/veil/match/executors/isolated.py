"""A player in a process of its own: it may hang, die or eat memory, and the match goes on."""

from __future__ import annotations

import multiprocessing
import os
import resource
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from veil.errors import VeilError
from veil.match.executors.processes import ctrl_c_waits, end_with_parent
from veil.players import Observation, Seat

PATIENCE = 600.0  # seconds for an answer where there is no clock
GRACE = 0.25  # seconds beyond the clock before a silent process is ended
BOOT = 60.0  # seconds a process may take to come up; they are not the player's


class PlayerGoneError(Exception):
    """The process does not answer any more."""


class IsolatedPlayer:
    """Passes everything on to a process; ends it when it is silent for too long."""

    def __init__(self, spec: str, max_memory: float) -> None:
        context = multiprocessing.get_context("spawn")
        self._wire, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, spec, max_memory, os.getpid()), daemon=True)
        with ctrl_c_waits():
            self._process.start()
        theirs.close()
        self._gone: str | None = None
        self._play_seconds: float | None = None
        self._legal: list[str] = []
        with suppress(PlayerGoneError):  # whoever calls it next is told
            self._answer(BOOT)

    def prepare(self, seat: Seat) -> None:
        """Bring the game over; that time is not the player's."""
        with suppress(PlayerGoneError, RuntimeError):  # `start` will say so
            self._call("load", _Order(seat), None)

    def start(self, seat: Seat) -> None:
        self._play_seconds = seat.play_seconds
        self._call("start", None, seat.start_seconds)

    def offer(self, legal: list[str]) -> None:
        """Handed on with the next `play`."""
        self._legal = legal

    def play(self, told: Observation | None) -> str:
        answer: str = self._call("play", (told, self._legal), self._play_seconds)
        return answer

    def stop(self, told: Observation | None) -> None:
        self._call("stop", told, self._play_seconds)

    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = self._call("report", None, self._play_seconds)
        return found

    def close(self) -> None:
        """End the process."""
        if self._process.is_alive():
            self._process.kill()
        self._process.join(5)
        self._wire.close()

    def _call(self, what: str, value: Any, seconds: float | None) -> Any:
        if self._gone is not None:
            raise PlayerGoneError(self._gone)
        try:
            self._wire.send((what, value))
        except (OSError, ValueError):
            self._lose("its process has ended")
        return self._answer(PATIENCE if seconds is None else seconds + GRACE)

    def _answer(self, seconds: float) -> Any:
        try:
            if not self._wire.poll(seconds):
                self._lose(f"no answer within {seconds:.2f} s")
            good, value = self._wire.recv()
        except (EOFError, OSError):
            self._lose("its process has ended")
        if isinstance(value, VeilError):
            raise value
        if not good:
            raise RuntimeError(value)
        return value

    def _lose(self, why: str) -> None:
        self._gone = why
        if self._process.is_alive():
            self._process.kill()
        raise PlayerGoneError(why)


class _Order:
    """A seat on its way to another process: the game goes as its name and rules."""

    def __init__(self, seat: Seat) -> None:
        self.name, self.text = seat.game.name, seat.game.rules.source.text
        self.fingerprint, self.role, self.seed = seat.game.fingerprint, seat.role, seat.seed
        self.start_seconds, self.play_seconds = seat.start_seconds, seat.play_seconds

    def seat(self) -> Seat:
        from veil.engine import Game, load
        from veil.lang import read_rules

        try:
            game = load(self.name)
        except Exception:
            game = None
        if game is None or game.fingerprint != self.fingerprint:  # a rules file may have the name of another game
            game = Game(self.name, read_rules(self.text, "rules"))
        return Seat(
            game=game,
            role=self.role,
            seed=self.seed,
            start_seconds=self.start_seconds,
            play_seconds=self.play_seconds,
        )


def _serve(wire: Connection, spec: str, max_memory: float, parent: int) -> None:
    """The life of the process."""
    end_with_parent(parent)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (int(max_memory * 2**30), hard))  # the grounder sets its own
    from veil.players import make_player

    try:
        try:
            player, seat = make_player(spec), None
        except VeilError as error:
            wire.send((False, error))
            return
        wire.send((True, None))
        while True:
            what, value = wire.recv()
            try:
                result: Any = None
                if what == "load":
                    seat = value.seat()
                elif what == "start":
                    if seat is None:
                        raise RuntimeError("the game could not be loaded")
                    player.start(seat)
                elif what == "play":
                    told, legal = value
                    offer = getattr(player, "offer", None)
                    if offer is not None:
                        offer(legal)
                    result = player.play(told)
                elif what == "stop":
                    player.stop(value)
                elif what == "report":
                    result = player.report()
                wire.send((True, result))
            except VeilError as error:
                wire.send((False, error))
            except Exception as error:
                wire.send((False, f"{type(error).__name__}: {error}"[:200]))
    except (EOFError, OSError):
        pass  # nobody is there any more
