"""`FairRoom`: a limited number of pieces of work at once. People who wait are let in in turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque


class FairRoom:
    """A semaphore with a queue per person; the next one is taken from the person whose turn it is."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def acquire(self, person: str) -> None:
        """Wait for room."""
        if self._free > 0 and not self._queues:
            self._free -= 1
            return
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(person, deque()).append(ticket)
        try:
            await ticket
        except asyncio.CancelledError:
            if ticket.done() and not ticket.cancelled():
                self.release()  # it was let in and no longer wants to
            else:
                self._forget(person, ticket)
            raise

    def release(self) -> None:
        """Leave; the next person's oldest piece of work is let in."""
        while self._queues:
            person, queue = self._queues.popitem(last=False)
            ticket = queue.popleft()
            if queue:
                self._queues[person] = queue  # the end of the line
            if not ticket.done():
                ticket.set_result(None)
                return
        self._free += 1

    def _forget(self, person: str, ticket: asyncio.Future[None]) -> None:
        queue = self._queues.get(person)
        if queue is not None and ticket in queue:
            queue.remove(ticket)
            if not queue:
                del self._queues[person]
