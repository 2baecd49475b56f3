"""The contents behind the names in a tournament: the rules of its games, and the files of its players.

A store keeps their fingerprints, and refuses other contents with the same name. All matches of a tournament use the
contents that were read at its beginning. If a file changes, the tournament stops before it begins more matches.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from veil.engine import Game, has_percepts, load, open_moves
from veil.errors import VeilError, fail
from veil.games import FAMILIES
from veil.players import FileContents, read_player_files
from veil.plugins import fingerprint_plugins

Stamp = tuple[int, ...]  # changes whenever a file is written; empty if there is no file


class WatchedFile(NamedTuple):
    """A file that was read."""

    what: str  # a name for its content, for messages
    path: str
    stamp: Stamp
    fingerprint: str  # of what was read
    read: Callable[[], str]  # returns the fingerprint of the present content

    def has_changed(self) -> bool:
        """Return whether the content has changed. Comments in rules make no difference."""
        if take_stamp(self.path) == self.stamp:
            return False
        try:
            return self.read() != self.fingerprint
        except VeilError:
            return True


class SourceWatch:
    """The games and player files of a tournament, with their fingerprints, and a check for changes."""

    def __init__(self, games: Mapping[str, Game], files: Mapping[str, FileContents]) -> None:
        """Take the games by their names in the tournament, and the files by the specs of their players."""
        self.fingerprints = {f"rules for {name}": game.fingerprint for name, game in games.items()}
        self.fingerprints |= {f"contents of {spec}": content.fingerprint for spec, content in files.items()}
        self.fingerprints |= {f"contents of {name}": content for name, content in fingerprint_plugins().items()}
        self._watched = [_watch_rules(name, game) for name, game in games.items() if is_rules_file(name)]
        self._watched += [_watch_player(spec, content) for spec, content in files.items()]

    def check(self) -> None:
        """Raise `VeilError` if a file has changed since it was read."""
        for file in self._watched:
            if file.has_changed():
                raise fail("bad-option", what=f"the {file.what[:80]} were changed while they were played")


def read_sources(specs: tuple[str, ...]) -> dict[str, FileContents]:
    """Read the files that players are made from. Return spec -> content."""
    return {spec: content for spec in specs for content in read_player_files([spec]).values()}


def is_rules_file(name: str) -> bool:
    """Return whether a game of this name is read from a file. Names of the catalogue come first."""
    return name.split("(")[0].strip() not in FAMILIES and len(take_stamp(name)) > 0


def take_stamp(path: str) -> Stamp:
    """Return the times, the size and the inode of a file; an empty tuple if there is no such file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # ValueError: a text that cannot be the name of a file
        return ()
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _watch_rules(name: str, game: Game) -> WatchedFile:
    def read() -> str:
        found = load(name)
        is_gdl1 = has_percepts(game) and not has_percepts(found)  # then it is played with all moves visible
        return (open_moves(found) if is_gdl1 else found).fingerprint

    return WatchedFile(f"rules for {name}", name, take_stamp(name), game.fingerprint, read)


def _watch_player(spec: str, content: FileContents) -> WatchedFile:
    def read() -> str:
        return read_player_files([spec])[content.name].fingerprint

    return WatchedFile(f"contents of {spec}", content.name, take_stamp(content.name), content.fingerprint, read)
