"""Files that people name: read within a limit, written whole or not at all.

Reading: a regular file (or standard input, where the name is `-`), at most so many bytes, decoded in one way. JSON is
read into typed structures by msgspec; whatever is wrong with it is one message. Rules alone may also come from a device
or a pipe, within the same limits.

Writing: a regular file is written beside its place and renamed, so that nobody ever sees half of it; a link stays a
link, and its target is written; a device, a pipe or our own standard output is written through; a folder is refused.
`Output` tries all that when it is opened, before the work whose result it shall hold. The file beside is there from the
first write on, and is gone at the end, also where a signal ends the process. What a process leaves that was killed is
removed by the next that writes into the folder: a file beside is locked as long as its process lives.

A pipe with nobody at its other end is waited for `PARTNER_SECONDS`, not for ever.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import stat
import sys
import threading
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter, sleep
from types import TracebackType
from typing import IO, TYPE_CHECKING, TypeVar

from veil.errors import VeilError, fail
from veil.signals import at_sudden_end, forget_sudden_end

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
STDIN = "-"
MAX_BYTES = 256 << 20  # of a file that is read
MAX_GAME_BYTES = 16 << 20  # of one that tells of a single game: its moves, a record
PARTNER_SECONDS = 5.0  # that the other end of a pipe is waited for
LOCK_SECONDS = 0.5  # that a sudden end waits for a write
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
    *,
    regular: bool = True,
) -> bytes:
    """The content of a file. `refuse(name, reason)` makes the error where it cannot be read.

    Where it has to be `regular`, devices and pipes are refused, and `-` is standard input.
    """
    text = os.fspath(name)
    from_stdin = text == STDIN and regular
    try:
        data = _read_stdin(limit + 1) if from_stdin else _read_file(text, limit + 1, regular)
    except (OSError, ValueError) as error:
        raise refuse(text, reason_of(error, "standard input is closed" if from_stdin else NO_NAME)) from None
    if len(data) > limit:
        raise refuse(text, _too_large(limit))
    return data


def _too_large(limit: int) -> str:
    return f"it is larger than {limit >> 20} MB" if limit >> 20 else f"it has more than {limit} bytes"


def _read_stdin(most: int) -> bytes:
    """At most so many bytes; ValueError where standard input is closed."""
    if sys.stdin is None:
        raise ValueError("closed")
    stream = getattr(sys.stdin, "buffer", None)
    return stream.read(most) if stream is not None else sys.stdin.read(most).encode()


def _read_file(name: str, most: int, regular: bool) -> bytes:
    """At most so many bytes. The kind of the file is looked at before it is opened: a pipe would wait for a writer."""
    status = os.stat(name)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(0, "Is a directory")
    if stat.S_ISREG(status.st_mode):
        if status.st_size >= most:
            raise OSError(0, _too_large(most - 1))
    elif regular:
        raise OSError(0, "it is a device or a pipe, not a regular file")
    elif stat.S_ISFIFO(status.st_mode):
        return _read_pipe(name, most)
    with Path(name).open("rb") as file:
        return file.read(most)


def _read_pipe(name: str, most: int) -> bytes:
    """At most so many bytes of a pipe. It is given up where nobody opens it for writing."""
    descriptor, deadline = os.open(name, os.O_RDONLY | os.O_NONBLOCK), perf_counter() + PARTNER_SECONDS
    with os.fdopen(descriptor, "rb", buffering=0) as pipe:
        while (first := pipe.read(1)) == b"":  # nobody writes; None where somebody is about to
            if perf_counter() > deadline:
                raise OSError(0, "nobody writes to this pipe")
            sleep(0.02)
        os.set_blocking(descriptor, True)
        parts = [first or b""]
        while (left := most - sum(map(len, parts))) > 0 and (part := pipe.read(min(left, 1 << 20))):
            parts.append(part)
    return b"".join(parts)


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
        self._file: IO[bytes] | None = None  # None where nothing is written yet
        self._kept: int | None = None  # bytes that are worth having; None where nobody has said so
        self._lock = threading.Lock()  # against a sudden end, which comes in another thread
        try:
            if not self.name.strip():
                raise ValueError(NO_NAME)
            if is_device(self.name):
                self._file = os.fdopen(_open_stream(self.name), "wb")
            else:
                self._target = Path(os.path.realpath(self.name))
                remove_leftovers(self._target.parent)
                self._part, file = open_part(self._target.parent)  # only to see that it can be done
                self._part.unlink()
                file.close()
        except (OSError, ValueError) as error:
            raise unwritable(self.name, reason_of(error)) from None

    def write(self, data: str | bytes) -> None:
        """Write more. Text is written as UTF-8; what UTF-8 cannot hold is written as an escape."""
        try:
            with self._lock:
                if self._file is None:
                    self._part, self._file = open_part(self._target.parent)
                    at_sudden_end(self._end_suddenly)
                self._file.write(data.encode(errors="backslashreplace") if isinstance(data, str) else data)
                self._file.flush()
        except OSError as error:
            raise unwritable(self.name, reason_of(error)) from None

    def keep(self) -> None:
        """What has been written so far is worth having: it takes its place when the context ends, however it does."""
        self._kept = self._file.tell() if self._file is not None and self._part is not None else 0

    def __enter__(self) -> Output:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            with self._lock:
                self._close(whole=error is None)
        except OSError as failure:
            if error is None:
                raise unwritable(self.name, reason_of(failure)) from None
        finally:
            forget_sudden_end(self._end_suddenly)

    def _end_suddenly(self) -> None:
        """Keep what is worth having; nothing is written any more, so the lock stays with this thread."""
        if self._lock.acquire(timeout=LOCK_SECONDS):
            self._close(whole=False)

    def _close(self, whole: bool) -> None:
        """Put what is worth having in its place, all of it or what was kept; and leave nothing else."""
        if self._file is None:
            return
        try:
            if self._part is None or self._kept is None:
                self._file.close()
                return
            if not whole:
                self._file.truncate(self._kept)
            self._file.flush()
            if self._target.exists():
                shutil.copymode(self._target, self._part)
            self._part.replace(self._target)  # before it is closed, which ends its lock
            self._file.close()
        finally:
            if self._part is not None:
                self._part.unlink(missing_ok=True)


def open_part(folder: Path) -> tuple[Path, IO[bytes]]:
    """A new file in this folder that is to be renamed when it is complete, and its name. It is locked while open."""
    while True:
        path = folder / f".veil.{os.getpid()}.{next(_number)}.part"
        try:
            file = path.open("xb")
        except FileExistsError:  # of a process that had our number
            continue
        if _lock(file) and _is_there(path, file):
            return path, file
        file.close()  # somebody has taken it for a leftover


def remove_leftovers(folder: Path) -> None:
    """Remove the files that `open_part` made in this folder for processes that have ended since."""
    for path in folder.glob(".veil.*.part"):
        with suppress(OSError), path.open("r+b") as file:
            if _lock(file, otherwise=False) and _is_there(path, file):
                path.unlink()


def _lock(file: IO[bytes], *, otherwise: bool = True) -> bool:
    """Lock a file; False where another process has, `otherwise` where its file system has no locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return otherwise
    return True


