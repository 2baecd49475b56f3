"""Messages as our game manager writes them: byte for byte those of the managers that speak the dialect."""

from __future__ import annotations

import pytest

import veil
from tests.support.wire import KUHN_C, MONTY_B, MONTY_C, NO_TRANSCRIPTS, TIC_TAC_TOE_A, read_transcript
from veil.engine import write_statements
from veil.wire.dialects import DIALECTS, Told, shout


def write(
    dialect: str, receiver: str, match: str, role: str, game: str, clocks: tuple[int, int], told: list[Told]
) -> list[str]:
    """All requests of a match."""
    writer = DIALECTS[dialect]
    messages = [
        writer.start(match, role, write_statements(veil.load(game)), *clocks),
        writer.round("PLAY", match, None),
        *(writer.round("PLAY", match, each) for each in told[:-1]),
        writer.round("STOP", match, told[-1]),
    ]
    return [writer.request(message, receiver).decode() for message in messages]


@NO_TRANSCRIPTS
@pytest.mark.parametrize(
    ("name", "match", "role", "game", "rounds"),
    [
        ("C1", "m4101", "contestant", "monty_hall", MONTY_C),
        ("C3", "m4104", "second", "kuhn_poker", KUHN_C),
        ("B1", "m4102", "contestant", "monty_hall", MONTY_B),
    ],
)
def test_requests_are_those_of_a_game_controller(
    name: str, match: str, role: str, game: str, rounds: list[tuple[str, list[str]]]
) -> None:
    told = [Told(turn, own_move, percepts) for turn, (own_move, percepts) in enumerate(rounds, 1)]
    ours = write(name[0], "127.0.0.1", match, role, game, (5, 2), told)
    assert ours == [entry["request"] for entry in read_transcript(name)]


@NO_TRANSCRIPTS
def test_requests_are_those_of_ggp_base() -> None:
    told = [Told(turn, moves[0], [], moves) for turn, moves in enumerate(TIC_TAC_TOE_A, 1)]
    ours = write("A", "veil", "m1", "xplayer", "tic_tac_toe", (2, 1), told)
    assert ours == [entry["request"] for entry in read_transcript("A1")]


def test_a_match_is_aborted_in_every_dialect() -> None:
    assert [DIALECTS[name].abort("m1") for name in "ABC"] == ["( ABORT m1 )", "(ABORT m1)", "(ABORT m1)"]


def test_capitals_are_only_used_where_they_lead_back() -> None:
    assert shout("(mark straße ?x noOp)") == "(MARK straße ?X NOOP)"


def test_the_length_counts_bytes() -> None:
    assert DIALECTS["C"].request("(é €)", "x").endswith(b"Content-length: 8\r\n\r\n(\xc3\xa9 \xe2\x82\xac)")
