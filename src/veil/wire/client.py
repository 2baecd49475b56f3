"""One question to a player elsewhere: connect, send, read the reply; each with a limit of its own."""

from __future__ import annotations

import socket
from contextlib import closing
from time import perf_counter
from typing import NamedTuple

from veil.wire.http import WireError, WireTimeoutError, read_reply

MAX_REPLY = 64 * 1024  # bytes; a move has some dozens


class Address(NamedTuple):
    """Where a player listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class UnreachableError(WireError):
    """Nobody takes the connection."""


class WireAnswer(NamedTuple):
    """What came back."""

    text: str
    seconds: float  # since the connection stood


def ask(address: Address, request: bytes, *, connect_seconds: float, seconds: float) -> WireAnswer:
    """Send a request and return the body of its reply.

    The clock of `seconds` starts when the connection stands, as that of other game managers does. Raises
    `UnreachableError`, `WireTimeoutError`, or `WireError` for a reply that is none.
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
