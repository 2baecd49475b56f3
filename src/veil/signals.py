"""Signals that end a command: Ctrl-C, `kill`, a terminal that is closed. All of them end it in the same way.

A command that is ended leaves finished results behind and nothing else. Whoever makes something that must not stay lets
the signals wait while it is between two states (`defer_signals`).
"""

from __future__ import annotations

import signal
import threading
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
    """Let these signals wait for the end of the block.

    To block them is not enough: another thread takes them then, such as those of a numeric library, and Python raises
    in the main thread all the same. So their handlers only take a note until the block is over.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # handlers run in the main thread alone
        return
    noted: list[int] = []
    held = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    try:
        for number in held:
            signal.signal(number, lambda number, frame: noted.append(number))
        yield
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
        if noted:
            held[signal.Signals(noted[0])](noted[0], None)


@contextmanager
def defer_ctrl_c() -> Iterator[None]:
    """The same; and a process that is started in the block never hears Ctrl-C, even while it boots."""
    with defer_signals():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
