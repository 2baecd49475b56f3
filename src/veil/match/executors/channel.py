"""The connection between the referee and the process of a player.

Requests are pickles: the process trusts the referee. Answers are lines of JSON of a limited length, because the
referee does not trust the process. A pickle could run code in the referee's process; a line of JSON is data. The
referee never blocks: it takes what has arrived, and writes no longer than `SEND_SECONDS`.
"""

from __future__ import annotations

import os
import pickle
import select
from contextlib import suppress
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any

import msgspec

from veil.errors import Place, Problem, Severity, VeilError

MAX_ANSWER = 1 << 20  # bytes of an answer
MAX_PROBLEMS = 20  # of a refusal
MAX_TEXT = 2000  # characters of a text in a refusal
SEND_SECONDS = 60.0  # for a request; the largest one contains the game
HEAD = 8  # bytes that hold the length of a request
PORTION = 1 << 16


class ChannelError(Exception):
    """The other end is gone, or its answer is no answer. The text says which."""


class ProblemLine(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One `Problem` of a `VeilError`."""

    code: str
    severity: Severity
    message: str
    place: Place | None = None  # as a list
    hint: str | None = None


class ProcessAnswer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An answer of the process of a player: a value, or the text of an error, or a refusal."""

    value: Any = None
    error: str | None = None
    refusal: list[ProblemLine] | None = None


_answers = msgspec.json.Decoder(ProcessAnswer)


class RefereeEnd:
    """The referee's end: `send` requests, `take` answers when the connection is readable."""

    def __init__(self, wire: Connection) -> None:
        self.wire = wire
        self._arrived = bytearray()
        os.set_blocking(wire.fileno(), False)

    def send(self, what: str, value: Any) -> None:
        """Send a request. Raise `ChannelError` if the other end is gone or does not read."""
        data = pickle.dumps((what, value))
        left, end = memoryview(len(data).to_bytes(HEAD, "big") + data), perf_counter() + SEND_SECONDS
        while left:
            try:
                left = left[os.write(self.wire.fileno(), left) :]
            except BlockingIOError:
                if not select.select([], [self.wire.fileno()], [], max(0.0, end - perf_counter()))[1]:
                    raise ChannelError("it does not read what it is told") from None
            except (OSError, ValueError):
                raise ChannelError("its process has ended") from None

    def take(self) -> ProcessAnswer | None:
        """Return the next answer, or None if it has not arrived completely.

        Raise `ChannelError` if the other end is gone, or has sent something else than an answer.
        """
        if b"\n" not in self._arrived:
            self._read()
        line, newline, rest = self._arrived.partition(b"\n")
        if len(line) > MAX_ANSWER:
            raise ChannelError(f"its answer is longer than {MAX_ANSWER >> 20} MB")
        if not newline:
            return None
        self._arrived = rest
        try:
            return _answers.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise ChannelError("its answer is not understood") from None

    def has_answer(self) -> bool:
        """Return whether an answer has arrived that was not taken."""
        return b"\n" in self._arrived

    def close(self) -> None:
        """Close the connection."""
        with suppress(OSError):
            self.wire.close()

    def _read(self) -> None:
        try:
            part = os.read(self.wire.fileno(), PORTION)
        except BlockingIOError:
            return
        except (OSError, ValueError):
            part = b""
        if not part:
            raise ChannelError("its process has ended")
        self._arrived += part


class PlayerEnd:
    """The end of the player's process: `receive` a request, `send` its answer."""

    def __init__(self, wire: Connection) -> None:
        self._wire = wire

    def receive(self) -> tuple[str, Any]:
        """Return the next request. Raise EOFError if the match is over."""
        size = int.from_bytes(self._read(HEAD), "big")
        what, value = pickle.loads(self._read(size))
        return what, value

    def send(self, answer: ProcessAnswer) -> None:
        """Send an answer. One that is too long, or no JSON, becomes an error."""
        try:
            line = msgspec.json.encode(answer)
            if len(line) > MAX_ANSWER:
                raise ValueError(f"the answer is longer than {MAX_ANSWER >> 20} MB")
        except Exception as error:
            line = msgspec.json.encode(ProcessAnswer(error=f"{type(error).__name__}: {error}"[:MAX_TEXT]))
        left = memoryview(line + b"\n")
        while left:
            left = left[os.write(self._wire.fileno(), left) :]

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            part = os.read(self._wire.fileno(), min(size, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def write_refusal(error: VeilError) -> ProcessAnswer:
    """Return the answer for an error that the user can repair."""
    entries = [
        ProblemLine(
            code=entry.code,
            severity=entry.severity,
            message=entry.message[:MAX_TEXT],
            place=entry.place,
            hint=entry.hint,
        )
        for entry in error.problems[:MAX_PROBLEMS]
    ]
    return ProcessAnswer(refusal=entries)


def read_refusal(refusal: list[ProblemLine]) -> VeilError:
    """Return the error of an answer. Its texts are cut, because they come from the player's process."""
    problems = [
        Problem(
            entry.code[:MAX_TEXT],
            entry.severity,
            entry.message[:MAX_TEXT],
            entry.place,
            entry.hint and entry.hint[:MAX_TEXT],
        )
        for entry in refusal[:MAX_PROBLEMS]
    ]
    return VeilError(*problems)
