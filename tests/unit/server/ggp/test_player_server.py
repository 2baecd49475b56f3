"""The server: which message is for whom, several matches at once, and whatever else comes in over the network."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from time import perf_counter

import pytest

import veil
from tests.support.games import game
from tests.support.processes import wait_until
from tests.support.refusals import refused
from tests.support.wire import NO_TRANSCRIPTS, body_of, exchange, read_transcript, say, scripted, serving
from veil.engine import GroundingEndedError, write_statements
from veil.match import MatchConfig, MatchLog
from veil.server.ggp import PlayerServer, ServerConfig, player_server, session as session_module
from veil.server.ggp.session import MatchSession
from veil.wire import DIALECTS, MessageError, WireError

MONTY = " ".join(write_statements(game("monty_hall")))
PATIENT = "start=100,play=100,connect=100"  # seconds: a busy machine is no fault of a player
START = f"(START {{}} contestant ({MONTY}) 60 30)"
# Two dice of one throw each, the second never the same as the first: what `random` may do depends on what it did.
DICE = """
(role random) (role ann) (init (round 1)) (succ 1 2) (succ 2 3) (face 1) (face 2) (face 3)
(<= (legal random (throw ?n)) (true (round ?r)) (face ?n) (not (true (thrown ?n))))
(<= (legal ann wait) (true (round 1)))
(<= (legal ann (guess ?n)) (true (round 2)) (face ?n))
(<= (sees ann (shown ?n)) (does random (throw ?n)))
(<= (next (thrown ?n)) (does random (throw ?n)))
(<= (next (thrown ?n)) (true (thrown ?n)))
(<= (next (hit)) (does random (throw ?n)) (does ann (guess ?n)))
(<= (next (round ?s)) (true (round ?r)) (succ ?r ?s))
(<= terminal (true (round 3)))
(<= (goal ann 100) (true (hit)))
(<= (goal ann 0) (not (true (hit))))
"""


def test_a_match_after_the_other_is_played_and_busy_in_between() -> None:
    with serving("first") as server:
        assert say(server.address, "(INFO)") == "((name Veil-first) (status available))"
        assert say(server.address, START.format("m1")) == "ready"
        assert say(server.address, "(info)") == "((name Veil-first) (status busy))"
        assert say(server.address, START.format("m2")) == "busy"
        assert say(server.address, "(PLAY m2 0 NIL NIL)") == "busy"
        assert say(server.address, "(PLAY m1 0 NIL NIL)") == "(choose 1)"
        assert say(server.address, "(STOP m1 1 (choose 1) ())") == "done"
        assert say(server.address, START.format("m2")) == "ready"
        assert say(server.address, "(ABORT m2)") == "aborted"
        assert say(server.address, "(STOP m2 NIL)") == "busy"
        assert say(server.address, "(PREVIEW ((role x)) 5)") == "ready"
    assert (server.started, server.ended, server.sessions) == (2, 2, {})


@NO_TRANSCRIPTS
def test_a_script_for_a_player_of_ggp_base_gets_its_answers_from_ours() -> None:
    """Where that one never answers, ours says why; where it does, the heads are the same to the last byte."""
    with serving("first", dialect="A", name="Random", cors=True) as server:
        for entry in read_transcript("A_player"):
            reply = exchange(server.address, entry["request"].encode(), half_close=True).decode()
            if not entry["closed"]:
                assert reply.startswith("HTTP/1.0 400 ")
                assert body_of(reply).startswith("refused: ")
                continue
            theirs, ours = body_of(entry["reply"]), body_of(reply)
            assert "".join(ours.split()) == "".join(theirs.split())
            head = entry["reply"].removesuffix(theirs).replace(f"length: {len(theirs)}\r", f"length: {len(ours)}\r")
            assert reply == head + ours


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("dialect", ["A", "B", "C"])
@pytest.mark.parametrize("scramble", [False, True])
def test_our_manager_and_our_player_understand_each_other(dialect: str, scramble: bool) -> None:
    with serving("first") as server:
        remote = f"remote:port={server.address.port},dialect={dialect}"
        config = MatchConfig(start_seconds=30.0, play_seconds=20.0, scramble=scramble)
        log = veil.run_match(game("tic_tac_toe"), {"xplayer": "random", "oplayer": remote}, 4, config)
        assert (log.errors, log.finished) == ({"xplayer": 0, "oplayer": 0}, True)
        if not scramble:  # made-up words have another first one
            local = veil.run_match(game("tic_tac_toe"), {"xplayer": "random", "oplayer": "first"}, 4, key=log.key)
            assert [entry.moves for entry in log.rounds] == [entry.moves for entry in local.rounds]


@pytest.mark.parametrize("dialect", ["A", "B", "C"])
def test_random_moves_that_depend_on_earlier_ones_come_through(dialect: str) -> None:
    with serving("solve:method=cfr+,iterations=500", matches=2) as server:
        remote = f"remote:port={server.address.port},dialect={dialect}"
        for seed in range(4):
            log = veil.run_match(DICE, {"ann": remote}, seed, MatchConfig(play_seconds=20.0))
            throws = [entry.moves["random"] for entry in log.rounds]
            assert len(set(throws)) == 2
            assert log.errors == {"ann": 0}
            second = log.rounds[1].moves["ann"]
            assert second.replace("guess", "throw") != throws[0]  # it has seen the first, and knows


@pytest.mark.compiled("slow as Python")
def test_twenty_matches_at_once_do_not_disturb_each_other() -> None:
    def hold(number: int) -> MatchLog:
        remote = f"remote:port={server.address.port},dialect={'ABC'[number % 3]},{PATIENT}"
        return veil.run_match(game("tic_tac_toe"), {"xplayer": "random", "oplayer": remote}, number)

    with serving("first", matches=20) as server, ThreadPoolExecutor(20) as pool:
        logs = list(pool.map(hold, range(20)))
        assert server.sessions == {}
    for number, log in enumerate(logs):
        alone = veil.run_match(game("tic_tac_toe"), {"xplayer": "random", "oplayer": "first"}, number, key=log.key)
        assert [entry.moves for entry in log.rounds] == [entry.moves for entry in alone.rounds]
        assert log.errors == {"xplayer": 0, "oplayer": 0}, [entry.errors for entry in log.rounds]


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n", "200"),
        (b"GET /%28INFO%29 HTTP/1.1\r\n\r\n", "200"),
        (b"", "400"),
        (b"\0" * 5000, "400"),
        (b"x" * 100_000, "413"),
        (b"POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n" + b"(" * 1000, "413"),
        (b"POST / HTTP/1.0\r\nContent-Length: 20000\r\n\r\n" + b"(" * 20000, "400"),
        (b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(INFO)", "400"),
        (DIALECTS["C"].request("(START m1 x ((role x) (init (n 0)) (legal x y)) a b)", "x"), "400"),
        (DIALECTS["C"].request("(START m1 x (" + "(" * 150 + "a" + ")" * 150 + ") 5 5)", "x"), "400"),
        (DIALECTS["C"].request("(START m1 x (tic_tac_toe) 5 5)", "x"), "400"),
    ],
    ids=range(11),
)
def test_whatever_comes_in_is_answered_shortly_and_the_next_is_served(data: bytes, status: str) -> None:
    with serving("first") as server:
        reply = exchange(server.address, data, half_close=True).decode()
        assert reply.startswith(f"HTTP/1.0 {status} ")
        assert len(reply) < 800  # a reply does not give back what was sent
        assert "Access-Control-Allow" not in reply
        assert "available" in say(server.address, "(INFO)")


def test_a_slow_sender_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_server, "REQUEST_SECONDS", 0.2)
    with serving("first") as server, closing(socket.create_connection(server.address, 20)) as wire:
        wire.sendall(b"POST / HTTP/1.0\r\nContent-Le")
        assert b"it took too long" in wire.recv(1000)


def test_connections_that_send_nothing_make_room_for_those_that_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_server, "MAX_CONNECTIONS", 3)
    monkeypatch.setattr(player_server, "REQUEST_SECONDS", 600.0)  # no clock closes them
    with serving("first") as server:
        silent = [socket.create_connection(server.address, 20) for _ in range(20)]
        assert "available" in say(server.address, "(INFO)")
        assert wait_until(lambda: len(server._reading) == 2)
        for wire in silent[:17]:
            wire.settimeout(20)
            assert wire.recv(1000) == b""  # the oldest were closed
        for wire in silent:
            wire.close()


def test_a_match_that_gets_ready_slowly_is_not_given_up_while_its_manager_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute of patience begins with every question, also with one that is refused because nobody knows a move."""
    ready = threading.Event()
    monkeypatch.setattr(MatchSession, "_seat_player", lambda self, is_open: ready.wait(20))
    with serving("first") as server:
        assert say(server.address, f"(START m1 contestant ({MONTY}) 0.1 0.1)") == "ready"
        session = server.sessions["m1"]
        session._expires = soon = perf_counter() + 10.0
        with monkeypatch.context() as patch:
            patch.setattr(MatchSession, "_find_any_move", find_nothing)
            with pytest.raises(WireError, match="no move is found"):
                say(server.address, "(PLAY m1 0 NIL NIL)")
        assert session._expires > soon + 20
        assert say(server.address, "(PLAY m1 0 NIL NIL)") == "(choose 1)"  # found from the rules
        ready.set()


