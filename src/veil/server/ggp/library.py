"""Games by the text of their rules: managers send the same rules for every match, and they are compiled once."""

from __future__ import annotations

import threading
from typing import NamedTuple

from veil.caches import BoundedCache
from veil.engine import Game, check_stop, open_moves, read_game

MAX_GAMES = 8  # number of cached games


class Edition(NamedTuple):
    """Rules in the form in which they are played: as they stand, or with all moves seen, as in GDL-I."""

    rules: str
    is_open: bool


class GameLibrary:
    """The most recently used games. Several threads may ask."""

    def __init__(self, *, compiles: bool) -> None:
        """Make an empty library; with `compiles`, games are compiled for players in this process."""
        self._compiles, self._lock = compiles, threading.Lock()
        self._games: BoundedCache[Edition, Game] = BoundedCache(MAX_GAMES)
        self._making: dict[Edition, threading.Lock] = {}

    def find(self, rules: str, *, is_open: bool) -> Game:
        """Return the compiled game of these rules. Raises `VeilError` if they are no game.

        The caller can be ended while they are grounded (`veil.engine.stoppable`).
        """
        edition = Edition(rules, is_open)
        with self._lock:
            making = self._making.setdefault(edition, threading.Lock())
        with making:
            try:
                return self._games.find(edition) or self._games.keep(edition, self._make(edition))
            finally:
                with self._lock:
                    self._making.pop(edition, None)

    def _make(self, edition: Edition) -> Game:
        game = read_game(edition.rules)
        game = open_moves(game) if edition.is_open else game
        _ = game.program
        check_stop()
        _ = game.machine if self._compiles else None
        return game
