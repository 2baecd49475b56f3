"""Files that users name: read within a limit, written completely or not at all.

Reading: a regular file (or standard input, if the name is `-`), with a limit of bytes, decoded in one way. msgspec
reads JSON into typed structures; any error in it gives one message. Only rules may also come from a device or a pipe,
within the same limits.

Writing: a regular file is written under another name beside its place and then renamed, so that no process ever sees
half of it. A link stays a link, and its target is written. A device, a pipe or our own standard output is written
directly; a folder is refused. `Output` checks all that when it is opened, before the work whose result it will hold.
The temporary file exists from the first write on, and is removed at the end, also if a signal ends the process. The
temporary files of killed processes are removed by the next process that writes into the folder: such a file is locked
as long as its process lives.

A pipe without a partner at its other end is waited for `PARTNER_SECONDS`, not for ever.
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
MAX_GAME_BYTES = 16 << 20  # of a file about a single game: its moves, a record
PARTNER_SECONDS = 5.0  # seconds to wait for the other end of a pipe
LOCK_SECONDS = 0.5  # seconds that a sudden end waits for a write
NO_NAME = "this is not the name of a file"
_number = count()


def reason_of(error: BaseException, otherwise: str = NO_NAME) -> str:
    """Return the system's message about a failure, without numbers and names; `otherwise` if it has none."""
    return getattr(error, "strerror", None) or otherwise


def unreadable(name: str, reason: str) -> VeilError:
    """Return the usual error for a file that cannot be read."""
    return fail("unreadable-file", name=name, reason=reason)


def unwritable(name: str, reason: str) -> VeilError:
    """Return the usual error for a file that cannot be written."""
    return fail("unwritable-file", name=name.strip() or "(nothing)", reason=reason)


def read_bytes(
    name: str | os.PathLike[str],
    limit: int = MAX_BYTES,
    refuse: Callable[[str, str], VeilError] = unreadable,
    *,
    regular: bool = True,
) -> bytes:
    """Return the content of a file. `refuse(name, reason)` makes the error if it cannot be read.

    If it has to be `regular`, devices and pipes are refused, and `-` is standard input.
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
    """Return at most `most` bytes of standard input. Raises ValueError if it is closed."""
    if sys.stdin is None:
        raise ValueError("closed")
    stream = getattr(sys.stdin, "buffer", None)
    return stream.read(most) if stream is not None else sys.stdin.read(most).encode()


def _read_file(name: str, most: int, regular: bool) -> bytes:
    """Return at most `most` bytes.

    The kind of the file is checked before it is opened: a pipe would wait for a writer.
    """
    status = os.stat(name)
    if regular or stat.S_ISDIR(status.st_mode):
        check_regular(status)
    if stat.S_ISREG(status.st_mode):
        if status.st_size >= most:
            raise OSError(0, _too_large(most - 1))
    elif stat.S_ISFIFO(status.st_mode):
        return _read_pipe(name, most)
    with Path(name).open("rb") as file:
        return file.read(most)


def check_regular(status: os.stat_result) -> None:
    """Raise OSError for a folder, a device or a pipe."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(0, "Is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "it is a device or a pipe, not a regular file")


def _read_pipe(name: str, most: int) -> bytes:
    """Return at most `most` bytes of a pipe. Raises OSError if no process opens it for writing."""
    descriptor, deadline = os.open(name, os.O_RDONLY | os.O_NONBLOCK), perf_counter() + PARTNER_SECONDS
    with os.fdopen(descriptor, "rb", buffering=0) as pipe:
        while (first := pipe.read(1)) == b"":  # no writer; None if a writer has opened it
            if perf_counter() > deadline:
                raise OSError(0, "no process writes to this pipe")
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
    """Return the content of a file as text: UTF-8, without a byte order mark."""
    return decode_text(read_bytes(name, limit, refuse), os.fspath(name), refuse)


def decode_text(data: bytes, name: str, refuse: Callable[[str, str], VeilError] = unreadable) -> str:
    """Return the content of a file as text: UTF-8, without a byte order mark. The error mentions `name`."""
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
    """Return JSON as a value of the type `kind`, which msgspec checks.

    `refuse(name, what)` makes the error for anything else. For text that is not JSON, `what` has line and column; for
    JSON of another shape, it is msgspec's text (``Expected `str`, got `int` - at `$[0].move` ``), put into words by
    `describe`.
    """
    import msgspec  # takes long to import

    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        fault = _find_json_fault(data)
        if fault is None and isinstance(error, msgspec.ValidationError):
            raise refuse(name, describe(str(error))) from None
        raise refuse(name, f"not JSON: {fault or error}") from None


def _find_json_fault(data: bytes | str) -> str | None:
    """Return why this is not JSON, with the place; None if the standard library reads it."""
    try:
        json.loads(data)
    except RecursionError:
        return "nested too deep"
    except ValueError as error:
        return str(error)
    return None


def write_text(name: str | os.PathLike[str], text: str, *, private: bool = False) -> None:
    """Write a file completely or not at all. A new `private` file can be read by this user alone."""
    write_bytes(name, text.encode(errors="backslashreplace"), private=private)


