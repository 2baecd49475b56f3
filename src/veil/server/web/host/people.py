"""The people of a class: names, tables at which they meet, exercises and results, in one SQLite file.

A person is known by a secret in a cookie; the file holds only its hash, which is also the name of the person's folder.
`CURRENT` is the person whose request is answered; outside of a class it is None.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import sqlite3
import unicodedata
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, time
from typing import Any

from veil.errors import fail, phrase
from veil.private_folders import make_private_folder

HOST = "host"  # the id of the person who started the studio
HOST_NAME = "the host"
NAME = re.compile(r"[^=+@-].{0,29}")  # a program for tables takes what begins so for a formula
JOINERS = "\u200c\u200d"  # invisible, and part of names in some scripts
AWAY_SECONDS = 60.0  # after which a person who asks nothing is away
MAX_PEOPLE, MAX_TABLES = 200, 2000
SPECTATORS = ("end", "side", "all")  # what they see before the end: nothing, what the first seat knows, everything
SCHEMA = """
CREATE TABLE IF NOT EXISTS people (id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, joined REAL NOT NULL);
CREATE TABLE IF NOT EXISTS tables (
  id TEXT PRIMARY KEY, game TEXT NOT NULL, seats TEXT NOT NULL, spectators TEXT NOT NULL, session TEXT,
  owner TEXT NOT NULL, made REAL NOT NULL);
CREATE TABLE IF NOT EXISTS exercises (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL, game TEXT NOT NULL, role TEXT NOT NULL,
  made REAL NOT NULL);
CREATE TABLE IF NOT EXISTS results (
  session TEXT, person TEXT, what TEXT NOT NULL, game TEXT NOT NULL, role TEXT NOT NULL, goal REAL,
  ended REAL NOT NULL, exercise INTEGER, PRIMARY KEY (session, person));
"""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a class."""

    id: str
    name: str

    @property
    def is_host(self) -> bool:
        """Whether this is the person who started the studio."""
        return self.id == HOST


CURRENT: ContextVar[Person | None] = ContextVar("person", default=None)


def hash_secret(secret: str) -> str:
    """Return the id of the person with this secret."""
    return hashlib.sha256(f"person {secret}".encode()).hexdigest()[:24]


