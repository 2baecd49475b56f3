"""Estimates of relations and joins: exact where the model of databases is exact, upper bounds elsewhere."""

from __future__ import annotations

import pytest

from tests.support.datalog_texts import rule_of, rules_of
from veil.engine.datalog.fixpoint import compute_fixed_relations
from veil.engine.datalog.sizes import ENDLESS, Sizes
from veil.lang import Literal

FACTS = "(num 1) (num 2) (num 3) (num 4) (succ 1 2) (succ 2 3) (succ 3 4)"
STATE = "(init (cell 1 1 b)) (<= (next (cell ?x ?y x)) (num ?x) (num ?y) (true (cell ?x ?y b)))"


def body(*atoms: str) -> list[Literal]:
    return list(rule_of(f"(<= p {' '.join(atoms)})").body)


def rows(sizes: Sizes, atom: str) -> float:
    return sizes.rows(body(atom)[0].atom)


def test_facts_are_counted() -> None:
    sizes = Sizes(rules_of(FACTS))
    assert (rows(sizes, "(num ?x)"), rows(sizes, "(succ ?x ?y)"), rows(sizes, "(nothing ?x)")) == (4, 3, 0)


def test_a_constant_leaves_its_share_of_the_rows() -> None:
    assert rows(Sizes(rules_of(FACTS)), "(succ 1 ?y)") == pytest.approx(3 / 3)
    assert rows(Sizes(rules_of(FACTS)), "(num 1)") == pytest.approx(4 / 4)


def test_a_join_is_the_product_divided_by_the_values_of_shared_variables() -> None:
    sizes = Sizes(rules_of(FACTS))
    assert sizes.join(body("(num ?x)", "(num ?y)")) == 16
    assert sizes.join(body("(num ?x)", "(num ?x)")) == 4
    assert sizes.join(body("(succ ?x ?y)", "(succ ?y ?z)")) == 3 * 3 / 3
    assert sizes.join([]) == 1


def test_negation_and_distinct_keep_all_rows() -> None:
    sizes = Sizes(rules_of(FACTS))
    assert sizes.join(body("(num ?x)", "(num ?y)", "(not (succ ?x ?y))", "(distinct ?x ?y)")) == 16


def test_a_derived_relation_has_the_rows_of_its_joins_but_no_more_than_its_domain() -> None:
    sizes = Sizes(rules_of(f"{FACTS} (<= (pair ?x ?y) (num ?x) (num ?y)) (<= (some ?x) (num ?x) (num ?y))"))
    assert rows(sizes, "(pair ?x ?y)") == 16
    assert rows(sizes, "(some ?x)") == 4


def test_a_recursive_relation_is_taken_to_hold_for_its_whole_domain() -> None:
    sizes = Sizes(rules_of(f"{FACTS} (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))"))
    assert rows(sizes, "(less ?x ?y)") == 3 * 3


def test_fluents_of_one_shape_are_a_relation_of_their_own() -> None:
    sizes = Sizes(rules_of(f"{FACTS} {STATE}"))
    assert rows(sizes, "(true (cell ?x ?y ?m))") == 1 * 1 * 2  # only the cell at 1 1 can ever be true
    assert rows(sizes, "(true (cell ?x 1 b))") == 1


def test_terms_without_end_are_endless() -> None:
    sizes = Sizes(rules_of("(num 0) (<= (num (s ?x)) (num ?x)) (<= (two ?x ?y) (num ?x) (num ?y))"))
    assert rows(sizes, "(num ?x)") >= ENDLESS


def test_relations_that_are_computed_are_counted_exactly() -> None:
    rules = rules_of(f"{FACTS} (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))")
    sizes = Sizes(rules, compute_fixed_relations(rules, 100))
    assert rows(sizes, "(less ?x ?y)") == 6


def test_a_predicate_that_is_split_off_later_is_estimated_from_its_rule() -> None:
    sizes = Sizes(rules_of(FACTS))
    sizes.add(rule_of("(<= (middle ?y) (succ ?x ?y) (succ ?y ?z))"))
    assert rows(sizes, "(middle ?y)") == 3
    assert sizes.join(body("(middle ?y)", "(num ?y)")) == 3 * 4 / 3
