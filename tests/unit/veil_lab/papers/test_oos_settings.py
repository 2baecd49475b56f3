"""The OOS paper's games and figures: what is printed there, and that our games are those."""

from __future__ import annotations

import pytest

from veil.equilibrium import prepare
from veil.players import PLAYERS
from veil_lab.papers.oos_settings import (
    DICE,
    GAMES,
    GOOFSPIEL,
    LARGE_GOOFSPIEL,
    LARGE_POKER,
    POKER,
    POKER_VALUE,
    QUICK_GAMES,
    name_player,
    read_printed,
)


def test_printed_cells_are_read_with_the_row_in_the_first_seat() -> None:
    """Some cells that the text of the paper names."""
    assert str(read_printed(GOOFSPIEL)["OOS", "UCT"]) == "50 ± 1.3"
    assert read_printed(GOOFSPIEL)["UCT", "OOS"] == (51.2, 2.2)
    assert read_printed(DICE)["OOS", "RM"] == (56.8, 2.8)
    assert read_printed(LARGE_GOOFSPIEL)["OOS", "UCT"].mean == 28.3
    assert read_printed(POKER)["OOS", "UCT"] == (-0.45, 0.10)
    assert read_printed(LARGE_POKER)["RND", "RND"].mean == 2.51
    assert all(len(read_printed(game)) == 16 for game in GAMES)


@pytest.mark.compiled("slow as Python")
def test_every_game_has_a_small_relative() -> None:
    assert list(GAMES) == list(QUICK_GAMES)
    assert all(prepare(name).tree.num_nodes < 10_000 for name in QUICK_GAMES.values())


@pytest.mark.parametrize("name", ["ismcts:select=uct", "oos"])
def test_options_are_added_to_a_spec(name: str) -> None:
    assert PLAYERS.parse(name_player(name, iterations=7)).config.iterations == 7
    assert name_player(name) == name


def test_the_value_of_poker_is_that_of_our_rules() -> None:
    """-0.111353 by a linear program, as the catalogue says; the paper rounds it to -0.11."""
    assert pytest.approx(-0.111353, abs=1e-4) == POKER_VALUE
