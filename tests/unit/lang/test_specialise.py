"""Predicates taken apart by a constant, where only the whole depends on its own negation."""

import pytest

import veil
from tests.support.rule_texts import GAME, added, builder_of, doubted, written
from veil.lang.rules import RuleSet
from veil.lang.specialise import specialise


def specialised(text: str) -> list[str]:
    return [written(rule) for rule in specialise(RuleSet(builder_of(text).rules))]


def test_a_predicate_becomes_one_per_constant_and_the_whole_is_their_union() -> None:
    assert specialised("(<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))") == [
        "(goal 100 ?0 100) <= (won ?0)",
        "(goal 0 ?0 0) <= (role ?0), not (goal 100 ?0 100)",
        "(goal ?0 100) <= (goal 100 ?0 100)",
        "(goal ?0 0) <= (goal 0 ?0 0)",
    ]


def test_conditions_without_the_constant_ask_for_the_whole() -> None:
    text = "(p a 1) (<= (p b 2) (not (p a 1))) (<= q (p ?x 1)) (<= r (p a ?y)) (<= s (p c 3))"
    assert specialised(text)[2:5] == ["q <= (p ?0 1)", "r <= (p a a ?0)", "s <= (p c 3)"]


@pytest.mark.parametrize(
    "text",
    [
        "(<= (p a) q) (<= q (not r)) (r)",  # nothing depends on its own negation
        "(<= (p ?x) (q ?x) (not (p a)))",  # a head without a constant
        "(<= (p a) (not (p a)))",  # a single constant
        "(<= p (not p))",
        "(<= (p (f a)) (not (p (f b)))) (p (f b))",  # compound terms
    ],
)
def test_other_predicates_are_left_as_they_are(text: str) -> None:
    assert specialised(text) == [written(rule) for rule in builder_of(text).rules]


def test_reading_takes_predicates_apart_only_where_that_settles_the_doubt() -> None:
    settled = "(<= (rank a) (true (step 1)))\n(<= (rank b) (not (rank a)))\n(<= (goal white 0) (rank b))"
    assert doubted(settled) == []
    assert "(rank b b) <= not (rank a a)" in added(settled)
    circle = "(<= (rank a) (not (rank b)))\n(<= (rank b) (not (rank a)))\n(<= (goal white 0) (rank b))"
    assert doubted(circle) == [("unstratified", 8, 19)]
    assert not any("@" in rule for rule in added(circle))


def test_a_goal_that_is_the_lack_of_another_means_what_it_says() -> None:
    text = (
        GAME.replace("(goal white 100)", "(<= (goal white 100) (true (step 1)))") + "(role black)\n(legal black noop)\n"
    )
    state = veil.load(text + "(<= (goal ?r 50) (role ?r) (not (goal ?r 100)))\n").initial_state()
    assert state.goals == {"white": 100, "black": 50}
    assert state.play({})[0].goals == {"white": 50, "black": 50}
