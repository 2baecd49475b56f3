"""The moves of all roles, as far as a role knows them."""

from __future__ import annotations

import pytest

from tests.support.games import game
from tests.support.refusals import refused
from tests.support.seats import seat
from veil.match.referee import run_match
from veil.players.contract import Observation, Seat
from veil.players.seen_moves import SeenMoves


@pytest.mark.parametrize("role", ["xplayer", "oplayer"])
def test_all_moves_of_a_game_without_secrets_are_known_to_the_end(role: str) -> None:
    log = run_match(game("tic_tac_toe"), {"xplayer": "random", "oplayer": "random"}, 3)
    seen = SeenMoves(Seat(game=game("tic_tac_toe"), role=role, seed=0))
    for number, entry in enumerate(log.rounds, 1):
        observation = Observation(entry.moves[role], frozenset(entry.sees[role]))
        assert seen.observe(observation, over=number == len(log.rounds)) == list(entry.moves.values())


def test_a_match_that_is_cut_off_has_a_last_round_too() -> None:
    seen = SeenMoves(seat("tic_tac_toe", "xplayer"))
    first = Observation("(mark 1 1)", frozenset({"(played oplayer noop)"}))
    assert seen.observe(first, over=True) == ["(mark 1 1)", "noop"]


def test_a_role_that_cannot_know_all_moves_is_refused() -> None:
    seen = SeenMoves(seat("kuhn_poker", "first"))
    assert seen.observe(Observation("noop", frozenset({"(card king)"})), over=False)[0] == "(deal king)"
    nothing = Observation("noop", frozenset())
    assert "first cannot know" in refused("dialect-a", lambda: seen.observe(nothing, over=False))


def test_what_cannot_have_happened_is_refused() -> None:
    seen = SeenMoves(seat("tic_tac_toe", "xplayer"))
    refused("dialect-a", lambda: seen.observe(Observation("(mark 9 9)", frozenset()), over=False))
    refused("dialect-a", lambda: seen.observe(Observation("(mark 1 1)", frozenset()), over=False))
