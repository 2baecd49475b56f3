"""Reader of what a game manager sends: START, PLAY, STOP, ABORT, INFO, PREVIEW, in any of the three dialects.

    ( PLAY id NIL )        ( PLAY id (m1 m2 ) )          dialect A: the joint move, in the order of the roles
    (PLAY id NIL)          (PLAY id (p1 p2 ))            dialect B: the percepts
    (PLAY id 0 NIL NIL)    (PLAY id 1 (CHOOSE 1) ())     dialect C: the turn, the own move, the percepts

A and B look alike; only the rules tell them apart. Words are as they were sent, in any case; the name of a match keeps
its case. `read_message` raises `MessageError` for everything else.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from veil.wire.expressions import MessageError, cut, split_list

MAX_ID = 200  # characters of the name of a match
MAX_CLOCK = 1_000_000  # seconds
MAX_DIGITS = 9  # of a number in a message
NOTHING = "nil"


class StartMessage(NamedTuple):
    """The start of a match: the player prepares itself and answers `ready`."""

    match: str
    role: str
    rules: str  # their text, without the parentheses around it
    start_clock: float  # seconds
    play_clock: float


class RoundMessage(NamedTuple):
    """What was told after a round; PLAY asks for a move, STOP says that the match is over."""

    verb: Literal["play", "stop"]
    match: str
    turn: int | None  # number of rounds that are over; None if the dialect does not say it
    own_move: str | None  # None if the dialect does not say it, and before the first round
    told: tuple[str, ...] | None  # moves or percepts; None is NIL


class AbortMessage(NamedTuple):
    """The end of a match at once."""

    match: str


class InfoMessage(NamedTuple):
    """The question who the player is."""


class PreviewMessage(NamedTuple):
    """Rules that may be played later."""

    rules: str


Message = StartMessage | RoundMessage | AbortMessage | InfoMessage | PreviewMessage


def read_message(text: str) -> Message:
    """Return the message in a text."""
    text = text.rstrip("\0 \t\r\n")  # some programs send the end of a string in C, too
    if text.strip().lower() == "info":  # some send it bare
        return InfoMessage()
    items = split_list(text)
    if not items:
        raise MessageError("the message is empty")
    verb, count = items[0].lower(), len(items)
    if verb == "start":
        _check_count(items, 6)
        return _read_start(items)
    if verb == "play" or verb == "stop":
        return _read_round("play" if verb == "play" else "stop", items)
    if verb == "abort":
        _check_count(items, 2)
        return AbortMessage(_read_id(items[1]))
    if verb == "info":
        _check_count(items, 1)
        return InfoMessage()
    if verb == "preview" and count > 1:
        return PreviewMessage(items[1])
    raise MessageError(f"{cut(items[0])} is no message that is known here")


def _read_start(items: list[str]) -> StartMessage:
    match, role, rules, start_clock, play_clock = items[1:]
    if not rules.startswith("("):
        raise MessageError("the rules are no list")
    return StartMessage(_read_id(match), role, rules[1:-1], _read_clock(start_clock), _read_clock(play_clock))


def _read_round(verb: Literal["play", "stop"], items: list[str]) -> RoundMessage:
    if len(items) == 3:
        return RoundMessage(verb, _read_id(items[1]), None, None, _read_told(items[2]))
    if len(items) != 5:
        raise MessageError(f"{cut(items[0])} has 3 or 5 items, not {len(items)}")
    match, turn, own_move, told = items[1:]
    if not turn.isascii() or not turn.isdigit() or len(turn) > MAX_DIGITS:
        raise MessageError(f"{cut(turn)} is no number of a turn")
    is_first = own_move.lower() == NOTHING
    return RoundMessage(verb, _read_id(match), int(turn), None if is_first else own_move, _read_told(told))


def _read_id(item: str) -> str:
    if item.startswith("(") or len(item) > MAX_ID:
        raise MessageError(f"{cut(item)} is no name of a match")
    return item


def _read_told(item: str) -> tuple[str, ...] | None:
    if item.lower() == NOTHING:
        return None
    if not item.startswith("("):
        raise MessageError(f"{cut(item)} is no list")
    return tuple(split_list(item))


def _read_clock(item: str) -> float:
    """Return seconds; usually a whole number."""
    try:
        seconds = float(item) if len(item) <= 2 * MAX_DIGITS else -1.0
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= MAX_CLOCK:
        raise MessageError(f"{cut(item)} is no clock")
    return seconds


def _check_count(items: list[str], count: int) -> None:
    if len(items) != count:
        raise MessageError(f"{cut(items[0])} has {count} items, not {len(items)}")