def find_nothing(session: MatchSession, deadline: float) -> str:
    raise MessageError("no move is found")


# 120 ** 3 rules: the grounder is at work for many seconds.
ENDLESS = " ".join(f"(d {number})" for number in range(120))
ENDLESS = f"""
(role a) {ENDLESS} (init (n 0)) (<= (legal a (m ?x ?y ?z)) (d ?x) (d ?y) (d ?z)) (goal a 1) (<= terminal (true (n 7)))
"""


def test_abort_ends_the_grounding_of_a_match_at_once() -> None:
    """Twelve matches with rules of millions of moves were begun and given up. A sound one is ready all the same."""
    with serving("first", matches=4) as server, ThreadPoolExecutor(4) as pool:
        for number in range(12):
            begun = pool.submit(say, server.address, f"(START h{number} a ({ENDLESS} (x {number})) 30 30)")
            assert wait_until(partial(server.sessions.__contains__, f"h{number}"))
            session = server.sessions[f"h{number}"]
            assert say(server.address, f"(ABORT h{number})") == "aborted"
            assert begun.exception(20) or begun.result() is not None
            with pytest.raises((GroundingEndedError, veil.VeilError)):
                session._starting.result(20)
        assert say(server.address, START.format("m1")) == "ready"
        assert say(server.address, "(PLAY m1 0 NIL NIL)") == "(choose 1)"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET /?%28INFO%29", "200"),
        ("GET /?%28ABORT%20m1%29", "405"),
        ("GET /?%28INFO%29\nHost: evil.example", "421"),
        ("GET /?%28INFO%29\nHost: 127.0.0.1:9147\nOrigin: https://evil.example", "403"),
        ("GET /?%28INFO%29\nSec-Fetch-Site: cross-site", "403"),
        ("POST /\nOrigin: https://evil.example\nContent-Length: 6", "403"),
        ("POST /\nHost: evil.example\nContent-Length: 6", "421"),
        ("OPTIONS /\nOrigin: https://evil.example", "403"),
        ("POST /\nHost: localhost\nContent-Length: 6", "200"),
    ],
)
def test_no_web_page_commands_the_player(head: str, status: str) -> None:
    line, *headers = head.split("\n")
    data = "\r\n".join([f"{line} HTTP/1.1", *headers, "", "(INFO)"]).encode()
    with serving("first") as server:
        say(server.address, START.format("m1"))
        reply = exchange(server.address, data, half_close=True).decode()
        assert reply.startswith(f"HTTP/1.0 {status} ")
        assert "Access-Control" not in reply
        assert "m1" in server.sessions
    with serving("first", cors=True) as server:
        reply = exchange(server.address, data, half_close=True).decode()
        assert reply.startswith("HTTP/1.0 405" if status == "405" else "HTTP/1.0 200 ")
        assert "Access-Control-Allow-Origin: *" in reply


