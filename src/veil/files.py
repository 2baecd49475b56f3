"""Files that people name: read within a limit, written whole or not at all.

Reading: a regular file (or standard input, where the name is `-`), at most so many bytes, decoded in one way. JSON is
read into typed structures by msgspec; whatever is wrong with it is one message.

Writing: a regular file is written beside its place and renamed, so that nobody ever sees half of it; a link stays a
link, and its target is written; a device or a pipe is written through; a folder is refused. `Output` tries all that
when it is opened, before the work whose result it shall hold.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from veil.errors import VeilError, fail

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
STDIN = "-"
MAX_BYTES = 256 << 20  # of a file that is read
NO_NAME = "this is not the name of a file"
_number = count()


def reason_of(error: BaseException, otherwise: str = NO_NAME) -> str:
    """What the system says about a failure, without numbers and names; `otherwise` where it says nothing."""
    return getattr(error, "strerror", None) or otherwise


def unreadable(name: str, reason: str) -> VeilError:
    """The usual refusal of a file that cannot be read."""
    return fail("unreadable-file", name=name, reason=reason)


def unwritable(name: str, reason: str) -> VeilError:
    """The usual refusal of a file that cannot be written."""
    return fail("unwritable-file", name=name or "(nothing)", reason=reason)


def read_bytes(
    name: str | os.PathLike[str],
    limit: int = MAX_BYTES,
    refuse: Callable[[str, str], VeilError] = unreadable,
) -> bytes:
    """The whole file; `-` is standard input. `refuse(name, reason)` is the error where it cannot be read."""
    text = os.fspath(name)
    try:
        if text == STDIN:
            if sys.stdin is None:
                raise refuse(text, "standard input is closed")
            data = sys.stdin.buffer.read(limit + 1)
        else:
            if not stat.S_ISREG(os.stat(text).st_mode):  # before it is opened: a pipe would wait for a writer
                raise refuse(text, "it is not a regular file")
            with Path(text).open("rb") as file:
                data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise refuse(text, reason_of(error)) from None
    if len(data) > limit:
        raise refuse(text, f"it is larger than {limit >> 20} MB")
    return data


def read_text(
    name: str | os.PathLike[str],
    limit: int = MAX_BYTES,
    refuse: Callable[[str, str], VeilError] = unreadable,
) -> str:
    """The same as text: UTF-8, a byte order mark is left out."""
    return decode_text(read_bytes(name, limit, refuse), os.fspath(name), refuse)


def decode_text(data: bytes, name: str, refuse: Callable[[str, str], VeilError] = unreadable) -> str:
    """The content of a file as text: UTF-8, a byte order mark is left out. `name` stands in the error."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refuse(name, "not a text file") from None


def decode_json(data: bytes | str, kind: type[T], name: str, refuse: Callable[[str, str], VeilError]) -> T:
    """JSON as a typed structure; `refuse(name, what)` makes the message for what is not one."""
    import msgspec

    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise refuse(name, str(error)) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise refuse(name, f"not JSON: {error}") from None


def write_text(name: str | os.PathLike[str], text: str) -> None:
    """Write a file, whole or not at all."""
    with Output(name) as output:
        output.write(text)
        output.keep()


class Output:
    """A file that is being written, as a context. Whatever ends the context, what was there stays, unless `keep` came.

    Opening it refuses, by `VeilError`, what could not be written at the end.
    """

    def __init__(self, name: str | os.PathLike[str]) -> None:
        self.name = os.fspath(name)
        self._part: Path | None = None  # the file beside the target; None for devices and pipes
        self._kept = False
        try:
            if not self.name.strip():
                raise ValueError(NO_NAME)
            if is_device(self.name):
                self._file = open(self.name, "w", encoding="utf-8")  # noqa: SIM115 - closed by __exit__
            else:
                self._target = Path(os.path.realpath(self.name))
                self._part = self._target.with_name(f".veil.{os.getpid()}.{next(_number)}.part")
                self._file = open(self._part, "x", encoding="utf-8")  # noqa: SIM115 - closed by __exit__
        except (OSError, ValueError) as error:
            raise unwritable(self.name, reason_of(error)) from None

    def write(self, text: str) -> None:
        """Write more."""
        try:
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            raise unwritable(self.name, reason_of(error)) from None

    def keep(self) -> None:
        """What has been written so far is worth having: it takes its place when the context ends."""
        self._kept = True

    def __enter__(self) -> Output:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self._file.close()
            if self._part is not None and self._kept:
                if self._target.exists():
                    shutil.copymode(self._target, self._part)
                self._part.replace(self._target)
                self._part = None
        except OSError as failure:
            if error is None:
                raise unwritable(self.name, reason_of(failure)) from None
        finally:
            if self._part is not None:
                self._part.unlink(missing_ok=True)


def is_device(name: str) -> bool:
    """Whether it is a device or a pipe, which is written but not replaced. What cannot be written raises OSError."""
    try:
        mode = os.stat(name).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(0, "Is a directory")
    if not stat.S_ISREG(mode):
        return True
    os.close(os.open(name, os.O_WRONLY))
    return False


def result_folder(name: str) -> Path:
    """A folder for results, made and tried out before the work that they take."""
    folder = Path(name)
    try:
        if not name.strip() or (folder.exists() and not folder.is_dir()):
            raise ValueError("this is not a folder")
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except (OSError, ValueError) as error:  # ValueError also: a name that no file can have
        raise unwritable(name.strip(), reason_of(error, str(error))) from None


def fingerprint(data: bytes) -> str:
    """A short name for a content."""
    import hashlib

    return hashlib.sha256(data).hexdigest()[:16]


def as_plain(value: Any) -> Any:
    """A value as JSON would give it back; raises TypeError or ValueError where JSON has no such thing."""
    import json

    return json.loads(json.dumps(value))
