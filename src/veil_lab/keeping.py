"""What long experiments have found so far, on disk: `veil reproduce --store FILE` goes on where it was ended.

A piece is one match of a series, or one point of a figure: whatever takes seconds to minutes and comes out the same
when it is done again. Its name is everything that it depends on (rules, players, seed, how the match is held, the
version of Veil), so that pieces of many experiments share a file, a piece that two of them need is made once, and more
matches of a series go on from those that are there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import msgspec

from veil._version import __version__
from veil.match import Store, StoreKind

T = TypeVar("T")

SCHEMA = "CREATE TABLE IF NOT EXISTS piece (name TEXT PRIMARY KEY, value BLOB NOT NULL)"
PIECES = StoreKind(int.from_bytes(b"VEIP", "big"), 1, 1, SCHEMA, "experiments", "pieces of experiments", "made")


class PieceStore(Store):
    """A file of pieces, or memory."""

    kind = PIECES

    def find(self, name: Mapping[str, Any], kind: type[T]) -> T | None:
        """The piece of this name as a value of a type; None where there is none."""
        with self._readable():
            row = self._base.execute("SELECT value FROM piece WHERE name = ?", (spell(name),)).fetchone()
            return None if row is None else msgspec.json.decode(row[0], type=kind)

    def put(self, name: Mapping[str, Any], value: object) -> None:
        """Write a piece down; one that is there already stays."""
        with self._change():
            values = (spell(name), msgspec.json.encode(value))
            self._base.execute("INSERT OR IGNORE INTO piece VALUES (?, ?)", values)


def spell(name: Mapping[str, Any]) -> str:
    """The name of a piece as the store knows it."""
    return json.dumps({"veil": __version__, **name}, sort_keys=True)


_store: ContextVar[PieceStore | None] = ContextVar("store of this command", default=None)


@contextmanager
def keep_pieces(path: str | None) -> Iterator[None]:
    """Keep what the experiments of the block find in this file, and take from it what is there; None: keep nothing."""
    if path is None:
        yield
        return
    with PieceStore(path) as store:
        token = _store.set(store)
        try:
            yield
        finally:
            _store.reset(token)


def recall(name: Mapping[str, Any], kind: type[T]) -> T | None:
    """A piece that was found before, and kept."""
    store = _store.get()
    return None if store is None else store.find(name, kind)


def remember(name: Mapping[str, Any], value: object) -> None:
    """Keep a piece, where pieces are kept."""
    store = _store.get()
    if store is not None:
        store.put(name, value)


def find_or_recall(name: Mapping[str, Any], kind: type[T], find: Callable[[], T]) -> T:
    """A piece: as it was kept, or found now."""
    value = recall(name, kind)
    if value is None:
        value = find()
        remember(name, value)
    return value