def write_bytes(name: str | os.PathLike[str], data: bytes, *, private: bool = False) -> None:
    """Write a file completely or not at all. A new `private` file can be read by this user alone."""
    with Output(name, private=private) as output:
        output.write(data)
        output.keep()


def check_writable(name: str | os.PathLike[str]) -> None:
    """Refuse now what `write_text` would refuse after the work.

    Devices and pipes are not tested; a file is not changed.
    """
    try:
        if os.fspath(name).strip() and is_device(os.fspath(name)):
            return
    except (OSError, ValueError) as error:
        raise unwritable(os.fspath(name), reason_of(error)) from None
    with Output(name):
        pass


class Output:
    """A file that is being written, as a context manager. Unless `keep` was called, the old file stays.

    Opening it raises `VeilError` for a file that could not be written at the end.
    """

    def __init__(self, name: str | os.PathLike[str], *, private: bool = False) -> None:
        """Open a file for writing. A `private` one can be read by this user alone, unless it exists already."""
        self.name, self._private = os.fspath(name), private
        self._part: Path | None = None  # the temporary file beside the target; None for devices and pipes
        self._file: IO[bytes] | None = None  # None if nothing is written yet
        self._kept: int | None = None  # number of bytes to keep; None if `keep` was not called
        self._lock = threading.Lock()  # against a sudden end, which comes from another thread
        try:
            if not self.name.strip():
                raise ValueError(NO_NAME)
            if is_device(self.name):
                self._file = os.fdopen(_open_stream(self.name), "wb")
            else:
                self._target = Path(os.path.realpath(self.name))
                remove_leftovers(self._target.parent)
                self._part, file = open_part(self._target.parent)  # only to test that it is possible
                self._part.unlink()
                file.close()
        except (OSError, ValueError) as error:
            raise unwritable(self.name, reason_of(error)) from None

    def write(self, data: str | bytes) -> None:
        """Write more. Text is written as UTF-8; characters that UTF-8 cannot encode are written as escapes."""
        try:
            with self._lock:
                if self._file is None:
                    self._part, self._file = open_part(self._target.parent, private=self._private)
                    at_sudden_end(self._end_suddenly)
                self._file.write(data.encode(errors="backslashreplace") if isinstance(data, str) else data)
                self._file.flush()
        except OSError as error:
            raise unwritable(self.name, reason_of(error)) from None

    def keep(self) -> None:
        """Keep what is written so far: it replaces the file when the context ends, for whatever reason."""
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
        """Keep the bytes to keep. Nothing is written after that, so this thread does not release the lock."""
        if self._lock.acquire(timeout=LOCK_SECONDS):
            self._close(whole=False)

    def _close(self, whole: bool) -> None:
        """Put the bytes to keep in their place, all of them or those before `keep`; remove the temporary file."""
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


def open_part(folder: Path, *, private: bool = False) -> tuple[Path, IO[bytes]]:
    """Return a new file in this folder, to be renamed when it is complete, and its path.

    It is locked while it is open. A `private` file can be read by this user alone.
    """
    while True:
        path = folder / f".veil.{os.getpid()}.{next(_number)}.part"
        try:
            file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666), "wb")
        except FileExistsError:  # from an earlier process with our number
            continue
        if _lock(file) and _is_there(path, file):
            return path, file
        file.close()  # another process took it for a leftover


def remove_leftovers(folder: Path) -> None:
    """Remove the files that `open_part` made in this folder for processes that have ended."""
    for path in folder.glob(".veil.*.part"):
        with suppress(OSError), path.open("r+b") as file:
            if _lock(file, otherwise=False) and _is_there(path, file):
                path.unlink()


def _lock(file: IO[bytes], *, otherwise: bool = True) -> bool:
    """Lock a file; return False if another process has locked it, `otherwise` if the file system has no locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return otherwise
    return True


def _is_there(path: Path, file: IO[bytes]) -> bool:
    """Return whether the file still has this name."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def is_device(name: str) -> bool:
    """Return whether it is a device, a pipe or our own standard output, which are written but not replaced.

    Raises OSError for a file that cannot be written.
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
    """Return the number of our standard output or standard error, if this is the file behind it; else None."""
    for descriptor in (1, 2):
        try:
            if os.path.samestat(status, os.fstat(descriptor)):
                return descriptor
        except OSError:  # it is closed
            continue
    return None


def _open_stream(name: str) -> int:
    """Open a device or a pipe for writing. Raises OSError for a pipe that no process reads."""
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
                raise OSError(0, "no process reads from this pipe") from None
            sleep(0.02)
        else:
            os.set_blocking(descriptor, True)
            return descriptor


def check_folder(name: str) -> None:
    """Refuse now a folder for results that `result_folder` would refuse after the work; no folder is made."""
    try:
        folder = _name_folder(name)
        while not folder.exists():
            folder = folder.parent
        if not folder.is_dir():
            raise NotADirectoryError(0, "Not a directory")
        with TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:  # ValueError too: a name that no file can have
        raise unwritable(name, reason_of(error, str(error))) from None


def result_folder(name: str) -> Path:
    """Return a folder for results; make it if it does not exist."""
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
    """Return a short name for a content."""
    import hashlib  # seldom needed

    return hashlib.sha256(data).hexdigest()[:16]
