"""Whatever is sent over the wire, both sides say something short and go on; by Hypothesis, and by a little of the
fuzzer that sends a hundred thousand messages (`benchmarks/fuzz_ggp.py`).
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.support.games import game
from veil.engine import write_statements
from veil.server.ggp import PlayerServer, ServerConfig
from veil.wire.http import WireError, read_reply, read_request

RULES = " ".join(write_statements(game("monty_hall")))
WORDS = [
    "PLAY",
    "STOP",
    "START",
    "ABORT",
    "INFO",
    "NIL",
    "m1",
    "m2",
    "contestant",
    "0",
    "1",
    "2",
    "5",
    "noop",
    "switch",
]
WORDS += ["(choose 1)", "(2 )", "()", "(", ")", f"({RULES})", ";", "\n", "é", "\0", "?x", "'"]
messages = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(WORDS), max_size=9).map(lambda words: f"({' '.join(words)})"),
    st.builds(
        "({} m1 {} {} {})".format,
        st.sampled_from(["PLAY", "STOP"]),
        st.integers(0, 4),
        st.sampled_from(["NIL", "(CHOOSE 1)", "noop", "SWITCH"]),
        st.sampled_from(["NIL", "()", "(1 )", "(2 )"]),
    ),
    st.just(f"(START m1 contestant ({RULES}) 5 2)"),
)


@pytest.fixture(scope="module")
def server() -> Iterator[PlayerServer]:
    with PlayerServer(ServerConfig(player="first", port=0)) as made:
        yield made


@pytest.mark.compiled("slow as Python")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(messages, max_size=8))
def test_any_messages_in_any_order_are_answered_or_refused_shortly(server: PlayerServer, texts: list[str]) -> None:
    for text in texts:
        reply = server.answer(text)
        assert reply.status in (200, 400)
        assert len(reply.text) < 400
    assert len(server.sessions) <= 1


@given(st.binary(max_size=400))
def test_any_bytes_are_a_request_or_a_reply_or_refused(data: bytes) -> None:
    for read in (read_request, lambda wire, deadline: read_reply(wire, deadline, 1000)):
        ours, theirs = socket.socketpair()
        with closing(ours), closing(theirs):
            theirs.sendall(data)
            theirs.shutdown(socket.SHUT_WR)
            try:
                read(ours, perf_counter() + 20)
            except WireError:
                continue


@pytest.fixture(scope="module")
def fuzzer() -> Any:
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "fuzz_ggp.py"
    spec = spec_from_file_location("fuzz_ggp", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("side", ["player", "manager"])
def test_a_few_hundred_hostile_messages_over_sockets_do_no_harm(fuzzer: Any, side: str) -> None:
    result = getattr(fuzzer, f"fuzz_{side}")(300, seed=1)
    assert result["messages"] >= 300
    assert result["wrong"] == 0, result["outcomes"]
