"""Files that players are made from: a saved policy, a player's Python code.

A player that needs a `FILE` gets its content when it is made. A program that sends players to other machines first
reads the files (`read_player_files`) and sends the contents too; `make_player(spec, files)` then opens no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from veil.files import fingerprint, read_bytes


class FileContents(NamedTuple):
    """The name and the content of a file."""

    name: str  # as the spec gives it
    data: bytes

    @property
    def fingerprint(self) -> str:
        """A short hash of the content."""
        return fingerprint(self.data)


Files = Mapping[str, FileContents]  # by name
NO_FILES: Files = {}


def read_contents(name: str, files: Files = NO_FILES) -> FileContents:
    """Return the content of a file from `files`, else from disk. An unreadable file is refused."""
    given = files.get(name)
    return given if given is not None else FileContents(name, read_bytes(name))
