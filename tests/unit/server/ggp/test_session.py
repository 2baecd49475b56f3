"""One match for a game manager: transcripts of real ones, dialects that are found out, clocks that are kept."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from tests.support.games import game
from tests.support.managers import GUESS
from tests.support.processes import wait_until
from tests.support.wire import (
    KUHN_C,
    MONTY_B,
    MONTY_C,
    NO_TRANSCRIPTS,
    TIC_TAC_TOE_A,
    ScriptedPlayer,
    body_of,
    exchange,
    read_transcript,
    scripted,
    serving,
)
from veil.engine import GroundLimits, load, write_statements
from veil.errors import VeilError
from veil.players import PLAYERS, Observation, Seat
from veil.server.ggp.config import ServerConfig
from veil.server.ggp.library import GameLibrary
from veil.server.ggp.session import MatchSession
from veil.wire import MessageError, RoundMessage, StartMessage, read_message, write_reply

LIBRARY = GameLibrary(compiles=True)


def start(player: str, name: str, role: str, clocks: tuple[float, float] = (60, 30), **settings: Any) -> MatchSession:
    """A session that has been started."""
    rules = " ".join(write_statements(game(name)))
    session = MatchSession(
        StartMessage("m1", role, rules, *clocks), ServerConfig(player=player, **settings), LIBRARY, 0
    )
    assert session.start() == "ready"
    return session


def play(session: MatchSession, text: str) -> str:
    message = read_message(text)
    assert isinstance(message, RoundMessage)
    return session.play(message)


def told(rounds: list[tuple[str, list[str]]]) -> list[Observation]:
    return [Observation(own_move, frozenset(percepts)) for own_move, percepts in rounds]


@NO_TRANSCRIPTS
@pytest.mark.parametrize("dialect", ["auto", "as it is"])
@pytest.mark.parametrize("name", ["A1", "B1", "B2", "C1", "C2", "C3"])
def test_a_transcript_is_answered_byte_for_byte(name: str, dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its requests over a real socket; a player that plays its moves; its replies come back, with our headers."""
    monkeypatch.setattr(ServerConfig, "think", lambda config, clock: 20.0)  # its clocks are for a machine of one's own
    entries = read_transcript(name)
    bodies = [body_of(entry["reply"]) for entry in entries]
    spoken = dialect if dialect == "auto" else name[0]
    # In dialect A, rules with percepts are taken for B until all moves are told: the player starts again then, and is
    # asked about all rounds.
    with scripted(bodies[1:-1]) as spec, serving(spec, dialect=spoken) as server:
        replies = [exchange(server.address, entry["request"].encode()) for entry in entries]
        assert [reply.lower() for reply in replies] == [write_reply(body.lower()).lower() for body in bodies]
        heard = [*ScriptedPlayer.last.heard, ScriptedPlayer.last.over]
    known = {"C1": MONTY_C, "C3": KUHN_C, "B1": MONTY_B}
    if name in known:
        assert heard == [None, *told(known[name])]
    if name == "A1":
        seen = [Observation(moves[0], frozenset({f"(played oplayer {moves[1]})"})) for moves in TIC_TAC_TOE_A]
        assert heard == [None, *seen]


def test_capitals_are_answered_in_capitals_and_other_words_as_they_are_spelled() -> None:
    rules = " ".join(write_statements(game("monty_hall"))).upper()
    session = MatchSession(StartMessage("m1", "CONTESTANT", rules, 60, 30), ServerConfig(player="first"), LIBRARY, 0)
    session.start()
    assert play(session, "(PLAY m1 0 NIL NIL)") == "(CHOOSE 1)"
    assert play(start("first", "monty_hall", "contestant"), "(PLAY m1 0 NIL NIL)") == "(choose 1)"


