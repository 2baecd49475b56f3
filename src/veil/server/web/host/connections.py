"""Connections of the studio that send nothing, or send slowly, do not keep others out.

uvicorn waits for the head of a request for ever, and refuses everybody when it has too many connections. Here a
connection has `HEAD_SECONDS` to send its first head and `IDLE_SECONDS` between two requests, and when too many wait,
the oldest of the peer that has most of them is closed (`WaitingRoom`). The gate has a deadline for bodies.
"""

from __future__ import annotations

import asyncio
from typing import Any

from veil.server.waiting_room import WaitingRoom

HEAD_SECONDS = 10.0
IDLE_SECONDS = 30.0
MAX_WAITING = 200  # connections without a request


def make_protocol() -> type[Any]:
    """Return uvicorn's protocol class with deadlines for heads. All its connections share one waiting room."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    base: Any = AutoHTTPProtocol
    room: WaitingRoom[Any] = WaitingRoom(MAX_WAITING)

    class ImpatientProtocol(base):  # type: ignore[misc]
        """One connection. It is in the waiting room unless a request is being answered."""

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._timer: asyncio.TimerHandle | None = None
            self._wait(HEAD_SECONDS)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._is_answering():
                self._stop_waiting()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if not self._is_answering() and not self.transport.is_closing():
                self._wait(IDLE_SECONDS)

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(exc)

        def _is_answering(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _wait(self, seconds: float) -> None:
            self._stop_waiting()
            peer = self.transport.get_extra_info("peername") or ("",)
            slowest = room.enter(self, str(peer[0]))
            if slowest is not None:
                slowest.transport.abort()
            self._timer = self.loop.call_later(seconds, self.transport.abort)

        def _stop_waiting(self) -> None:
            room.leave(self)
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    return ImpatientProtocol
