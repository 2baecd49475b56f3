"""POGDDL: what Veil makes of a text against the slow, obvious reader, on random playouts and in the whole tree."""

from __future__ import annotations

import pytest

from tests.support.archetypes import nightly_but
from tests.support.pogddl_cases import (
    BATTLESHIP_DOMAIN,
    EFFECTS,
    ENDGAME_PROBLEM,
    FACTS,
    FORMULAS,
    GAIN_CASES,
    GAINS,
    GOPS_PROBLEM,
    NUMBERS,
    OBSERVATIONS,
    THREE,
)
from tests.support.pogddl_twins import assert_same_playout, assert_same_tree, both, bundled, corpus

BUNDLED = ["battleship2", "gops2", "racko3", "simple_poker"]


@pytest.mark.parametrize("name", nightly_but(["gops2", "simple_poker"], BUNDLED))
def test_random_playouts_are_those_of_the_slow_reader(name: str) -> None:
    slow, game = both(bundled(name))
    assert game.warnings == []
    assert all(assert_same_playout(slow, game, seed) > 2 for seed in range(8))


@pytest.mark.parametrize(("name", "transfer", "nodes"), [("simple_poker", True, 15), ("gops2", True, 172)])
def test_the_whole_tree_is_that_of_the_slow_reader(name: str, transfer: bool, nodes: int) -> None:
    slow, game = both(bundled(name), transfer=transfer)
    assert assert_same_tree(slow, game, transfer) == nodes


def test_real_files_with_problems_of_our_own_play_as_the_slow_reader_says() -> None:
    for name, problem, warnings in [("Gops.pog", GOPS_PROBLEM, 0), ("EndGame.pog", ENDGAME_PROBLEM, 1)]:
        slow, game = both(corpus(name), problem)
        assert len(game.warnings) == warnings == len(slow.warnings)
        for seed in range(10):
            assert assert_same_playout(slow, game, seed) > 5


def test_a_real_problem_with_a_domain_of_our_own_plays_as_the_slow_reader_says() -> None:
    slow, game = both(corpus("battleship-3.5.pog"), BATTLESHIP_DOMAIN)
    assert assert_same_tree(slow, game) == 21


# The cases of the slow reader's own tests, which were worked out by hand


TOY = """(define (domain toy) (:types role thing) (:constants ann chance - role a b c - thing)
    (:predicates (whoseturn ?r - role) (p ?x - thing) (q ?x - thing) (r ?x ?y - thing) (done))
    (:functions (n ?x - thing) (m)) {sections})
    (define (problem toy) (:domain toy) (:init (whoseturn ann) {init}))"""


def toy(*sections: str, init: str = "") -> str:
    return TOY.format(sections=" ".join(sections), init=init)


CHANGE = "(forall (?x - thing) (and (not (p ?x)) (not (r a ?x)) (increase (n ?x) 1)))"


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize(("formula", "value"), nightly_but(FORMULAS[::3], FORMULAS))
@pytest.mark.parametrize("change", nightly_but([CHANGE], ["", CHANGE]))
def test_formulas_mean_what_the_slow_reader_says(formula: str, value: bool, change: str) -> None:
    # Once as facts that never change, and once as parts of the state.
    text = toy(
        f"(:action yes :precondition (and (not (done)) {formula}) :effect (and (done) {change}))",
        f"(:action no :precondition (and (not (done)) (not {formula})) :effect (and (done) {change}))",
        init=FACTS,
    )
    slow, game = both(text)
    assert game.initial_state().legal("ann") == ["yes" if value else "no"]
    assert assert_same_tree(slow, game) == 2


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize(
    "effect",
    [case[0] for case in EFFECTS] + [case[0] for case in NUMBERS],
)
def test_effects_do_what_the_slow_reader_says(effect: str) -> None:
    action = f"(:action x :precondition (not (done)) :effect (and (done) {effect or '()'}))"
    slow, game = both(toy(action, init="(p a) (q b) (= (m) 4) (= (n a) 1) (= (n b) 2) (= (n c) 0)"))
    assert assert_same_tree(slow, game) == 2


@pytest.mark.parametrize("effect", [case[0] for case in OBSERVATIONS])
def test_observations_reach_those_the_slow_reader_names(effect: str) -> None:
    text = THREE.replace("(whoseturn ?r - role)", "(whoseturn ?r - role) (done)").replace(
        ":effect {effect}", ":precondition (not (done)) :effect (and (done) {effect})"
    )
    slow, game = both(text.format(effect=effect))
    assert assert_same_tree(slow, game) == 5


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("gains", [case[0] for case in GAIN_CASES])
@pytest.mark.parametrize("transfer", [False, True])
def test_gains_add_up_as_the_slow_reader_says(gains: str, transfer: bool) -> None:
    slow, game = both(GAINS.format(gains=gains, init="(on) (whoseturn ann)"), transfer=transfer)
    assert assert_same_tree(slow, game, transfer) == 2


DERIVED = {
    "reach": "(:derived (reach ?x ?y - thing) (or (r ?x ?y) (exists (?z - thing) (and (r ?x ?z) (reach ?z ?y)))))",
    "all in a circle": "(:derived (reach ?x ?y - thing) (and (= ?y a) (or (p ?x) (and (exists (?z - thing) (r ?x ?z)) "
    "(forall (?z - thing) (imply (r ?x ?z) (and (exists (?w - thing) (= ?w ?z)) (reach ?z a))))))))",
    "negated": "(:derived (reach ?x ?y - thing) (and (node ?x) (not (inner ?x)) (q ?y)))"
    "(:derived (inner ?x - thing) (exists (?y - thing) (and (r ?x ?y) (node ?y))))"
    "(:derived (node ?x - thing) (or (p ?x) (exists (?y - thing) (and (r ?y ?x) (node ?y)))))",
}


@pytest.mark.parametrize("rules", DERIVED.values(), ids=DERIVED)
def test_derived_predicates_are_those_of_the_slow_reader(rules: str) -> None:
    link = """(:action link :parameters (?x ?y - thing) :precondition (and (not (reach ?x ?y)) (< (m) 2))
        :effect (and (increase (m) 1) (r ?x ?y) (q ?x) (when (reach ?y a) (not (p ?y)))))"""
    slow, game = both(toy(rules, link, init="(p a) (r b c) (r c b) (= (m) 0)"))
    assert [entry.code for entry in game.warnings] == ["pogddl-undeclared"] * len(slow.warnings)
    assert assert_same_tree(slow, game) > 10
