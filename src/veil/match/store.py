"""Results on disk: SQLite in WAL mode, one row per match, written when the match is over.

A process that is killed loses the matches it was in the middle of, and nothing else; they are played again with the
same seeds. A row is never written twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from veil.errors import fail

SCHEMA = """
CREATE TABLE IF NOT EXISTS tournament (name TEXT PRIMARY KEY, settings TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS match (
    game TEXT NOT NULL, players TEXT NOT NULL, number INTEGER NOT NULL,
    goals TEXT NOT NULL, errors TEXT NOT NULL, rounds INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (game, players, number)
);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One match of a tournament."""

    game: str
    players: tuple[str, ...]  # specs, in the order of the roles
    number: int
    goals: tuple[int, ...]
    errors: tuple[int, ...]
    rounds: int
    seconds: float

    @property
    def key(self) -> tuple[str, tuple[str, ...], int]:
        return self.game, self.players, self.number


class Store:
    """A file of results, or memory."""

    def __init__(self, path: str | None = None) -> None:
        try:
            self._base = sqlite3.connect(path or ":memory:", isolation_level=None)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._base.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise fail("bad-store", name=path, what=str(error)) from None
        self.path = path

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._base.close()

    def settle(self, settings: dict[str, Any]) -> None:
        """What the results were made with; other settings than those of the file are refused."""
        text = json.dumps(settings, sort_keys=True)
        with self._readable():
            self._base.execute("INSERT OR IGNORE INTO tournament VALUES ('this', ?)", (text,))
            (found,) = self._base.execute("SELECT settings FROM tournament").fetchone()
        if found != text:
            raise fail("bad-store", name=self.path, what=f"it holds a tournament with other settings, {found}")

    def add(self, results: Iterable[Result]) -> None:
        """Write matches down; what is there already stays."""
        rows = [
            (
                entry.game,
                json.dumps(entry.players),
                entry.number,
                json.dumps(entry.goals),
                json.dumps(entry.errors),
                entry.rounds,
                entry.seconds,
            )
            for entry in results
        ]
        with self._readable():
            self._base.execute("BEGIN IMMEDIATE")
            self._base.executemany("INSERT OR IGNORE INTO match VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            self._base.execute("COMMIT")

    def results(self) -> list[Result]:
        """All matches, in an order that does not depend on when they were played."""
        with self._readable():
            rows = self._base.execute("SELECT * FROM match ORDER BY game, players, number").fetchall()
            return [
                Result(
                    game=game,
                    players=tuple(json.loads(players)),
                    number=number,
                    goals=tuple(json.loads(goals)),
                    errors=tuple(json.loads(errors)),
                    rounds=rounds,
                    seconds=seconds,
                )
                for game, players, number, goals, errors, rounds, seconds in rows
            ]

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """A file that is damaged, or somebody else's, is refused."""
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise fail("bad-store", name=self.path, what=f"it is no store of matches: {error}") from None


def check_store(path: str) -> None:
    """Refuse a file that is there and is no store, before anything is played."""
    if Path(path).is_dir() or (Path(path).parent != Path() and not Path(path).parent.is_dir()):
        raise fail("bad-store", name=path, what="it is not the place of a file")
