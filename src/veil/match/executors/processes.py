"""Processes of Veil's own: they leave Ctrl-C to their parent, and do not live longer than it.

A process that its parent cannot end, because the parent was killed, sees that the parent is gone and ends by itself.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import active_children, parent_process
from multiprocessing.connection import wait
from types import TracebackType
from typing import Any

from veil.compat.python import (
    SpawnContext,
    SpawnProcess,
    find_socket_folder,
    list_processes,
    start_resource_tracker,
)
from veil.signals import at_sudden_end, block_signals

PULSE = 0.2  # seconds from one look at a parent to the next


class WorkerProcess(SpawnProcess):
    """A process of a pool, which says nothing when its parent is gone."""

    def run(self) -> None:
        """Do what the pool sends, until nobody sends any more."""
        end_with_parent()
        try:
            super().run()
        except EOFError:
            os._exit(1)


class WorkerContext(SpawnContext):
    """How a pool starts its processes."""

    Process = WorkerProcess


class Pool(ProcessPoolExecutor):
    """Worker processes. As a context, they end at once when it does, whatever they are doing."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, WorkerContext())
        start_resource_tracker()  # later, to start it would let Ctrl-C through

    def submit(self, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """As any executor does it; processes that are started here do not hear Ctrl-C."""
        with defer_ctrl_c():
            return super().submit(call, *args, **options)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with defer_ctrl_c():
            for process in list_processes(self):
                process.kill()
            self.shutdown()


def defer_ctrl_c() -> AbstractContextManager[None]:
    """Let Ctrl-C wait for the end of the block. A process that is started in it never hears it, even while it boots."""
    return block_signals(signal.SIGINT)


def end_children() -> None:
    """End the processes that this one has started, and remove the folder through which they are started."""
    for child in active_children():
        child.kill()
    folder = find_socket_folder()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


at_sudden_end(end_children)


def end_with_parent() -> None:
    """Watch who wanted this process in a thread: a process must not live on when that one was killed."""
    started_by = parent_process()
    if started_by is not None:
        threading.Thread(target=_watch, args=(started_by.sentinel,), daemon=True).start()


@contextmanager
def watch_parent() -> Iterator[None]:
    """End this process if its parent ends before the block does.

    For a process that others are forked from while it gets ready: afterwards no thread is left that a fork could hurt.
    """
    parent, is_over = os.getppid(), threading.Event()

    def watch() -> None:
        while not is_over.wait(PULSE):
            if os.getppid() != parent:
                os._exit(1)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _watch(sentinel: int) -> None:
    """End this process when a descriptor is closed at its other end: whoever held it is gone."""
    wait([sentinel])
    os._exit(1)
