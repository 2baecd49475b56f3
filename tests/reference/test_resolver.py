"""The slow resolver: its worlds and its subgames."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.reference.beliefs import infoset, record_of
from tests.reference.gametree import build_tree
from tests.reference.resolver import all_worlds, follow, made_up, subgame, worlds_of_orders
from tests.reference.solvers import (
    at,
    expected_values,
    nash_conv,
    pcfr_plus_steps,
    zero_sum_solution,
    zero_sum_value,
)
from tests.support.games import naive


def test_with_all_worlds_of_an_equilibrium_the_subgame_has_the_value_of_the_game() -> None:
    """Kuhn poker, after the deal: whatever has been played so far, both could go on with their equilibrium."""
    game = naive("kuhn_poker")
    worlds = all_worlds(game, 2)
    assert len(worlds) == 6
    assert zero_sum_value(subgame(game, worlds)) == pytest.approx(zero_sum_value(build_tree(game)))


def test_worlds_of_order_one_are_the_infoset() -> None:
    game = naive("kuhn_poker")
    for history in all_worlds(game, 3):
        for role in ("first", "second"):
            record = record_of(game, history, role)
            worlds, _ = worlds_of_orders(game, role, record, 1)
            assert worlds == infoset(game, role, record)


def test_orders_in_kuhn_poker_are_counted_by_hand() -> None:
    """With the king, the other has one of two cards; there we have two cards each: 2, then 4, then 6 worlds."""
    game = naive("kuhn_poker")
    history = next(h for h in all_worlds(game, 2) if "king" in str(follow(game, h)[1]["first"]))
    record = follow(game, history)[1]["first"]
    found = [worlds_of_orders(game, "first", record, order, made_up(1)) for order in (1, 2, 3, 4)]
    assert [len(worlds) for worlds, _ in found] == [2, 4, 6, 6]
    assert [closed for _, closed in found] == [False, False, True, True]
    assert all(sum(worlds.values()) == Fraction(1) for worlds, _ in found)


def test_fixed_points_of_the_subgame_are_its_equilibria() -> None:
    game = naive("kuhn_poker")
    worlds, _ = worlds_of_orders(
        game, "first", follow(game, next(iter(all_worlds(game, 2))))[1]["first"], 2, made_up(2)
    )
    tree = subgame(game, worlds)
    value, profile = zero_sum_solution(tree)
    assert nash_conv(tree, profile) == pytest.approx(0, abs=1e-9)
    average = at(pcfr_plus_steps(tree), 300).average
    assert nash_conv(tree, average) < 0.01
    assert expected_values(tree, average)["first"] == pytest.approx(value, abs=0.01)
