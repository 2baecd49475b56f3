"""Preparation of kernels, compiled or read from disk: it counts time, makes other processes wait, and tells the user.

Numba lets one thread at a time prepare kernels, so the one `PREPARATION` of a process needs no lock against threads.
Against other processes it has one lock per kernel: a process that finds a kernel missing compiles it alone, and the
processes that wait find it on disk afterwards; they may compile other kernels in the meantime. No wait is circular: a
wait inside another kernel goes down the calls, and no kernel calls itself.
"""

from __future__ import annotations

import fcntl
import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import TYPE_CHECKING

from veil.engine.lanes.cache import say_once
from veil.terminal import error_console, is_watched

if TYPE_CHECKING:
    from rich.progress import Progress

NOTE = "note: compiling kernels for this machine, once; this takes a little while ..."
WHAT = "compiling kernels for this machine, once"
PATIENCE = 300.0  # seconds to wait for another process; then this one compiles too, which does no harm
PAUSE = 0.05  # seconds between two attempts to get the lock


class Preparation:
    """The kernels that this process prepares: one, and inside it the kernels that it calls."""

    def __init__(self) -> None:
        self._depth = 0
        self._seconds = 0.0
        self._since = 0.0
        self._locks: dict[int, int] = {}  # by depth: the lock of the kernel that is compiled there
        self._bar: Progress | None = None
        self._names: list[str] = []  # kernels that are being compiled, each inside the one before

    @property
    def seconds(self) -> float:
        """Seconds spent so far on compiling kernels and reading them from disk."""
        return self._seconds + (perf_counter() - self._since if self._depth else 0.0)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Hold this open while a kernel is prepared; it may be opened again inside."""
        if not self._depth:
            self._since = perf_counter()
        self._depth += 1
        try:
            yield
        finally:
            self._release()
            self._depth -= 1
            if not self._depth:
                self._seconds += perf_counter() - self._since
                self._close_bar()

    def wait_for_turn(self, path: Path) -> bool:
        """Become the one process that compiles the kernel with this lock file; return False if it did not get the lock.

        The lock is held until the innermost `run` ends, which is that of the kernel.
        """
        if self._depth in self._locks or not self._depth:
            return False
        try:
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return False
        end = monotonic() + PATIENCE
        while monotonic() < end:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                sleep(PAUSE)
            except OSError:  # a file system without locks
                break
            else:
                self._locks[self._depth] = lock
                return True
        os.close(lock)
        return False

    def announce(self, name: str, missing: int) -> None:
        """Tell the user that a kernel is being compiled.

        `missing` is the number of kernels to compile, with those it calls.
        """
        self._names.append(name)
        if self._bar is None:
            self._bar = _open_bar(missing)
        if self._bar is None:
            say_once(NOTE)
        else:
            self._bar.update(self._bar.task_ids[0], kernel=name, refresh=True)  # the bar's own thread may starve

    def advance(self) -> None:
        """Tell the user that the kernel announced last is compiled."""
        self._names.pop()
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], advance=1, kernel=self._names[-1] if self._names else "")

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _release(self) -> None:
        lock = self._locks.pop(self._depth, None)
        if lock is not None:
            os.close(lock)


def _open_bar(total: int) -> Progress | None:
    """Return a progress bar on the terminal of a main process; None elsewhere."""
    if not is_watched() or multiprocessing.parent_process() is not None:
        return None
    from rich.errors import LiveError  # takes long to import
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, TextColumn("{task.fields[kernel]}"), console=error_console(), transient=True)
    bar.add_task(WHAT, total=total, kernel="")
    try:
        bar.start()
    except LiveError:  # another live display is on the terminal, and this version of rich allows one
        return None
    return bar


PREPARATION = Preparation()


class Stopwatch:
    """Stopwatch for work: seconds since it was made, without compiling kernels or reading them from disk."""

    def __init__(self) -> None:
        self._start, self._before = perf_counter(), PREPARATION.seconds

    def seconds(self) -> float:
        """Return the seconds of work so far."""
        return perf_counter() - self._start - (PREPARATION.seconds - self._before)