class People:
    """All people, tables, exercises and results of a class."""

    def __init__(self, folder: Path) -> None:
        make_private_folder(folder)
        self._base = sqlite3.connect(folder / "class.sqlite", isolation_level=None, check_same_thread=False)
        self._base.row_factory = sqlite3.Row
        self._base.executescript(f"PRAGMA journal_mode=WAL; {SCHEMA}")
        self._seen: dict[str, float] = {}  # person -> when they asked something last

    # People

    def find(self, secret: str) -> Person | None:
        """Return the person with a secret; None if there is none."""
        return self.find_by_id(hash_secret(secret)) if secret else None

    def find_by_id(self, person: str) -> Person | None:
        """Return the person with an id; None if there is none."""
        if person == HOST:
            return Person(HOST, HOST_NAME)
        row = self._base.execute("SELECT id, name FROM people WHERE id = ?", (person,)).fetchone()
        return None if row is None else Person(row["id"], row["name"])

    def join(self, name: str) -> str:
        """Add a person and return the secret. Raises `VeilError` for a name that is taken or is none."""
        name = " ".join(name.split())
        if not NAME.fullmatch(name) or not _is_visible(name):
            raise fail("studio-refused", what=phrase("studio-no-name"))
        if _fold(name) in map(_fold, (*self.names().values(), HOST)):
            raise fail("studio-name-taken", name=name)
        count = self._base.execute("SELECT count(*) FROM people").fetchone()[0]
        if count >= MAX_PEOPLE:
            raise fail("studio-busy")
        secret = secrets.token_urlsafe(24)
        try:
            self._base.execute("INSERT INTO people VALUES (?, ?, ?)", (hash_secret(secret), name, time()))
        except sqlite3.IntegrityError:
            raise fail("studio-name-taken", name=name) from None
        return secret

    def names(self) -> dict[str, str]:
        """Return the names of all people by id, in the order in which they came."""
        rows = self._base.execute("SELECT id, name FROM people ORDER BY joined").fetchall()
        return {HOST: HOST_NAME} | {row["id"]: row["name"] for row in rows}

    def note_seen(self, person: str) -> None:
        """Note that a person has asked something."""
        self._seen[person] = monotonic()

    def is_away(self, person: str) -> bool:
        """Return whether a person has asked nothing for a while."""
        return monotonic() - self._seen.get(person, -AWAY_SECONDS) >= AWAY_SECONDS

    def remove(self, name: str) -> None:
        """Let nobody in as this person any more: their cookie is worth nothing, free are the name and open seats."""
        person = next((each for each, known in self.names().items() if known == name and each != HOST), None)
        if person is None:
            raise fail("studio-refused", what=phrase("studio-no-person"))
        for table in self.tables():
            if person in table["seats"].values() and not table["session"]:
                self.stand_up(table["id"], person)
        self._base.execute("DELETE FROM results WHERE person = ?", (person,))
        self._base.execute("DELETE FROM people WHERE id = ?", (person,))
        self._seen.pop(person, None)

    # Tables: seats are role -> id of a person, or "machine:SPEC", or "" as long as the seat is free

    def open_table(self, game: str, seats: dict[str, str], spectators: str, owner: str) -> str:
        """Add a table and return its id."""
        if self._base.execute("SELECT count(*) FROM tables").fetchone()[0] >= MAX_TABLES:
            raise fail("studio-busy")
        table = secrets.token_urlsafe(9)
        values = (table, game, json.dumps(seats), spectators, None, owner, time())
        self._base.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        return table

    def find_table(self, table: str) -> dict[str, Any]:
        """Return a table. Raises `VeilError` if there is none."""
        row = self._base.execute("SELECT * FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            raise fail("studio-refused", what=phrase("studio-no-table"))
        return _read_table(row)

    def tables(self) -> list[dict[str, Any]]:
        """Return the newest tables."""
        rows = self._base.execute("SELECT * FROM tables ORDER BY made DESC LIMIT 100").fetchall()
        return [_read_table(row) for row in rows]

    def sit(self, table: str, role: str, person: str) -> dict[str, str]:
        """Give a free seat to a person, who leaves another seat of the table; return all seats."""
        found = self.find_table(table)
        seats: dict[str, str] = found["seats"]
        if role not in seats or found["session"]:
            raise fail("studio-refused", what=phrase("studio-no-seat"))
        if seats[role] not in ("", person):
            raise fail("studio-refused", what=phrase("studio-seat-taken"))
        seats = {name: "" if holder == person else holder for name, holder in seats.items()} | {role: person}
        self._base.execute("UPDATE tables SET seats = ? WHERE id = ?", (json.dumps(seats), table))
        return seats

    def stand_up(self, table: str, person: str) -> None:
        """Free the seat of a person at a table that has not started. A table without people is closed."""
        found = self.find_table(table)
        if found["session"] or person not in found["seats"].values():
            raise fail("studio-refused", what=phrase("studio-no-seat"))
        seats = {role: "" if holder == person else holder for role, holder in found["seats"].items()}
        self._base.execute("UPDATE tables SET seats = ? WHERE id = ?", (json.dumps(seats), table))
        if not any(seats.values()):
            self.close_table(table)

    def close_table(self, table: str) -> None:
        """Remove a table that has not started."""
        self._base.execute("DELETE FROM tables WHERE id = ? AND session IS NULL", (table,))

    def start_table(self, table: str, session: str) -> None:
        """Note the game that is played at a table."""
        self._base.execute("UPDATE tables SET session = ? WHERE id = ?", (session, table))

    def find_table_of(self, session: str) -> dict[str, Any] | None:
        """Return the table at which a game is played; None if it is nobody's but one person's."""
        row = self._base.execute("SELECT * FROM tables WHERE session = ?", (session,)).fetchone()
        return None if row is None else _read_table(row)

    # Exercises and results

    def add_exercise(self, title: str, text: str, game: str, role: str) -> None:
        """Hand out an exercise."""
        values = (title, text, game, role, time())
        self._base.execute("INSERT INTO exercises (title, text, game, role, made) VALUES (?, ?, ?, ?, ?)", values)

    def withdraw_exercise(self, number: int) -> None:
        """Take an exercise back; its results stay."""
        self._base.execute("DELETE FROM exercises WHERE id = ?", (number,))

    def exercises(self) -> list[dict[str, Any]]:
        """Return all exercises, the newest first."""
        return [dict(row) for row in self._base.execute("SELECT * FROM exercises ORDER BY id DESC LIMIT 50")]

    def note_result(self, session: str, person: str, what: dict[str, Any]) -> None:
        """Note how a game ended for a person; a game that was noted stays as it is."""
        values = (session, person, what["what"], what["game"], what["role"], what["goal"], time(), what.get("exercise"))
        self._base.execute("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)

    def ended_sessions(self) -> set[str]:
        """Return the games that are over for somebody."""
        return {row["session"] for row in self._base.execute("SELECT DISTINCT session FROM results")}

    def results(self) -> list[dict[str, Any]]:
        """Return the newest results."""
        return [dict(row) for row in self._base.execute("SELECT * FROM results ORDER BY ended DESC LIMIT 200")]

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def _is_visible(name: str) -> bool:
    """Return whether a name has no characters that cannot be seen or change the direction of writing."""
    kinds = (unicodedata.category(char) for char in name if char not in JOINERS)
    return bool(_fold(name)) and not any(kind.startswith("C") for kind in kinds)


def _fold(name: str) -> str:
    """Return a name without what hardly anybody sees: letter case, widths, joiners."""
    plain = "".join(char for char in name if char not in JOINERS)
    return " ".join(unicodedata.normalize("NFKC", plain).casefold().split())


def _read_table(row: sqlite3.Row) -> dict[str, Any]:
    return dict(row) | {"seats": json.loads(row["seats"])}
