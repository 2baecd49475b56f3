"""Connections that have not sent a whole request yet, and which of them has to go when there are too many.

Somebody who opens thousands of connections and sends nothing must not lock out others. A request comes in within
milliseconds, so whoever has waited longest is the least likely to send one. When a connection comes in and the room is
full, the peer with the most connections loses its oldest one.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Hashable
from typing import Generic, TypeVar

C = TypeVar("C", bound=Hashable)


class WaitingRoom(Generic[C]):
    """The connections that wait, oldest first. Several threads may use it."""

    def __init__(self, most: int) -> None:
        """Make a room for `most` connections."""
        self.most = most
        self._peers: dict[C, str] = {}  # in the order of their arrival
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._peers)

    def enter(self, connection: C, peer: str) -> C | None:
        """Let a connection in. Return the one that its caller has to close for it; None if there is room."""
        with self._lock:
            self._peers[connection] = peer
            if len(self._peers) <= self.most:
                return None
            crowd = Counter(self._peers.values()).most_common(1)[0][0]
            oldest = next(held for held, of in self._peers.items() if of == crowd)
            del self._peers[oldest]
            return oldest

    def leave(self, connection: C) -> None:
        """Let a connection go: its request is complete, or it is closed."""
        with self._lock:
            self._peers.pop(connection, None)
