"""What is told in a dialect, as what our player observes."""

from __future__ import annotations

import pytest

from tests.support.games import game
from veil.engine import open_moves
from veil.players import Observation, Seat
from veil.server.ggp.translation import can_be_joint_move, can_be_percepts, observe
from veil.wire import MessageError, RoundMessage

KUHN = Seat(game=game("kuhn_poker"), role="second", seed=0)
OPEN = Seat(game=open_moves(game("tic_tac_toe")), role="oplayer", seed=0)


def told(*terms: str, own_move: str | None = None) -> RoundMessage:
    return RoundMessage("play", "m1", None if own_move is None else 1, own_move, terms)


def test_words_come_back_as_the_rules_spell_them() -> None:
    expected = Observation("bet", frozenset({"(played first pass)"}))
    assert observe(KUHN, "C", told("( PLAYED FIRST PASS )", own_move="BET"), None) == expected
    assert observe(KUHN, "B", told("(played  First pass)"), "bet") == expected


def test_a_joint_move_is_the_own_move_and_what_is_seen_of_the_others() -> None:
    seen = observe(OPEN, "A", told("( MARK 1 2 )", "NOOP"), None)
    assert seen == Observation("noop", frozenset({"(played xplayer (mark 1 2))"}))


@pytest.mark.parametrize(
    ("seat", "dialect", "message", "why"),
    [
        (KUHN, "C", told("(card joker)", own_move="bet"), "second can never see"),
        (KUHN, "C", told(own_move="fold"), "fold is no move of second"),
        (KUHN, "C", told("))", own_move="bet"), "can never see"),
        (KUHN, "C", told(), "no move was answered"),
        (KUHN, "B", told(), "no move was answered"),
        (OPEN, "A", told("noop"), "has 2 moves, not 1"),
        (OPEN, "A", told("(mark 9 9)", "noop"), "is no move of xplayer"),
    ],
    ids=range(7),
)
def test_what_the_rules_cannot_tell_is_refused(seat: Seat, dialect: str, message: RoundMessage, why: str) -> None:
    with pytest.raises(MessageError, match=why):
        observe(seat, dialect, message, None)


def test_percepts_and_joint_moves_are_told_apart() -> None:
    assert can_be_percepts(KUHN, ["(CARD KING)"])
    assert can_be_percepts(KUHN, [])
    assert not can_be_percepts(KUHN, ["(deal king)", "noop", "noop"])
    assert can_be_joint_move(KUHN.game, ["(DEAL KING)", "noop", "noop"])
    assert not can_be_joint_move(KUHN.game, ["noop", "noop"])
