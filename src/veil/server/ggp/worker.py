"""A thread that runs calls one after the other, so that its caller may stop waiting and answer in time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _OrderedCall(NamedTuple):
    """A call and the future for its result."""

    call: Callable[[], Any]
    future: Future[Any]


class OrderedWorker:
    """A daemon thread that runs calls in order."""

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[_OrderedCall | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def do(self, call: Callable[[], T]) -> Future[T]:
        """Run this call after all earlier calls; return the future of its result."""
        job = _OrderedCall(call, Future())
        self._jobs.put(job)
        return job.future

    def end(self) -> None:
        """End the thread after all earlier calls."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job.future.set_result(job.call())
            except BaseException as fault:
                job.future.set_exception(fault)
            del job
