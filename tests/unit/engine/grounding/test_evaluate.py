"""Ground programs evaluated one state at a time."""

from __future__ import annotations

import numpy as np
import pytest

from veil.engine.grounding.evaluate import GroundReasoner, evaluate
from veil.engine.grounding.grounder import ground
from veil.engine.grounding.program import TRUE
from veil.lang import read_rules

GAME = """
(role ann) (role bob) (init (at 1)) (init fresh) (succ 1 2) (succ 2 3)
(<= (legal ann go) (true (at ?x))) (<= (legal ann stay) (not (true (at 3)))) (<= (legal bob ?m) (true (at 1)) (word ?m))
(<= (legal bob yes) (not (true (at 1)))) (word yes) (word no)
(<= (next (at ?y)) (does ann go) (true (at ?x)) (succ ?x ?y)) (<= (next (at ?x)) (does ann stay) (true (at ?x)))
(<= (sees bob moved) (does ann go)) (<= (sees bob (heard ?m)) (does bob ?m)) (<= (sees ann here) (true (at 1)))
(<= terminal (true (at 3)))
(<= (goal ann 100) (true (at 3))) (<= (goal ann 5) (true (at 3))) (<= (goal ann 0) (not (true (at 3))))
(<= (goal bob 50) (true fresh))
"""
AT = {number: ("at", number) for number in "123"}
# What is reached from 1 along the edges that are open.
MAZE = """
(role r) (legal r go) (init (open 1 2)) (init (open 3 4)) (goal r 0) (num 1) (num 2) (num 3) (num 4)
(<= (next (open ?x ?y)) (num ?x) (num ?y) (does r go)) (<= (reached 1) (true (open 1 ?y)))
(<= (reached ?y) (reached ?x) (true (open ?x ?y)))
(<= terminal (reached 4)) (<= (legal r stop) (not (reached 3)))
"""


@pytest.fixture(scope="module")
def reasoner() -> GroundReasoner:
    return GroundReasoner(ground(read_rules(GAME)))


def test_the_initial_state_is_what_init_says(reasoner: GroundReasoner) -> None:
    assert reasoner.initial() == {AT["1"], "fresh"}


def test_a_state_is_judged_alone(reasoner: GroundReasoner) -> None:
    start = reasoner.judge(reasoner.initial())
    assert start.legal == {"ann": ("go", "stay"), "bob": ("no", "yes")}
    assert not start.terminal
    assert start.goals == {"ann": (0,), "bob": (50,)}
    end = reasoner.judge(frozenset({AT["3"]}))
    assert end.legal == {"ann": ("go",), "bob": ("yes",)}
    assert end.terminal
    assert end.goals == {"ann": (5, 100), "bob": ()}


def test_a_joint_move_gives_the_next_state_and_what_each_role_sees(reasoner: GroundReasoner) -> None:
    state, percepts = reasoner.step(reasoner.initial(), {"ann": "go", "bob": "no"})
    assert state == {AT["2"]}
    assert percepts == {"ann": ("here",), "bob": (("heard", "no"), "moved")}
    state, percepts = reasoner.step(state, {"ann": "stay", "bob": "yes"})
    assert state == {AT["2"]}
    assert percepts == {"ann": (), "bob": (("heard", "yes"),)}


@pytest.mark.parametrize(
    ("edges", "reached_four", "may_stop"),
    [
        ("12", False, True),
        ("12 23 34", True, False),
        ("34 23 12", True, False),
        ("23 34", False, True),
        ("12 24 43", True, False),
    ],
)
def test_a_recursive_stratum_is_repeated_until_nothing_changes(edges: str, reached_four: bool, may_stop: bool) -> None:
    maze = GroundReasoner(ground(read_rules(MAZE)))
    assert maze.program.stratum_recursive.any()
    judged = maze.judge(frozenset(("open", *edge) for edge in edges.split()))
    assert judged.terminal is reached_four
    assert ("stop" in judged.legal["r"]) is may_stop


def test_only_the_strata_that_are_asked_for_are_run(reasoner: GroundReasoner) -> None:
    program = reasoner.program
    values = np.zeros(program.num_atoms, dtype=bool)
    values[[TRUE, 2 + program.fluents.index(AT["3"])]] = True
    before = values.copy()
    evaluate(program, values, 0, 0)
    assert (values == before).all()
    evaluate(program, values, 0, program.static_strata)
    assert values[program.terminal_atom]
    assert not values[program.next_atoms].any()
