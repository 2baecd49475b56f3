"""A thread that does one thing after the other, so that whoever asked may stop waiting and answer in time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _OrderedCall(NamedTuple):
    """A call, and where its result goes."""

    call: Callable[[], Any]
    future: Future[Any]


class OrderedWorker:
    """Does what it is given, in order, in a thread that does not outlive the process."""

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[_OrderedCall | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def do(self, call: Callable[[], T]) -> Future[T]:
        """Do this after all that was given before."""
        job = _OrderedCall(call, Future())
        self._jobs.put(job)
        return job.future

    def end(self) -> None:
        """End after all that was given before."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job.future.set_result(job.call())
            except BaseException as fault:
                job.future.set_exception(fault)
            del job
