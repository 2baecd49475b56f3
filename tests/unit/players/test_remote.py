"""A player elsewhere, in our matches: what it is sent, what becomes of what it answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import veil
from tests.support.games import game
from tests.support.refusals import refused
from tests.support.wire import NO_TRANSCRIPTS, OK, Peer, body_of, http, read_transcript
from veil.match import MatchConfig, MatchLog
from veil.players import Observation, Seat, make_player
from veil.players.remote import RemoteConfig, RemotePlayer
from veil.wire import RoundMessage, StartMessage, read_message

QUICK = MatchConfig(start_seconds=2.0, play_seconds=1.0, grace=20.0)  # nobody is late on a busy machine


def peer_of(move: Callable[[RoundMessage], bytes | str | None]) -> Peer:
    """A player that is ready at once and answers PLAY as it is told here."""

    def answer(request: bytes) -> bytes | None:
        message = read_message(body_of(request.decode()))
        if isinstance(message, RoundMessage) and message.verb == "play":
            reply = move(message)
            return http(reply) if isinstance(reply, str) else reply
        return http("ready" if isinstance(message, StartMessage) else "done")

    return Peer(answer)


def play(peer: Peer, config: MatchConfig = QUICK, options: str = "", seed: int = 0) -> MatchLog:
    spec = f"remote:port={peer.port}{options}"
    return veil.run_match(game("monty_hall"), {"contestant": spec}, seed, config)


def sent(peer: Peer) -> list[str]:
    return [body_of(request.decode()) for request in peer.requests]


@NO_TRANSCRIPTS
@pytest.mark.parametrize(
    ("name", "game_name", "role", "clocks"),
    [
        ("A1", "tic_tac_toe", "xplayer", (2.0, 1.0)),
        ("C1", "monty_hall", "contestant", (5.0, 2.0)),
        ("C2", "krieg_tictactoe", "xplayer", (5.0, 2.0)),
        ("C3", "kuhn_poker", "second", (5.0, 2.0)),
        ("B1", "monty_hall", "contestant", (5.0, 2.0)),
        ("B2", "krieg_tictactoe", "xplayer", (5.0, 2.0)),
    ],
)
def test_a_transcript_is_sent_byte_for_byte_over_the_wire(
    name: str, game_name: str, role: str, clocks: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the moves of a real manager's match are played, our requests are its requests, to the last byte."""
    entries = read_transcript(name)
    messages = [read_message(body_of(entry["request"])) for entry in entries]
    replies = iter(entry["reply"].encode() for entry in entries)
    monkeypatch.setattr("veil.players.remote.make_match_id", lambda: messages[0].match)  # type: ignore[union-attr]
    receiver = "veil" if name.startswith("A") else "127.0.0.1"
    with Peer(lambda request: next(replies)) as peer:
        player = RemotePlayer(RemoteConfig(port=peer.port, dialect=name[0], name=receiver))  # type: ignore[arg-type]
        start, play = clocks
        player.start(Seat(game=game(game_name), role=role, seed=0, start_seconds=start, play_seconds=play, grace=20.0))
        answer = player.play(None)
        for message in messages[2:]:
            assert isinstance(message, RoundMessage)
            told = list(message.told or ())
            if name.startswith("A"):
                observation = Observation(told[0], frozenset({f"(played oplayer {told[1]})"}))
            else:
                own_move = message.own_move or answer
                observation = Observation(own_move.lower(), frozenset(percept.lower() for percept in told))
            if message.verb == "stop":
                player.stop(observation)
            else:
                answer = player.play(observation)
    assert [request.decode() for request in peer.requests] == [entry["request"] for entry in entries]


