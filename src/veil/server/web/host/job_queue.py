"""`Jobs`: work that a page waits for. Each job is a process; their number is limited, and a job ends with its page.

- `run` works now and returns the result; with a `key`, a newer question with the same key ends the older one.
- `submit` stores an order and returns its number. The work starts when the browser opens the stream of the job, and
  ends with it. The route `/jobs/NUMBER` sends what the function says as events `progress`, then `done` or `failed`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

from veil.errors import VeilError
from veil.server.web.host.fair_room import FairRoom
from veil.server.web.host.people import CURRENT
from veil.server.web.host.settings import StudioConfig
from veil.server.web.host.workers import StudioWorker, as_json, busy, show_problems

PATIENCE = 60.0  # seconds in which the browser has to open the stream of a job
MAX_SUBMITTED = 200  # number of stored orders


class JobOrder(NamedTuple):
    """A stored order for a job."""

    function: str
    arguments: dict[str, Any]
    seconds: float
    until: float  # when it is dropped


class Event(NamedTuple):
    """An event of a job."""

    name: str  # progress, done, failed
    data: bytes  # JSON


class Jobs:
    """All running and waiting jobs."""

    def __init__(self, config: StudioConfig) -> None:
        self.config = config
        self._room = FairRoom(config.max_jobs)
        self._waiting = 0
        self._orders: dict[str, JobOrder] = {}
        self._by_key: dict[str, asyncio.Task[Any]] = {}
        self._workers: set[StudioWorker] = set()

    @property
    def running(self) -> int:
        """The number of running processes."""
        return len(self._workers)

    async def run(
        self, function: str, arguments: dict[str, Any], *, seconds: float | None = None, key: str | None = None
    ) -> bytes:
        """Return the result of `module:function` as JSON. A newer question with the same key cancels the call."""
        if key is None:
            return await self._work(function, arguments, seconds or self.config.check_seconds)
        older = self._by_key.get(key)
        if older is not None:
            older.cancel()
        task = asyncio.ensure_future(self._work(function, arguments, seconds or self.config.check_seconds))
        self._by_key[key] = task
        try:
            return await task
        finally:
            task.cancel()
            if self._by_key.get(key) is task:
                del self._by_key[key]

    def submit(self, function: str, arguments: dict[str, Any], seconds: float | None = None) -> str:
        """Store a job that starts when its stream is opened; return its number."""
        now = monotonic()
        self._orders = {number: order for number, order in self._orders.items() if order.until > now}
        if len(self._orders) >= MAX_SUBMITTED:
            raise busy()
        number = secrets.token_urlsafe(12)
        self._orders[number] = JobOrder(function, arguments, seconds or self.config.job_seconds, now + PATIENCE)
        return number

    def take(self, number: str) -> JobOrder | None:
        """Remove the job of this number from the store and return it; None if there is none."""
        return self._orders.pop(number, None)

    async def events(self, order: JobOrder) -> AsyncIterator[Event]:
        """Yield the events of a job, from now to its end. Closing the iterator ends the job."""
        queue: asyncio.Queue[Event] = asyncio.Queue()
        on_progress = queue.put_nowait
        task = asyncio.ensure_future(
            self._work(
                order.function, order.arguments, order.seconds, lambda data: on_progress(Event("progress", data))
            )
        )
        task.add_done_callback(lambda done: None if done.cancelled() else on_progress(_last_event(done)))
        try:
            while True:
                event = await queue.get()
                yield event
                if event.name != "progress":
                    return
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, VeilError):
                await task

    async def _work(self, function: str, arguments: dict[str, Any], seconds: float, on_progress: Any = None) -> bytes:
        if self._waiting >= self.config.max_waiting:
            raise busy()
        self._waiting += 1
        try:
            await self._room.acquire(self._asker())
        finally:
            self._waiting -= 1
        worker = StudioWorker(self.config.max_memory)
        self._workers.add(worker)
        try:
            return await worker.call(function, arguments, seconds, on_progress)
        finally:
            worker.end()
            self._workers.discard(worker)
            self._room.release()

    def _asker(self) -> str:
        person = CURRENT.get()
        return "" if person is None else person.id

    def close(self) -> None:
        """End all jobs."""
        for worker in list(self._workers):
            worker.end()


def _last_event(task: asyncio.Task[bytes]) -> Event:
    error = task.exception()
    if error is None:
        return Event("done", task.result())
    if isinstance(error, VeilError):
        return Event("failed", as_json(show_problems(error)))
    raise error