def _is_there(path: Path, file: IO[bytes]) -> bool:
    """Whether the file has still this name."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def is_device(name: str) -> bool:
    """Whether it is a device, a pipe or our own standard output, which are written but not replaced.

    What cannot be written raises OSError.
    """
    try:
        status = os.stat(name)
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(0, "Is a directory")
    if not stat.S_ISREG(status.st_mode) or _find_own_stream(status) is not None:
        return True
    os.close(os.open(name, os.O_WRONLY))
    return False


def _find_own_stream(status: os.stat_result) -> int | None:
    """The number of our standard output or standard error, where this is the file behind it."""
    for descriptor in (1, 2):
        try:
            if os.path.samestat(status, os.fstat(descriptor)):
                return descriptor
        except OSError:  # it is closed
            continue
    return None


def _open_stream(name: str) -> int:
    """A device or a pipe, open for writing. A pipe that nobody reads is given up."""
    status = os.stat(name)
    own = _find_own_stream(status)
    if own is not None:
        return os.dup(own)
    if not stat.S_ISFIFO(status.st_mode):
        return os.open(name, os.O_WRONLY)
    deadline = perf_counter() + PARTNER_SECONDS
    while True:
        try:
            descriptor = os.open(name, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if perf_counter() > deadline:
                raise OSError(0, "nobody reads from this pipe") from None
            sleep(0.02)
        else:
            os.set_blocking(descriptor, True)
            return descriptor


def check_folder(name: str) -> None:
    """Refuse now a folder for results that `result_folder` would refuse after the work; nothing is made."""
    try:
        folder = _name_folder(name)
        while not folder.exists():
            folder = folder.parent
        if not folder.is_dir():
            raise NotADirectoryError(0, "Not a directory")
        with TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:  # ValueError also: a name that no file can have
        raise unwritable(name, reason_of(error, str(error))) from None


def result_folder(name: str) -> Path:
    """A folder for results, made where it is not there."""
    try:
        folder = _name_folder(name)
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except (OSError, ValueError) as error:
        raise unwritable(name, reason_of(error, str(error))) from None


def _name_folder(name: str) -> Path:
    folder = Path(name).absolute() if name.strip() else None
    if folder is None or (folder.exists() and not folder.is_dir()):
        raise ValueError("this is not a folder")
    if "\0" in name:
        raise ValueError("embedded null byte")
    return Path(name)


def fingerprint(data: bytes) -> str:
    """A short name for a content."""
    import hashlib

    return hashlib.sha256(data).hexdigest()[:16]
