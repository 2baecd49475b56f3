"""Games of users on disk: one file each, with all that is needed to go on after a restart.

A file holds the true moves of all roles. The worker that plays the game reads and writes it; the server knows where it
is and who plays what, and never reads the rest.
"""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

import msgspec

from veil.errors import fail
from veil.files import decode_json, read_text, write_text
from veil.match import Round
from veil.private_folders import make_private_folder
from veil.server.web.jobs.game_sources import GameSource

FORMAT = "veil studio game 1"
ID = re.compile(r"[A-Za-z0-9_-]{16}")
ID_BYTES = 12
SUFFIX, OWNER_SUFFIX = ".json", ".owner"


class StudioSession(msgspec.Struct, kw_only=True):
    """A game that a user plays."""

    format: str = FORMAT
    source: GameSource
    role: str  # of the person
    players: dict[str, str]  # role -> spec; the person's is `human`
    seed: int
    play_seconds: float
    rounds: list[Round] = []
    resigned: bool = False
    resigned_by: str = ""  # role, where several people play
    people: dict[str, str] = {}  # role -> name, where several people play; `role` is then empty
    pending: dict[str, str] = {}  # moves of people for a round in which others have not moved yet
    undone: int = 0  # how often the person took a choice back
    thinking: list[float] = []  # seconds that the other players took, round by round


def new_id() -> str:
    """Return a name that cannot be guessed."""
    return secrets.token_urlsafe(ID_BYTES)


def read_session(path: str | Path) -> StudioSession:
    """Return the game in a file. Raises `VeilError` if it cannot be read."""
    session = decode_json(read_text(path), StudioSession, Path(path).stem, _refuse)
    if session.format != FORMAT:
        raise _refuse(Path(path).stem, f"its format is not {FORMAT}")
    return session


def write_session(path: str | Path, session: StudioSession) -> None:
    """Write a game to its file atomically."""
    write_text(path, msgspec.json.encode(session).decode(), private=True)


def _refuse(name: str, what: str) -> Any:
    return fail("studio-bad-session", name=name, what=what)


class SessionFolder:
    """The folder of the games; if there are too many, the oldest are deleted."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder, self.most = folder, most
        self._added = 0

    def path(self, session_id: str) -> Path:
        """Return the file of a game. Raises `VeilError` if the name is not valid or the file does not exist."""
        if ID.fullmatch(session_id):
            path = self.folder / f"{session_id}{SUFFIX}"
            if path.is_file():
                return path
        raise fail("studio-no-session")

    def owner(self, session_id: str) -> str:
        """Return the id of the person who plays a game alone; empty if nobody is noted."""
        return self._read_owner(session_id)[0]

    def exercise(self, session_id: str) -> int | None:
        """Return the number of the exercise to which a game belongs."""
        number = self._read_owner(session_id)[1]
        return int(number) if number else None

    def set_owner(self, session_id: str, person: str, exercise: int | None = None) -> None:
        """Note who plays a game alone, and for which exercise."""
        number = "" if exercise is None else str(exercise)
        write_text(self.path(session_id).with_suffix(OWNER_SUFFIX), f"{person} {number}", private=True)

    def _read_owner(self, session_id: str) -> tuple[str, str]:
        path = self.path(session_id).with_suffix(OWNER_SUFFIX)
        person, _, number = path.read_text(encoding="ascii").partition(" ") if path.is_file() else ("", "", "")
        return person, number

    def add(self, session: StudioSession) -> str:
        """Store a new game and return its name."""
        make_private_folder(self.folder)
        session_id = new_id()
        write_session(self.folder / f"{session_id}{SUFFIX}", session)
        if self._added % 50 == 0:
            self._make_room()
        self._added += 1
        return session_id

    def remove(self, session_id: str) -> None:
        """Delete a game."""
        self.path(session_id).unlink(missing_ok=True)

    def _by_age(self) -> list[Path]:
        """Return all files, the newest first."""
        dated = []
        for path in self.folder.glob(f"*{SUFFIX}"):
            try:
                dated.append((path.stat().st_mtime_ns, path))
            except OSError:
                continue
        return [path for _, path in sorted(dated, reverse=True)]

    def _make_room(self) -> None:
        for path in self._by_age()[self.most :]:
            path.unlink(missing_ok=True)
            path.with_suffix(OWNER_SUFFIX).unlink(missing_ok=True)
