"""Processes of Veil's own: they leave Ctrl-C to their parent, and do not live longer than it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from types import TracebackType
from typing import Any

from veil.signals import defer_signals


class Pool(ProcessPoolExecutor):
    """Worker processes. As a context, they end at once when it does, whatever they are doing."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, get_context("spawn"), end_with_parent)
        resource_tracker.ensure_running()  # later, to start it would let Ctrl-C through

    def submit(self, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """As any executor does it; processes that are started here do not hear Ctrl-C."""
        with defer_ctrl_c():
            return super().submit(call, *args, **options)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with defer_ctrl_c():
            for process in list((self._processes or {}).values()):
                process.kill()
            self.shutdown()


def defer_ctrl_c() -> AbstractContextManager[None]:
    """Let Ctrl-C wait for the end of the block. A process that is started in it never hears it, even while it boots."""
    return defer_signals((signal.SIGINT,))


def end_with_parent() -> None:
    """Watch who wanted this process in a thread: a process must not live on when that one was killed."""
    started_by = parent_process()
    if started_by is not None:
        threading.Thread(target=_watch, args=(started_by.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    """End this process when a descriptor is closed at its other end: whoever held it is gone."""
    wait([sentinel])
    os._exit(1)
