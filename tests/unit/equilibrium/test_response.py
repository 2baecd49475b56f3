"""Values and best responses by hand, and known exploitabilities."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.gametree import literal_tree, matrix_game
from tests.support.equilibrium_games import THREE_VOTE, prepared
from tests.support.flat_trees import flatten
from veil.equilibrium.response import (
    Evaluation,
    evaluate_profile,
    find_best_response,
    to_behaviour,
    to_realization,
    uniform_policy,
)

DILEMMA = matrix_game({"keep": {"k": (3, 3), "t": (0, 5)}, "tell": {"k": (5, 0), "t": (1, 1)}})


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(
    ("name", "exploitability"),
    [
        ("kuhn_poker", 11 / 24),  # OpenSpiel 2.0.2: 0.4583333
        ("leduc_poker", 2.373611111111111),  # OpenSpiel 2.0.2: 2.3736111
        ("liars_dice(dice1=1, dice2=1, faces=6)", 0.78074432319224),  # OpenSpiel 2.0.2: 0.7807443
    ],
)
def test_uniform_play_is_as_exploitable_as_others_say(name: str, exploitability: float) -> None:
    form = prepared(name).form
    assert evaluate_profile(form, uniform_policy(form)).exploitability == pytest.approx(exploitability, abs=1e-9)


def test_values_of_the_dilemma_are_those_of_the_matrix() -> None:
    form = flatten(DILEMMA).form
    both_keep = evaluate_profile(form, np.array([1.0, 0.0, 1.0, 0.0]))
    assert both_keep.value.tolist() == [3, 3]
    assert both_keep.best_value.tolist() == [5, 5]
    assert (both_keep.nash_conv, both_keep.exploitability) == (4, 2)
    both_tell = evaluate_profile(form, np.array([0.0, 1.0, 0.0, 1.0]))
    assert (both_tell.value.tolist(), both_tell.nash_conv) == ([1, 1], 0)
    assert evaluate_profile(form, uniform_policy(form)).value.tolist() == [2.25, 2.25]


def test_three_roles_that_agree_are_in_equilibrium() -> None:
    form = prepared(THREE_VOTE).form
    assert evaluate_profile(form, np.array([1.0, 0.0, 1.0, 0.0, 1.0, 0.0])).nash_conv == 0
    odd_one_out = evaluate_profile(form, np.array([1.0, 0.0, 1.0, 0.0, 0.0, 1.0]))
    assert odd_one_out.value.tolist() == [100, 100, 0]
    assert odd_one_out.best_value.tolist() == [100, 100, 100]
    assert odd_one_out.exploitability == pytest.approx(100 / 3)


def test_rounding_below_zero_is_no_gain() -> None:
    judged = Evaluation(np.array([1.0, 1.0]), np.array([1.0 - 1e-16, 1.5]))
    assert (judged.nash_conv, judged.exploitability) == (0.5, 0.25)


def test_a_best_response_is_the_first_of_equals_and_zero_for_others() -> None:
    form = flatten(matrix_game({"a": {"x": (1, 0), "y": (1, 0)}, "b": {"x": (1, 0), "y": (1, 0)}})).form
    response, value = find_best_response(form, uniform_policy(form), 0)
    assert (response.tolist(), value) == ([1, 0, 0, 0], 1)
    assert find_best_response(form, uniform_policy(form), 1)[0].tolist() == [0, 0, 1, 0]


def test_a_best_response_looks_ahead() -> None:
    """By its own policy, going on is worth 1; by its best, 9."""
    later = ("ann", "later", {"bad": (0,), "good": (9,)})
    flat = flatten(literal_tree(["ann"], ("ann", "first", {"stop": (5,), "on": later})))
    policy = flat.policy({("ann", "first"): {"stop": 1.0, "on": 0.0}, ("ann", "later"): {"bad": 8 / 9, "good": 1 / 9}})
    response, value = find_best_response(flat.form, policy, 0)
    assert value == 9
    assert flat.profile(response) == {
        ("ann", "first"): {"stop": 0.0, "on": 1.0},
        ("ann", "later"): {"bad": 0.0, "good": 1.0},
    }


def test_realization_multiplies_along_own_moves_and_behaviour_divides_again() -> None:
    later = ("ann", "later", {"x": (0,), "y": (9,)})
    flat = flatten(literal_tree(["ann"], ("ann", "first", {"stop": (5,), "on": later})))
    policy = np.array([0.25, 0.75, 0.5, 0.5])
    x = to_realization(flat.form, policy)
    assert x.tolist() == [0.25, 0.75, 0.375, 0.375, 1.0]
    assert to_behaviour(flat.form, x).tolist() == policy.tolist()


def test_infosets_that_are_never_reached_are_played_uniformly() -> None:
    form = flatten(DILEMMA).form
    assert to_behaviour(form, np.array([0.0, 0.0, -3.0, 1.0])).tolist() == [0.5, 0.5, 0.0, 1.0]
    assert uniform_policy(prepared("monty_hall").form)[:3] == pytest.approx([1 / 3] * 3)


def test_evaluating_leaves_the_policy_as_it_was() -> None:
    form = prepared("kuhn_poker").form
    policy = uniform_policy(form)
    evaluate_profile(form, policy)
    find_best_response(form, policy, 1)
    assert (policy == 0.5).all()
