"""A way to end the grounding of a game from another thread.

stop = GroundingStop()
with stoppable(stop):  # in the thread that grounds
    game.program       # raises `GroundingEndedError` soon after another thread called `stop.end()`
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class GroundingEndedError(Exception):
    """Another thread has ended this grounding."""


class GroundingStop:
    """A switch that ends the grounding of one thread, once and for all."""

    def __init__(self) -> None:
        self.is_set = False
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def end(self) -> None:
        """End what is being grounded, and whatever would be grounded later."""
        with self._lock:
            self.is_set = True
            if self._process is not None:
                self._process.kill()

    def watch(self, process: subprocess.Popen[bytes]) -> None:
        """Kill this process as soon as the switch is set."""
        with self._lock:
            self._process = process
            if self.is_set:
                process.kill()


_thread = threading.local()


@contextmanager
def stoppable(stop: GroundingStop) -> Iterator[None]:
    """Let a switch end what this thread grounds in the block."""
    _thread.stop = stop
    try:
        yield
    finally:
        _thread.stop = None


def current_stop() -> GroundingStop | None:
    """Return the switch of this thread; None if it has none."""
    return getattr(_thread, "stop", None)


def check_stop() -> None:
    """Raise `GroundingEndedError` if the switch of this thread is set."""
    stop = current_stop()
    if stop is not None and stop.is_set:
        raise GroundingEndedError
