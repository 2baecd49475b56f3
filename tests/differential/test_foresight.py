"""Playouts that look ahead, in lanes, against every way to go on, followed and weighed.

A mean of n goals between 0 and 100 has a standard deviation of at most 50 / sqrt(n); a tolerance of five times that
has a false-alarm rate below 1e-6 per comparison.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.playouts import Foresight, class_utilities
from tests.support.equilibrium_games import THREE_VOTE
from tests.support.games import game, remembering_naive
from tests.support.search_games import TELLER, bag_after, in_words
from veil.search.playouts.montecarlo import MoveTally
from veil.search.playouts.style import PlayoutStyle

MANY = 10_000
TOLERANCE = 5 * 50 / np.sqrt(MANY)

# ann and bob take one or two of four stones in turn; who takes the last one wins. A third, rude move loses at once.
STONES = """
(role ann) (role bob) (init (stones 4)) (init (control ann))
(less 4 1 3) (less 4 2 2) (less 3 1 2) (less 3 2 1) (less 2 1 1) (less 2 2 0) (less 1 1 0)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (stones ?s)) (less ?s ?n ?rest))
(<= (legal ?p rude) (true (control ?p)))
(<= (legal ann noop) (true (control bob)))
(<= (legal bob noop) (true (control ann)))
(<= (next (stones ?rest)) (true (stones ?s)) (does ?p (take ?n)) (less ?s ?n ?rest))
(<= (next (control ann)) (true (control bob)))
(<= (next (control bob)) (true (control ann)))
(<= (next (was_rude ?p)) (does ?p rude))
(<= terminal (true (stones 0)))
(<= terminal (true (was_rude ?p)))
(<= (lost ?p) (true (stones 0)) (true (control ?p)))
(<= (lost ?p) (true (was_rude ?p)))
(<= (goal ?p 0) (lost ?p))
(<= (goal ?p 100) (role ?p) (not (lost ?p)))
"""
CASES = {
    "in turn": (STONES, "ann", ()),
    "all move at once": ("ii_goofspiel(cards=3)", "first", ()),
    "three roles": (THREE_VOTE, "bob", ()),
    "chance, and goals that agree": ("extended_cutting_wire", "teller", TELLER),
}


def foresight_of(spec: str, depth: int) -> Foresight:
    of = game(spec)
    return Foresight(depth, {role: list(goals) for role, goals in zip(of.roles, of.program.goals, strict=True)})


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("case", CASES)
def test_the_value_of_a_move_is_the_mean_over_all_playouts_that_look_ahead(case: str, depth: int) -> None:
    spec, role, record = CASES[case]
    of = game(spec)
    tally = MoveTally(of.machine, of.roles.index(role), bag_after(spec, role, record), PlayoutStyle(foresight=depth))
    tally.add(MANY, (1,))
    naive = remembering_naive(spec)
    exact = class_utilities(naive, role, record, foresight=foresight_of(spec, depth))
    found = in_words(of, role, tally.answer())
    assert found == pytest.approx({move: float(value) for move, value in exact.items()}, abs=TOLERANCE)


def test_the_oracle_of_foresight_gives_what_a_person_sees() -> None:
    """Of four stones: who takes two lets the other win. Who takes one leaves three, of which the other takes one or
    two, or is rude; one that looks ahead is not rude, but cannot save itself.
    """
    naive = remembering_naive(STONES)
    blind = class_utilities(naive, "ann", ())
    assert class_utilities(naive, "ann", (), foresight=foresight_of(STONES, 1))["(take 2)"] == 0 < blind["(take 2)"]
    careful = class_utilities(naive, "ann", (), foresight=foresight_of(STONES, 2))
    assert careful == {"(take 1)": 100, "(take 2)": 0, "rude": 0}


def test_the_same_seed_gives_the_same_result_on_any_number_of_threads() -> None:
    machine = game("krieg_tictactoe").machine
    runs = [machine.playouts(machine.initial_states(400), 2, 5, threads=n, foresight=2) for n in (1, 3)]
    assert runs[0].goal_sum.tolist() == runs[1].goal_sum.tolist()
    assert runs[0].steps == runs[1].steps


def test_what_is_looked_at_is_counted() -> None:
    machine = game("krieg_tictactoe").machine
    steps = [machine.playouts(machine.initial_states(64), 1, 5, foresight=depth).steps for depth in (0, 1, 2)]
    assert 3 * steps[0] < 2 * steps[1] < steps[2]
