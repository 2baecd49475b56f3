"""Unsafe variables: what each is taken to mean, what is said about it, and when it is refused."""

import pytest

from tests.support.rule_texts import GAME, added, errors_in, noticed
from veil.errors import VeilError
from veil.lang import read_rules


def messages(text: str) -> list[str]:
    return [entry.message for entry in read_rules(GAME + text).problems]


def test_safe_rules_are_passed_on_as_they_are() -> None:
    line = "(<= (goal white 0) (succ ?x ?y) (distinct ?x ?y) (not (true (step ?x))))"
    assert noticed(line) == []
    assert added(line) == ["(goal white 0) <= (succ ?0 ?1), (distinct ?0 ?1), not (true (step ?0))"]


# Variables that stand in negations only


def test_a_variable_only_inside_not_is_read_as_there_is_none() -> None:
    line = "(<= (legal white rest) (not (true (step ?any))))"
    assert added(line) == ["some 1 <= (true (step ?0))", "(legal white rest) <= not some 1"]
    assert noticed(line) == [("variable-only-negated", 8, 41)]


def test_variables_that_are_bound_outside_stay_what_they_are() -> None:
    line = "(<= (legal white (go ?x)) (succ ?x ?z) (not (true (at ?x ?y))) (not (true (at ?y ?y))))"
    assert added("(init (at 1 1))\n" + line)[1:] == [
        "(some 1 ?0) <= (true (at ?0 ?1))",
        "some 2 <= (true (at ?0 ?0))",
        "(legal white (go ?0)) <= (succ ?0 ?1), not (some 1 ?0), not some 2",
    ]
    assert noticed("(init (at 1 1))\n" + line) == [("variable-only-negated", 9, 58)]


def test_two_rules_that_ask_for_the_same_absence_share_a_relation() -> None:
    text = "(<= (legal white a) (not (true (step ?x))))\n(<= (legal white b) (not (true (step ?x))))"
    assert added(text) == [
        "some 1 <= (true (step ?0))",
        "(legal white a) <= not some 1",
        "(legal white b) <= not some 1",
    ]


@pytest.mark.parametrize("name", ["?_", "?_any"])
def test_a_variable_that_says_itself_that_any_value_will_do_gets_no_warning(name: str) -> None:
    line = f"(<= (legal white rest) (not (true (step {name}))))"
    assert noticed(line) == []
    assert added(line) == ["some 1 <= (true (step ?0))", "(legal white rest) <= not some 1"]


def test_in_infix_text_an_underscore_inside_not_gets_no_warning() -> None:
    rules = read_rules("role(x). init(step(1)). legal(x, rest) :- not true(step(_)). legal(x, go).")
    assert rules.problems == ()


def test_a_negated_conjunction_with_variables_of_its_own_gets_no_warning() -> None:
    assert noticed("(<= (legal white rest) (not (and (true (step ?x)) (succ ?x ?y))))") == []


# Variables in the place of a role


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("(<= (legal ?p wait) (true (step 1)))", 12),
        ("(<= (goal ?p 0) (true (step 1)))", 11),
        ("(<= (sees ?p over) (true (step 1)))", 11),
        ("(<= (sees ?p over) (not (does ?p noop)))", 11),
        ("(legal ?p wait)", 8),
    ],
)
def test_in_the_first_place_of_legal_goal_and_sees_it_is_a_role(line: str, column: int) -> None:
    text = "(role black)\n" + line
    assert ("unsafe-repaired", 9, column) in noticed(text)
    rules = added(text)
    assert rules[1:3] == ["(domain 1 white)", "(domain 1 black)"]
    assert rules[-1].endswith("(domain 1 ?0)")


def test_in_the_first_place_of_a_negated_does_it_is_a_role() -> None:
    line = "(<= (next (idle ?p)) (not (does ?p go)))"
    assert added("(role black)\n" + line)[1:] == [
        "(domain 1 white)",
        "(domain 1 black)",
        "(next (idle ?0)) <= not (does ?0 go), (domain 1 ?0)",
    ]


# Variables that range over the values of their place