def test_a_lost_manager_frees_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_server, "PATROL", 0.05)
    with serving("first", patience=0.1) as server:
        assert say(server.address, f"(START m1 contestant ({MONTY}) 5 0.01)") == "ready"
        monkeypatch.setattr(server.sessions["m1"], "_expires", 0.0)
        assert wait_until(lambda: not server.sessions)
        assert "available" in say(server.address, "(INFO)")


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Managers are idle as soon as their clock has run out."""
    monkeypatch.setattr(session_module, "IDLE", 0.0)


def test_a_manager_that_ends_without_stop_costs_the_next_match_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second START comes while the first match may go on, and waits for its clock to run out."""
    forget(monkeypatch)
    with serving("first") as server:
        start = f"(START {{}} contestant ({MONTY}) {{}} 1)"
        assert say(server.address, start.format("m1", 0.1)) == "ready"
        assert say(server.address, "(PLAY m1 0 NIL NIL)") == "(choose 1)"
        assert say(server.address, start.format("m2", 0.1)) == "busy"  # its clock is too short to wait
        assert say(server.address, start.format("m2", 20)) == "ready"
        assert say(server.address, "(PLAY m2 0 NIL NIL)") == "(choose 1)"
        assert say(server.address, "(PLAY m1 1 (choose 1) ())") == "busy"
        assert list(server.sessions) == ["m2"]


