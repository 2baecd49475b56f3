"""The oracle against values computed by hand, recorded playthroughs, and random rule sets."""

import json
import random

import pytest
from hypothesis import given, settings, strategies as st

from tests.reference.naive import NaiveGame, parse, random_playout, read_term, show
from tests.support.corpus import MISSING, ROOT
from tests.support.rule_sets import rule_sets

CORPUS = ROOT / "gdl2"
CORPUS_GAMES = [
    "ggpcpp-blindtictactoe",
    "ggpcpp-meier",
    "ggpcpp-montyhall",
    "ggporg-beatMania",
    "mck-kriegtictactoe",
    "ravoet-ii_montyhall",
    "ravoet-ii_transit",
    "scully-latenttictactoe",
    "scully-meier",
    "scully-pennies",
    "scully-transit",
    "unsw-BankerAndThief",
    "unsw-HiddenConnect",
    "unsw-HoldYourCourseII",
    "unsw-MontyHall",
    "unsw-MontyHall2",
    "unsw-numberguessing",
    "unsw-twogenerals",
    "uwa-kriegTTT_4x4",
    "uwa-mastermind2x3",
    "uwa-stratego_CHEAT",
]

COIN = """
(role random) (role ann)            ; random tosses, ann sees heads but not tails, then guesses
(side heads) (side tails) (succ 1 2) (succ 2 3)
(init (step 1))
(<= (legal random (toss ?s)) (side ?s) (true (step 1)))
(<= (legal random noop) (not (true (step 1))))
(<= (legal ann noop) (true (step 1)))
(<= (legal ann (guess ?s)) (side ?s) (true (step 2)))
(<= (sees ann (coin ?s)) (does random (toss ?s)) (distinct ?s tails))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (coin (of ?s))) (or (does random (toss ?s)) (true (coin (of ?s)))))
(<= (next right) (does ann (guess ?s)) (true (coin (of ?s))))
(<= terminal (true (step 3)))
(<= (goal ann 100) (true right))
(<= (goal ann 0) (not (true right)))
"""


def answers(rules: str) -> frozenset[str]:
    """All x for which the rules derive (answer x)."""
    return NaiveGame(f"(role r) (<= (init ?x) (answer ?x)) {rules}").initial()


def test_the_coin_game_before_the_toss():
    game = NaiveGame(COIN)
    start = game.initial()
    assert game.roles == ["random", "ann"]
    assert start == {"(step 1)"}
    assert game.legal(start) == {"ann": {"noop"}, "random": {"(toss heads)", "(toss tails)"}}
    assert not game.terminal(start)
    assert game.goals(start) == {"ann": {"0"}, "random": set()}


@pytest.mark.parametrize(("side", "percepts"), [("heads", {"(coin heads)"}), ("tails", set())])
def test_the_coin_game_from_the_toss_to_the_end(side, percepts):
    game = NaiveGame(COIN)
    toss = {"ann": "noop", "random": f"(toss {side})"}
    assert game.sees(game.initial(), toss) == {"ann": percepts, "random": set()}
    middle = game.next(game.initial(), toss)
    assert middle == {"(step 2)", f"(coin (of {side}))"}
    assert game.legal(middle) == {"ann": {"(guess heads)", "(guess tails)"}, "random": {"noop"}}
    end = game.next(middle, {"ann": "(guess heads)", "random": "noop"})
    is_right = side == "heads"
    assert end == {"(step 3)", f"(coin (of {side}))"} | ({"right"} if is_right else set())
    assert game.terminal(end)
    assert game.goals(end) == {"ann": {"100" if is_right else "0"}, "random": set()}


def test_case_comments_and_needless_parentheses_do_not_matter():
    assert parse("(A ?X) ; (b)\n((c) (D (e)))terminal") == [("a", "?x"), ("c", ("d", "e")), "terminal"]


def test_recursion_reaches_everything_and_negation_sees_the_end_of_it():
    rules = """(edge a b) (edge b c) (edge c d) (node a) (node d)
        (<= (path ?x ?y) (edge ?x ?y))
        (<= (path ?x ?y) (path ?x ?z) (edge ?z ?y))
        (<= (answer (no ?x ?y)) (node ?x) (node ?y) (not (path ?x ?y)))"""
    assert answers(rules) == {"(no a a)", "(no d a)", "(no d d)"}