def test_a_variable_of_the_head_takes_the_values_that_can_stand_there() -> None:
    line = "(<= (next (step ?x)) (true (step 2)))"
    assert messages(line) == ["unsafe rule: ?x is bound nowhere; taken from the values of its place: 1 2"]
    assert added(line) == [
        "(domain 1 1)",
        "(domain 1 2)",
        "(next (step ?0)) <= (true (step 2)), (domain 1 ?0)",
    ]


def test_a_variable_of_head_and_negation_takes_what_both_places_allow() -> None:
    text = """(init (at 1)) (init (at 2)) (init (at 3)) (init (free 2)) (init (free 3)) (init (free 4))
    (<= (next (at ?x)) (not (true (free ?x))))"""
    assert messages(text) == ["unsafe rule: ?x is bound nowhere; taken from the values of its place: 2 3"]


def test_rules_that_miss_the_same_values_share_a_relation() -> None:
    text = "(<= (next (step ?x)) (true (step 2)))\n(<= (next (step ?y)) (true (step 1)))"
    assert sum(rule.startswith("(domain ") for rule in added(text)) == 2


def test_a_rule_of_the_authors_own_answers_those_who_ask() -> None:
    text = """(col a) (col b)
    (<= (far ?c) (true (step 1)))
    (<= (legal white (go ?c)) (col ?c) (far ?c))"""
    assert messages(text) == ["unsafe rule: ?c is bound nowhere; taken from the values of its place: a b"]


@pytest.mark.parametrize(("asker", "values"), [("(col ?c) (row ?c)", "b"), ("(col ?c) (not (row ?c))", "a b")])
def test_those_who_ask_may_have_several_conditions(asker: str, values: str) -> None:
    text = f"""(col a) (col b) (row b) (row c)
    (<= (far ?c) (true (step 1)))
    (<= (legal white (go ?c)) {asker} (far ?c))"""
    assert messages(text) == [f"unsafe rule: ?c is bound nowhere; taken from the values of its place: {values}"]


def test_a_constant_that_is_asked_for_is_a_value() -> None:
    text = "(<= (far ?c) (true (step 1)))\n(<= (legal white go) (far home))"
    assert messages(text) == ["unsafe rule: ?c is bound nowhere; taken from the values of its place: home"]


def test_a_long_list_of_values_is_cut_short_in_the_message() -> None:
    text = " ".join(f"(init (at {i}))" for i in range(9)) + "\n(<= (next (at ?x)) (true (step 1)))"
    assert messages(text)[0].endswith("taken from the values of its place: 0 1 2 3 4 5 ...")


def test_values_may_be_compound() -> None:
    text = "(init (at (pos 1 1))) (init (at (pos 2 1)))\n(<= (next (at ?x)) (true (step 1)))"
    assert messages(text)[0].endswith("its place: (pos 1 1) (pos 2 1)")


# Beyond repair


@pytest.mark.parametrize(
    ("line", "column", "where"),
    [
        ("(<= (goal white 0) (distinct ?x 1))", 30, "outside `not` and `distinct`"),
        ("(<= (legal white (go ?z)) (true (step 1)))", 22, "in its body"),
        ("(<= (next (new ?x)) (not (true (new ?x))))", 16, "outside `not` and `distinct`"),
    ],
)
def test_a_variable_without_values_is_refused(line: str, column: int, where: str) -> None:
    assert errors_in(GAME + line) == [("unsafe-variable", 8, column)]
    with pytest.raises(VeilError, match=rf"unsafe rule: \?. is bound nowhere {where}"):
        read_rules(GAME + line)


def test_a_place_whose_terms_have_no_end_gives_no_values() -> None:
    text = "(init (n 0))\n(<= (next (n (s ?x))) (true (n ?x)))\n(<= (next (n ?y)) (true (step 1)))"
    assert errors_in(GAME + text) == [("unsafe-variable", 10, 14)]


def test_every_unsafe_variable_is_reported() -> None:
    assert errors_in(GAME + "(<= (goal white 0) (distinct ?x ?y))\n(<= (next (new ?z)) (true (step 1)))") == [
        ("unsafe-variable", 8, 30),
        ("unsafe-variable", 8, 33),
        ("unsafe-variable", 9, 16),
    ]
