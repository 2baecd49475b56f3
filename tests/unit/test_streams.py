"""Random streams by name: what a seed means does not change, and no two of them are the same."""

from __future__ import annotations

import numpy as np

from veil import streams


def draws(rng: streams.Draws) -> list[int]:
    return [int(rng.integers(2**32)) for _ in range(4)]


def test_the_streams_of_a_match_and_of_a_player_are_all_different() -> None:
    made = [
        streams.chance_of_match(7),
        streams.repairs_of_match(7),
        streams.search_of_player(streams.player_seed(7, 0)),
        streams.search_of_player(streams.player_seed(7, 1)),
        streams.policy_of_player(streams.player_seed(7, 0)),
        streams.chance_of_match(streams.match_seed(7, 0)),
        streams.chance_of_match(streams.match_seed(7, 1)),
    ]
    first = [tuple(draws(rng)) for rng in made]
    assert len(set(first)) == len(first)


def test_the_same_seed_is_the_same_stream() -> None:
    assert draws(streams.chance_of_match(3)) == draws(streams.chance_of_match(3))
    assert streams.match_seed(3, 5) == streams.match_seed(3, 5) != streams.match_seed(3, 6)


def test_what_a_seed_means_is_pinned() -> None:
    """Logs and stores on disk were made with these numbers."""
    assert streams.match_seed(0, 0) == 2968811710
    assert streams.player_seed(0, 1) == streams.derive_seed(0, 3)
    assert draws(streams.chance_of_match(1)) == draws(np.random.default_rng((1, 0)))
    assert draws(streams.policy_of_player(1)) == draws(np.random.default_rng((1, 2)))
