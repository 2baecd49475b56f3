"""Heads and bodies over a socket: what is taken, what is refused, and that waiting ends."""

from __future__ import annotations

import socket
import threading
from contextlib import closing, suppress
from time import perf_counter, sleep
from typing import Any, ClassVar

import pytest

from tests.support.wire import NO_TRANSCRIPTS, TRANSCRIPTS, body_of, read_transcript
from veil.wire.http import (
    MAX_HEAD,
    BoundedReader,
    HttpRequest,
    WireError,
    WireTimeoutError,
    read_reply,
    read_request,
    write_reply,
)

CHUNKED = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
SOON = 20.0  # seconds; far beyond what anything here takes


def receive(data: bytes, *, closes: bool = True, max_body: int = 10_000) -> HttpRequest:
    """The request that is read from these bytes."""
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        threading.Thread(target=_send, args=(theirs, data, closes), daemon=True).start()
        return read_request(ours, perf_counter() + SOON, max_body)


def _send(wire: socket.socket, data: bytes, closes: bool) -> None:
    with suppress(OSError):  # the other end has read enough, and has closed
        wire.sendall(data)
        if closes:
            wire.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize(
    ("data", "request_read"),
    [
        (b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)", HttpRequest("POST", "(INFO)")),
        (b"POST / HTTP/1.1\r\nHost: x\r\ncontent-length:6\r\n\r\n(INFO) and more", HttpRequest("POST", "(INFO)", "x")),
        (b"POST / HTTP/1.0\nContent-length: 6\n\n(INFO)", HttpRequest("POST", "(INFO)")),
        (b"\r\npost /\r\nContent-length: 0\r\n\r\n", HttpRequest("POST", "")),
        (b"POST / HTTP/1.0\r\nContent-length: 2\r\n\r\n\xc3\xa9", HttpRequest("POST", "é")),
        (b"POST / HTTP/1.0\r\nContent-length: 1\r\n\r\n\xe9", HttpRequest("POST", "é")),
        (b"POST / HTTP/1.0\r\nContent-length: 9\r\n\r\n\xef\xbb\xbf(INFO)", HttpRequest("POST", "(INFO)")),
        (CHUNKED + b"4\r\n(INF\r\n02;more=no\r\nO)\r\n0\r\n\r\n", HttpRequest("POST", "(INFO)")),
        (CHUNKED + b"6\n(INFO)\n0\n\n", HttpRequest("POST", "(INFO)")),
        (b"GET /%28INFO%29 HTTP/1.0\r\n\r\n", HttpRequest("GET", "(INFO)")),
        (b"GET /?(PLAY+m1+NIL) HTTP/1.0\r\n\r\n", HttpRequest("GET", "(PLAY m1 NIL)")),
        (b"OPTIONS / HTTP/1.1\r\nOrigin: http://x\r\n\r\n", HttpRequest("OPTIONS", "", is_from_page=True)),
    ],
)
def test_a_request_is_read_to_its_length(data: bytes, request_read: HttpRequest) -> None:
    assert receive(data, closes=False) == request_read


