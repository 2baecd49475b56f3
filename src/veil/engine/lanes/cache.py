"""Compiled objects on disk, so that a machine compiles each game once.

The name of a file is a hash of everything its content depends on: program text, processor, versions. A file is written
under another name and then renamed, so that no process ever reads half a file. It starts with a hash of its content, so
that a damaged file is not used. If nothing can be written, everything still works and is compiled again next time.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import lru_cache
from pathlib import Path

from veil.files import open_part, remove_leftovers
from veil.private_folders import choose_private_folder, make_private_folder

DIGEST_BYTES = 32


def cache_folder() -> Path:
    """Return `VEIL_CACHE`, or else the usual folder for caches of the user.

    What is in it runs in this process. So if other users can write to the folder, another one is returned instead, and
    a note says so.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return _choose_folder(Path(os.environ.get("VEIL_CACHE") or Path(base) / "veil"), Path(base) / "veil")


@lru_cache(maxsize=8)
def _choose_folder(asked: Path, usual: Path) -> Path:
    folder, reason = choose_private_folder(asked, usual)
    if reason is not None:
        say_once(f"note: {reason}, so compiled code is not read from there; it is kept in {folder}")
    return folder


def key(*parts: str) -> str:
    """Return a name for an object that depends on all the parts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part.encode())
    return digest.hexdigest()[:40]


def load(name: str) -> bytes | None:
    """Return the object of this name; None if there is no undamaged one."""
    try:
        data = (cache_folder() / f"{name}.o").read_bytes()
    except OSError:
        return None
    content = data[DIGEST_BYTES:]
    return content if hashlib.sha256(content).digest() == data[:DIGEST_BYTES] else None


def save(name: str, content: bytes) -> bool:
    """Store an object. If that is impossible, print a note to standard error and return False."""
    part = None
    try:
        make_private_folder(cache_folder())
        remove_leftovers(cache_folder())
        part, file = open_part(cache_folder())
        with file:
            file.write(hashlib.sha256(content).digest() + content)
            file.flush()
            part.replace(cache_folder() / f"{name}.o")
    except OSError as error:
        if part is not None:
            part.unlink(missing_ok=True)
        say_once(f"note: cannot keep compiled code in {cache_folder()} ({error.strerror}); it is compiled in memory")
        return False
    return True


_said: set[str] = set()


def say_once(message: str) -> None:
    """Print a note to standard error, once per process."""
    if message not in _said:
        _said.add(message)
        print(message, file=sys.stderr)
