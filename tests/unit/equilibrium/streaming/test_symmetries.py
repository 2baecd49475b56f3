"""Symmetries found in a game: what they are, and that they change no result."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

import veil
from tests.support.rule_sets import rule_sets
from veil.engine import load
from veil.equilibrium import SOLVERS, Budget, Walk, prepare, prepare_walk, solve_prepared, to_behaviour
from veil.equilibrium.streaming import walk as walk_module
from veil.equilibrium.streaming.state_graph import build_state_graph
from veil.equilibrium.streaming.symmetries import find_symmetries
from veil.equilibrium.streaming.walk_evaluation import evaluate_on_walk
from veil.errors import VeilError

CASES = [  # symmetries; those of boards are known from the boards
    ("dark_hex(2)", 2),
    ("dark_hex(2, abrupt)", 2),
    ("simultaneous_krieg_tictactoe(2, 2)", 8),
    ("kuhn_poker", 1),
    ("ii_goofspiel(4)", 1),
    ("prisoners_dilemma", 1),
    pytest.param("dark_hex(3, abrupt)", 2, marks=pytest.mark.nightly),
    pytest.param("phantom_tictactoe(abrupt)", 8, marks=pytest.mark.nightly),
]
# Two of three things win: those may be exchanged.
FREE = """
(role robot) (cell a) (cell b) (cell c) (init (step 0)) (nextstep 0 1) (nextstep 1 2)
(<= (legal robot (take ?x)) (cell ?x) (not (true (taken ?x))))
(<= (next (taken ?x)) (true (taken ?x)))
(<= (next (taken ?x)) (does robot (take ?x)))
(<= (next (step ?n)) (true (step ?m)) (nextstep ?m ?n))
(<= terminal (true (step 2)))
(<= (goal robot 100) (true (taken a)) (true (taken b)))
(<= (goal robot 0) (not (true (taken a))))
(<= (goal robot 0) (not (true (taken b))))
"""


@pytest.fixture(autouse=True)
def _shards_in_small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide small games into shards, too."""
    monkeypatch.setattr(walk_module, "SHARDS", 6)


def symmetric_policy(walk: Walk, seed: int) -> np.ndarray:
    """A random policy that is the same under all symmetries, with moves that are never played."""
    rng = np.random.default_rng(seed)
    weights = rng.random(walk.form.num_slots) * (rng.random(walk.form.num_slots) < 0.8)
    for role in range(len(walk.roles)):
        walk.make_symmetric(role, weights)
    policy = to_behaviour(walk.form, weights)
    assert walk.symmetries == 1 or walk.is_symmetric(policy)
    return policy


def check_evaluation(game: veil.Game, seed: int) -> None:
    """Compare the evaluation with the help of symmetries with the one without."""
    walk, plain = (prepare_walk(game, threads=1, symmetries=used) for used in (True, False))
    policy = symmetric_policy(walk, seed)
    ours, expected = evaluate_on_walk(walk, policy), evaluate_on_walk(plain, policy)
    scale = max(1.0, float(np.abs(walk.graph.payoffs).max()))
    assert ours.value == pytest.approx(expected.value, abs=1e-9 * scale)
    assert ours.best_value == pytest.approx(expected.best_value, abs=1e-9 * scale)


@pytest.mark.parametrize(("name", "number"), CASES)
def test_the_number_of_symmetries_is_that_of_the_board(name: str, number: int) -> None:
    assert len(find_symmetries(build_state_graph(load(name)))) == number


def test_moves_that_nothing_tells_apart_may_be_exchanged() -> None:
    found = find_symmetries(build_state_graph(load(FREE)))
    assert len(found) == 2
    assert sorted(int((symmetry.moves[0] == np.arange(3)).sum()) for symmetry in found) == [1, 3]


@pytest.mark.parametrize("name", ["dark_hex(2)", "dark_hex(2, abrupt)", "simultaneous_krieg_tictactoe(2, 2)", FREE])
def test_symmetric_policies_have_the_same_values_with_symmetries(name: str) -> None:
    check_evaluation(load(name), 3)


@pytest.mark.nightly
@settings(max_examples=60, deadline=None)
@given(text=rule_sets())
def test_symmetries_of_random_rule_sets_change_no_value(text: str) -> None:
    try:
        game = load(text)
        prepare(game, max_nodes=3000)  # without it, games that never end take minutes
    except VeilError:
        assume(False)
    check_evaluation(game, 5)


def test_a_policy_that_is_not_symmetric_is_walked_in_full() -> None:
    game = load("simultaneous_krieg_tictactoe(2, 2)")
    walk, plain = (prepare_walk(game, threads=1, symmetries=used) for used in (True, False))
    policy = to_behaviour(walk.form, np.random.default_rng(2).random(walk.form.num_slots))
    assert not walk.is_symmetric(policy)
    assert evaluate_on_walk(walk, policy).nash_conv == evaluate_on_walk(plain, policy).nash_conv


def test_a_solver_keeps_its_policies_symmetric_and_says_so() -> None:
    game = load("simultaneous_krieg_tictactoe(2, 2)")
    walk, plain = (prepare_walk(game, threads=1, symmetries=used) for used in (True, False))
    solution = solve_prepared(walk, "pcfr+", Budget(iterations=40))
    assert walk.is_symmetric(solution.policy_slots)
    assert solution.nash_conv == pytest.approx(evaluate_on_walk(plain, solution.policy_slots).nash_conv, abs=1e-9)
    assert [note.code for note in solution.notes] == ["symmetric-policy"]
    assert not solve_prepared(plain, "pcfr+", Budget(iterations=1)).notes


def test_iterations_with_symmetries_are_those_without() -> None:
    """Exactly equal regrets are told apart by rounding, so only games without them can be compared."""
    walk, plain = (prepare_walk(load("dark_hex(2)"), threads=1, symmetries=used) for used in (True, False))
    ours, theirs = (SOLVERS.make("pcfr+", form, 0) for form in (walk, plain))
    for _ in range(6):
        ours.run(1)
        theirs.run(1)
        assert ours.average() == pytest.approx(theirs.average(), abs=1e-9)
