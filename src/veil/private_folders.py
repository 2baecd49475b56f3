"""Folders and files that belong to the user alone: caches of machine code, games that are being played, keys.

Whoever can write into a folder of compiled code decides what this process runs, and whoever can read a running game
knows what is hidden in it. So a folder is used only if it is private: it belongs to the user, others cannot write to
it, and nobody else can replace it or one of the folders above it.

New folders get mode 0700. A folder of the user that others can only read is closed to them. A folder that others can
write to is refused, because its content may not be the user's.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

PRIVATE, PRIVATE_FILE = 0o700, 0o600
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
OTHERS = stat.S_IRWXG | stat.S_IRWXO


class NotPrivateError(OSError):
    """A folder that other users could change. Its text says why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(0, f"{path} {reason}")


def make_private_folder(path: Path) -> Path:
    """Return the folder, private from now on; make it if it does not exist.

    Raise `NotPrivateError` if other users could have written to it, and OSError if it cannot be made.
    """
    path = Path(os.path.abspath(path))
    check_private(path)
    if not path.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=PRIVATE, exist_ok=True)
    status = path.stat()
    if status.st_uid == os.geteuid() and status.st_mode & OTHERS:
        path.chmod(PRIVATE)
    return path


def choose_private_folder(asked: Path, usual: Path) -> tuple[Path, str | None]:
    """Return the folder that was asked for, and None, if it is private or does not exist yet.

    Otherwise return another one, beside the `usual` folder, and why the first is not used.
    """
    try:
        check_private(asked)
    except NotPrivateError as error:
        return usual.with_name(f"{usual.name}-private"), error.strerror
    except OSError:
        pass  # whoever uses it will say why it cannot be used
    return asked, None


def check_private(path: Path) -> None:
    """Raise `NotPrivateError` unless only this user, and the administrator, can write to a folder or replace it.

    A folder that does not exist yet is judged by those above it.
    """
    path = Path(os.path.realpath(path))
    if path.exists():
        status = path.stat()
        if status.st_uid not in (0, os.geteuid()):
            raise NotPrivateError(path, "belongs to another user")
        if status.st_mode & OTHERS_WRITE:
            raise NotPrivateError(path, "can be written to by other users")
    for above in path.parents:
        if not above.exists():
            continue
        status = above.stat()
        if status.st_uid not in (0, os.geteuid()):
            raise NotPrivateError(path, f"lies in {above}, which belongs to another user")
        if status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX:
            raise NotPrivateError(path, f"lies in {above}, which all users can write to")


def read_private_file(path: Path, most: int) -> bytes:
    """Return at most `most` bytes of a file of this user. Raise OSError if there is none, or it is not private."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & OTHERS:
            raise NotPrivateError(path, "is not a file that only this user can read")
        return file.read(most)


def write_private_file(path: Path, data: bytes) -> None:
    """Make a file that only this user can read. Raise FileExistsError if there is one of this name.

    The file appears with its whole content: it is written under another name and then linked.
    """
    part = path.parent / f".{path.name}.{os.getpid()}.part"
    part.unlink(missing_ok=True)
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.link(part, path)
    finally:
        part.unlink(missing_ok=True)
