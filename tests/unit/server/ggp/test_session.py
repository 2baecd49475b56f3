"""One match for a game manager: transcripts of real ones, dialects that are found out, clocks that are kept."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.support.games import game
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
from veil.engine import write_statements
from veil.errors import VeilError
from veil.players import Observation
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
    # In dialect A, rules with percepts are taken for B until all moves are told: the player starts again then.
    script = bodies[2:-1] if name == "A1" and dialect == "auto" else bodies[1:-1]
    with scripted(script) as spec, serving(spec, dialect=spoken) as server:
        if name == "A1" and dialect == "auto":
            ScriptedPlayer.script = bodies[1:-1]
        replies = []
        for number, entry in enumerate(entries):
            if number == 2:
                ScriptedPlayer.script = script
            replies.append(exchange(server.address, entry["request"].encode()))
        assert [reply.lower() for reply in replies] == [write_reply(body.lower()).lower() for body in bodies]
        heard = [*ScriptedPlayer.last.heard, ScriptedPlayer.last.over]
    known = {"C1": MONTY_C, "C3": KUHN_C, "B1": MONTY_B}
    if name in known:
        assert heard == [None, *told(known[name])]
    if name == "A1":
        seen = [Observation(moves[0], frozenset({f"(played oplayer {moves[1]})"})) for moves in TIC_TAC_TOE_A]
        assert heard == (seen if dialect == "auto" else [None, *seen])


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
        (["(PLAY m1 2 noop ())"], "turn 2 is told, where turn 1 is next"),
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 1 (choose 1) ())", "(PLAY m1 0 NIL NIL)"], "the first turn is over"),
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 1 (choose 1) (elephant))"], "contestant can never see elephant"),
        (["(PLAY m1 0 NIL NIL)", "(PLAY m1 1 (choose 7) ())"], "is no move of contestant"),
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


def test_rules_without_percepts_are_taken_for_gdl1_until_five_items_come() -> None:
    silent = [rule for rule in write_statements(game("tic_tac_toe")) if "sees" not in rule]
    seen = "( PLAY m1 (( mark 1 1 ) noop ) )", "(PLAY m1 1 (MARK 1 1) ())"
    for text, dialect, then in (("( PLAY m1 NIL )", "A", seen[0]), ("(PLAY m1 0 NIL NIL)", "C", seen[1])):
        message = StartMessage("m1", "xplayer", " ".join(silent), 60, 30)
        session = MatchSession(message, ServerConfig(player="first"), LIBRARY, 0)
        session.start()
        assert play(session, text) == "(mark 1 1)"
        assert session.dialect == dialect
        assert play(session, then) == "noop"
        percepts = {"(played oplayer noop)"} if dialect == "A" else set[str]()
        assert session.observations == [Observation("(mark 1 1)", frozenset(percepts))]


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
