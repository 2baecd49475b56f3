"""Child processes of Veil. They leave Ctrl-C to their parent, and do not live longer than their parent.

If the parent was killed and cannot end its children, each child notices that the parent is gone and ends itself.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import active_children, get_context, parent_process
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
from veil.limits import check_open_files
from veil.signals import at_sudden_end, block_signals

PULSE = 0.2  # seconds between two looks at the parent
FORK_SERVER = get_context("forkserver")  # one per process: players and workers of the studio are forked from it
FORK_SERVER.set_forkserver_preload(["veil.match.executors.preload"])


class WorkerProcess(SpawnProcess):
    """A process of a pool. It prints nothing when its parent is gone."""

    def run(self) -> None:
        """Do the tasks of the pool until it sends no more."""
        end_with_parent()
        try:
            super().run()
        except EOFError:
            os._exit(1)


class WorkerContext(SpawnContext):
    """The context with which a pool starts its processes."""

    Process = WorkerProcess


class Pool(ProcessPoolExecutor):
    """A pool of worker processes. At the end of its context the processes are killed at once."""

    def __init__(self, jobs: int) -> None:
        check_open_files()
        super().__init__(jobs, WorkerContext())
        start_resource_tracker()  # starting it later would let Ctrl-C through

    def submit(self, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Submit a call, as `Executor.submit` does. Processes that are started here do not receive Ctrl-C."""
        with defer_ctrl_c():
            return super().submit(call, *args, **options)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with defer_ctrl_c():
            for process in list_processes(self):
                process.kill()
            self.shutdown()


def defer_ctrl_c() -> AbstractContextManager[None]:
    """Delay Ctrl-C until the end of the block. A process that is started in the block never receives it."""
    return block_signals(signal.SIGINT)


def end_children() -> None:
    """Kill the child processes of this process, and remove the socket folder of the fork server."""
    for child in active_children():
        child.kill()
    folder = find_socket_folder()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


at_sudden_end(end_children)


def end_with_parent() -> None:
    """Watch the parent of this process in a thread, and end this process when the parent is gone."""
    started_by = parent_process()
    if started_by is not None:
        threading.Thread(target=_watch, args=(started_by.sentinel,), daemon=True).start()


@contextmanager
def watch_parent() -> Iterator[None]:
    """End this process if its parent ends before the block does.

    This is for the fork server while it gets ready. After the block the thread has ended, so it cannot disturb a fork.
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
    """End this process when the other end of a descriptor is closed, because the process there is gone."""
    wait([sentinel])
    os._exit(1)
