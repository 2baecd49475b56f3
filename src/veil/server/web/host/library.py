"""Rules that were saved in the studio: files in a folder, by name; and the file of the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from veil.errors import fail
from veil.files import read_text, write_text

MAX_TEXT = 1 << 20  # bytes of one file
SUFFIX = ".kif"
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}")


class SavedRules(NamedTuple):
    """Saved rules."""

    name: str
    text: str
    version: str = ""  # changes whenever the file is written; empty for rules that are not saved


class Library:
    """The own games of the user who runs the studio."""

    def __init__(self, folder: Path, most: int, file: Path | None = None) -> None:
        """Open a library; `file` is a file of the command line, listed under its name and saved in its place."""
        self.folder, self.most, self.file = folder, most, file

    def names(self) -> list[str]:
        """Return all names in alphabetical order, after the file of the command line."""
        kept = sorted(path.stem for path in self.folder.glob(f"*{SUFFIX}") if NAME.fullmatch(path.stem))
        return ([self.file.name] if self.file is not None else []) + kept

    def read(self, name: str) -> SavedRules:
        """Return the rules of this name. Raises `VeilError` if there are none."""
        path = self._path(name)
        if not path.is_file():
            raise fail("studio-no-game", name=name)
        return SavedRules(name, read_text(path, MAX_TEXT), _find_version(path))

    def save(self, name: str, text: str, *, overwrites: bool = True, version: str = "") -> SavedRules:
        """Save rules under a name and return them.

        Without `overwrites`, other rules of this name are replaced only if they are those of `version`.
        """
        path = self._path(name)
        is_other = path.is_file() and _find_version(path) != version and read_text(path, MAX_TEXT) != text
        if is_other and not overwrites:
            raise fail("studio-exists", name=name)
        self.folder.mkdir(parents=True, exist_ok=True)
        if not path.exists() and len(self.names()) >= self.most:
            raise fail("studio-library-full", most=self.most)
        write_text(path, text)
        return SavedRules(name, text, _find_version(path))

    def delete(self, name: str) -> None:
        """Delete rules; the file of the command line stays."""
        if self.file is not None and name == self.file.name:
            raise fail("studio-no-game", name=name)
        self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        if self.file is not None and name == self.file.name:
            return self.file
        if not NAME.fullmatch(name) or name.startswith("."):
            raise fail("studio-bad-name", name=name)
        return self.folder / f"{name}{SUFFIX}"


def _find_version(path: Path) -> str:
    return str(path.stat().st_mtime_ns)
