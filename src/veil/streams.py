"""Streams of random numbers, by name: who draws what from which seed, in one place.

A seed and a few numbers make a stream; different numbers make independent streams. All code asks for its streams here,
so that no two parts of the program draw the same numbers by accident.

A match with a key (32 hexadecimal digits, 128 bits) draws from keyed hashes (BLAKE2b) instead. Nobody can compute its
streams from each other, or from the seed, without the key.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Protocol

import numpy as np

CHANCE, REPAIRS, FIRST_SEAT = 0, 1, 2  # numbers below the seed of a match
OPPONENTS = 10_000  # another one, beyond those of all seats
SCRAMBLE = 10_001
STEPPED = 10_002
SEARCH, POLICY, PREPARATION = 1, 2, 3  # numbers below the seed of a player
FIXED_MOVES = 11  # a number below the seed of an evaluation
KEY_DIGITS = 32  # of a key, hexadecimal: 128 bits
SEED_BITS = 63  # of a seed from a key: as many as a seed may have
DRAW_BYTES = 16  # of a hash from which a number is drawn


class Draws(Protocol):
    """A source of random numbers: NumPy's generator, or a `KeyedStream`."""

    def integers(self, high: int, /) -> int | np.integer:
        """Return a random number from 0 to `high` - 1."""


def is_key(text: str) -> bool:
    """Return whether a text is a key."""
    return re.fullmatch(f"[0-9a-f]{{{KEY_DIGITS}}}", text) is not None


def hash_with_key(key: str, *parts: object) -> str:
    """Return a key that depends on a key and on the texts of all parts."""
    return _digest(key, parts, KEY_DIGITS // 2).hex()


def _digest(key: str, parts: tuple[object, ...], size: int) -> bytes:
    texts = [str(part).encode() for part in parts]
    data = b"".join(len(text).to_bytes(8, "big") + text for text in texts)
    return blake2b(data, digest_size=size, key=bytes.fromhex(key)).digest()


class KeyedStream:
    """Random numbers that are hashes of a key, a name and a counter. Earlier numbers do not tell later ones."""

    def __init__(self, key: str, name: str) -> None:
        self._key, self._name, self._drawn = key, name, 0

    def integers(self, high: int, /) -> int:
        """Return a random number from 0 to `high` - 1, each equally often up to 2**-64 for `high` below 2**64."""
        self._drawn += 1
        return int.from_bytes(_digest(self._key, (self._name, self._drawn), DRAW_BYTES), "big") % high


def derive_seed(seed: int, number: int) -> int:
    """Return the seed of one member of a series: it depends on its number only, not on the rest of the series."""
    return int(np.random.SeedSequence((seed, number)).generate_state(1)[0])


def match_seed(seed: int, number: int) -> int:
    """Return the seed of match `number` of a series or tournament."""
    return derive_seed(seed, number)


def player_seed(seed: int, seat: int, key: str | None = None) -> int:
    """Return the seed of the player in seat `seat` (from 0) of a match."""
    return derive_seed(seed, FIRST_SEAT + seat) if key is None else _keyed_seed(key, f"seat {seat}")


def chance_of_round(seed: int, number: int) -> np.random.Generator:
    """Return the stream for the move of `random` in round `number` (from 0) of a match that is played step by step."""
    return np.random.default_rng((seed, STEPPED, number))


def chance_of_match(seed: int, key: str | None = None) -> Draws:
    """Return the stream for the moves of `random` in a match."""
    return np.random.default_rng((seed, CHANCE)) if key is None else KeyedStream(key, "chance")


def repairs_of_match(seed: int, key: str | None = None) -> Draws:
    """Return the stream for the moves that replace a player's errors in a match."""
    return np.random.default_rng((seed, REPAIRS)) if key is None else KeyedStream(key, "repairs")


def opponents_of_match(seed: int, key: str | None = None) -> Draws:
    """Return the stream for the moves of random opponents in a match in which one player is evaluated."""
    return np.random.default_rng((seed, OPPONENTS)) if key is None else KeyedStream(key, "opponents")


def scramble_seed(seed: int, key: str | None = None) -> int:
    """Return the seed of the made-up words of a match."""
    return derive_seed(seed, SCRAMBLE) if key is None else _keyed_seed(key, "scramble")


def _keyed_seed(key: str, name: str) -> int:
    return int.from_bytes(_digest(key, (name,), DRAW_BYTES), "big") >> (8 * DRAW_BYTES - SEED_BITS)


def search_of_player(seed: int) -> np.random.Generator:
    """Return the stream of a searching player: worlds, and one of several best moves."""
    return np.random.default_rng((seed, SEARCH))


def policy_of_player(seed: int) -> np.random.Generator:
    """Return the stream for the moves that a player draws from its policy."""
    return np.random.default_rng((seed, POLICY))


def preparation_of_player(seed: int) -> np.random.Generator:
    """Return the stream of what a searching player does before the match."""
    return np.random.default_rng((seed, PREPARATION))


def fixed_moves_of(seed: int) -> np.random.Generator:
    """Return the stream for the fixed moves at infosets that no search has reached; it is the same for all players."""
    return np.random.default_rng((seed, FIXED_MOVES))