def test_a_variable_in_one_negation_only_means_there_is_none():
    rules = "(p a) (p b) (q a 1) (<= (answer ?x) (not (q ?x ?any)) (p ?x))"
    assert answers(rules) == {"b"}


def test_connectives_nest():
    rules = """(p 1) (p 2) (p 3) (q 1) (r 1) (r 2)
        (<= (answer (a ?x)) (p ?x) (or (and (q ?x) (r ?x)) (not (or (q ?x) (r ?x)))))
        (<= (answer (b ?x)) (p ?x) (not (and (r ?x) (distinct ?x 1))))
        (<= (answer (c ?x)) (p ?x) (p ?y) (not (distinct ?x ?y)) (q ?y))"""
    assert answers(rules) == {"(a 1)", "(a 3)", "(b 1)", "(b 3)", "(c 1)"}


def test_predicates_and_functions_of_different_arity_are_different():
    assert answers("(p a) (p b c) (<= (answer ?x) (p ?x)) (<= (answer (f ?x)) (p ?x ?y))") == {"a", "(f b)"}
    assert answers("(p (f a)) (p (f b c)) (p f) (<= (answer ?x) (p (f ?x)))") == {"a"}


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (answer ?x) (not (p ?x)))",
        "(<= (answer ?x) (or (p ?x) q))",
        "(<= (answer a) (distinct ?x a))",
        "(<= (answer a) (not (p ?x)) (not (q ?x)))",
        "(<= (answer a) (not (and (not (p ?x)) (not (q ?x)))))",
    ],
)
def test_unsafe_rules_are_refused(rules):
    with pytest.raises(ValueError, match="unsafe"):
        answers(rules)


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (answer a) (not (answer a)))",
        "(<= (answer a) (p a)) (<= (p a) (q b) (not (and (q a) (answer a))))",
    ],
)
def test_recursion_through_negation_is_refused(rules):
    with pytest.raises(ValueError, match="not stratified"):
        answers(rules)


@pytest.mark.parametrize("text", ["(role a", "role a)", "(role ())"])
def test_unbalanced_text_is_refused(text):
    with pytest.raises(ValueError, match="parenthesis"):
        NaiveGame(text)


def plain(terms: list[str]) -> set[str]:
    """Terms as the oracle writes them."""
    return {show(read_term(term)) for term in terms}


@MISSING
@pytest.mark.parametrize("name", CORPUS_GAMES)
def test_recorded_playthroughs_are_reproduced(name):
    record = json.loads((CORPUS / f"{name}.json").read_text())
    game = NaiveGame((CORPUS / f"{name}.kif").read_text(errors="replace"))
    state = game.initial()
    for one in record["rounds"]:
        assert state == plain(one["state"])
        if "joint" in one:
            assert not game.terminal(state)
            assert game.legal(state) == {role.lower(): plain(moves) for role, moves in one["legal"].items()}
            joint = {role.lower(): move.lower() for role, move in one["joint"].items()}
            assert game.sees(state, joint) == {role.lower(): plain(terms) for role, terms in one["sees"].items()}
            state = game.next(state, joint)
    if "terminal" in record:
        assert game.terminal(state) == record["terminal"]
    for role, value in record.get("goals", {}).items():
        assert {int(goal) for goal in game.goals(state)[role.lower()]} == ({value} - {None})


@given(rule_sets(), st.integers(0, 9))
@settings(max_examples=60)
def test_random_rule_sets_can_be_played(text, seed):
    game = NaiveGame(text)
    for state, legal, joint, sees in random_playout(game, random.Random(seed), 5):
        assert all(legal.values())
        assert all(joint[role] in legal[role] for role in game.roles)
        assert sees.keys() == legal.keys()
        assert len(game.next(state, joint)) < 200
    assert all(0 <= int(goal) <= 100 for goals in game.goals(game.initial()).values() for goal in goals)


@given(rule_sets(local_negation=True))
@settings(max_examples=20)
def test_random_rule_sets_with_local_variables_can_be_played(text):
    for _ in random_playout(NaiveGame(text), random.Random(0), 5):
        pass
