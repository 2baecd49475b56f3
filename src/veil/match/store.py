"""Results on disk: SQLite in WAL mode, one row per match, written when the match is over.

A process that is killed loses the matches it was in the middle of, and nothing else; they are played again with the
same seeds. A row is never written twice. A store knows what its matches were played with, and refuses to go on with
anything else of the same name. Files of somebody else are looked at, and left as they are.
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

OURS = int.from_bytes(b"VEIL", "big")  # stands where SQLite keeps the name of an application
FORM = 3  # of the tables below; those of the first form did not know the rules
FORM_BEFORE = 2  # did not say which matches had ended; such a store is brought up to date when it is opened
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


OF_A_PAIRING = "FROM match WHERE game = ? AND players = ? AND number >= ? AND number < ?"
Count = Annotated[int, msgspec.Meta(ge=0)]
_names = msgspec.json.Decoder(tuple[str, ...])
_goals = msgspec.json.Decoder(tuple[int, ...])
_counts = msgspec.json.Decoder(tuple[Count, ...])


class Score(NamedTuple):
    """What a table is made from: a match without the names of its game and players."""

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
    finished: bool = True  # False where max_rounds ended it; its goals are then those of the state it was in

    @property
    def key(self) -> tuple[str, tuple[str, ...], int]:
        """What distinguishes the match from all others of the store."""
        return self.game, self.players, self.number

    @property
    def score(self) -> Score:
        """The same without names."""
        return Score(self.number, self.goals, self.errors, self.rounds, self.seconds, self.finished)


class OldMatchSettings(msgspec.Struct):
    """What is needed of how the matches of an old store were held."""

    max_rounds: int


class OldSettings(msgspec.Struct):
    """What is needed of the settings of an old store."""

    match: OldMatchSettings


class StoreKind(NamedTuple):
    """What distinguishes the stores of one purpose from those of another."""

    owner: int
    form: int
    form_before: int  # is brought up to date; the same number where there is none
    schema: str
    holds: str  # words for messages
    contents: str
    done: str


MATCH_STORE = StoreKind(OURS, FORM, FORM_BEFORE, SCHEMA, "a tournament", "matches", "played")


class Store:
    """A file of results, or memory."""

    kind = MATCH_STORE

    def __init__(self, path: str | None = None, *, read_only: bool = False) -> None:
        """`read_only`: the file is there, may be written by somebody else meanwhile, and stays as it is."""
        self.path = path
        kind = self.kind
        if path is not None:
            check_store(path, kind)
        if read_only:
            self._base = self._look_at(path or "")
            return
        try:
            self._base = sqlite3.connect(Path(path).absolute() if path else ":memory:", isolation_level=None)
            form = self._pragma("user_version")
            if form not in (0, kind.form_before, kind.form):
                raise fail("bad-store", name=path, what="it was made by another version of Veil")
            if self._pragma("application_id") != kind.owner:  # first: wherever we are killed, the file says whose it is
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
        """A connection that cannot write, to a store of the present form."""
        try:
            base = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
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
        """What the results are made with: the settings, and a hash per thing whose name says too little.

        Other settings than those of the file are refused, and so is another hash; new names join.
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

    def add(self, results: Iterable[Result]) -> None:
        """Write matches down; what is there already stays."""
        rows = [_make_row(entry) for entry in results]
        with self._change():
            self._base.executemany("INSERT OR IGNORE INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def results(self) -> list[Result]:
        """All matches, in an order that does not depend on when they were played."""
        with self._readable():
            rows = self._base.execute("SELECT * FROM match ORDER BY game, players, number").fetchall()
            results = [_read_row(*row) for row in rows]
            if len({entry.key for entry in results}) < len(results):
                raise ValueError("a match is there twice")
            return results

    def pairings(self) -> list[tuple[str, tuple[str, ...]]]:
        """Who has played what: games, and their players in the order of the roles."""
        with self._readable():
            rows = self._base.execute("SELECT DISTINCT game, players FROM match ORDER BY game, players").fetchall()
            return [(str(game), _read_names(players)) for game, players in rows]

    def count(self, game: str, players: tuple[str, ...], matches: int) -> int:
        """How many of the first so many matches of a pairing are there."""
        with self._readable():
            (count,) = self._base.execute(f"SELECT count(*) {OF_A_PAIRING}", (game, _write_names(players), 0, matches))
            return int(count[0])

    def numbers(self, game: str, players: tuple[str, ...], start: int, stop: int) -> set[int]:
        """Which matches of a pairing are there, of those from `start` to before `stop`."""
        with self._readable():
            rows = self._base.execute(f"SELECT number {OF_A_PAIRING}", (game, _write_names(players), start, stop))
            return {int(number) for (number,) in rows}

    def scores(self, game: str, players: tuple[str, ...], matches: int) -> Iterator[Score]:
        """The first so many matches of a pairing, as far as they are there: one by one, numbers ascending."""
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
        """Say of every match of a store of the form before whether it has ended: those at the limit of rounds have not.

        (Their end may have come with the very last round; the old form does not tell, and no sound game is that long.)
        """
        with self._change():
            if self._pragma("user_version") != FORM_BEFORE:  # another process was faster
                return
            (text,) = self._base.execute("SELECT settings FROM tournament").fetchone() or ("null",)
            limit = msgspec.json.decode(text, type=OldSettings | None)
            self._base.execute("ALTER TABLE match ADD COLUMN finished INTEGER NOT NULL DEFAULT 1")
            if limit is not None:
                self._base.execute("UPDATE match SET finished = 0 WHERE rounds >= ?", (limit.match.max_rounds,))
            self._base.execute(f"PRAGMA user_version={FORM}")

    @contextmanager
    def _change(self) -> Iterator[None]:
        """All of it is written, or nothing."""
        with self._readable(), self._base:
            self._base.execute("BEGIN IMMEDIATE")
            yield

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """A file that is damaged, or somebody else's, is refused."""
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:  # those of msgspec are ValueErrors
            what = f"it is no store of {self.kind.contents}: {error}"
            raise fail("bad-store", name=self.path, what=what) from None


def check_store(path: str, kind: StoreKind = MATCH_STORE) -> None:
    """Refuse what is there and is no store, before anything is played, and without a trace.

    To open it as usual would be too much: SQLite may then finish what somebody else has left unfinished.
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
    """Players as the store knows them; the text is part of what distinguishes a match, so it never changes its form."""
    return json.dumps(players)


def _write_list(numbers: tuple[int, ...]) -> str:
    return msgspec.json.encode(numbers).decode()


def _read_row(*columns: Any) -> Result:
    """A row as `_make_row` has made it; anything else is a ValueError."""
    game, players, *score = columns
    names = _read_names(players)
    if not isinstance(game, str):
        raise ValueError("a match has no game")
    return Result(game=game, players=names, **_read_score(game, len(names), score[0], *score[1:])._asdict())


def _read_names(players: str) -> tuple[str, ...]:
    return _names.decode(players)


def _read_score(game: str, seats: int, *columns: Any) -> Score:
    """The numbers of a row, checked one by one: there may be millions of rows."""
    number, goals, errors, rounds, seconds, finished = columns
    score = Score(number, _goals.decode(goals), _counts.decode(errors), rounds, seconds, finished == 1)
    is_counted = type(number) is int and number >= 0 and type(rounds) is int and rounds >= 0
    is_timed = type(seconds) is float and 0 <= seconds < inf
    if not is_counted or not is_timed or len(score.goals) != seats or len(score.errors) != seats:
        raise ValueError(f"match {number} of {game} is damaged")
    if finished not in (0, 1):
        raise ValueError(f"match {number} of {game} has neither ended nor not ended")
    return score
