"""One question over a real socket, to peers of all kinds."""

from __future__ import annotations

import pytest

from tests.support.wire import OK, Peer, http
from veil.wire.client import MAX_REPLY, Address, UnreachableError, ask
from veil.wire.dialects import DIALECTS
from veil.wire.http import WireError, WireTimeoutError

REQUEST = DIALECTS["C"].request("(INFO)", "somebody")


def put(peer: Peer, seconds: float = 20.0) -> str:
    return ask(Address("127.0.0.1", peer.port), REQUEST, connect_seconds=5.0, seconds=seconds).text


def test_an_answer_comes_back_with_its_time() -> None:
    with Peer(lambda request: http("ready")) as peer:
        answer = ask(Address("127.0.0.1", peer.port), REQUEST, connect_seconds=5.0, seconds=20.0)
    assert answer.text == "ready"
    assert 0 < answer.seconds < 20
    assert peer.requests == [REQUEST]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (b"", "closed"),
        (b"nonsense\r\n\r\n", "not HTTP"),
        (OK + b"Content-len", "closed within the head"),
        (OK + b"\r\n" + b"x" * (MAX_REPLY + 100_000), "too long"),
        (b"x" * 1_000_000, "too long"),
    ],
    ids=["nothing", "nonsense", "half", "too much", "a head without end"],
)
def test_a_peer_that_answers_badly_is_told_apart(reply: bytes, why: str) -> None:
    with Peer(lambda request: reply) as peer, pytest.raises(WireError, match=why):
        put(peer)


def test_a_peer_that_never_answers_is_given_up() -> None:
    with Peer(lambda request: None) as peer, pytest.raises(WireTimeoutError):
        put(peer, seconds=0.2)


def test_nobody_there_is_said_so() -> None:
    with Peer(lambda request: None) as peer:
        pass
    with pytest.raises(UnreachableError, match="cannot connect"):
        put(peer)


@pytest.mark.parametrize("host", ["", ".", "no such host", "a" * 300, "\ud800"])
def test_a_host_that_is_none_is_said_so(host: str) -> None:
    with pytest.raises(UnreachableError, match="cannot connect"):
        ask(Address(host, 1), REQUEST, connect_seconds=5.0, seconds=1.0)


def test_an_address_is_shown_as_users_write_it() -> None:
    assert (str(Address("localhost", 80)), str(Address("::1", 80))) == ("localhost:80", "[::1]:80")
