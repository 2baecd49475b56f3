"""Files with the joint moves of a game: a list of them, or a trace that holds them in its rounds."""

from __future__ import annotations

import re

import msgspec

from veil.errors import VeilError, fail
from veil.files import MAX_GAME_BYTES, decode_json, read_text

ROUND = re.compile(r"`\$(?:\.rounds)?\[(\d+)\]")  # where msgspec found something else, counted from 0


class TracedRound(msgspec.Struct):
    """A round of a trace; the last one has no joint move."""

    joint: dict[str, str] | None = None


class Trace(msgspec.Struct):
    """What `veil trace --json` prints, as far as it matters here."""

    rounds: list[TracedRound]


def read_moves(name: str) -> list[dict[str, str]]:
    """The joint moves of a file, role: move per round; `-` is standard input. Anything else is refused."""
    text = read_text(name, MAX_GAME_BYTES, refuse_moves)
    moves = decode_json(text, list[dict[str, str]] | Trace, name, refuse_moves, _describe)  # type: ignore[arg-type]
    if isinstance(moves, Trace):
        return [entry.joint for entry in moves.rounds if entry.joint is not None]
    return moves


def refuse_moves(name: str, what: str) -> VeilError:
    """The error for a file that holds no moves."""
    return fail("bad-moves-file", name=name, what=what)


def _describe(fault: str) -> str:
    """What msgspec says about another shape, in terms of rounds."""
    place = ROUND.search(fault)
    return f"round {int(place[1]) + 1} is not an object of role: move" if place else "not a list of rounds"
