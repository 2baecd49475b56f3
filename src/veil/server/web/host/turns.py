"""`Turns`: how far the games of several people are, so that a page can wait for the next round.

Only rounds that are over count. A move of one person in a round that waits for another changes nothing here: that
somebody has moved may be hidden from the others.
"""

from __future__ import annotations

import asyncio

from veil.caches import BoundedCache

ENDED = 10**9  # rounds of a game that is over
MOST = 4096  # games that are remembered


class Turn:
    """The rounds of one game, and the pages that wait for the next."""

    def __init__(self) -> None:
        self.rounds = 0
        self._changed = asyncio.Event()

    def note(self, rounds: int) -> None:
        """Wake all who wait if the game has gone on."""
        if rounds > self.rounds:
            self.rounds = rounds
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()

    async def wait_for_round(self, rounds: int) -> None:
        """Return when more rounds than these are over."""
        while self.rounds <= rounds:
            await self._changed.wait()


class Turns:
    """The turns of all games, by name."""

    def __init__(self) -> None:
        self._turns: BoundedCache[str, Turn] = BoundedCache(MOST)

    def __getitem__(self, session: str) -> Turn:
        return self._turns.find(session) or self._turns.keep(session, Turn())