@pytest.mark.parametrize(
    ("data", "why", "status"),
    [
        (b"", "closed within the head", 400),
        (b"POST / HTTP/1.0\r\nContent-Length: 6\r\n", "closed within the head", 400),
        (b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INF", "closed within the message", 400),
        (b"POST / HTTP/1.0\r\n\r\n(INFO)", "Content-Length", 400),
        (b"POST / HTTP/1.0\r\nContent-Length: -6\r\n\r\n(INFO)", "Content-Length", 400),
        (b"POST / HTTP/1.0\r\nContent-Length: 9999999999999999\r\n\r\n(INFO)", "Content-Length", 400),
        (b"POST / HTTP/1.0\r\nContent-Length: 10001\r\n\r\n", "at most 10,000 bytes", 413),
        (b"BREW / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)", "POST, GET and OPTIONS", 405),
        (CHUNKED + b"4\r\n(INF\r\n", "closed within the message", 400),
        (CHUNKED + b"-4\r\n(INFO)" + b"x" * 300, "does not say its size", 400),
        (CHUNKED + b"1000\r\n" + b"x" * 4096 + b"\r\n2000\r\n", "at most 10,000 bytes", 413),
        (bytes(range(256)) + b"\r\n\r\n", "POST, GET and OPTIONS", 405),
        (b"x" * (MAX_HEAD + 1), "head is too long", 413),
        (b"POST / HTTP/1.0\r\nX: " + b"x" * MAX_HEAD + b"\r\n\r\n", "head is too long", 413),
    ],
    ids=range(14),
)
def test_what_is_no_request_is_refused(data: bytes, why: str, status: int) -> None:
    with pytest.raises(WireError, match=why) as caught:
        receive(data)
    assert caught.value.status == status


def test_a_program_that_waits_to_be_told_is_told_to_go_on() -> None:
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        theirs.sendall(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n")
        theirs.settimeout(SOON)
        answers: list[HttpRequest] = []
        reader = threading.Thread(target=lambda: answers.append(read_request(ours, perf_counter() + SOON)))
        reader.start()
        assert theirs.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        theirs.sendall(b"(INFO)")
        reader.join()
    assert answers == [HttpRequest("POST", "(INFO)")]


def test_millions_of_tiny_pieces_end_at_the_deadline() -> None:
    class Pieces:
        def settimeout(self, seconds: float) -> None:
            pass

        def recv(self, count: int) -> bytes:
            return b"1\r\nx\r\n" * 1000

    pieces: Any = Pieces()
    reader = BoundedReader(pieces, perf_counter() + 0.1)
    with pytest.raises(WireTimeoutError):
        reader.chunks(1 << 40)


@pytest.mark.parametrize("said", [b"", b"POST / HTTP", b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(IN"])
def test_who_is_silent_is_cut_off_at_the_deadline(said: bytes) -> None:
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        theirs.sendall(said)
        with pytest.raises(WireTimeoutError):
            read_request(ours, perf_counter() + 0.1)


def test_a_wait_is_never_longer_than_what_is_left_of_the_time() -> None:
    class Silence:
        waits: ClassVar[list[float]] = []

        def settimeout(self, seconds: float) -> None:
            self.waits.append(seconds)

        def recv(self, count: int) -> bytes:
            if len(self.waits) < 3:
                return b"x"
            raise TimeoutError

    silence: Any = Silence()
    with pytest.raises(WireTimeoutError):
        read_request(silence, perf_counter() + 5.0)
    assert len(silence.waits) == 3
    assert 5.0 > silence.waits[0] > silence.waits[1] > silence.waits[2] > 0.0


def test_who_sends_a_byte_at_a_time_is_cut_off_at_the_deadline() -> None:
    ours, theirs = socket.socketpair()
    stop = threading.Event()

    def dribble() -> None:
        while not stop.is_set():
            theirs.sendall(b"x")
            sleep(0.01)

    with closing(ours), closing(theirs):
        thread = threading.Thread(target=dribble)
        thread.start()
        with pytest.raises(WireTimeoutError):
            read_request(ours, perf_counter() + 0.3)
        stop.set()
        thread.join()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"HTTP/1.0 200 OK\r\nContent-length: 5\r\n\r\nready", "ready"),
        (b"HTTP/1.0 200 OK\r\nContent-length: 9\r\n\r\nready", "ready"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nready and more", "ready"),
        (b"HTTP/1.0 200 OK\r\n\r\n(mark 1 1)", "(mark 1 1)"),  # until the connection is closed
        (b"HTTP/1.0 200 OK\n\nready", "ready"),
    ],
)
def test_a_reply_ends_with_its_length_or_with_the_connection(data: bytes, text: str) -> None:
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        _send(theirs, data, closes=True)
        assert read_reply(ours, perf_counter() + SOON, 1000) == text


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "closed within the head"),
        (b"ready\r\n\r\n", "not HTTP"),
        (b"HTTP/1.0 400 Bad\r\nContent-length: 11\r\n\r\nno  such\nid", "status 400: no such id"),
        (b"HTTP/1.0 200 OK\r\nContent-length: 2000\r\n\r\n", "too long"),
        (b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 2000, "too long"),
    ],
    ids=range(5),
)
def test_what_is_no_reply_is_refused(data: bytes, why: str) -> None:
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        _send(theirs, data, closes=True)
        with pytest.raises(WireError, match=why):
            read_reply(ours, perf_counter() + SOON, 1000)


@NO_TRANSCRIPTS
def test_replies_are_those_of_a_player_of_ggp_base() -> None:
    replies = [entry["reply"] for entry in read_transcript("A_player") if entry["closed"]]
    assert len(replies) == 6
    assert [write_reply(body_of(reply), for_pages=True).decode() for reply in replies] == replies


@NO_TRANSCRIPTS
def test_requests_of_real_managers_are_read() -> None:
    for path in sorted(TRANSCRIPTS.glob("*.jsonl")):
        for entry in read_transcript(path.stem):
            read = receive(entry["request"].encode())
            assert (read.method, read.text) == ("POST", body_of(entry["request"]))
            assert not read.is_from_page
