"""Files with results: logs of matches and stores of tournaments in one folder, by name.

The browser can only name a file of the list. A file that is not in the folder itself, is no regular file, or does not
begin as our files do, is not listed.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from veil.errors import fail

LOG, STORE = "log", "store"
LOG_BEGINS, STORE_BEGINS = b'{"format": "veil match', b"SQLite format 3\0"
OWNER_AT, OWNER = 68, b"VEIL"  # where SQLite stores the name of an application
MOST_FILES = 2000  # number of files of the folder that are examined


class ResultFile(NamedTuple):
    """A file with matches."""

    name: str
    kind: str  # LOG or STORE
    size: int  # bytes


class ResultFolder:
    """The folder whose matches can be shown."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def files(self) -> list[ResultFile]:
        """Return all files with matches, the newest first."""
        found = []
        for path in sorted(self.folder.iterdir())[:MOST_FILES] if self.folder.is_dir() else ():
            kind = find_kind(path)
            if kind is not None:
                found.append((path.stat().st_mtime_ns, ResultFile(path.name, kind, path.stat().st_size)))
        return [entry for _, entry in sorted(found, key=lambda pair: (-pair[0], pair[1].name))]

    def find(self, name: str) -> tuple[Path, str]:
        """Return the path and the kind of a file of the list. Raises `VeilError` for another name."""
        if name == Path(name).name:
            path = self.folder / name
            kind = find_kind(path)
            if kind is not None:
                return path, kind
        raise fail("studio-no-results", name=name)


def find_kind(path: Path) -> str | None:
    """Return LOG or STORE by the beginning of a file; None for all other files, and for links."""
    try:
        if path.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as file:
            head = file.read(100)
    except OSError:
        return None
    if head.startswith(LOG_BEGINS):
        return LOG
    is_store = head.startswith(STORE_BEGINS) and head[OWNER_AT : OWNER_AT + len(OWNER)] == OWNER
    return STORE if is_store else None
