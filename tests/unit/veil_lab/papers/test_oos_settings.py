"""The OOS paper's games and figures: what is printed there, and that our games are those."""

from __future__ import annotations

from math import factorial

import pytest

import veil
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


@pytest.mark.compiled("slow as Python")
def test_goofspiel_has_as_many_ends_as_pairs_of_orders_of_the_cards() -> None:
    """(n!)² terminals, counted for small n; for the 13 cards of the paper's largest game about 3.8e19, as it says."""
    for cards in (2, 3, 4):
        flat = prepare(GAMES[GOOFSPIEL].replace("cards=6", f"cards={cards}")).tree.flat
        assert int((flat.num_children == 0).sum()) == factorial(cards) ** 2
    assert GAMES[LARGE_GOOFSPIEL] == GAMES[GOOFSPIEL].replace("cards=6", "cards=13")
    assert factorial(13) ** 2 == pytest.approx(3.8e19, rel=0.025)


@pytest.mark.slow
@pytest.mark.nightly
def test_the_values_of_the_small_games_are_those_that_the_paper_names() -> None:
    """0.11 chips less for the first player in poker, about 1 % fewer wins in Liar's Dice, II-Goofspiel balanced."""
    chips, wins, balance = (
        veil.solve(name, method="cfr+", target=1e-3, seconds=600.0)
        for name in (GAMES[POKER], GAMES[DICE], GAMES[GOOFSPIEL].replace("cards=6", "cards=4"))
    )
    assert chips.value["first"] == pytest.approx(POKER_VALUE, abs=4e-3)
    assert 50 * wins.value["first"] == pytest.approx(-50 * 7 / 258, abs=0.2)  # in wins of a hundred: 1.36 fewer
    assert balance.value["first"] == pytest.approx(0, abs=4e-3)
