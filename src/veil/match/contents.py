"""What stands behind the names of a tournament: the rules of its games, the contents of its players' files.

A store keeps their fingerprints, and refuses to go on with others of the same name. The matches of a tournament carry
what was read at its beginning; a file that is written anew meanwhile is noticed before more matches are begun.
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

Stamp = tuple[int, ...]  # changes whenever a file is written; nothing where there is no file


class WatchedFile(NamedTuple):
    """A file that was read."""

    what: str  # was read from it, for messages
    path: str
    stamp: Stamp
    fingerprint: str  # of what was read
    read: Callable[[], str]  # the fingerprint of what is there now

    def has_changed(self) -> bool:
        """Whether something else is there now. Comments in rules make no difference."""
        if take_stamp(self.path) == self.stamp:
            return False
        try:
            return self.read() != self.fingerprint
        except VeilError:
            return True


class SourceWatch:
    """The games and player files of a tournament: their fingerprints, and whether they are still what they were."""

    def __init__(self, games: Mapping[str, Game], files: Mapping[str, FileContents]) -> None:
        """`games` by their names in the tournament, `files` by the specs of the players that are made from them."""
        self.fingerprints = {f"rules for {name}": game.fingerprint for name, game in games.items()}
        self.fingerprints |= {f"contents of {spec}": content.fingerprint for spec, content in files.items()}
        self.fingerprints |= {f"contents of {name}": content for name, content in fingerprint_plugins().items()}
        self._watched = [_watch_rules(name, game) for name, game in games.items() if is_rules_file(name)]
        self._watched += [_watch_player(spec, content) for spec, content in files.items()]

    def check(self) -> None:
        """Refuse to go on where a file has been changed since it was read."""
        for file in self._watched:
            if file.has_changed():
                raise fail("bad-option", what=f"the {file.what[:80]} were changed while they were played")


def read_sources(specs: tuple[str, ...]) -> dict[str, FileContents]:
    """The files that players are made from, by their specs, as they are now."""
    return {spec: content for spec in specs for content in read_player_files([spec]).values()}


def is_rules_file(name: str) -> bool:
    """Whether a game of this name is read from a file: names of the catalogue come first."""
    return name.split("(")[0].strip() not in FAMILIES and len(take_stamp(name)) > 0


def take_stamp(path: str) -> Stamp:
    """What the system says about a file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # ValueError: a text that no file can have for a name
        return ()
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _watch_rules(name: str, game: Game) -> WatchedFile:
    def read() -> str:
        found = load(name)
        is_gdl1 = has_percepts(game) and not has_percepts(found)  # and is played with all moves seen
        return (open_moves(found) if is_gdl1 else found).fingerprint

    return WatchedFile(f"rules for {name}", name, take_stamp(name), game.fingerprint, read)


def _watch_player(spec: str, content: FileContents) -> WatchedFile:
    def read() -> str:
        return read_player_files([spec])[content.name].fingerprint

    return WatchedFile(f"contents of {spec}", content.name, take_stamp(content.name), content.fingerprint, read)
