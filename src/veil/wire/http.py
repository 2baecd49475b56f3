"""The part of HTTP that the protocol needs, over a socket, with limits on all input.

One message, one connection: a request has a head and as many bytes as its length says, or pieces that say their sizes;
a reply ends with its length or with the connection. Input that is too long, too slow or invalid raises a `WireError`
with a short reason; waiting ends at a deadline in any case.
"""

from __future__ import annotations

import re
import socket
from time import perf_counter
from typing import NamedTuple
from urllib.parse import unquote_plus

MAX_HEAD = 16 * 1024  # bytes of a request line with its headers
MAX_BODY = 8 * 2**20  # bytes of a message, which may hold the rules of a game
PIECE = 64 * 1024  # bytes that are read at once
END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
CHUNKED = re.compile(rb"^transfer-encoding[ \t]*:[ \t]*chunked[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
CHUNK = re.compile(rb"(?:\r?\n)?([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")  # after a line end; a size, a remark
ASKS_TO_GO_ON = re.compile(rb"^expect[ \t]*:[ \t]*100-continue[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"
MAX_CHUNK_LINE = 256  # bytes
LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
REQUEST_LINE = re.compile(rb"(\S{1,20}) (.*?)(?: HTTP/\d\.\d)?\r?", re.DOTALL)
STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})\b")
REASONS = {
    200: "OK",
    400: "Bad Request",
    403: "Forbidden",
    405: "Method Not Allowed",
    413: "Content Too Large",
    421: "Misdirected",
    503: "Busy",
}
HOST = re.compile(rb"^host[ \t]*:[ \t]*([^\r\n]*?)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
ORIGIN = re.compile(rb"^(?:origin|sec-fetch-site)[ \t]*:", re.IGNORECASE | re.MULTILINE)
REPLY_HEAD = "HTTP/1.0 {status} {reason}\r\nContent-type: text/acl\r\nContent-length: {length}\r\n"
# As ggp-base sends them, so that pages of any site may use the player.
FOR_PAGES = (
    "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n"
    "Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n"
)


class WireError(Exception):
    """An error of the connection, in one short line; a server answers it with `status`."""

    def __init__(self, why: str, status: int = 400) -> None:
        super().__init__(why)
        self.status = status


class WireTimeoutError(WireError):
    """A deadline that passed before all data came."""


class HttpRequest(NamedTuple):
    """A request."""

    method: str  # POST, GET or OPTIONS
    text: str  # the message; that of a GET stands in its address
    host: str | None = None  # by which name this machine was asked; None if the request does not say
    is_from_page: bool = False  # whether a page in a browser sent it


class BoundedReader:
    """Bytes from a socket, until a deadline (a time of `perf_counter`) and never more than requested."""

    def __init__(self, wire: socket.socket, deadline: float) -> None:
        self._wire, self._deadline = wire, deadline
        self._buffer = bytearray()

    def answer(self, data: bytes) -> None:
        """Send some bytes before the rest is read."""
        try:
            self._wire.sendall(data)
        except OSError as error:
            raise WireError(f"the connection broke: {error.strerror or type(error).__name__}") from None

    def head(self) -> bytes:
        """Return all bytes up to the first empty line."""
        searched = 0
        while (end := END_OF_HEAD.search(self._buffer, searched)) is None:
            if len(self._buffer) > MAX_HEAD:
                raise WireError("the head is too long", 413)
            searched = max(0, len(self._buffer) - 3)
            if not self._fill():
                raise WireError("the connection was closed within the head")
        if end.end() > MAX_HEAD:
            raise WireError("the head is too long", 413)
        head = bytes(self._buffer[: end.start()])
        del self._buffer[: end.end()]
        return head

    def exactly(self, count: int) -> bytes:
        """Return exactly `count` bytes."""
        while len(self._buffer) < count:
            if not self._fill():
                raise WireError("the connection was closed within the message")
        return bytes(self._buffer[:count])

    def upto(self, count: int) -> bytes:
        """Return `count` bytes, or fewer if the connection is closed before."""
        while len(self._buffer) < count and self._fill():
            pass
        return bytes(self._buffer[:count])

    def chunks(self, most: int) -> bytes:
        """Return a body that comes in pieces, each after its size; the last one is empty."""
        body = bytearray()
        while size := self._chunk_size():
            if len(body) + size > most:
                raise WireError(f"a message has at most {most:,} bytes", 413)
            body += self.exactly(size)
            del self._buffer[:size]
        return bytes(body)

    def _chunk_size(self) -> int:
        """Return the size of the next piece."""
        while (line := CHUNK.match(self._buffer)) is None:
            if len(self._buffer) > MAX_CHUNK_LINE:
                raise WireError("a piece of the message does not say its size")
            if not self._fill():
                raise WireError("the connection was closed within the message")
        if perf_counter() > self._deadline:  # millions of tiny pieces are slow to read, too
            raise WireTimeoutError("it took too long")
        size = int(line[1], 16)
        del self._buffer[: line.end()]
        return size

    def rest(self, most: int) -> bytes:
        """Return all bytes until the connection is closed, at most `most`."""
        while len(self._buffer) <= most:
            if not self._fill():
                return bytes(self._buffer)
        raise WireError("the message is too long", 413)

    def _fill(self) -> bool:
        """Wait for bytes and read them; return whether any came before the connection was closed."""
        left = self._deadline - perf_counter()
        if left <= 0:
            raise WireTimeoutError("it took too long")
        self._wire.settimeout(left)
        try:
            piece = self._wire.recv(PIECE)
        except TimeoutError:
            raise WireTimeoutError("it took too long") from None
        except OSError as error:
            raise WireError(f"the connection broke: {error.strerror or type(error).__name__}") from None
        self._buffer += piece
        return bool(piece)


def read_request(wire: socket.socket, deadline: float, max_body: int = MAX_BODY) -> HttpRequest:
    """Return the request that comes in."""
    reader = BoundedReader(wire, deadline)
    first, _, headers = reader.head().lstrip(b"\r\n").partition(b"\n")
    line = REQUEST_LINE.fullmatch(first)
    method = line[1].decode("latin-1").upper() if line else ""
    if line is None or method not in ("POST", "GET", "OPTIONS"):
        raise WireError("POST, GET and OPTIONS are what is understood here", 405)
    named = HOST.search(headers)
    origin = (named[1].decode("latin-1") if named else None, ORIGIN.search(headers) is not None)
    if method == "GET":
        return HttpRequest(method, unquote_plus(decode_text(line[2])).removeprefix("/").removeprefix("?"), *origin)
    if method == "OPTIONS":
        return HttpRequest(method, "", *origin)
    is_chunked, length = CHUNKED.search(headers) is not None, LENGTH.search(headers)
    if length is None and not is_chunked:
        raise WireError("the request does not say its Content-Length")
    if length is not None and int(length[1]) > max_body:
        raise WireError(f"a message has at most {max_body:,} bytes", 413)
    if ASKS_TO_GO_ON.search(headers):  # some programs wait a second for this before they send the rest
        reader.answer(GO_ON)
    body = reader.chunks(max_body) if is_chunked or length is None else reader.exactly(int(length[1]))
    return HttpRequest(method, decode_text(body), *origin)


def read_reply(wire: socket.socket, deadline: float, most: int) -> str:
    """Return the body of the reply that comes in; it may be shorter than it says. A status other than 200 is an error.

    Raises `WireError`.
    """
    reader = BoundedReader(wire, deadline)
    head = reader.head()
    status = STATUS_LINE.match(head)
    if status is None:
        raise WireError("the reply is not HTTP")
    length = LENGTH.search(head)
    if length is not None and int(length[1]) > most:
        raise WireError("the reply is too long")
    text = decode_text(reader.upto(int(length[1])) if length else reader.rest(most))
    if status[1] != b"200":
        raise WireError(f"status {status[1].decode()}: {' '.join(text[:200].split())}")
    return text


def write_reply(text: str, status: int = 200, *, for_pages: bool = False) -> bytes:
    """Return a reply with this body. With `for_pages`, browsers show it to pages of any site (CORS)."""
    body = text.encode("utf-8", "replace")
    reason = REASONS.get(status, "Error")
    head = REPLY_HEAD.format(status=status, reason=reason, length=len(body)) + (FOR_PAGES if for_pages else "")
    return f"{head}\r\n".encode() + body


def decode_text(data: bytes) -> str:
    """Decode bytes as UTF-8, without a mark of byte order, or else as Latin-1, in which every byte is a character."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
