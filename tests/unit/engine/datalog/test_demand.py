"""Relations restricted to what is asked of them: the same answers from fewer rows."""

from __future__ import annotations

import pytest

from tests.support.datalog_texts import rules_in_words, rules_of, written
from veil.engine.datalog.demand import restrict, restrict_for_state
from veil.engine.datalog.fixpoint import compute_fixed_relations
from veil.lang import Rule

NUMBERS = " ".join(f"(num {i})" for i in range(6))
ASKED = f"""{NUMBERS} (start 2)
(<= (sum ?x ?y) (num ?x) (num ?y))
(<= (found ?y) (start ?x) (sum ?x ?y))
"""


def is_sum(rule: Rule) -> bool:
    return rule.signature == ("sum", 2)


def test_a_relation_is_defined_only_where_a_fact_asks_for_it() -> None:
    rules = restrict(rules_of(ASKED), is_sum)
    assert rules_in_words(rules)[-4:] == [
        "(start 2)",
        "(sum ?x ?y) <= (asked sum/2 ?x), (num ?x), (num ?y)",
        "(asked sum/2 ?x) <= (start ?x)",
        "(found ?y) <= (start ?x), (sum ?x ?y)",
    ]


def test_the_answers_stay_the_same_and_the_rows_become_fewer() -> None:
    before = compute_fixed_relations(rules_of(ASKED), 100)
    after = compute_fixed_relations(restrict(rules_of(ASKED), is_sum), 100)
    assert written(before, "found") == written(after, "found") == list("012345")
    assert (len(written(before, "sum")), len(written(after, "sum"))) == (36, 6)


def test_constants_in_calls_are_asked_for() -> None:
    rules = restrict(rules_of(f"{NUMBERS} (<= (sum ?x ?y) (num ?x) (num ?y)) (<= (found ?y) (sum 1 ?y))"), is_sum)
    assert "(asked sum/2 1)" in rules_in_words(rules)


def test_a_place_that_some_caller_leaves_open_is_not_asked() -> None:
    rules = rules_of(f"{ASKED} (<= (any ?x ?y) (sum ?x ?y))")
    assert restrict(rules, is_sum) is rules


def test_recursion_hands_on_what_it_is_asked_for() -> None:
    text = """(edge 1 2) (edge 2 3) (edge 4 5) (start 1)
    (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))
    (<= (reached ?y) (start ?x) (path ?x ?y))"""
    rules = restrict(rules_of(text), lambda rule: rule.signature == ("path", 2))
    relations = compute_fixed_relations(rules, 100)
    assert written(relations, "reached") == ["2", "3"]
    assert written(relations, "path") == ["1 2", "1 3", "2 3"]  # nothing about 4 and 5


def test_cheap_relations_and_keywords_are_left_alone() -> None:
    rules = rules_of(ASKED)
    assert restrict(rules, lambda _: False) is rules
    legal = rules_of("(num 1) (<= (legal r ?x) (num ?x)) (<= terminal (legal r 1))")
    assert restrict(legal, lambda _: True) is legal


def test_in_a_state_the_state_and_earlier_conditions_ask_as_well() -> None:
    text = f"{NUMBERS} (<= (sum ?x ?y) (num ?x) (num ?y)) (<= terminal (true (at ?x)) (sum ?x ?y))"
    assert "(asked sum/2 ?x) <= (true (at ?x))" in rules_in_words(restrict_for_state(rules_of(text), is_sum))
    derived = f"{NUMBERS} (<= (sum ?x ?y) (num ?x) (num ?y)) (<= (p ?x) (true ?x)) (<= terminal (p ?x) (sum ?x ?y))"
    assert "(asked sum/2 ?x) <= (p ?x)" in rules_in_words(restrict_for_state(rules_of(derived), is_sum))
    # For grounding neither will do: what is asked for must be a matter of facts.
    assert restrict(rules_of(text), is_sum).rules == rules_of(text).rules


def test_what_the_initial_state_needs_is_left_alone() -> None:
    rules = rules_of(f"{NUMBERS} (<= (sum ?x ?y) (num ?x) (num ?y)) (<= (init (at ?y)) (sum 1 ?y))")
    assert restrict_for_state(rules, is_sum) is rules


@pytest.mark.parametrize("negated", [True, False])
def test_demand_that_would_not_be_stratified_is_weakened(negated: bool) -> None:
    """`sum` asks for what depends on the negation of `sum`: only facts and the state may ask then."""
    condition = "(not (sum ?x ?x))" if negated else "(sum ?x ?x)"
    text = f"""{NUMBERS} (<= (sum ?x ?y) (num ?x) (num ?y))
    (<= (odd ?x) (true ?x) {condition}) (<= terminal (odd ?x) (sum ?x 1))"""
    restricted = rules_in_words(restrict_for_state(rules_of(text), is_sum))
    assert ("(asked sum/2 ?x 1) <= (odd ?x)" in restricted) is not negated
    assert ("(asked sum/2 1)" in restricted) is negated
