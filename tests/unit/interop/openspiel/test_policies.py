"""Policies in both directions, judged on both sides."""

from __future__ import annotations

import pytest

import veil
from veil.interop import openspiel

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")


def their_nash_conv(game, policy) -> float:
    from open_spiel.python.algorithms.exploitability import nash_conv

    return float(nash_conv(game, policy))


@pytest.mark.parametrize("name", ["kuhn_poker", "ii_goofspiel(cards=3)", "monty_hall"])
def test_a_policy_of_ours_is_worth_the_same_there_and_back(name: str) -> None:
    game = pyspiel.load_game(openspiel.register(name))
    solution = veil.solve(name, iterations=20)
    there = openspiel.to_openspiel(solution.policy, game)
    assert their_nash_conv(game, there) == pytest.approx(solution.nash_conv, abs=1e-9)
    assert veil.evaluate(name, openspiel.from_openspiel(there, game)).nash_conv == pytest.approx(
        solution.nash_conv, abs=1e-9
    )


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel(num_cards=3,imp_info=True)"])
def test_policies_of_a_loaded_game_go_both_ways(name: str) -> None:
    theirs = pyspiel.load_game(name)
    game = openspiel.load(theirs)
    solution = veil.solve(game, iterations=20)
    there = openspiel.to_openspiel(solution.policy, theirs)
    assert their_nash_conv(there.game, there) == pytest.approx(solution.nash_conv, abs=1e-9)
    back = openspiel.from_openspiel(there, theirs)
    assert veil.evaluate(game, back).nash_conv == pytest.approx(solution.nash_conv, abs=1e-9)
    assert veil.evaluate(game, back).missing == 0


def test_a_policy_in_cpp_is_taken_over() -> None:
    game = pyspiel.load_game(openspiel.register("kuhn_poker"))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    policy = openspiel.from_openspiel(solver.average_policy(), game)
    theirs = pyspiel.nash_conv(game, solver.average_policy(), True)
    assert veil.evaluate("kuhn_poker", policy).nash_conv == pytest.approx(theirs, abs=1e-9)


def test_a_policy_for_other_rules_is_refused() -> None:
    policy = veil.solve("matching_pennies", iterations=1).policy
    with pytest.raises(veil.VeilError, match="other rules"):
        openspiel.to_openspiel(policy, pyspiel.load_game(openspiel.register("kuhn_poker")))
