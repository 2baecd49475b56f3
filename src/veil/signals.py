"""The end of a command: Ctrl-C, `kill`, a terminal that is closed, processor time that is used up.

No exception is raised in code that did not ask for it:

1. A signal is noted. A thread is told at once, also while the main thread is inside machine code.
2. Long work asks at its safe points, with `check_signals`, and ends in order with what is finished. Code
   that only waits, for a person or for another process, may be left anywhere: it waits inside `interruptible`.
3. If a command does not come to a safe point within `PATIENCE` seconds, or gets a second signal, the thread ends it: it
   calls what was registered with `at_sudden_end`, and the process exits with 128 + the signal's number.

A sudden end is safe anywhere: files are written completely or not at all, stores use transactions, and child processes
end with their parent. Processes that do not `listen`, like workers, are ended by the system at once.
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
ECHO = 0.3  # seconds in which a second signal counts as the first one: `timeout` sends two
INTERRUPTED = 130  # the exit code after Ctrl-C
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
OUT_OF_TIME = signal.SIGXCPU


class OutOfProcessorTime(BaseException):
    """The end of the processor time that the system allows this process."""


class LastWords(NamedTuple):
    """The last output of a command that is ended at once, and its exit code."""

    code: int
    error: str = ""  # for standard error
    output: str = ""  # for standard output


def _say_nothing(number: int) -> LastWords:
    return LastWords(128 + number)


class _Ending:
    """The state of the end of this process."""

    number: int | None = None  # the first signal that asked the process to end
    bell: int | None = None  # a byte written here wakes the watching thread; None if there is none
    is_safe = False  # whether the command has come to a safe point since then
    exit_by: float | None = None  # a time of `monotonic` at which a finished command is ended at once
    is_interruptible = False  # whether the main thread is inside `interruptible`

    def __init__(self) -> None:
        self.noted: list[int] = []  # signals that are noted
        self.last_steps: list[Callable[[], object]] = []
        self.last_words: Callable[[int], LastWords] = _say_nothing


_ending = _Ending()


def listen(numbers: tuple[int, ...] = ENDING) -> None:
    """Note these signals in this process from now on. Ignored signals stay ignored, as under `nohup`.

    If no thread can be started, nothing is installed, and the system ends the process at once.
    """
    if _ending.bell is None and not _start_watch():
        return
    for number in numbers:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _handle)
            _ending.noted.append(number)


def check_signals() -> None:
    """Raise `KeyboardInterrupt` if the command has to end (a safe point).

    Only the main thread raises it; the others end with the process.
    """
    if _ending.number is not None and threading.current_thread() is threading.main_thread():
        _raise()


def acknowledge() -> None:
    """Note that the requested end is under way, so that only a second signal ends the process at once."""
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
    """Register a step for the watching thread when the process is ended at once; it must be quick. Returns the step."""
    _ending.last_steps.append(step)
    return step


def forget_sudden_end(step: Callable[[], object]) -> None:
    """Remove a step that was registered with `at_sudden_end`."""
    with suppress(ValueError):
        _ending.last_steps.remove(step)


def set_last_words(words: Callable[[int], LastWords]) -> None:
    """Set the last words of a command that is ended at once, for the number of the signal."""
    _ending.last_words = words


def finish(code: int) -> NoReturn:
    """End this process with the exit code of its command, or with 128 + its number if a signal has ended the command.

    Threads may still be running then; if they are after `PATIENCE` seconds, the process is ended at once.
    """
    number = _ending.number
    if code and number is not None and number != OUT_OF_TIME:
        _ending.exit_by = monotonic() + PATIENCE
        _ring()
        sys.exit(128 + number)
    for noted in _ending.noted:  # later signals are handled by the system
        signal.signal(noted, signal.SIG_DFL)
    sys.exit(code)


@contextmanager
def block_signals(*numbers: int) -> Iterator[None]:
    """Let these signals wait for the end of the block. A process that is started in it does not get them at all."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _handle(number: int, frame: FrameType | None) -> None:
    """Note a signal: the handler, which Python calls in the main thread.

    It wakes the watching thread as well, because a library may have taken over Python's wakeup descriptor.
    """
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
    """Start the thread that is told of signals at once; return False if it cannot be started."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        threading.Thread(target=_watch, args=(reader,), name="veil-signals", daemon=True).start()
    except RuntimeError:
        os.close(reader)
        os.close(writer)
        return False
    _ending.bell = writer
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)  # the system writes the number of a signal there at once
    return True


def _ring() -> None:
    """Wake the watching thread, so that it checks the deadline."""
    if _ending.bell is not None:
        with suppress(BlockingIOError):  # it has been rung often enough
            os.write(_ending.bell, bytes(1))


def _watch(reader: int) -> None:
    """Read the numbers of signals, and end the process if nothing else does (the main function of the thread)."""
    first = None  # when the first signal came
    while True:
        deadline = _ending.exit_by
        if deadline is None and first is not None and not _ending.is_safe:
            deadline = first + PATIENCE
        if deadline is not None and monotonic() >= deadline:
            _end()
        left = None if deadline is None else max(0.0, deadline - monotonic())
        if not select.select([reader], [], [], left)[0]:
            continue
        numbers = os.read(reader, 64)
        if first is None and _ending.number is not None:
            first = monotonic()
        for number in set(numbers) & {*ENDING, OUT_OF_TIME}:
            _note(number)
            if first is None:
                first = monotonic()
            elif number != OUT_OF_TIME and monotonic() > first + ECHO:  # that signal comes every second
                _end()


def _end() -> NoReturn:
    """End the process in place of its command."""
    assert _ending.number is not None
    for step in reversed(_ending.last_steps):
        with suppress(Exception):
            step()
    code, *texts = _say_nothing(_ending.number)
    with suppress(Exception):  # the process ends whatever happens here
        code, *texts = _ending.last_words(_ending.number)
    for descriptor, text in zip((2, 1), texts, strict=True):
        if text and not _ending.is_safe:
            _write(descriptor, text.encode(errors="backslashreplace"))
    os._exit(code)


def _write(descriptor: int, text: bytes) -> None:
    """Write a few words, unless earlier output is still unread."""
    with suppress(OSError):
        if select.select([], [descriptor], [], 0.0)[1]:
            os.write(descriptor, text)