def test_a_message_that_comes_again_is_answered_again_and_not_played_again() -> None:
    with scripted(["(choose 2)", "noop", "switch"]) as spec:
        session = start(spec, "monty_hall", "contestant")
        assert [play(session, "(PLAY m1 0 NIL NIL)") for _ in range(3)] == ["(choose 2)"] * 3
        assert [play(session, "(PLAY m1 1 (choose 2) ())") for _ in range(3)] == ["noop"] * 3
        assert len(ScriptedPlayer.last.heard) == 2


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 99 noop ())"], "turn 99 is told, where turn 1 is next"),
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 2 noop ())", "(PLAY m1 1 noop ())"], "turn 1 is told, where turn 3 is next"),
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 1 (choose 1) ())", "(PLAY m1 0 NIL NIL)"], "the first turn is over"),
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 (2))"], "the match is in dialect C"),
        (["(PLAY m1 NIL)", "(PLAY m1 ())", "(PLAY m1 2 noop ())"], "the match is in dialect B"),
    ],
)
def test_what_does_not_fit_is_refused_and_the_match_goes_on(messages: list[str], why: str) -> None:
    session = start("first", "monty_hall", "contestant")
    for text in messages[:-1]:
        play(session, text)
    with pytest.raises(MessageError, match=why):
        play(session, messages[-1])
    assert not session.is_closed


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 2 noop (2))"], "a message was lost"),
        (["(PLAY m1 1 (choose 1) ())", "(PLAY m1 2 noop (2))"], ""),
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 1 noop ())", "(PLAY m1 2 noop (2))"], ""),
        (["(PLAY m1 2 noop (2))"], "a message was lost"),
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 1 (choose 1) (elephant))", "(PLAY m1 2 noop (2))"], "never see elephant"),
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 1 (choose 7) ())", "(PLAY m1 2 noop (2))"], "no move of contestant"),
        (["(PLAY m1 (2))", "(PLAY m1 ())"], "no move was answered"),
    ],
    ids=["lost", "first lost", "never so", "both lost", "alien percept", "alien move", "first lost in B"],
)
def test_a_round_that_is_lost_or_not_understood_costs_no_move(
    messages: list[str], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    session = start("first", "monty_hall", "contestant")
    moves = [play(session, text) for text in messages]
    assert moves[-1] in ("noop", "switch")  # legal after two rounds, and not before
    assert [text for text in caplog.messages if "legal and nothing more" in text and why in text] or not why


@pytest.mark.parametrize(
    "messages",
    [
        ["(PLAY m1 1 NIL NIL)", "(PLAY m1 2 (choose 2) ())", "(PLAY m1 3 noop (3))"],
        ["(PLAY m1 ())", "(PLAY m1 ())", "(PLAY m1 (3))"],
        ["(PLAY m1 0 NIL ())", "(PLAY m1 1 NIL NIL)", "(PLAY m1 2 NIL (3))"],
    ],
    ids=["turns from 1", "an empty list at first", "own moves are not told"],
)
def test_managers_that_write_first_rounds_in_their_own_way_are_followed(messages: list[str]) -> None:
    with scripted(["(choose 2)", "noop", "switch"]) as spec:
        session = start(spec, "monty_hall", "contestant")
        assert [play(session, text) for text in messages] == ["(choose 2)", "noop", "switch"]
        assert ScriptedPlayer.last.heard == [None, *told([("(choose 2)", []), ("noop", ["3"])])]


@pytest.mark.parametrize(
    ("first", "second", "dialect"),
    [
        ("( PLAY m1 NIL )", "( PLAY m1 (( mark 1 1 ) noop ) )", "A"),
        ("(PLAY m1 NIL)", "(PLAY m1 ())", "B"),
        ("(PLAY m1 0 NIL NIL)", "(PLAY m1 1 (MARK 1 1) ())", "C"),
    ],
)
def test_rules_without_percepts_can_be_of_any_dialect_until_a_message_tells(
    first: str, second: str, dialect: str
) -> None:
    silent = [rule for rule in write_statements(game("tic_tac_toe")) if "sees" not in rule]
    message = StartMessage("m1", "xplayer", " ".join(silent), 60, 30)
    session = MatchSession(message, ServerConfig(player="first"), LIBRARY, 0)
    session.start()
    assert play(session, first) == "(mark 1 1)"
    assert play(session, second) == "noop"
    assert session.dialect == dialect
    percepts = {"(played oplayer noop)"} if dialect == "A" else set[str]()
    assert session.observations == [Observation("(mark 1 1)", frozenset(percepts))]
    assert session._player is not None  # no stopgap has moved


@pytest.mark.parametrize(
    "messages",
    [
        ["(PLAY m1 NIL)", "(PLAY m1 ())", "(PLAY m1 ())"],
        ["(PLAY m1 0 NIL NIL)", "(PLAY m1 1 WAIT ())", "(PLAY m1 2 (GUESS 1) ())"],
    ],
    ids=["B", "C"],
)
def test_rules_with_a_role_random_are_never_taken_for_gdl1(messages: list[str]) -> None:
    session = MatchSession(StartMessage("m1", "ann", GUESS, 60, 30), ServerConfig(player="first"), LIBRARY, 0)
    session.start()
    seated = session._player
    assert [play(session, text) for text in messages] == ["wait", "(guess 1)", "(guess 1)"]
    assert session._player is seated  # it has not started again within a play clock


def test_a_player_that_is_not_ready_costs_no_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves come from the rules until the player is there; then it is told all rounds."""
    ready, seat = threading.Event(), MatchSession._seat_player

    def seat_late(session: MatchSession, is_open: bool | None) -> None:
        ready.wait(20)
        seat(session, is_open)

    monkeypatch.setattr(MatchSession, "_seat_player", seat_late)
    with scripted(["(choose 2)", "noop", "switch"]) as spec:
        rules = " ".join(write_statements(game("monty_hall")))
        session = MatchSession(StartMessage("m1", "contestant", rules, 0.2, 1.0), ServerConfig(player=spec), LIBRARY, 0)
        assert session.start() == "ready"
        assert play(session, "(PLAY m1 0 NIL NIL)") == "(choose 1)"
        assert play(session, "(PLAY m1 1 (CHOOSE 1) ())") == "noop"
        ready.set()
        session._starting.result(60)
        monkeypatch.setattr(ServerConfig, "think", lambda config, clock: 20.0)
        assert play(session, "(PLAY m1 2 NOOP (3))") == "switch"
        assert ScriptedPlayer.last.heard == [None, *told([("(choose 1)", []), ("noop", ["3"])])]


class Refusing(ScriptedPlayer):
    """A player that plays no game."""

    def start(self, seat: Seat) -> None:
        raise RuntimeError("not this game")


def test_a_player_that_refuses_a_game_is_replaced_for_the_match() -> None:
    with scripted([]) as spec:
        PLAYERS.rows[spec] = replace(PLAYERS.rows[spec], make=f"{__name__}:Refusing")
        session = start(spec, "kuhn_poker", "first")
    assert play(session, "(PLAY m1 0 NIL NIL)") == "noop"
    assert play(session, "(PLAY m1 1 NOOP ((CARD QUEEN)))") == "noop"


def test_rules_that_are_too_large_to_ground_are_played_by_legal_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = GroundLimits(max_rules=1)
    monkeypatch.setattr(GameLibrary, "find", lambda *args, **options: load("monty_hall", limits).program)
    session = start("first", "monty_hall", "contestant")
    assert play(session, "(PLAY m1 0 NIL NIL)") == "(choose 1)"
    assert play(session, "(PLAY m1 1 (CHOOSE 1) ())") == "noop"
    assert play(session, "(PLAY m1 2 NOOP (3))") == "noop"
    assert not session.is_idle()


@pytest.mark.parametrize("player", ["random", "hyperplay:models=10,playouts=10"])
def test_percepts_that_nothing_explains_are_answered_by_a_legal_move(player: str) -> None:
    """The door that the contestant chose was opened, say these percepts; it never is."""
    session = start(player, "monty_hall", "contestant", (60, 3))
    assert play(session, "(PLAY m1 NIL)").startswith("(choose")
    door = session._answer.strip("()").split()[1]
    assert play(session, "(PLAY m1 ())") == "noop"
    assert play(session, f"(PLAY m1 ({door}))") in ("noop", "switch")


def test_a_question_that_comes_twice_at_once_is_answered_once() -> None:
    """Both roles of a match on one server, or a manager that asks again while the player thinks."""
    asked, answer = threading.Event(), threading.Event()

    def think() -> str:
        asked.set()
        answer.wait(100)
        return "noop"

    with scripted(["(mark 1 1)", think]) as spec, ThreadPoolExecutor(2) as pool:
        session = start(spec, "tic_tac_toe", "xplayer", dialect="A")
        play(session, "(PLAY m1 NIL)")
        text = "(PLAY m1 ((mark 1 1) noop))"
        first = pool.submit(play, session, text)
        assert asked.wait(100)
        again = pool.submit(play, session, text)
        assert wait_until(lambda: session._lock.locked(), 100)
        threading.Event().wait(0.2)  # the second one waits for the lock
        answer.set()
        assert first.result(20) == again.result(20) == "noop"
        assert len(session.rounds) == 1


def test_a_player_that_thinks_for_too_long_is_replaced_by_a_legal_move() -> None:
    woken = threading.Event()

    def dream() -> str:
        woken.wait(20)
        return "too late"

    with scripted([dream, "noop"]) as spec:
        session = start(spec, "monty_hall", "contestant", (60, 0.4))
        assert play(session, "(PLAY m1 0 NIL NIL)") == "(choose 1)"
        woken.set()
        assert play(session, "(PLAY m1 1 (choose 1) ())") == "noop"  # it has heard everything, in its order
        assert len(ScriptedPlayer.last.heard) == 2


@pytest.mark.parametrize("answer", [lambda: 1 / 0, None, 17])
def test_a_player_that_fails_is_replaced_by_a_legal_move(answer: Any) -> None:
    with scripted(["(choose 3)", answer]) as spec:
        session = start(spec, "monty_hall", "contestant")
        play(session, "(PLAY m1 NIL)")
        assert play(session, "(PLAY m1 ())") == "noop"


@pytest.mark.parametrize("rules", ["(role x) (legal x", "", "(((", "tic_tac_toe", "(legal x y)"])
def test_rules_that_are_none_are_refused(rules: str) -> None:
    session = MatchSession(StartMessage("m1", "x", rules, 60, 30), ServerConfig(player="first"), LIBRARY, 0)
    with pytest.raises(VeilError):
        session.start()


def test_a_role_that_is_none_is_refused() -> None:
    rules = " ".join(write_statements(game("monty_hall")))
    session = MatchSession(StartMessage("m1", "host", rules, 60, 30), ServerConfig(player="first"), LIBRARY, 0)
    with pytest.raises(VeilError, match="host"):
        session.start()


def test_a_manager_that_is_silent_is_lost() -> None:
    session = start("first", "monty_hall", "contestant", (0.001, 0.001), margin=0.0, patience=0.05)
    assert not session.is_lost()
    threading.Event().wait(0.2)
    assert session.is_lost()


def test_players_that_need_their_legal_moves_are_given_them() -> None:
    session = start("random", "kuhn_poker", "first")
    assert play(session, "(PLAY m1 0 NIL NIL)") == "noop"
    assert play(session, "(PLAY m1 1 NOOP ((CARD QUEEN)))") == "noop"
    assert play(session, "(PLAY m1 2 NOOP ())") in ("bet", "pass")
