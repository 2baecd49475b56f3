"""The other end of the wire, for tests: transcripts of real programs, peers that answer what they are told to, and a
server of ours on loopback.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any, ClassVar

import pytest

from tests.support.corpus import ROOT
from veil.players import PLAYERS, Observation, Seat
from veil.registry import Row
from veil.server.ggp import PlayerServer, serve_player
from veil.wire.client import Address, ask

TRANSCRIPTS = ROOT / "protocol"
NO_TRANSCRIPTS = pytest.mark.skipif(
    not TRANSCRIPTS.is_dir(), reason=f"no transcripts of the protocol at {TRANSCRIPTS}; set VEIL_CORPUS"
)
# What stands at the start of a connection: nothing is answered before it is told.
OK = b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\n"
PATIENCE = 100.0  # seconds; far beyond what anything here takes


# What was told in the transcripts, copied by hand: own move and percepts of each round; the joint moves of dialect A.
MONTY_C = [("(choose 1)", []), ("noop", ["2"]), ("switch", ["1"])]
MONTY_B = [("(choose 1)", []), ("noop", ["3"]), ("switch", ["2"])]
KUHN_C = [
    ("noop", []),
    ("noop", ["(card king)"]),
    ("noop", ["(played first pass)"]),
    ("bet", []),
    ("noop", ["(played first bet)"]),
]
MARKS = ["(mark 1 1)", "(mark 3 2)", "(mark 3 3)", "(mark 2 1)", "(mark 1 3)", "(mark 2 2)", "(mark 3 1)", "(mark 1 2)"]
TIC_TAC_TOE_A = [(move, "noop") if turn % 2 == 0 else ("noop", move) for turn, move in enumerate(MARKS)]


def read_transcript(name: str) -> list[dict[str, Any]]:
    """The lines of a transcript."""
    lines = (TRANSCRIPTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def body_of(text: str) -> str:
    """What stands after the head of a request or reply."""
    return text.partition("\r\n\r\n")[2]


def http(body: str) -> bytes:
    """A reply as a player sends it."""
    return OK + f"Content-length: {len(body.encode())}\r\n\r\n{body}".encode()


class Peer:
    """Somebody who listens on loopback. `answer` is given the bytes of a request and returns those of the reply; None
    leaves the connection open and silent until the end.
    """

    def __init__(self, answer: Callable[[bytes], bytes | None]) -> None:
        self.answer, self.requests = answer, list[bytes]()
        self._open: list[socket.socket] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # otherwise it would take one more
        self._socket.close()
        for wire in self._open:
            wire.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                wire, _ = self._socket.accept()
                threading.Thread(target=self._talk, args=(wire,), daemon=True).start()

    def _talk(self, wire: socket.socket) -> None:
        with suppress(OSError):
            wire.settimeout(PATIENCE)
            request = receive_request(wire)
            self.requests.append(request)
            reply = self.answer(request)
            if reply is None:
                self._open.append(wire)
                return
            wire.sendall(reply)
            wire.close()


def receive_request(wire: socket.socket) -> bytes:
    """A whole request, by a reader that is not the one under test."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += wire.recv(1)
    head = data.decode().lower()
    length = int(head.partition("content-length:")[2].partition("\r\n")[0])
    while len(data) < len(head) + length:
        data += wire.recv(4096)
    return data


@contextmanager
def serving(player: str, **settings: Any) -> Iterator[PlayerServer]:
    """A player of ours on loopback."""
    with serve_player(player, port=0, **settings) as server:
        yield server


def exchange(address: Address, data: bytes, *, half_close: bool = False) -> bytes:
    """Send bytes and return all that comes back until the connection is closed."""
    with closing(socket.create_connection(address, PATIENCE)) as wire:
        wire.sendall(data)
        if half_close:
            wire.shutdown(socket.SHUT_WR)
        reply = b""
        with suppress(ConnectionError):
            while piece := wire.recv(65536):
                reply += piece
        return reply


def say(address: Address, message: str) -> str:
    """The body of the answer to a message."""
    request = f"POST / HTTP/1.0\r\nContent-Length: {len(message.encode())}\r\n\r\n{message}".encode()
    return ask(address, request, connect_seconds=PATIENCE, seconds=PATIENCE).text


class ScriptedPlayer:
    """Answers what it is told to, and remembers what it hears; a row of the table while `scripted` lasts."""

    script: ClassVar[list[Any]] = []  # of the match that is played next
    last: ScriptedPlayer

    def __init__(self, config: object) -> None:
        self.answers, self.heard, self.seconds = list(type(self).script), list[Any](), 0.0
        self.over: Any = "not yet"
        type(self).last = self

    def start(self, seat: Seat) -> None:
        self.seat = seat

    def play(self, observation: Observation | None) -> Any:
        self.heard.append(observation)
        answer = self.answers[len(self.heard) - 1] if len(self.heard) <= len(self.answers) else "noop"
        return answer() if callable(answer) else answer

    def stop(self, observation: Observation | None) -> None:
        self.over = observation

    def report(self) -> dict[str, Any]:
        return {}


@contextmanager
def scripted(answers: list[Any]) -> Iterator[str]:
    """The spec of a player that answers this, move by move; what can be called is called for the answer."""
    ScriptedPlayer.script = answers
    PLAYERS.rows["scripted"] = Row("veil.players.simple", "NoConfig", "tests.support.wire:ScriptedPlayer", "a script")
    try:
        yield "scripted"
    finally:
        del PLAYERS.rows["scripted"]
