"""Hints: what a player would do after a record, and why; never by one who sees more."""

from __future__ import annotations

import pytest

import veil
from tests.support.refusals import refused
from veil.cli.hint import find_hint

NOTHING = veil.load("kuhn_poker").record("second")
KING = NOTHING.then("noop").then("noop", ["(card king)"]).then("noop", ["(played first bet)"])


def joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def test_a_searcher_gives_its_move_and_the_values_of_all() -> None:
    text = joined(find_hint(veil.load("kuhn_poker"), KING, ("bet", "pass"), "hyperplay:models=20,playouts=20"))
    assert text.startswith("hint bet, says hyperplay:models=20,playouts=20 thinks bet 52.0")  # who has the king wins 2
    assert "pass 49.0" in text
    assert "playouts" in text


def test_a_hint_comes_from_the_exact_solution_where_the_game_fits() -> None:
    """Betting the queen is a mistake (Kuhn 1950), which values against random play do not show."""
    queen = veil.load("kuhn_poker").record("first").then("noop", ["(card queen)"]).then("noop")
    text = joined(find_hint(veil.load("kuhn_poker"), queen, ("bet", "pass")))
    assert text.startswith("hint pass, says best thinks pass 49.7, bet 49.5 (solved")


def test_players_without_a_search_can_be_asked_too() -> None:
    assert joined(find_hint(veil.load("kuhn_poker"), KING, ("bet", "pass"), "first")) == "hint bet, says first"
    assert "mixes bet 50 %, pass 50 %" in joined(find_hint(veil.load("kuhn_poker"), KING, ("bet", "pass"), "random"))


@pytest.mark.parametrize("spec", ["cheat", "human"])
def test_who_sees_the_truth_or_is_a_person_gives_no_hint(spec: str) -> None:
    refused("no-hint-by", lambda: find_hint(veil.load("kuhn_poker"), KING, ("bet", "pass"), spec))


def test_a_player_that_does_not_exist_is_refused() -> None:
    refused("unknown-player", lambda: find_hint(veil.load("kuhn_poker"), KING, ("bet", "pass"), "oracle"))
