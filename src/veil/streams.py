"""Streams of random numbers, by name: who draws what from which seed, in one place.

A seed and a few numbers make a stream; different numbers make independent streams. All code asks for its streams here,
so that no two parts of the program draw the same numbers by accident.
"""

from __future__ import annotations

import numpy as np

CHANCE, REPAIRS, FIRST_SEAT = 0, 1, 2  # numbers below the seed of a match
OPPONENTS = 10_000  # another one, beyond those of all seats
SCRAMBLE = 10_001
SEARCH, POLICY, PREPARATION = 1, 2, 3  # numbers below the seed of a player
FIXED_MOVES = 11  # a number below the seed of an evaluation


def derive_seed(seed: int, number: int) -> int:
    """Return the seed of one member of a series: it depends on its number only, not on the rest of the series."""
    return int(np.random.SeedSequence((seed, number)).generate_state(1)[0])


def match_seed(seed: int, number: int) -> int:
    """Return the seed of match `number` of a series or tournament."""
    return derive_seed(seed, number)


def player_seed(seed: int, seat: int) -> int:
    """Return the seed of the player in seat `seat` (from 0) of a match."""
    return derive_seed(seed, FIRST_SEAT + seat)


def chance_of_match(seed: int) -> np.random.Generator:
    """Return the stream for the moves of `random` in a match."""
    return np.random.default_rng((seed, CHANCE))


def repairs_of_match(seed: int) -> np.random.Generator:
    """Return the stream for the moves that replace a player's errors in a match."""
    return np.random.default_rng((seed, REPAIRS))


def opponents_of_match(seed: int) -> np.random.Generator:
    """Return the stream for the moves of random opponents in a match in which one player is evaluated."""
    return np.random.default_rng((seed, OPPONENTS))


def scramble_seed(seed: int) -> int:
    """Return the seed of the made-up words of a match."""
    return derive_seed(seed, SCRAMBLE)


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
