"""Searches on disk: the findings of an online player, one row per search at an infoset or per match with searches.

The file is like a store of matches (`store`), with a different table. A row holds slots of the game's tree and their
weights. The store knows the rules and settings of its searches, and refuses searches with other rules or settings.
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
    """The key of a search in an evaluation: its number, and its infoset (brute) or its role (aggregate)."""

    number: int
    place: int


class SearchRow(NamedTuple):
    """The findings of a search, or of the searches of a match."""

    key: SearchKey
    seconds: float
    reported: bool  # whether the player told its strategy; if not, the moves that it played are counted
    found: SlotWeights


class SearchStore(Store):
    """A store of searches, in a file or in memory."""

    kind = SEARCHES

    def add_searches(self, rows: Iterable[SearchRow]) -> None:
        """Write searches. Rows that the store holds already are not changed."""
        values = [
            (*reversed(row.key), row.seconds, int(row.reported), _pack(row.found.slots), _pack(row.found.weights))
            for row in rows
        ]
        with self._change():
            self._base.executemany("INSERT OR IGNORE INTO search VALUES (?, ?, ?, ?, ?, ?)", values)

    def keys(self) -> set[SearchKey]:
        """Return the keys of all searches in the store."""
        with self._readable():
            return {SearchKey(*row) for row in self._base.execute("SELECT number, place FROM search")}

    def searches(self, num_slots: int) -> Iterable[SearchRow]:
        """Yield all searches of a game with `num_slots` slots, ordered by number, then by infoset or role.

        The order does not depend on the times at which they were made.
        """
        with self._readable():
            for row in self._base.execute("SELECT * FROM search ORDER BY number, place"):
                yield _read_row(row, num_slots)


def _pack(values: np.ndarray) -> bytes:
    return zlib.compress(np.ascontiguousarray(values).tobytes(), 1)


def _read_row(row: sqlite3.Row | tuple[object, ...], num_slots: int) -> SearchRow:
    """Read a row that `add_searches` has made. Raise `ValueError` for any other row."""
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
