"""Files that people name: read within a limit, written whole or not at all.

Reading: a regular file (or standard input, where the name is `-`), at most so many bytes, decoded in one way. JSON is
read into typed structures by msgspec; whatever is wrong with it is one message.

Writing: a regular file is written beside its place and renamed, so that nobody ever sees half of it; a link stays a
link, and its target is written; a device or a pipe is written through; a folder is refused. `Output` tries all that
when it is opened, before the work whose result it shall hold.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, TypeVar

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
    return fail("unwritable-file", name=name.strip() or "(nothing)", reason=reason)


def read_bytes(
    name: str | os.PathLike[str],
    limit: int = MAX_BYTES,
    refuse: Callable[[str, str], VeilError] = unreadable,
) -> bytes:
    """The content of a file; `-` is standard input. `refuse(name, reason)` makes the error where it cannot be read."""
    text = os.fspath(name)
    try:
        data = _read_stdin(limit + 1) if text == STDIN else _read_regular(text, limit + 1)
    except (OSError, ValueError) as error:
        raise refuse(text, reason_of(error, "standard input is closed" if text == STDIN else NO_NAME)) from None
    if len(data) > limit:
        raise refuse(text, f"it is larger than {limit >> 20} MB" if limit >> 20 else f"it has more than {limit} bytes")
    return data


def _read_stdin(most: int) -> bytes:
    """At most so many bytes; ValueError where standard input is closed."""
    if sys.stdin is None:
        raise ValueError("closed")
    stream = getattr(sys.stdin, "buffer", None)
    return stream.read(most) if stream is not None else sys.stdin.read(most).encode()


def _read_regular(name: str, most: int) -> bytes:
    """At most so many bytes. The kind of the file is looked at before it is opened: a pipe would wait for a writer."""
    mode = os.stat(name).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(0, "Is a directory")
    if not stat.S_ISREG(mode):
        raise OSError(0, "it is a device or a pipe, not a regular file")
    with Path(name).open("rb") as file:
        return file.read(most)


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


def decode_json(
    data: bytes | str,
    kind: type[T],
    name: str,
    refuse: Callable[[str, str], VeilError],
    describe: Callable[[str], str] = str,
) -> T:
    """JSON as a value of the type `kind`, which msgspec checks.

    `refuse(name, what)` makes the error for anything else: what is not JSON is said with line and column, what is JSON
    of another shape as msgspec says it (``Expected `str`, got `int` - at `$[0].move` ``), put into words by `describe`.
    """
    import msgspec

    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        fault = _find_json_fault(data)
        if fault is None and isinstance(error, msgspec.ValidationError):
            raise refuse(name, describe(str(error))) from None
        raise refuse(name, f"not JSON: {fault or error}") from None


def _find_json_fault(data: bytes | str) -> str | None:
    """Why this is not JSON, with the place; None where the standard library reads it."""
    try:
        json.loads(data)
    except RecursionError:
        return "nested too deep"
    except ValueError as error:
        return str(error)
    return None


def write_text(name: str | os.PathLike[str], text: str) -> None:
    """Write a file, whole or not at all."""
    write_bytes(name, text.encode(errors="backslashreplace"))


def write_bytes(name: str | os.PathLike[str], data: bytes) -> None:
    """Write a file, whole or not at all."""
    with Output(name) as output:
        output.write(data)
        output.keep()


def check_writable(name: str | os.PathLike[str]) -> None:
    """Refuse now what `write_text` would refuse after the work. Devices and pipes are left alone, a file unchanged."""
    try:
        if os.fspath(name).strip() and is_device(os.fspath(name)):
            return
    except (OSError, ValueError) as error:
        raise unwritable(os.fspath(name), reason_of(error)) from None
    with Output(name):
        pass


class Output:
    """A file that is being written, as a context. Whatever ends the context, what was there stays, unless `keep` came.

    Opening it refuses, by `VeilError`, what could not be written at the end.
    """

    def __init__(self, name: str | os.PathLike[str]) -> None:
        self.name = os.fspath(name)
        self._part: Path | None = None  # the file beside the target; None for devices and pipes
        self._kept = False
        self._file: IO[bytes]
        try:
            if not self.name.strip():
                raise ValueError(NO_NAME)
            if is_device(self.name):
                self._file = open(self.name, "wb")  # noqa: SIM115 - closed by __exit__
            else:
                self._target = Path(os.path.realpath(self.name))
                self._part = self._target.with_name(f".veil.{os.getpid()}.{next(_number)}.part")
                self._file = open(self._part, "xb")  # noqa: SIM115 - closed by __exit__
        except (OSError, ValueError) as error:
            raise unwritable(self.name, reason_of(error)) from None

    def write(self, data: str | bytes) -> None:
        """Write more. Text is written as UTF-8; what UTF-8 cannot hold is written as an escape."""
        try:
            self._file.write(data.encode(errors="backslashreplace") if isinstance(data, str) else data)
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
        raise unwritable(name, reason_of(error, str(error))) from None


def fingerprint(data: bytes) -> str:
    """A short name for a content."""
    import hashlib

    return hashlib.sha256(data).hexdigest()[:16]


def as_plain(value: Any) -> Any:
    """A value as JSON would give it back; raises TypeError or ValueError where JSON has no such thing."""
    return json.loads(json.dumps(value))
