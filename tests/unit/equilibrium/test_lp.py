"""Exact equilibria: values that others have found, and policies worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.gametree import literal_tree, matrix_game
from tests.support.equilibrium_games import THREE_VOTE, prepared
from tests.support.flat_trees import flatten
from tests.support.games import OVER_AT_THE_START
from tests.support.refusals import refused
from veil.equilibrium.lp import solve_lp
from veil.equilibrium.policy import policy_of
from veil.equilibrium.response import evaluate_profile


@pytest.mark.gate_cases(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "digits"),
    [
        ("kuhn_poker", -1 / 18, 12),  # Kuhn 1950
        ("leduc_poker", -0.085606424078, 11),  # two independent solvers agree
        ("liars_dice(dice1=1, dice2=1, faces=6)", -0.027131782945736, 12),  # the same; -7/258
        ("liars_dice(dice1=1, dice2=1, faces=5)", 0.008, 12),
        ("liars_dice(dice1=1, dice2=1, faces=4)", 0.0625, 12),
        ("ii_goofspiel(cards=4)", 0.0, 12),  # by symmetry
        ("simple_poker", 1 / 3, 12),  # by hand
    ],
)
def test_the_first_role_has_the_value_that_is_known(name: str, value: float, digits: int) -> None:
    entry = prepared(name)
    judged = evaluate_profile(entry.form, solve_lp(entry.form, entry.total))
    assert judged.value[0] == pytest.approx(value, abs=10.0**-digits)
    assert judged.value[1] == pytest.approx(-value, abs=10.0**-digits)
    assert judged.exploitability < 1e-9


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("monty_hall", 200 / 3),  # switching wins 2 of 3
        ("exploding_bomb", 90.0),  # asking costs 10
    ],
)
def test_one_role_alone_gets_the_most_there_is(name: str, value: float) -> None:
    entry = prepared(name)
    policy = solve_lp(entry.form, entry.total)
    assert evaluate_profile(entry.form, policy).value.tolist() == pytest.approx([value])
    assert set(policy) == {0.0, 1.0}


def test_in_monty_hall_one_always_switches() -> None:
    entry = prepared("monty_hall")
    table = policy_of(entry.tree, solve_lp(entry.form, entry.total)).table["contestant"]
    later = [row for record, row in table.items() if record != "start"]
    assert len(later) == 6
    assert all(row == {"noop": 0.0, "switch": 1.0} for row in later)


def test_in_simple_poker_one_bluffs_and_calls_as_worked_out_by_hand() -> None:
    """Richards & Amir's game with the payoffs of their text: bluff 1/3, call 2/3."""
    entry = prepared("simple_poker")
    table = policy_of(entry.tree, solve_lp(entry.form, entry.total)).table
    assert table["first"]["noop: (king second)"]["bet"] == pytest.approx(1 / 3)
    assert table["second"]["noop; noop: (played first bet)"]["bet"] == pytest.approx(2 / 3)


def test_the_biased_coin_is_mixed_as_algebra_says() -> None:
    """Rows 3 -1 / -2 1: the row plays 3/7 and 4/7, the column 2/7 and 5/7, worth 1/7."""
    form = flatten(matrix_game({"a": {"x": (3, -3), "y": (-1, 1)}, "b": {"x": (-2, 2), "y": (1, -1)}})).form
    policy = solve_lp(form, 0.0)
    assert policy == pytest.approx([3 / 7, 4 / 7, 2 / 7, 5 / 7])
    assert evaluate_profile(form, policy).value == pytest.approx([1 / 7, -1 / 7])


def test_nothing_negative_comes_out() -> None:
    entry = prepared("leduc_poker")
    policy = solve_lp(entry.form, entry.total)
    assert (policy >= 0).all()
    assert not np.signbit(policy).any()
    sums = np.add.reduceat(policy, entry.form.slot_start[:-1])
    assert sums == pytest.approx(1)


def test_a_game_that_is_over_at_the_start_needs_no_moves() -> None:
    entry = prepared(OVER_AT_THE_START)
    policy = solve_lp(entry.form, entry.total)
    assert len(policy) == 0
    assert evaluate_profile(entry.form, policy).value.tolist() == [30, 70]


@pytest.mark.parametrize("mover", ["ann", "bob"])
def test_only_one_of_two_roles_may_have_a_choice(mover: str) -> None:
    flat = flatten(literal_tree(["ann", "bob"], (mover, "only", {"a": (1, -1), "b": (2, -2)})))
    policy = solve_lp(flat.form, 0.0)
    assert policy.tolist() == ([0.0, 1.0] if mover == "ann" else [1.0, 0.0])


MISTAKES = literal_tree(
    ["ann", "bob"],
    (
        "ann",
        "start",
        {
            "pass": (0, 0),
            "err": ("bob", "given", {"take": (-5, 5), "spare": (-1, 1)}),  # only a mistake of ann leads here
            "blunder": ("ann", "lost", {"little": (-1, 1), "much": (-2, 2)}),  # and here one of her own
        },
    ),
)


def test_the_plain_program_plays_dominated_moves_after_mistakes_and_the_refined_one_does_not() -> None:
    flat = flatten(MISTAKES)
    given, lost = ("bob", "given"), ("ann", "lost")
    plain, refined = (flat.profile(solve_lp(flat.form, 0.0, refine)) for refine in ("none", "mistakes"))
    assert plain["ann", "start"]["pass"] == refined["ann", "start"]["pass"] == pytest.approx(1)
    assert plain[given]["spare"] > 0.1
    assert plain[lost]["much"] > 0.1
    assert refined[given] == {"take": 1.0, "spare": 0.0}
    assert refined[lost] == {"little": 1.0, "much": 0.0}


@pytest.mark.parametrize("name", ["kuhn_poker", OVER_AT_THE_START])
def test_a_refined_policy_is_an_equilibrium(name: str) -> None:
    entry = prepared(name)
    judged = evaluate_profile(entry.form, solve_lp(entry.form, entry.total, "mistakes"))
    assert judged.nash_conv < 1e-8


def test_three_roles_are_refused() -> None:
    entry = prepared(THREE_VOTE)
    said = refused("needs-zero-sum", lambda: solve_lp(entry.form, entry.total))
    assert "3 roles" in said


def test_payoffs_whose_sum_varies_are_refused() -> None:
    entry = prepared("prisoners_dilemma")
    said = refused("needs-zero-sum", lambda: solve_lp(entry.form, entry.total))
    assert "payoffs whose sum varies" in said
