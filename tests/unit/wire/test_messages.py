"""Messages of game managers, read."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.support.wire import NO_TRANSCRIPTS, TRANSCRIPTS, body_of, read_transcript
from veil.wire.expressions import MessageError
from veil.wire.messages import (
    MAX_ID,
    AbortMessage,
    InfoMessage,
    PreviewMessage,
    RoundMessage,
    StartMessage,
    read_message,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(INFO)", InfoMessage()),
        ("info", InfoMessage()),
        ("( ABORT Match.1 )", AbortMessage("Match.1")),
        ("(PREVIEW ((role a)) 10)", PreviewMessage("((role a))")),
        ("(START m1 X ((ROLE X) ) 5 2)", StartMessage("m1", "X", "(ROLE X) ", 5, 2)),
        ("(start m1 x () 5.5 0.5)", StartMessage("m1", "x", "", 5.5, 0.5)),
        ("( PLAY m1 NIL )", RoundMessage("play", "m1", None, None, None)),
        ("( PLAY m1 (( mark 1 1 ) noop ) )", RoundMessage("play", "m1", None, None, ("( mark 1 1 )", "noop"))),
        ("(PLAY m1 ())", RoundMessage("play", "m1", None, None, ())),
        ("(Play m1 (3 ))", RoundMessage("play", "m1", None, None, ("3",))),
        ("(PLAY m1 0 NIL NIL)", RoundMessage("play", "m1", 0, None, None)),
        ("(PLAY m1 1 (CHOOSE 1) ())", RoundMessage("play", "m1", 1, "(CHOOSE 1)", ())),
        ("(STOP m1 3 SWITCH (3 ))", RoundMessage("stop", "m1", 3, "SWITCH", ("3",))),
    ],
)
def test_a_message_says_what_it_says(text: str, message: object) -> None:
    assert read_message(text) == message


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("()", "empty"),
        ("(NONSENSE)", "NONSENSE is no message"),
        ("((PLAY) m1 NIL)", "is no message"),
        ("(PLAY m1)", "PLAY has 3 or 5 items, not 2"),
        ("(PLAY m1 x NIL NIL)", "x is no number"),
        ("(PLAY m1 -1 NIL NIL)", "-1 is no number"),
        ("(PLAY m1 ² NIL NIL)", "no number"),
        ("(PLAY m1 9999999999 NIL NIL)", "no number"),
        ("(PLAY m1 0 NIL seen)", "seen is no list"),
        ("(PLAY (m1) NIL)", "no name of a match"),
        (f"(PLAY {'m' * (MAX_ID + 1)} NIL)", "no name of a match"),
        ("(START m1 x rules 5 2)", "the rules are no list"),
        ("(START m1 x () five 2)", "five is no clock"),
        ("(START m1 x () 5 -2)", "-2 is no clock"),
        ("(START m1 x () 5 nan)", "nan is no clock"),
        ("(START m1 x () 5 inf)", "inf is no clock"),
        ("(START m1 x () 5)", "START has 6 items, not 5"),
        ("(PREVIEW)", "no message"),
    ],
)
def test_what_is_no_message_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(MessageError, match=why):
        read_message(text)


@NO_TRANSCRIPTS
def test_every_message_of_a_real_manager_is_understood() -> None:
    for path in sorted(TRANSCRIPTS.glob("[ABC]?.jsonl")):
        entries = read_transcript(path.stem)
        kinds = [type(read_message(body_of(entry["request"]))) for entry in entries]
        assert kinds == [StartMessage] + [RoundMessage] * (len(entries) - 1)
        turns = [read_message(body_of(entry["request"])).turn for entry in entries[1:]]  # type: ignore[union-attr]
        assert turns == (list(range(len(turns))) if path.stem.startswith("C") else [None] * len(turns))


words = st.sampled_from(
    ["(", ")", " ", "PLAY", "START", "STOP", "NIL", "m1", "0", "x", "(role x)", "5", "\n", "é", "\0"]
)


@given(st.lists(words, max_size=30).map("".join))
def test_anything_is_a_message_or_refused(text: str) -> None:
    why = ""
    try:
        read_message(text)
    except MessageError as error:
        why = str(error)
    assert len(why) < 200
