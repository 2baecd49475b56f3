"""Results of long experiments on disk: `veil reproduce --store FILE` continues where it was ended.

A piece is one match of a series, or one point of a figure: something that takes seconds to minutes and gives the same
result when it is repeated. Its name is everything that it depends on (rules, players, seed, match settings, the version
of Veil). So pieces of many experiments share a file, a piece that two of them need is made once, and a longer series
continues from the matches that are stored.
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
from veil_lab.run_notes import note_reused

T = TypeVar("T")

SCHEMA = "CREATE TABLE IF NOT EXISTS piece (name TEXT PRIMARY KEY, value BLOB NOT NULL)"
PIECES = StoreKind(int.from_bytes(b"VEIP", "big"), 1, 1, SCHEMA, "experiments", "pieces of experiments", "made")


class PieceStore(Store):
    """A file of pieces, or memory."""

    kind = PIECES

    def find(self, name: Mapping[str, Any], kind: type[T]) -> T | None:
        """Return the piece of this name as a value of a type; None if there is none."""
        with self._readable():
            row = self._base.execute("SELECT value FROM piece WHERE name = ?", (spell(name),)).fetchone()
            return None if row is None else msgspec.json.decode(row[0], type=kind)

    def put(self, name: Mapping[str, Any], value: object) -> None:
        """Store a piece; an existing one stays."""
        with self._change():
            values = (spell(name), msgspec.json.encode(value))
            self._base.execute("INSERT OR IGNORE INTO piece VALUES (?, ?)", values)


def spell(name: Mapping[str, Any]) -> str:
    """Return the name of a piece in the store."""
    return json.dumps({"veil": __version__, **name}, sort_keys=True)


_store: ContextVar[PieceStore | None] = ContextVar("store of this command", default=None)


@contextmanager
def keep_pieces(path: str | None) -> Iterator[None]:
    """Store the pieces of the experiments in the block in this file, and reuse those in it; None: store nothing."""
    if path is None:
        yield
        return
    with PieceStore(path) as store:
        token = _store.set(store)
        try:
            yield
        finally:
            _store.reset(token)


def get(name: Mapping[str, Any], kind: type[T]) -> T | None:
    """Return a stored piece; None if there is none."""
    store = _store.get()
    value = None if store is None else store.find(name, kind)
    note_reused(value is not None)
    return value


def put(name: Mapping[str, Any], value: object) -> None:
    """Store a piece, if there is a store."""
    store = _store.get()
    if store is not None:
        store.put(name, value)


def get_or_compute(name: Mapping[str, Any], kind: type[T], find: Callable[[], T]) -> T:
    """Return a piece from the store, or compute it now."""
    value = get(name, kind)
    if value is None:
        value = find()
        put(name, value)
    return value
