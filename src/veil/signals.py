"""Signals that end a command: Ctrl-C, `kill`, a terminal that is closed. All of them end it in the same way.

A command that is ended leaves finished results behind and nothing else. Whoever makes something that must not stay lets
the signals wait while it is between two states (`defer_signals`).
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # the exit code after Ctrl-C
ENDING = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()))


class TerminatedError(KeyboardInterrupt):
    """The command was told to end; handled wherever Ctrl-C is."""


_heard: list[int] = []  # the signals that ended this command, besides Ctrl-C


def listen() -> None:
    """From now on `kill` and a closed terminal end this process as Ctrl-C does. What is ignored stays so (`nohup`)."""
    for number in ENDING:
        if number != signal.SIGINT and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _raise)


def exit_code(code: int) -> int:
    """The exit code of a command: where a signal has ended it, the one that says which."""
    return 128 + _heard[0] if code == INTERRUPTED and _heard else code


def _raise(number: int, frame: FrameType | None) -> None:
    del frame
    _heard.append(number)
    raise TerminatedError


@contextmanager
def defer_signals() -> Iterator[None]:
    """Let these signals wait for the end of the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
