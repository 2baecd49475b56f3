"""Files with the joint moves of a game: a list of joint moves, or a trace with a joint move in each round."""

from __future__ import annotations

import re

import msgspec

from veil.errors import VeilError, fail
from veil.files import MAX_GAME_BYTES, decode_json, read_text

ROUND = re.compile(r"`\$(?:\.rounds)?\[(\d+)\]")  # the round with a wrong shape, from 0, in a message of msgspec


class TracedRound(msgspec.Struct):
    """A round of a trace. The last round has no joint move."""

    joint: dict[str, str] | None = None


class Trace(msgspec.Struct):
    """The part of the output of `veil trace --json` that is needed here."""

    rounds: list[TracedRound]


def read_moves(name: str) -> list[dict[str, str]]:
    """Read the joint moves of a file, one dict role -> move per round. `-` is standard input. Refuse anything else."""
    text = read_text(name, MAX_GAME_BYTES, refuse_moves)
    moves = decode_json(text, list[dict[str, str]] | Trace, name, refuse_moves, _describe)  # type: ignore[arg-type]
    if isinstance(moves, Trace):
        return [entry.joint for entry in moves.rounds if entry.joint is not None]
    return moves


def refuse_moves(name: str, what: str) -> VeilError:
    """Return the error for a file that holds no moves."""
    return fail("bad-moves-file", name=name, what=what)


def _describe(fault: str) -> str:
    """Translate a message of msgspec about a wrong shape into one about rounds."""
    place = ROUND.search(fault)
    return f"round {int(place[1]) + 1} is not an object of role: move" if place else "not a list of rounds"
