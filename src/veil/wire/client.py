"""One question to a remote player: connect, send, read the reply; each with its own limit."""

from __future__ import annotations

import socket
from contextlib import closing
from time import perf_counter
from typing import NamedTuple

from veil.wire.http import WireError, WireTimeoutError, read_reply

MAX_REPLY = 64 * 1024  # bytes; a move has a few dozens


class Address(NamedTuple):
    """The address at which a player listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class UnreachableError(WireError):
    """A connection that is not accepted."""


class WireAnswer(NamedTuple):
    """The reply to a question."""

    text: str
    seconds: float  # since the connection was made


def ask(address: Address, request: bytes, *, connect_seconds: float, seconds: float) -> WireAnswer:
    """Send a request and return the body of its reply.

    The clock of `seconds` starts when the connection is made, as in other game managers. Raises `UnreachableError`,
    `WireTimeoutError`, or `WireError` for an invalid reply.
    """
    try:
        wire = socket.create_connection(address, connect_seconds)
    except (OSError, UnicodeError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise UnreachableError(f"cannot connect: {why}") from None
    with closing(wire):
        clock = perf_counter()
        _send(wire, request, seconds)
        text = read_reply(wire, clock + seconds, MAX_REPLY)
        return WireAnswer(text, perf_counter() - clock)


def _send(wire: socket.socket, request: bytes, seconds: float) -> None:
    wire.settimeout(seconds)
    try:
        wire.sendall(request)
    except TimeoutError:
        raise WireTimeoutError("it took too long") from None
    except OSError as error:
        raise WireError(f"the connection broke: {error.strerror or type(error).__name__}") from None
