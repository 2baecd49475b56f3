"""Results on disk: SQLite in WAL mode, one row per match, written when the match is over.

A killed process loses only the matches that were being played; they are played again with the same seeds. A row is
never written twice. A store knows the settings, rules and files of its matches, and refuses other contents with the
same name. Files of other programs are not changed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, NamedTuple, Self

import msgspec

from veil.errors import fail

OURS = int.from_bytes(b"VEIL", "big")  # the application id in the SQLite file
FORM = 3  # version of the tables below; version 1 did not contain the rules
FORM_BEFORE = 2  # did not say which matches had ended; a store of this version is converted when it is opened
SCHEMA = """
CREATE TABLE IF NOT EXISTS tournament (name TEXT PRIMARY KEY, settings TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS source (name TEXT PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS match (
    game TEXT NOT NULL, players TEXT NOT NULL, number INTEGER NOT NULL,
    goals TEXT NOT NULL, errors TEXT NOT NULL, rounds INTEGER NOT NULL, seconds REAL NOT NULL,
    finished INTEGER NOT NULL,
    PRIMARY KEY (game, players, number)
)
"""

LOGS = """CREATE TABLE IF NOT EXISTS log (
    game TEXT, players TEXT, number INTEGER, text TEXT, PRIMARY KEY (game, players, number)
)"""

DISK_ERRORS = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED")
OF_A_PAIRING = "FROM match WHERE game = ? AND players = ? AND number >= ? AND number < ?"
Count = Annotated[int, msgspec.Meta(ge=0)]
MatchKey = tuple[str, tuple[str, ...], int]  # game, players in the order of the roles, number
_names = msgspec.json.Decoder(tuple[str, ...])
_goals = msgspec.json.Decoder(tuple[int, ...])
_counts = msgspec.json.Decoder(tuple[Count, ...])


class Score(NamedTuple):
    """The result of a match without the names of its game and players."""

    number: int
    goals: tuple[int, ...]
    errors: tuple[int, ...]
    rounds: int
    seconds: float
    finished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One match of a tournament."""

    game: str
    players: tuple[str, ...]  # specs, in the order of the roles
    number: Count
    goals: tuple[int, ...]
    errors: tuple[Count, ...]
    rounds: Count
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    finished: bool = True  # False if max_rounds ended it; its goals are then those of its last state

    @property
    def key(self) -> MatchKey:
        """The unique key of the match in the store."""
        return self.game, self.players, self.number

    @property
    def score(self) -> Score:
        """The result without names."""
        return Score(self.number, self.goals, self.errors, self.rounds, self.seconds, self.finished)


class OldMatchSettings(msgspec.Struct):
    """The part of the match settings of an old store that is needed for its conversion."""

    max_rounds: int


class OldSettings(msgspec.Struct):
    """The part of the settings of an old store that is needed for its conversion."""

    match: OldMatchSettings


class StoreKind(NamedTuple):
    """The properties of a kind of store: file identity, versions, tables, and words for messages."""

    owner: int
    form: int
    form_before: int  # the version that can be converted; equal to `form` if there is none
    schema: str
    holds: str  # words for messages
    contents: str
    done: str


MATCH_STORE = StoreKind(OURS, FORM, FORM_BEFORE, SCHEMA, "a tournament", "matches", "played")


class Store:
    """A store of results, in a file or in memory."""

    kind = MATCH_STORE

    def __init__(self, path: str | None = None, *, read_only: bool = False) -> None:
        """Open a store; without a path, in memory. With `read_only`, the file must exist and is not changed.

        Another process may write to the file at the same time.
        """
        self.path = path
        kind = self.kind
        if path is not None:
            check_store(path, kind)
        if read_only:
            self._base = self._look_at(path or "")
            return
        try:
            self._base = sqlite3.connect(Path(path).absolute() if path else ":memory:", isolation_level=None)
            refuse_programs(self._base, path)
            form = self._pragma("user_version")
            if form not in (0, kind.form_before, kind.form):
                raise fail("bad-store", name=path, what="it was made by another version of Veil")
            if self._pragma("application_id") != kind.owner:  # first, so that a kill leaves a file with this id
                self._base.execute(f"PRAGMA application_id={kind.owner}")
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            if form == 0:
                self._base.executescript(f"BEGIN IMMEDIATE; {kind.schema}; PRAGMA user_version={kind.form}; COMMIT")
        except sqlite3.Error as error:
            raise fail("bad-store", name=path, what=str(error)) from None
        if form not in (0, kind.form):
            self._bring_up_to_date()

    def _look_at(self, path: str) -> sqlite3.Connection:
        """Return a read-only connection to a store of the present version."""
        try:
            base = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
            refuse_programs(base, path)
            (form,) = base.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error as error:
            raise fail("bad-store", name=path, what=str(error)) from None
        if form != self.kind.form:
            raise fail("bad-store", name=path, what="it was made by another version of Veil")
        return base

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._base.close()

    def check_identity(self, settings: Mapping[str, Any], sources: Mapping[str, str]) -> None:
        """Check that results with these settings and sources belong to this store, and note new sources.

        `sources` maps names, such as those of rules or files, to hashes of their contents. If the store has other
        settings, or another hash for a name, it is refused.
        """
        text = json.dumps(settings, sort_keys=True)
        with self._change():
            known = dict(self._base.execute("SELECT name, content FROM source"))
            (held,) = self._base.execute("SELECT settings FROM tournament").fetchone() or (text,)
            if held != text:
                raise fail("bad-store", name=self.path, what=f"it holds {self.kind.holds} with other settings, {held}")
            for name, content in sources.items():
                if known.get(name, content) != content:
                    what = f"its {self.kind.contents} were {self.kind.done} with other {name}"
                    raise fail("bad-store", name=self.path, what=what)
            self._base.execute("INSERT OR IGNORE INTO tournament VALUES ('this', ?)", (text,))
            self._base.executemany("INSERT OR IGNORE INTO source VALUES (?, ?)", sources.items())

    def add(self, results: Iterable[Result], logs: Mapping[MatchKey, str] | None = None) -> None:
        """Write matches, and the texts of logs by the keys of their matches. What the store holds is not changed."""
        rows = [_make_row(entry) for entry in results]
        with self._change():
            self._base.executemany("INSERT OR IGNORE INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            if logs:
                self._base.execute(LOGS)  # stores without logs do not have this table
                texts = [(game, _write_names(players), number, text) for (game, players, number), text in logs.items()]
                self._base.executemany("INSERT OR IGNORE INTO log VALUES (?, ?, ?, ?)", texts)

    def find_log(self, game: str, players: tuple[str, ...], number: int) -> str | None:
        """Return the text of the log of a match; None if the store does not have it."""
        with self._readable():
            if self._base.execute("SELECT name FROM sqlite_master WHERE name = 'log'").fetchone() is None:
                return None
            key = (game, _write_names(players), number)
            question = "SELECT text FROM log WHERE game = ? AND players = ? AND number = ?"
            (text,) = self._base.execute(question, key).fetchone() or (None,)
            if not isinstance(text, str | None):
                raise ValueError("a log is no text")
            return text

    def results(self) -> list[Result]:
        """Return all matches, in an order that does not depend on when they were played."""
        with self._readable():
            rows = self._base.execute("SELECT * FROM match ORDER BY game, players, number").fetchall()
            results = [_read_row(*row) for row in rows]
            if len({entry.key for entry in results}) < len(results):
                raise ValueError("a match is there twice")
            return results

    def pairings(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return all pairings with a match in the store: game, players in the order of the roles."""
        with self._readable():
            rows = self._base.execute("SELECT DISTINCT game, players FROM match ORDER BY game, players").fetchall()
            return [(str(game), _read_names(players)) for game, players in rows]

    def count(self, game: str, players: tuple[str, ...], matches: int) -> int:
        """Count the matches of a pairing in the store whose number is less than `matches`."""
        with self._readable():
            (count,) = self._base.execute(f"SELECT count(*) {OF_A_PAIRING}", (game, _write_names(players), 0, matches))
            return int(count[0])

    def numbers(self, game: str, players: tuple[str, ...], start: int, stop: int) -> set[int]:
        """Return the numbers n of a pairing's matches in the store with `start` <= n < `stop`."""
        with self._readable():
            rows = self._base.execute(f"SELECT number {OF_A_PAIRING}", (game, _write_names(players), start, stop))
            return {int(number) for (number,) in rows}

    def scores(self, game: str, players: tuple[str, ...], matches: int) -> Iterator[Score]:
        """Yield the matches of a pairing in the store whose number is less than `matches`, in ascending order."""
        before = -1
        with self._readable():
            columns = "number, goals, errors, rounds, seconds, finished"
            values = (game, _write_names(players), 0, matches)
            for row in self._base.execute(f"SELECT {columns} {OF_A_PAIRING} ORDER BY number", values):
                score = _read_score(game, len(players), *row)
                if score.number == before:
                    raise ValueError("a match is there twice")
                before = score.number
                yield score

    def _pragma(self, name: str) -> int:
        (value,) = self._base.execute(f"PRAGMA {name}").fetchone()
        return int(value)

    def _bring_up_to_date(self) -> None:
        """Convert a store of the version before: mark the matches that reached the limit of rounds as unfinished.

        (Such a match may have ended in its last round. The old version does not tell, and no sound game is that long.)
        """
        with self._change():
            if self._pragma("user_version") != FORM_BEFORE:  # another process has converted it
                return
            (text,) = self._base.execute("SELECT settings FROM tournament").fetchone() or ("null",)
            limit = msgspec.json.decode(text, type=OldSettings | None)
            self._base.execute("ALTER TABLE match ADD COLUMN finished INTEGER NOT NULL DEFAULT 1")
            if limit is not None:
                self._base.execute("UPDATE match SET finished = 0 WHERE rounds >= ?", (limit.match.max_rounds,))
            self._base.execute(f"PRAGMA user_version={FORM}")

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Write all changes of the block in one transaction."""
        with self._readable(), self._base:
            self._base.execute("BEGIN IMMEDIATE")
            yield

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Turn errors of the block into a `VeilError`: the file is damaged, or it is not a store."""
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:  # errors of msgspec are ValueErrors
            if is_trouble_of_the_disk(error):
                raise fail("bad-store", name=self.path, what=str(error)) from None
            what = f"it is no store of {self.kind.contents}: {error}"
            raise fail("bad-store", name=self.path, what=what) from None


def is_trouble_of_the_disk(error: BaseException) -> bool:
    """Return whether SQLite could not read or write a file that may be a sound store: a full or read-only disk."""
    return str(getattr(error, "sqlite_errorname", "")).startswith(DISK_ERRORS)


def refuse_programs(base: sqlite3.Connection, path: str | None) -> None:
    """Refuse a file with triggers or views, which would run when it is used. A store has none."""
    base.execute("PRAGMA trusted_schema=OFF")
    found = base.execute("SELECT type FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone()
    if found is not None:
        base.close()
        raise fail("bad-store", name=path, what=f"it holds a {found[0]}, which a store does not have")


def check_store(path: str, kind: StoreKind = MATCH_STORE) -> None:
    """Refuse a path that exists and is not a store, before anything is played, without changing the file.

    The file is opened as immutable. Otherwise SQLite might complete an unfinished change of another program.
    """
    try:
        place = Path(path).absolute()
        if not path or "\0" in path or not place.parent.is_dir() or (place.exists() and not place.is_file()):
            raise fail("bad-store", name=path or "(nothing)", what="it is not the place of a file")
        if not place.exists() or not place.stat().st_size:
            return
        with closing(sqlite3.connect(f"{place.as_uri()}?immutable=1", uri=True)) as base:
            (owner,) = base.execute("PRAGMA application_id").fetchone()
            tables = (
                set() if owner == kind.owner else {name for (name,) in base.execute("SELECT name FROM sqlite_master")}
            )
    except (sqlite3.Error, OSError, ValueError) as error:
        raise fail("bad-store", name=path, what=str(error)) from None
    if owner == 0 and {"tournament", "match"} <= tables:
        raise fail("bad-store", name=path, what="it was made by an older Veil and does not say by which rules")
    if owner != kind.owner:
        raise fail("bad-store", name=path, what=f"it is a database, but not of {kind.contents}")


def _make_row(result: Result) -> tuple[Any, ...]:
    players, goals, errors = _write_names(result.players), _write_list(result.goals), _write_list(result.errors)
    return result.game, players, result.number, goals, errors, result.rounds, result.seconds, int(result.finished)


@lru_cache(maxsize=10_000)
def _write_names(players: tuple[str, ...]) -> str:
    """Return the text of the players in the store. It is part of the key of a match, so its format must not change."""
    return json.dumps(players)


def _write_list(numbers: tuple[int, ...]) -> str:
    return msgspec.json.encode(numbers).decode()


def _read_row(*columns: Any) -> Result:
    """Read a row that `_make_row` has made. Raise `ValueError` for any other row."""
    game, players, *score = columns
    names = _read_names(players)
    if not isinstance(game, str):
        raise ValueError("a match has no game")
    return Result(game=game, players=names, **_read_score(game, len(names), score[0], *score[1:])._asdict())


def _read_names(players: str) -> tuple[str, ...]:
    return _names.decode(players)


def _read_score(game: str, seats: int, *columns: Any) -> Score:
    """Read and check the numbers of a row. The checks are written for speed: there may be millions of rows."""
    number, goals, errors, rounds, seconds, finished = columns
    score = Score(number, _goals.decode(goals), _counts.decode(errors), rounds, seconds, finished == 1)
    is_counted = type(number) is int and number >= 0 and type(rounds) is int and rounds >= 0
    is_timed = type(seconds) is float and 0 <= seconds < inf
    if not is_counted or not is_timed or len(score.goals) != seats or len(score.errors) != seats:
        raise ValueError(f"match {number} of {game} is damaged")
    if finished not in (0, 1):
        raise ValueError(f"match {number} of {game} has neither ended nor not ended")
    return score