def test_answers_are_taken_in_any_case_and_spacing() -> None:
    answers = iter(["( CHOOSE  2 )\r\n", " NoOp", "\tSWITCH\n"])
    with peer_of(lambda message: next(answers)) as peer:
        log = play(peer)
    assert [entry.moves["contestant"] for entry in log.rounds] == ["(choose 2)", "noop", "switch"]
    assert log.errors == {"contestant": 0}
    assert [text[:5] for text in sent(peer)] == ["(STAR", "(PLAY", "(PLAY", "(PLAY", "(STOP"]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("(choose 9)", "(choose 9) is not legal"),
        ("", " is not legal"),
        ("NIL", "NIL is not legal"),
        ("((((" * 100, "is not legal"),
        ("\x1b[31m" + "x" * 5000, "is not legal"),
        (b"nonsense\r\n\r\n", "not HTTP"),
        (b"", "closed"),
        (OK + b"Content-length: 99\r\n\r\n(choose", "(choose is not legal"),
        (OK + b"Content-length: 9999999\r\n\r\n", "too long"),
        (b"HTTP/1.0 500 Oops\r\n\r\n", "status 500"),
    ],
    ids=range(10),
)
def test_what_is_no_move_is_an_error_and_the_match_goes_on(reply: bytes | str, why: str) -> None:
    with peer_of(lambda message: reply) as peer:
        log = play(peer)
    assert log.finished
    assert [why in entry.errors["contestant"] for entry in log.rounds] == [True] * 3


def test_a_player_that_never_answers_costs_its_clock_and_forfeits() -> None:
    with peer_of(lambda message: None) as peer:
        log = play(peer, MatchConfig(start_seconds=2.0, play_seconds=1.0, max_errors=0))
    assert "it took too long" in log.rounds[0].errors["contestant"]
    assert log.forfeited == ["contestant"]
    assert sent(peer)[-1].startswith("(ABORT")  # it is not told the end of a match that it does not play any more


def test_a_late_answer_is_late_and_grace_forgives_it() -> None:
    late = threading.Event()

    def answer(message: RoundMessage) -> str:
        late.wait(1.3)
        return "(choose 1)" if message.turn == 0 else "noop"

    for grace, errors in ((0.0, 1), (20.0, 0)):
        with peer_of(answer) as peer:
            log = play(peer, MatchConfig(start_seconds=60.0, play_seconds=1.0, grace=grace, max_rounds=1))
        assert log.errors == {"contestant": errors}


def test_players_elsewhere_are_asked_at_the_same_time_as_all_others() -> None:
    meeting = threading.Barrier(2, timeout=100)

    def move(message: RoundMessage) -> str:
        meeting.wait()  # breaks where the other one is not asked yet
        return "heads"

    with peer_of(move) as even, peer_of(move) as odd:
        seats = {"even": f"remote:port={even.port}", "odd": f"remote:port={odd.port}"}
        log = veil.run_match(game("matching_pennies"), seats)
    assert log.errors == {"even": 0, "odd": 0}


def test_a_busy_player_is_asked_again_and_then_refused() -> None:
    answers = iter([http("busy"), http("BUSY"), http("ready")])
    with Peer(lambda request: next(answers, http("(choose 1)"))) as peer:
        play(peer, MatchConfig(start_seconds=20.0, play_seconds=1.0, max_rounds=1))
    assert [text[:6] for text in sent(peer)[:4]] == ["(START", "(START", "(START", "(PLAY "]
    with Peer(lambda request: http("busy")) as peer:
        assert "is busy" in refused("remote-busy", lambda: play(peer, MatchConfig(start_seconds=1.0, grace=20.0)))


def test_nobody_there_is_for_the_user_to_repair() -> None:
    with Peer(lambda request: None) as peer:
        pass
    assert "Connection refused" in refused("remote-unreachable", lambda: play(peer))


def test_a_player_that_does_not_get_ready_is_not_asked_in_the_first_round() -> None:
    with Peer(lambda request: http("what?")) as peer:
        log = play(peer, MatchConfig(start_seconds=1.0, play_seconds=1.0, max_rounds=1, grace=20.0))
    assert "answered what? instead of ready" in log.rounds[0].errors["contestant"]


