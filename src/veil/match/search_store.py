"""Searches on disk: what an online player found, one row per search at an infoset or per match of searches.

The same file as a store of matches (`store`), with another table. A row holds slots of the game's tree and their
weights; the store knows by which rules and settings they were made, and refuses to go on with others.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from veil.equilibrium import SlotWeights
from veil.match.store import Store, StoreKind

SCHEMA = """
CREATE TABLE IF NOT EXISTS tournament (name TEXT PRIMARY KEY, settings TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS source (name TEXT PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS search (
    place INTEGER NOT NULL, number INTEGER NOT NULL, seconds REAL NOT NULL, reported INTEGER NOT NULL,
    slots BLOB NOT NULL, weights BLOB NOT NULL,
    PRIMARY KEY (number, place)
)
"""
SEARCHES = StoreKind(int.from_bytes(b"VEIS", "big"), 1, 1, SCHEMA, "an evaluation", "searches", "made")


class SearchKey(NamedTuple):
    """Which search of an evaluation: its number, and the infoset (brute) or the role (aggregate) it was made for."""

    number: int
    place: int


class SearchRow(NamedTuple):
    """What a search, or the searches of a match, found."""

    key: SearchKey
    seconds: float
    reported: bool  # whether the player told its strategy; where not, what it played is counted
    found: SlotWeights


class SearchStore(Store):
    """A file of searches, or memory."""

    kind = SEARCHES

    def add_searches(self, rows: Iterable[SearchRow]) -> None:
        """Write searches down; what is there already stays."""
        values = [
            (*reversed(row.key), row.seconds, int(row.reported), _pack(row.found.slots), _pack(row.found.weights))
            for row in rows
        ]
        with self._change():
            self._base.executemany("INSERT OR IGNORE INTO search VALUES (?, ?, ?, ?, ?, ?)", values)

    def keys(self) -> set[SearchKey]:
        """Which searches are there."""
        with self._readable():
            return {SearchKey(*row) for row in self._base.execute("SELECT number, place FROM search")}

    def searches(self, num_slots: int) -> Iterable[SearchRow]:
        """All searches of a game with so many slots, those of one number together, numbers ascending.

        The order does not depend on when they were made.
        """
        with self._readable():
            for row in self._base.execute("SELECT * FROM search ORDER BY number, place"):
                yield _read_row(row, num_slots)


def _pack(values: np.ndarray) -> bytes:
    return zlib.compress(np.ascontiguousarray(values).tobytes(), 1)


def _read_row(row: sqlite3.Row | tuple[object, ...], num_slots: int) -> SearchRow:
    """A row as `add_searches` has made it; anything else is a ValueError."""
    place, number, seconds, reported, slots, weights = row
    if not isinstance(place, int) or not isinstance(number, int) or not isinstance(seconds, float):
        raise ValueError("a search has no number")
    if not isinstance(slots, bytes) or not isinstance(weights, bytes):
        raise ValueError(f"search {number} is damaged")
    try:
        found = SlotWeights(np.frombuffer(zlib.decompress(slots), np.int32), np.frombuffer(zlib.decompress(weights)))
    except zlib.error as error:
        raise ValueError(f"search {number} is damaged: {error}") from None
    fits = len(found.slots) == len(found.weights) and (np.diff(found.slots) > 0).all()
    inside = not len(found.slots) or (found.slots[0] >= 0 and found.slots[-1] < num_slots)
    if not fits or not inside or not (np.isfinite(found.weights) & (found.weights >= 0)).all():
        raise ValueError(f"search {number} is damaged")
    return SearchRow(SearchKey(number, place), seconds, bool(reported), found)
