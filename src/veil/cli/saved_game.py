"""Saved games of a person, to be continued later: a file with the seats, the seed and the moves.

The moves of the other roles are needed to continue the game. They are packed, so that the person does not read them by
accident.
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
MAX_SEALED = 50_000_000  # most bytes of unpacked moves


class AdjournedGame(msgspec.Struct, forbid_unknown_fields=True):
    """The content of a saved game."""

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
    """Pack moves into a text that a person does not read by accident."""
    return b64encode(zlib.compress(msgspec.json.encode(moves), 9)).decode()


def unseal(name: str, sealed: str) -> list[dict[str, str]]:
    """Unpack the moves of a saved game. Refuse a text that `seal` did not make."""
    try:
        packed = zlib.decompressobj()
        data = packed.decompress(b64decode(sealed, validate=True), MAX_SEALED)
        if not packed.eof:
            raise ValueError("cut off, or too long")
        return msgspec.json.decode(data, type=list[dict[str, str]])
    except (zlib.error, Base64Error, ValueError, msgspec.MsgspecError):
        raise refuse_saved(name, "its moves cannot be read") from None


def write_saved(name: str, saved: AdjournedGame) -> None:
    """Write a game to a file, completely or not at all. Refuse to replace a file that is not a saved game."""
    if os.path.isfile(name):
        decode_json(read_text(name, MAX_GAME_BYTES, refuse_saved), AdjournedGame, name, refuse_saved, lambda _: OTHER)
    write_text(name, msgspec.json.format(msgspec.json.encode(saved), indent=1).decode() + "\n", private=True)


def read_saved(name: str, game: Game) -> AdjournedGame:
    """Read a saved game. Refuse a file that is not a saved game, or that belongs to other rules."""
    text = read_text(name, MAX_GAME_BYTES, refuse_saved)
    saved: AdjournedGame = decode_json(
        text, AdjournedGame, name, refuse_saved, lambda _: "it is not a game that was saved"
    )
    if saved.rules != game.fingerprint:
        raise refuse_saved(name, f"it is a game of {saved.game}, with other rules than {game.name}")
    return saved


def refuse_saved(name: str, what: str) -> VeilError:
    """Return the error for a file that is not a saved game."""
    return fail("bad-saved-game", name=name, what=what)
