"""HyperPlay's values: against the article, against all playouts there are, and what a seed decides.

Statistical tests use fixed seeds. A mean of n goals between 0 and 100 has a standard deviation of at most
50 / sqrt(n); where a tolerance is five times that, the false-alarm rate is below 1e-6 per comparison.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.reference import beliefs
from tests.reference.playouts import class_utilities
from tests.support.belief_games import played
from tests.support.equilibrium_games import EDGE_AFTER_HEADS, THREE_VOTE
from tests.support.games import NOTHING, game, remembering_naive
from tests.support.search_games import BOMB, MONTY, QUIET, SOONER_OR_LATER, TELLER, bag_after, in_words
from veil.belief import Bag
from veil.engine import draw_rows_uniformly, read_game
from veil.search.contract import answer_by_values
from veil.search.playouts import montecarlo
from veil.search.playouts.montecarlo import MoveTally
from veil.search.playouts.playout_clock import FEW_ROUNDS
from veil.search.playouts.style import PlayoutStyle

MANY = 40_000  # playouts per world and move
TOLERANCE = 5 * 50 / np.sqrt(MANY)


def hyperplay(spec: str, role: str, record: tuple = (), playouts: int = MANY, seed: int = 1, discount: float = 1.0):
    of = game(spec)
    tally = MoveTally(of.machine, of.roles.index(role), bag_after(spec, role, record), PlayoutStyle(discount))
    tally.add(playouts, (seed,))
    return in_words(of, role, tally.answer())


def test_waiting_beats_asking_for_who_takes_models_for_facts() -> None:
    """Section 6, example 2: 0.25 (90 + 0 + 90 + 0) = 45 and 0.25 (100 + 0 + 100 + 0) = 50."""
    assert hyperplay("exploding_bomb", "agent", BOMB) == pytest.approx({"ask": 45, "wait": 50}, abs=TOLERANCE)


def test_in_the_extended_cutting_wire_game_waiting_looks_best_twice() -> None:
    """By hand: the cutter guesses, so that telling only costs."""
    first = hyperplay("extended_cutting_wire", "teller", TELLER)
    assert first == pytest.approx({"tell": (40 + 35) / 2, "wait": (50 + 45) / 2}, abs=TOLERANCE)
    waited = (*TELLER, ("wait", NOTHING))
    assert hyperplay("extended_cutting_wire", "teller", waited) == pytest.approx(
        {"tell": 45, "wait": 50}, abs=TOLERANCE
    )


def test_switching_wins_two_times_in_three() -> None:
    """Nothing is random after the decision, so the values are exact."""
    assert hyperplay("monty_hall", "contestant", MONTY, playouts=1) == pytest.approx(
        {"noop": 100 / 3, "switch": 200 / 3}
    )


def test_with_uniform_weights_the_contestant_sees_no_difference() -> None:
    """Section 3.5: why the models need weights."""
    of, bag = game("monty_hall"), bag_after("monty_hall", "contestant", MONTY)
    tally = MoveTally(of.machine, 1, replace(bag, weights=np.full(len(bag), 1 / len(bag))))
    tally.add(1, (0,))
    assert in_words(of, "contestant", tally.answer()) == pytest.approx({"noop": 50, "switch": 50})


DEALT = (("noop", frozenset({"(card queen)"})), QUIET)  # first has a queen, and is about to bet or to pass
CASES = {
    "a card game, at the first bet": ("kuhn_poker", "first", DEALT),
    "all move at once": ("ii_goofspiel(cards=3)", "first", ()),
    "all move at once, in the second round": ("ii_goofspiel(cards=3)", "second", "played"),
    "three roles": (THREE_VOTE, "bob", ()),
    "a move that is legal in some worlds only": (EDGE_AFTER_HEADS, "ann", (QUIET,)),
    "two more rounds": ("extended_cutting_wire", "teller", TELLER),
}


def record_of_case(spec: str, role: str, record: Any) -> beliefs.Record:
    if record != "played":
        return record
    return beliefs.record_of(remembering_naive(spec), played(spec, 3, most=1), role)


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("discount", [Fraction(1), Fraction(4, 5)], ids=["", "discounted"])
@pytest.mark.parametrize("case", CASES)
def test_the_value_of_a_move_is_the_mean_over_all_playouts_there_are(case: str, discount: Fraction) -> None:
    spec, role, record = CASES[case]
    record = record_of_case(spec, role, record)
    exact = {
        move: float(value) for move, value in class_utilities(remembering_naive(spec), role, record, discount).items()
    }
    found = hyperplay(spec, role, record, discount=float(discount))
    assert len(found) > 1
    chips = spec == "kuhn_poker" and discount == 1  # goals are 48 to 52 there
    assert found == pytest.approx(exact, abs=TOLERANCE * (2 / 50 if chips else 1))


def test_the_oracle_gives_the_numbers_of_the_article() -> None:
    assert class_utilities(remembering_naive("exploding_bomb"), "agent", BOMB) == {"ask": 45, "wait": 50}
    assert class_utilities(remembering_naive("monty_hall"), "contestant", MONTY) == {
        "noop": Fraction(100, 3),
        "switch": Fraction(200, 3),
    }


def test_a_later_goal_counts_less_with_a_discount() -> None:
    assert hyperplay(SOONER_OR_LATER, "ann", playouts=3) == {"now": 100, "later": 100}
    assert hyperplay(SOONER_OR_LATER, "ann", playouts=3, discount=0.9) == pytest.approx({"now": 90, "later": 81})


def test_the_same_seed_gives_the_same_values_and_another_seed_others() -> None:
    first, again, other = (hyperplay("kuhn_poker", "first", DEALT, playouts=50, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_threads_do_not_change_values() -> None:
    of, bag = game("ii_goofspiel(cards=4)"), bag_after("ii_goofspiel(cards=4)", "first")
    found = []
    for threads in (1, 3):
        tally = MoveTally(of.machine, 0, bag)
        tally.add(2000, (5,), threads)
        found.append(tally.answer().values.tolist())
    assert found[0] == found[1]


def test_batches_add_up() -> None:
    """Playouts are counted, and more of them bring values closer to what they estimate."""
    of, bag = game("exploding_bomb"), bag_after("exploding_bomb", "agent", BOMB)
    tally = MoveTally(of.machine, 1, bag)
    tally.add(100, (0, 0))
    few = tally.answer()
    tally.add(MANY, (0, 1))
    many = tally.answer()
    assert (few.playouts, many.playouts) == (100 * 2 * 2, (100 + MANY) * 2 * 2)  # 2 worlds, 2 moves
    assert many.states_visited > few.states_visited > 0
    assert in_words(of, "agent", many) == pytest.approx({"ask": 45, "wait": 50}, abs=TOLERANCE)


def test_playouts_that_do_not_fit_at_once_are_done_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(montecarlo, "MAX_ROWS", 64)
    found = hyperplay("ii_goofspiel(cards=3)", "first", playouts=4000)
    exact = {
        move: float(value)
        for move, value in class_utilities(remembering_naive("ii_goofspiel(cards=3)"), "first", ()).items()
    }
    assert found == pytest.approx(exact, abs=5 * 50 / np.sqrt(4000))


def test_the_best_move_is_drawn_among_equals() -> None:
    """False-alarm rate 1e-6; a move that is worse by more than rounding is never taken."""
    values = np.array([50.0, 49.9, 50.0 - 1e-12])
    answer = answer_by_values(np.array([2, 5, 7]), values, np.ones(3), playouts=1, states_visited=1)
    rng = np.random.default_rng(0)
    taken = [answer.draw(rng) for _ in range(2000)]
    assert set(taken) == {2, 7}
    assert chisquare([taken.count(2), taken.count(7)]).pvalue > 1e-6


def test_moves_are_drawn_uniformly_among_the_legal_ones() -> None:
    """A chi-square test per row, eight of them; false-alarm rate 1e-6 each."""
    rng = np.random.default_rng(7)
    legal = rng.random((8, 9)) < 0.6
    legal[0] = [True] + [False] * 8  # no choice
    legal[1] = True
    draws = 30_000
    drawn = draw_rows_uniformly(np.repeat(legal, draws, axis=0), rng).reshape(8, draws)
    assert (drawn[0] == 0).all()
    for row, moves in enumerate(drawn):
        counts = np.bincount(moves, minlength=9)
        assert (counts[~legal[row]] == 0).all()
        if legal[row].sum() > 1:
            assert chisquare(counts[legal[row]]).pvalue > 1e-6


def test_where_nobody_has_a_choice_no_random_number_is_used() -> None:
    rng = np.random.default_rng(0)
    assert draw_rows_uniformly(np.array([[False, True], [True, False]]), rng).tolist() == [1, 0]
    assert rng.random() == np.random.default_rng(0).random()


LONG = "(role a) (legal a x) (legal a y) {facts} {turns} (goal a 70) (<= terminal (true (turn {last})))"


@pytest.mark.parametrize(("last", "longest"), [(20, 20), (200, 200), ("never", 100_000)])
def test_under_a_clock_playouts_are_as_long_as_there_is_time(last: int | str, longest: int) -> None:
    """A game that never ends would take 100,000 rounds for the first playout, however short the clock is."""
    facts = " ".join(f"(after {turn} {(turn + 1) % 300})" for turn in range(300))
    turns = "(init (turn 0)) (<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m))"
    of = read_game(LONG.format(facts=facts, turns=turns, last=last))
    bag = Bag(
        histories=np.zeros((1, 0, 1), np.int32),
        states=of.machine.initial_states(),
        weights=np.ones(1),
        sampler="test",
        exact=True,
    )
    hurried, patient = (MoveTally(of.machine, 0, bag) for _ in range(2))
    hurried.add_until(perf_counter(), (0,))
    assert hurried.states_visited <= 2 * (min(longest, FEW_ROUNDS) + 1)  # of two moves, one playout each
    patient._begin(np.arange(2), perf_counter() + 1000.0, (0,), 1)
    assert patient.max_rounds > 200
    assert bool(patient.cut) == (longest > patient.max_rounds or last == "never")
    for tally in (hurried, patient):
        assert in_words(of, "a", tally.answer()) == {"x": 70, "y": 70}
