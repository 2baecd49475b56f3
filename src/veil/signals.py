"""Signals that end a command: Ctrl-C, `kill`, a terminal that is closed. All of them end it in the same way.

A command that is ended leaves finished results behind and nothing else. Whoever makes something that must not stay lets
the signals wait while it is between two states (`defer_signals`).

A signal becomes an exception wherever Python happens to be, and at some places that is no good: where machine code
calls back, nobody can catch it; imports take it for the sign of a missing module; LLVM's binding frees twice what it
was freeing. There the signal comes again a little later.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

AGAIN = 0.01  # seconds until a signal comes again
LONGEST = 10.0  # seconds that a signal waits for such a place: what takes longer hangs, and is to be ended
NO_PLACE = ("<frozen importlib._bootstrap>", f"{os.sep}llvmlite{os.sep}")  # parts of the files' names
INTERRUPTED = 130  # the exit code after Ctrl-C
ENDING = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()))


class TerminatedError(KeyboardInterrupt):
    """The command was told to end; handled wherever Ctrl-C is."""


_heard: list[int] = []  # the signals that ended this command, besides Ctrl-C
_waiting: dict[int, float] = {}  # those that will come again, with the time when they came first


def listen() -> None:
    """From now on `kill` and a closed terminal end this process as Ctrl-C does. What is ignored stays so (`nohup`)."""
    for number in ENDING:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _raise)
    sys.unraisablehook = _raise_later


def exit_code(code: int) -> int:
    """The exit code of a command: where a signal has ended it, or came too late to, the one that says which."""
    if code and _waiting:
        return 128 + next(iter(_waiting))
    return 128 + _heard[0] if code == INTERRUPTED and _heard else code


def _raise(number: int, frame: FrameType | None) -> None:
    since = _waiting.setdefault(number, time.monotonic())
    if time.monotonic() - since < LONGEST and _is_no_place(frame):
        _send_again(number)
        return
    del _waiting[number]
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    _heard.append(number)
    raise TerminatedError


def _is_no_place(frame: FrameType | None) -> bool:
    """Whether something is under way that an exception from outside would spoil."""
    while frame is not None:
        if any(part in frame.f_code.co_filename for part in NO_PLACE):
            return True
        frame = frame.f_back
    return False


def _raise_later(lost: Any) -> None:
    """Where a signal came while machine code called back, Python could raise it nowhere; others are told as usual."""
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    number = _heard[0] if isinstance(lost.exc_value, TerminatedError) and _heard else signal.SIGINT
    _waiting.setdefault(number, time.monotonic())
    _send_again(number)


def _send_again(number: int) -> None:
    timer = threading.Timer(AGAIN, os.kill, (os.getpid(), number))
    timer.daemon = True
    timer.start()


@contextmanager
def defer_signals(numbers: Collection[int] = ENDING) -> Iterator[None]:
    """Let these signals wait for the end of the block. A process that is started in it does not hear them at all.

    They are blocked, which a new process inherits, and in the main thread noted as well: the system may hand a blocked
    signal to a thread of some library, and Python would then raise it here in spite of the block.
    """
    noted: list[int] = []
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    handlers = _note(numbers, noted)
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number in dict.fromkeys(noted):
            signal.raise_signal(number)


def _note(numbers: Collection[int], noted: list[int]) -> dict[int, Any]:
    """From now on these signals are only noted, where Python handles them; returns their handlers."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    python = {number: signal.getsignal(number) for number in numbers}
    return {
        number: signal.signal(number, lambda number, _: noted.append(number))
        for number, handler in python.items()
        if callable(handler)
    }
