"""Facts of solved games against known ones: Kuhn poker, and games whose answer is plain."""

from time import perf_counter

import pytest

import veil
from veil.engine import read_game
from veil.review.option_worth import find_percept_worths, hide_percepts
from veil.review.solved_game import solve_game

pytestmark = pytest.mark.compiled("slow as Python")


def solved(game, precision=1e-6):
    return solve_game(veil.load(game), "pcfr+", max_nodes=100_000, seconds=20.0, precision=precision)


def test_variances_of_steps_add_up_to_the_variance_of_the_result():
    kuhn = solved("kuhn_poker")
    by_chance, by_round = kuhn.steps
    variance = 0.0
    for role in range(2):
        outcomes = kuhn.outcomes(role)
        mean = sum(worth * share for worth, share in outcomes.items())
        variance += sum(share * (worth - mean) ** 2 for worth, share in outcomes.items())
    assert sum(by_round.values()) == pytest.approx(variance, rel=1e-9)
    assert by_chance == pytest.approx(by_round[1] + by_round[2], rel=1e-9)  # both cards are dealt before any choice
    assert kuhn.decided()[-1][1] == pytest.approx(1.0)


def test_lengths_and_outcomes_are_probabilities():
    kuhn = solved("kuhn_poker")
    assert sum(kuhn.lengths(kuhn.policy).values()) == pytest.approx(1.0)
    assert kuhn.lengths(kuhn.uniform) == {4: pytest.approx(0.75), 5: pytest.approx(0.25)}  # pass, then bet
    assert kuhn.draws(kuhn.policy) == 0.0


def test_a_comeback_is_a_win_from_far_behind():
    """Chance draws two of five numbers. `one` wins if neither or both are 5. Known by hand: after another first number
    `one` expects 80, after a 5 it expects 20; so both wins against the odds are comebacks: 4/5 1/5 + 1/5 1/5."""
    rules = """
        (role random) (role one) (role two) (init (step 1)) (number 1) (number 2) (number 3) (number 4) (number 5)
        (<= (legal random (draw ?n)) (number ?n)) (legal one wait) (legal two wait)
        (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
        (<= (next (first ?n)) (true (step 1)) (does random (draw ?n)))
        (<= (next (first ?n)) (true (first ?n)))
        (<= (next (second ?n)) (true (step 2)) (does random (draw ?n)))
        (<= terminal (true (step 3)))
        (<= wins (true (first ?m)) (true (second ?n)) (distinct ?m 5) (distinct ?n 5))
        (<= wins (true (first 5)) (true (second 5)))
        (<= (goal one 100) wins) (<= (goal one 0) (not wins)) (<= (goal two 0) wins) (<= (goal two 100) (not wins))
        (<= (sees ?r (drew ?n)) (role ?r) (does random (draw ?n)))
    """
    game = solve_game(read_game(rules), "pcfr+", max_nodes=1000, seconds=20.0, precision=1e-6)
    assert game.comebacks() == pytest.approx(0.2)
    assert solved("matching_pennies").comebacks() == 0.0


def test_a_game_in_which_a_role_always_mixes():
    pennies = solved("matching_pennies")
    assert [entry.mixed for entry in pennies.mixing().values()] == [1.0, 1.0]
    assert [entry.bits for entry in pennies.mixing().values()] == pytest.approx([1.0, 1.0], abs=1e-3)


def test_a_game_without_a_kind_of_move_is_solved_again():
    """Heads or tails against a guess: whoever may not choose tails loses all. The other choices stay."""
    pennies = solved("matching_pennies")
    one, other = pennies.roles
    without = pennies.without(pennies.slots_of_kind(one, frozenset({"tails"})), 20.0)
    assert without is not None
    values, error = without
    assert 0.0 <= error < 0.01
    assert values[one] == pytest.approx(pennies.span(0)[0], abs=0.01)
    assert values[other] == pytest.approx(pennies.span(1)[1], abs=0.01)
    everything = pennies.slots_of_kind(one, frozenset({"heads", "tails"}))
    assert not everything.any()  # a role keeps a legal move


def test_the_worth_of_a_percept_is_the_loss_of_a_game_without_it():
    rules = """
        (role random) (role guesser) (init (step 1)) (side heads) (side tails)
        (<= (legal random (toss ?s)) (true (step 1)) (side ?s)) (<= (legal random wait) (true (step 2)))
        (<= (legal guesser wait) (true (step 1))) (<= (legal guesser (guess ?s)) (true (step 2)) (side ?s))
        (<= (sees guesser (fell ?s)) (does random (toss ?s)))
        (<= (next (lies ?s)) (does random (toss ?s))) (<= (next (lies ?s)) (true (lies ?s)))
        (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
        (<= (next right) (does guesser (guess ?s)) (true (lies ?s)))
        (<= terminal (true (step 3)))
        (<= (goal guesser 100) (true right)) (<= (goal guesser 0) (not (true right)))
    """
    coin = solved(rules)
    (worth,) = find_percept_worths(coin, 1000, perf_counter() + 60.0)
    assert (worth.role, worth.kind) == ("guesser", "fell")
    assert worth.value == pytest.approx(50.0, abs=0.1)
    assert hide_percepts(coin.tree.game, "guesser", "seen") is None
