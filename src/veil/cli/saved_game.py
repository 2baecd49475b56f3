"""Games that a person has left and will take up again: a file with the seats, the seed and the moves.

Moves of others are needed to go on as it was, and must not be read by chance: they are packed, not written in words.
"""

from __future__ import annotations

import os
import zlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from typing import TYPE_CHECKING

import msgspec

from veil.errors import VeilError, fail
from veil.files import MAX_GAME_BYTES, decode_json, read_text, write_text

if TYPE_CHECKING:
    from veil.engine import Game

OTHER = "it holds something else, which would be lost"
MAX_SEALED = 50_000_000  # bytes of unpacked moves


class AdjournedGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game that was left."""

    game: str
    rules: str  # their fingerprint
    role: str  # of the person
    players: dict[str, str]
    seed: int
    own_moves: list[str]
    sealed: str  # all moves, packed
    start_seconds: float | None = None
    play_seconds: float | None = None
    allow_cheat: bool = False


def seal(moves: list[dict[str, str]]) -> str:
    """Moves in a form that nobody reads by chance."""
    return b64encode(zlib.compress(msgspec.json.encode(moves), 9)).decode()


def unseal(name: str, sealed: str) -> list[dict[str, str]]:
    """The moves of a saved game; what is none is refused."""
    try:
        packed = zlib.decompressobj()
        data = packed.decompress(b64decode(sealed, validate=True), MAX_SEALED)
        if not packed.eof:
            raise ValueError("cut off, or too long")
        return msgspec.json.decode(data, type=list[dict[str, str]])
    except (zlib.error, Base64Error, ValueError, msgspec.MsgspecError):
        raise refuse_saved(name, "its moves cannot be read") from None


def write_saved(name: str, saved: AdjournedGame) -> None:
    """Write a game to a file, whole or not at all. A file that holds something else is not written over."""
    if os.path.isfile(name):
        decode_json(read_text(name, MAX_GAME_BYTES, refuse_saved), AdjournedGame, name, refuse_saved, lambda _: OTHER)
    write_text(name, msgspec.json.format(msgspec.json.encode(saved), indent=1).decode() + "\n")


def read_saved(name: str, game: Game) -> AdjournedGame:
    """The game of a file; one of other rules is refused, and what is no saved game."""
    text = read_text(name, MAX_GAME_BYTES, refuse_saved)
    saved: AdjournedGame = decode_json(
        text, AdjournedGame, name, refuse_saved, lambda _: "it is not a game that was saved"
    )
    if saved.rules != game.fingerprint:
        raise refuse_saved(name, f"it is a game of {saved.game}, with other rules than {game.name}")
    return saved


def refuse_saved(name: str, what: str) -> VeilError:
    """The refusal of a file."""
    return fail("bad-saved-game", name=name, what=what)