def test_the_same_match_can_begin_again_when_it_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch)
    with serving("first") as server:
        start = f"(START m1 contestant ({MONTY}) 20 0.2)"
        assert say(server.address, start) == "ready"
        assert say(server.address, "(PLAY m1 0 NIL NIL)") == "(choose 1)"
        assert say(server.address, start) == "ready"
        assert say(server.address, "(PLAY m1 0 NIL NIL)") == "(choose 1)"


def test_a_match_whose_manager_only_waits_for_others_is_not_replaced() -> None:
    with serving("first") as server:
        assert say(server.address, START.format("m1")) == "ready"
        assert say(server.address, "(PLAY m1 0 NIL NIL)") == "(choose 1)"
        assert say(server.address, START.format("m2")) == "busy"
        assert say(server.address, "(PLAY m1 1 (choose 1) ())") == "noop"


def test_a_match_that_cannot_be_played_frees_its_seat_at_once() -> None:
    with serving("first", matches=1) as server:
        say(server.address, START.format("m1"))
        server.sessions["m1"].is_dead = True
        assert say(server.address, START.format("m2")) == "ready"


def test_the_second_seat_of_a_match_is_busy_and_the_log_says_why(caplog: pytest.LogCaptureFixture) -> None:
    """The messages of PLAY do not say for whom they are. The first seat plays on."""
    rules = " ".join(write_statements(game("tic_tac_toe")))
    with serving("first", matches=2, dialect="A") as server:
        assert say(server.address, f"(START m1 xplayer ({rules}) 60 30)") == "ready"
        assert say(server.address, f"(START m1 oplayer ({rules}) 60 30)") == "busy"
        assert "xplayer is played here: a server plays one seat of a match" in caplog.text
        assert say(server.address, "(PLAY m1 NIL)") == "(mark 1 1)"
        assert say(server.address, "(PLAY m1 NIL)") == "(mark 1 1)"
        assert say(server.address, "(PLAY m1 ((mark 1 1) noop))") == "noop"


def test_capitals_are_told_ready_busy_and_done_in_capitals() -> None:
    with serving("first") as server:
        start = START.format("M1").upper()
        assert say(server.address, start) == "READY"
        assert say(server.address, start.replace("M1", "M2")) == "BUSY"
        assert say(server.address, "(STOP M1 NIL)") == "DONE"


def test_nobody_is_let_in_before_the_player_is_ready() -> None:
    """A connection is refused instead of being left waiting until a start clock has run down."""
    with PlayerServer(ServerConfig(player="first", port=0)) as server:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(server.address, 20)
        server.prepare()
        socket.create_connection(server.address, 20).close()


def test_abort_ends_a_match_while_its_player_thinks() -> None:
    woken = threading.Event()
    with scripted([lambda: woken.wait(20)]) as spec, serving(spec) as server, ThreadPoolExecutor(1) as pool:
        say(server.address, START.format("m1"))
        thinking = pool.submit(say, server.address, "(PLAY m1 0 NIL NIL)")
        assert wait_until(lambda: server.sessions["m1"]._lock.locked())
        assert say(server.address, "(ABORT m1)") == "aborted"
        assert say(server.address, START.format("m2")) == "ready"
        woken.set()
        thinking.exception(20)


@pytest.mark.slow
def test_an_isolated_player_plays_too_and_its_process_ends_with_the_match() -> None:
    with serving("first", isolated=True) as server:
        remote = f"remote:port={server.address.port}"
        log = veil.run_match(game("monty_hall"), {"contestant": remote}, 1)
        assert log.errors == {"contestant": 0}
        assert server.sessions == {}


def test_an_address_that_is_taken_is_for_the_user_to_repair() -> None:
    with serving("first") as server:
        config = ServerConfig(player="first", port=server.address.port)
        assert "Address already in use" in refused("cannot-listen", lambda: PlayerServer(config))
    refused("cannot-listen", lambda: PlayerServer(ServerConfig(player="first", host="no such host", port=0)))


def test_a_server_can_be_closed_twice_and_leaves_no_match() -> None:
    with serving("first") as server:
        say(server.address, START.format("m1"))
        server.close()
        assert server.sessions == {}
        server.serve()  # returns at once
