"""Which terms can stand where: an upper bound that flows from facts through rules."""

import pytest

from tests.support.rule_texts import builder_of
from veil.lang.domains import Domains, Position, find_domains, positions
from veil.vocabulary import Term, Var


def domains_of(text: str) -> Domains:
    return find_domains(builder_of(text).rules)


def terms(text: str, position: Position, limit: int = 100) -> list[Term] | None:
    return domains_of(text).terms(position, limit)


def place(name: str, arity: int = 1, index: int = 0) -> Position:
    return ("predicate", name, arity, index)


def test_every_argument_has_a_position_and_nested_ones_belong_to_the_function() -> None:
    assert list(positions(("p", "a", ("f", Var("x"))))) == [
        (("predicate", "p", 2, 0), "a"),
        (("predicate", "p", 2, 1), ("f", Var("x"))),
        (("function", "f", 1, 0), Var("x")),
    ]
    assert list(positions("over")) == []


@pytest.mark.parametrize("name", ["init", "next", "base", "true"])
def test_the_state_has_one_position_for_all_its_keywords(name: str) -> None:
    assert next(iter(positions((name, "a")))) == (place("true"), "a")


@pytest.mark.parametrize("name", ["legal", "input", "does"])
def test_moves_have_one_position_for_all_their_keywords(name: str) -> None:
    assert [position for position, _ in positions((name, "x", "go"))] == [place("does", 2), place("does", 2, 1)]


def test_a_function_may_be_called_like_a_keyword() -> None:
    assert [position for position, _ in positions(("p", ("next", "a")))][1] == ("function", "next", 1, 0)


def test_facts_fill_positions_in_the_order_of_the_text() -> None:
    text = "(p c 1) (p a 1) (p b 2) (p a 3)"
    assert terms(text, place("p", 2, 0)) == ["c", "a", "b"]
    assert terms(text, place("p", 2, 1)) == ["1", "2", "3"]


def test_a_position_nobody_fills_is_empty() -> None:
    assert terms("(p a)", place("q")) == []


def test_one_name_with_several_numbers_of_arguments_has_several_positions() -> None:
    assert terms("(p a) (p b c)", place("p")) == ["a"]
    assert terms("(p (f a)) (p (f b c))", place("p")) == [("f", "a"), ("f", "b", "c")]


def test_values_flow_from_body_to_head() -> None:
    assert terms("(p a) (p b) (<= (q ?x) (p ?x)) (<= (r (f ?x)) (q ?x))", place("r")) == [("f", "a"), ("f", "b")]


def test_values_flow_through_recursion_until_nothing_changes() -> None:
    text = "(e a b) (e b c) (<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?z) (t ?x ?y) (t ?y ?z)) (<= (u ?y ?x) (t ?x ?y))"
    assert terms(text, place("u", 2, 0)) == ["b", "c"]


def test_a_variable_takes_what_all_its_conditions_allow() -> None:
    assert terms("(p a) (p b) (p c) (q c) (q b) (q d) (<= (r ?x) (p ?x) (q ?x))", place("r")) == ["b", "c"]


def test_negations_and_distinct_fill_nothing() -> None:
    assert terms("(p a) (<= (r ?x) (not (p ?x)) (distinct ?x b))", place("r")) == []


def test_constants_in_bodies_fill_nothing() -> None:
    assert terms("(p a) (<= (r ?x) (p ?x) (p b))", place("p")) == ["a"]


def test_the_state_flows_from_init_and_next_to_true() -> None:
    text = "(init (at 1)) (succ 1 2) (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= (was ?x) (true (at ?x)))"
    assert terms(text, place("was")) == ["1", "2"]


def test_moves_flow_from_legal_to_does() -> None:
    text = "(legal x (go 1)) (<= (legal x (go 2)) p) (<= (next (at ?x)) (does x (go ?x)))"
    assert terms(text, place("true")) == [("at", "1"), ("at", "2")]


def test_compound_terms_are_every_combination_up_to_a_limit() -> None:
    text = "(d 1) (d 2) (d 3) (<= (p (f ?x ?y)) (d ?x) (d ?y))"
    found = terms(text, place("p"), 9)
    assert found is not None
    assert found[:4] == [("f", "1", "1"), ("f", "1", "2"), ("f", "1", "3"), ("f", "2", "1")]
    assert len(found) == 9
    assert terms(text, place("p"), 8) is None


def test_terms_without_end_have_no_list_and_the_growing_function_is_named() -> None:
    text = "(p 0) (<= (p (s ?x)) (p ?x))"
    assert terms(text, place("p")) is None
    assert domains_of(text).growing() == ("s", 1)


def test_terms_may_grow_by_turns() -> None:
    text = "(p 0) (<= (p (f ?x)) (q ?x)) (<= (q (g ?x a)) (p ?x))"
    assert domains_of(text).growing() in (("f", 1), ("g", 2))


def test_a_function_inside_another_does_not_grow() -> None:
    assert domains_of("(p (f (g 0))) (p (f a)) (<= (q (h ?x)) (p ?x))").growing() is None


def test_the_size_counts_symbols() -> None:
    found = domains_of("(p a) (p (f 1)) (p (f 2))")
    assert found.size(place("p")) == 2
    assert found.size(place("q")) == 0
