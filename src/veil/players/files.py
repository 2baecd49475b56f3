"""Files that players are made from: a saved policy, a player's Python code.

A player that needs a `FILE` is handed its content when it is made. Whoever sends players to other machines reads the
files first (`read_player_files`) and sends the contents along; `make_player(spec, files)` then opens no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from veil.files import fingerprint, read_bytes


class FileContents(NamedTuple):
    """A file that was read."""

    name: str  # as the spec gives it
    data: bytes

    @property
    def fingerprint(self) -> str:
        """A short name for the content; another content has another one."""
        return fingerprint(self.data)


Files = Mapping[str, FileContents]  # by name
NO_FILES: Files = {}


def read_contents(name: str, files: Files = NO_FILES) -> FileContents:
    """The content of a file: as it is given in `files`, else as it is on disk now. An unreadable one is refused."""
    given = files.get(name)
    return given if given is not None else FileContents(name, read_bytes(name))
