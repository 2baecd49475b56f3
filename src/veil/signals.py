"""The end of a command: Ctrl-C, `kill`, a terminal that is closed, processor time that is used up.

No exception is thrown into code that did not ask for it:

1. A signal is noted. A thread hears of it at once, also while the main thread is inside machine code.
2. Long work asks at its safe points, with `check_signals` or `is_ending`, and ends in order with what is finished.
   Code that only waits, for a person or for another process, may be left anywhere: it waits inside `interruptible`.
3. A command that does not come to a safe point within `PATIENCE` seconds, or hears a second signal, is ended by the
   thread: what was registered with `at_sudden_end` is done, and the process exits with 128 + the signal's number.

A sudden end is safe anywhere. Files are written whole, stores are transactions, and child processes end when their
parent does. Processes that do not `listen`, like workers, are ended by the system at once.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import FrameType
from typing import NamedTuple, NoReturn

PATIENCE = 1.0  # seconds from a signal until a command that does not come to a safe point is ended
ECHO = 0.3  # seconds in which a signal that comes again is the first one: `timeout` sends two
INTERRUPTED = 130  # the exit code after Ctrl-C
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
OUT_OF_TIME = signal.SIGXCPU


class OutOfProcessorTime(BaseException):
    """The processor time that the system allows this process is nearly used up."""


class LastWords(NamedTuple):
    """What a command that is ended at once says, and its exit code."""

    code: int
    error: str = ""  # for standard error
    output: str = ""  # for standard output


def _say_nothing(number: int) -> LastWords:
    return LastWords(128 + number)


class _Ending:
    """What this process knows about its end."""

    number: int | None = None  # the first signal that wants the process to end
    bell: int | None = None  # what is written here wakes the watching thread; None where there is none
    is_safe = False  # whether the command has come to a safe point since
    exit_by: float | None = None  # of `monotonic`: when a command that is over is ended at once
    is_interruptible = False  # whether the main thread is inside `interruptible`

    def __init__(self) -> None:
        self.noted: list[int] = []  # signals that are noted
        self.last_steps: list[Callable[[], object]] = []
        self.last_words: Callable[[int], LastWords] = _say_nothing


_ending = _Ending()


def listen(numbers: tuple[int, ...] = ENDING) -> None:
    """From now on these signals are noted in this process. What is ignored stays ignored, as under `nohup`.

    Where there is no room for a thread, nothing is installed, and the system ends the process at once.
    """
    if _ending.bell is None and not _start_watch():
        return
    for number in numbers:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _hear)
            _ending.noted.append(number)


def check_signals() -> None:
    """A safe point: raise `KeyboardInterrupt` where the command is to end.

    Only the main thread hears it; the others end with the process.
    """
    if is_ending():
        _raise()


def is_ending() -> bool:
    """A safe point: whether the command is to end. Whoever asks ends in order from here on."""
    if _ending.number is None or threading.current_thread() is not threading.main_thread():
        return False
    acknowledge()
    return True


def acknowledge() -> None:
    """Say that the end that was asked for is under way, so that only a second signal ends the process at once."""
    _ending.is_safe = True


@contextmanager
def interruptible() -> Iterator[None]:
    """Let a signal raise `KeyboardInterrupt` anywhere in the block; for the main thread, around code that waits."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = _ending.is_interruptible
    try:
        _ending.is_interruptible = True
        check_signals()
        yield
    finally:
        _ending.is_interruptible = before


def at_sudden_end(step: Callable[[], object]) -> Callable[[], object]:
    """Do this, in the watching thread, when the process is ended at once; it must be quick. Returns the step."""
    _ending.last_steps.append(step)
    return step


def forget_sudden_end(step: Callable[[], object]) -> None:
    """Take back what was given to `at_sudden_end`."""
    with suppress(ValueError):
        _ending.last_steps.remove(step)


def set_last_words(words: Callable[[int], LastWords]) -> None:
    """Say this, for the number of the signal, when the command is ended at once."""
    _ending.last_words = words


def finish(code: int) -> NoReturn:
    """End this process with the exit code of its command; where a signal has ended the command, with 128 + its number.

    Then threads may still be at work, and the process is ended at once if they are after `PATIENCE` seconds.
    """
    number = _ending.number
    if code and number is not None and number != OUT_OF_TIME:
        _ending.exit_by = monotonic() + PATIENCE
        _ring()
        sys.exit(128 + number)
    for noted in _ending.noted:  # what still comes is for the system
        signal.signal(noted, signal.SIG_DFL)
    sys.exit(code)


@contextmanager
def block_signals(*numbers: int) -> Iterator[None]:
    """Let these signals wait for the end of the block. A process that is started in it does not hear them at all."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _hear(number: int, frame: FrameType | None) -> None:
    """The handler, which Python calls in the main thread. A library may have taken the wakeup descriptor: ring, too."""
    _note(number)
    _ring()
    if _ending.is_interruptible:
        _raise()


def _note(number: int) -> None:
    if _ending.number is None:
        _ending.number = number


def _raise() -> NoReturn:
    acknowledge()
    raise OutOfProcessorTime if _ending.number == OUT_OF_TIME else KeyboardInterrupt


def _start_watch() -> bool:
    """Let a thread hear of signals at once; False where there is no room for one."""
    hearing, telling = os.pipe()
    os.set_blocking(telling, False)
    try:
        threading.Thread(target=_watch, args=(hearing,), name="veil-signals", daemon=True).start()
    except RuntimeError:
        os.close(hearing)
        os.close(telling)
        return False
    _ending.bell = telling
    signal.set_wakeup_fd(telling, warn_on_full_buffer=False)  # the number of a signal is written there at once
    return True


def _ring() -> None:
    """Let the watching thread look at the deadline."""
    if _ending.bell is not None:
        with suppress(BlockingIOError):  # it has been rung often enough
            os.write(_ending.bell, bytes(1))


def _watch(hearing: int) -> None:
    """The life of the watching thread: read the numbers of signals, and end the process where nobody else does."""
    first = None  # when the first signal came
    while True:
        deadline = _ending.exit_by
        if deadline is None and first is not None and not _ending.is_safe:
            deadline = first + PATIENCE
        if deadline is not None and monotonic() >= deadline:
            _end()
        left = None if deadline is None else max(0.0, deadline - monotonic())
        if not select.select([hearing], [], [], left)[0]:
            continue
        heard = os.read(hearing, 64)
        if first is None and _ending.number is not None:
            first = monotonic()
        for number in set(heard) & {*ENDING, OUT_OF_TIME}:
            _note(number)
            if first is None:
                first = monotonic()
            elif number != OUT_OF_TIME and monotonic() > first + ECHO:  # that one comes every second
                _end()


def _end() -> NoReturn:
    """End the process in the place of its command."""
    assert _ending.number is not None
    for step in reversed(_ending.last_steps):
        with suppress(Exception):
            step()
    code, *words = _ending.last_words(_ending.number)
    for descriptor, text in zip((2, 1), words, strict=True):
        if text and not _ending.is_safe:
            _write(descriptor, text.encode(errors="backslashreplace"))
    os._exit(code)


def _write(descriptor: int, text: bytes) -> None:
    """Write a few words, unless nobody reads what was written before."""
    with suppress(OSError):
        if select.select([], [descriptor], [], 0.0)[1]:
            os.write(descriptor, text)
