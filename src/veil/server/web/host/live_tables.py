"""`LiveTables`: the processes of games that are being played, one each. Their number is limited, and idle ones end.

Ending a process, because it was idle or made room or died, costs nothing but time: the game is on disk, and the next
question starts another process. Starting one takes some hundred milliseconds of a processor. So only as many start at
once as there are processors, one person after the other: whoever begins a game does not keep those waiting who play.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from veil.errors import VeilError
from veil.server.web.host.fair_room import FairRoom
from veil.server.web.host.people import CURRENT
from veil.server.web.host.settings import StudioConfig
from veil.server.web.host.workers import StudioWorker, busy

SWEEP = 30.0  # seconds between two checks for idle processes
OVER, GOING_ON = b'"over":true', b'"over":false'  # in the view of a game


@dataclass
class LiveTable:
    """The process of one game."""

    worker: StudioWorker
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # one question at a time
    used: float = field(default_factory=monotonic)
    asking: int = 0  # questions that are asked or waiting
    is_over: bool = False  # whether its last view was that of a game that is over


class LiveTables:
    """All games that are being played now."""

    def __init__(self, config: StudioConfig) -> None:
        self.config = config
        self._tables: dict[str, LiveTable] = {}
        self._starts = FairRoom(os.cpu_count() or 1)

    def __len__(self) -> int:
        return len(self._tables)

    async def ask(self, session_id: str, function: str, arguments: dict[str, Any], seconds: float) -> bytes:
        """Ask the process of a game. The question is finished even if its caller no longer waits."""
        table = self._tables.get(session_id) or self._set(session_id)
        table.asking += 1
        try:
            return await asyncio.shield(
                asyncio.ensure_future(self._ask(session_id, table, function, arguments, seconds))
            )
        finally:
            table.asking -= 1
            table.used = monotonic()

    async def _ask(
        self, session_id: str, table: LiveTable, function: str, arguments: dict[str, Any], seconds: float
    ) -> bytes:
        async with table.lock:
            if table.worker.is_ended:
                table.worker = StudioWorker(self.config.max_memory)
            table.asking += 1
            try:
                answer = await self._call(table.worker, function, arguments, seconds)
                table.is_over = OVER in answer or (table.is_over and GOING_ON not in answer)
                return answer
            except VeilError:
                if table.worker.is_ended and self._tables.get(session_id) is table:
                    del self._tables[session_id]
                raise
            finally:
                table.asking -= 1
                table.used = monotonic()

    async def _call(self, worker: StudioWorker, function: str, arguments: dict[str, Any], seconds: float) -> bytes:
        """Ask a worker; its first question waits for the turn of the person who asks."""
        if worker.is_started:
            return await worker.call(function, arguments, seconds)
        person = CURRENT.get()
        await self._starts.acquire("" if person is None else person.id)
        try:
            return await worker.call(function, arguments, seconds)
        finally:
            self._starts.release()

    def _set(self, session_id: str) -> LiveTable:
        """Make a table for a game that has none. A game that is over makes room, or the one that was idle longest."""
        if len(self._tables) >= self.config.max_tables:
            idle = [name for name, table in self._tables.items() if not table.asking]
            if not idle:
                raise busy()
            self.clear(min(idle, key=lambda name: (not self._tables[name].is_over, self._tables[name].used)))
        self._tables[session_id] = table = LiveTable(StudioWorker(self.config.max_memory))
        return table

    def clear(self, session_id: str) -> None:
        """End the process of a game."""
        table = self._tables.pop(session_id, None)
        if table is not None:
            table.worker.end()

    async def sweep(self) -> None:
        """End idle processes in an endless loop."""
        while True:
            await asyncio.sleep(min(SWEEP, self.config.idle_seconds))
            now = monotonic()
            for name, table in list(self._tables.items()):
                if not table.asking and now - table.used > self.config.idle_seconds:
                    self.clear(name)

    def close(self) -> None:
        """End all processes."""
        for name in list(self._tables):
            self.clear(name)
