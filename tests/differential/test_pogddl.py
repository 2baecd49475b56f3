"""POGDDL: what Veil makes of a text against the slow, obvious reader, on random playouts and in the whole tree."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tests.reference import pogddl as oracle, test_pogddl as by_hand
from tests.reference.test_pogddl_games import BATTLESHIP_DOMAIN, ENDGAME_PROBLEM, GOPS_PROBLEM
from tests.support.corpus import ROOT
from veil.engine import Game, State
from veil.lang import Source, read_rules
from veil.vocabulary import Term

BUNDLED = ["battleship2", "gops2", "racko3", "simple_poker"]
SEATS = {"chance": "random"}


@cache
def both(*texts: str, transfer: bool = False) -> tuple[oracle.Game, Game]:
    source = Source("game.pog", "\n".join(texts), transfer=transfer)
    return oracle.read(*texts), Game("game", read_rules(source))


def bundled(name: str) -> str:
    return (by_hand.GAMES / f"{name}.pog").read_text(encoding="utf-8")


def corpus(name: str) -> str:
    path = ROOT / "pogddl" / name
    if not path.exists():
        pytest.skip(f"no {path.name} in the corpus at {ROOT}; set VEIL_CORPUS")
    return path.read_text(encoding="utf-8")


def term(form: tuple[str, ...]) -> Term:
    return form[0] if len(form) == 1 else form


def fluents(game: oracle.Game, state: oracle.State) -> set[Term]:
    """The state as Veil has it: without what no action changes."""
    atoms, functions = changed_names(game)
    numbers = {("=", term(key), str(value)) for key, value in state.numbers.items() if key[0] in functions}
    return {term(atom) for atom in state.atoms if atom[0] in atoms} | numbers


def changed_names(game: oracle.Game) -> tuple[set[str], set[str]]:
    atoms = {atom[0] for action in game.domain.actions for atom in oracle.list_changed_atoms(action.effect)}

    def changed_numbers(effect: Any) -> set[str]:
        if not isinstance(effect, tuple) or not effect:
            return set()
        if effect[0] in ("assign", "increase", "decrease"):
            return {effect[1][0]}
        return set().union(*map(changed_numbers, effect[1:])) if effect[0] != "observe" else set()

    return atoms, set().union(*(changed_numbers(action.effect) for action in game.domain.actions))


def assert_same_state(slow: oracle.Game, here: oracle.State, state: State, transfer: bool) -> dict[str, list[Any]]:
    """Compare a state with the oracle's: fluents, legal moves, the end and payoffs. The choices are returned."""
    rules = state.game.rules
    assert state.terms == fluents(slow, here)
    choices = oracle.applicable(slow, here)
    assert state.is_terminal == (not choices)
    if not choices:
        paid = oracle.payoffs(slow, here, transfer)
        goals = {player: Fraction(state.goals[rules.show(player)], rules.scale) for player in paid}
        assert goals == paid
        assert all(len(values) == 1 for values in state.goal_values.values())
        return {}
    [(who, actions)] = choices.items()
    for role, legal in state.judgement.legal.items():
        expected = {term(action) for action in actions} if role == SEATS.get(who, who) else {"noop"}
        assert set(legal) == expected
    return choices


def step(state: State, slow: oracle.Game, here: oracle.State, who: str, action: Any) -> tuple[State, oracle.State]:
    rules = state.game.rules
    joint = dict.fromkeys(rules.roles, "noop") | {SEATS.get(who, who): term(action)}
    after, told = oracle.apply(slow, here, action)
    following, percepts = state.game.reasoner.step(state.terms, joint)
    for player, seen in told.items():
        assert set(percepts[player]) == {term(what) for what in seen}
    assert not percepts.get("random")
    return State(state.game, following), after


def assert_same_playout(slow: oracle.Game, game: Game, seed: int, transfer: bool = False) -> int:
    rng = random.Random(seed)
    here, state, rounds = oracle.initial(slow), game.initial_state(), 0
    while choices := assert_same_state(slow, here, state, transfer):
        [(who, actions)] = choices.items()
        state, here = step(state, slow, here, who, rng.choice(actions))
        rounds += 1
    return rounds


def assert_same_tree(slow: oracle.Game, game: Game, transfer: bool = False) -> int:
    def visit(here: oracle.State, state: State) -> int:
        choices = assert_same_state(slow, here, state, transfer)
        nodes = 1
        for who, actions in choices.items():
            for action in actions:
                following, after = step(state, slow, here, who, action)
                nodes += visit(after, following)
        return nodes

    return visit(oracle.initial(slow), game.initial_state())


@pytest.mark.parametrize("name", BUNDLED)
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


def cases(test: Any) -> list[Any]:
    [mark] = test.pytestmark
    return list(mark.args[1])


TOY = """(define (domain toy) (:types role thing) (:constants ann chance - role a b c - thing)
    (:predicates (whoseturn ?r - role) (p ?x - thing) (q ?x - thing) (r ?x ?y - thing) (done))
    (:functions (n ?x - thing) (m)) {sections})
    (define (problem toy) (:domain toy) (:init (whoseturn ann) {init}))"""


def toy(*sections: str, init: str = "") -> str:
    return TOY.format(sections=" ".join(sections), init=init)


@pytest.mark.parametrize(("formula", "value"), cases(by_hand.test_formulas_mean_what_pddl_says))
@pytest.mark.parametrize("change", ["", "(forall (?x - thing) (and (not (p ?x)) (not (r a ?x)) (increase (n ?x) 1)))"])
def test_formulas_mean_what_the_slow_reader_says(formula: str, value: bool, change: str) -> None:
    # Once as facts that never change, and once as parts of the state.
    text = toy(
        f"(:action yes :precondition (and (not (done)) {formula}) :effect (and (done) {change}))",
        f"(:action no :precondition (and (not (done)) (not {formula})) :effect (and (done) {change}))",
        init=by_hand.FACTS,
    )
    slow, game = both(text)
    assert game.initial_state().legal("ann") == ["yes" if value else "no"]
    assert assert_same_tree(slow, game) == 2


@pytest.mark.parametrize(
    "effect",
    [case[0] for case in cases(by_hand.test_effects_look_at_the_state_before_and_happen_together)]
    + [case[0] for case in cases(by_hand.test_numbers_change_together_too)],
)
def test_effects_do_what_the_slow_reader_says(effect: str) -> None:
    action = f"(:action x :precondition (not (done)) :effect (and (done) {effect or '()'}))"
    slow, game = both(toy(action, init="(p a) (q b) (= (m) 4) (= (n a) 1) (= (n b) 2) (= (n c) 0)"))
    assert assert_same_tree(slow, game) == 2


@pytest.mark.parametrize("effect", [case[0] for case in cases(by_hand.test_observations_reach_those_they_name)])
def test_observations_reach_those_the_slow_reader_names(effect: str) -> None:
    text = by_hand.THREE.replace("(whoseturn ?r - role)", "(whoseturn ?r - role) (done)").replace(
        ":effect {effect}", ":precondition (not (done)) :effect (and (done) {effect})"
    )
    slow, game = both(text.format(effect=effect))
    assert assert_same_tree(slow, game) == 5


@pytest.mark.parametrize("gains", [case[0] for case in cases(by_hand.test_gains_of_players_add_up)])
@pytest.mark.parametrize("transfer", [False, True])
def test_gains_add_up_as_the_slow_reader_says(gains: str, transfer: bool) -> None:
    slow, game = both(by_hand.GAINS.format(gains=gains, init="(on) (whoseturn ann)"), transfer=transfer)
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