def test_scrambled_matches_are_played_in_other_words() -> None:
    def move(message: RoundMessage) -> str:
        return next(moves)

    words: list[str] = []
    moves = iter(["nothing"] * 9)
    with peer_of(move) as peer:
        play(peer, MatchConfig(scramble=True, max_rounds=1), seed=5)
        play(peer, MatchConfig(scramble=True, max_rounds=1), seed=6)
    words = [text for text in sent(peer) if text.startswith("(START")]
    assert len(words) == 2
    assert words[0].split(" ", 2)[2] != words[1].split(" ", 2)[2]  # other words in every match
    for text in words:
        assert "LEGAL" in text
        assert not any(word in text for word in ("CHOOSE", "CONTESTANT", "DOOR", "CAR"))


def test_clocks_are_whole_seconds() -> None:
    with peer_of(lambda message: "(choose 1)") as peer:
        play(peer, MatchConfig(start_seconds=3.9, play_seconds=1.9, max_rounds=1))
        play(peer, MatchConfig(max_rounds=1), ",start=7,play=4")
    starts = [text for text in sent(peer) if text.startswith("(START")]
    assert [text.rsplit(" ", 2)[1:] for text in starts] == [["3", "1)"], ["7", "4)"]]
    message = refused("short-clock", lambda: play(peer, MatchConfig(play_seconds=0.5)))
    assert "at least 1 second" in message


def test_in_dialect_a_rules_without_percepts_are_played_with_all_moves_seen() -> None:
    rules = """
    (role red) (role blue) (init (n 1)) (succ 1 2) (succ 2 3)
    (<= (legal ?r up) (role ?r)) (<= (legal ?r down) (role ?r))
    (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
    (<= terminal (true (n 3))) (goal red 100) (goal blue 100)
    """
    with peer_of(lambda message: "up") as peer:
        log = veil.run_match(rules, {"red": f"remote:port={peer.port},dialect=A", "blue": "first"})
    assert sent(peer)[2:] == [f"( {verb} {sent(peer)[1].split()[2]} (up down ) )" for verb in ("PLAY", "STOP")]
    assert log.rounds[0].sees == {"red": ["(played blue down)"], "blue": ["(played red up)"]}


def test_remarks_after_a_move_are_no_part_of_it() -> None:
    """As Stanford's player of 2007 answers."""
    answers = iter(['(choose 2) (explanation "the middle (of three)") (taunt "ha")', "noop ; well", "switch (taunt x)"])
    with peer_of(lambda message: next(answers)) as peer:
        log = play(peer)
    assert [entry.moves["contestant"] for entry in log.rounds] == ["(choose 2)", "noop", "switch"]
    assert log.errors == {"contestant": 0}


def test_an_answer_that_is_shorter_than_it_says_is_read_to_its_end() -> None:
    """As the controllers of Dresden do."""
    answers = iter(["(choose 2)", "noop", "switch"])
    with peer_of(lambda message: OK + b"Content-length: 99\r\n\r\n" + next(answers).encode()) as peer:
        log = play(peer)
    assert log.errors == {"contestant": 0}


@pytest.mark.parametrize(
    "options", ["port=0", "port=65536", "dialect=D", "host=", "host=a b", "name=a\x1bb", "connect=0", "play=nan"]
)
def test_settings_that_make_no_sense_are_refused(options: str) -> None:
    with pytest.raises(veil.VeilError):
        make_player(f"remote:{options}")


def test_a_report_has_the_answer_and_its_time() -> None:
    with peer_of(lambda message: "(choose 1)" * 50) as peer:
        log = play(peer, MatchConfig(play_seconds=2.0, reports=True, max_rounds=1, grace=20.0))
    report: dict[str, Any] = log.rounds[0].reports["contestant"]
    assert len(report["answer"]) == 60
    assert 0 < report["seconds"] < 22
