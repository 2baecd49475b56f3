"""Bottom-up evaluation: components in order, each to its fixpoint, within limits."""

from __future__ import annotations

from collections import ChainMap

import pytest

from tests.support.datalog_texts import rules_of, written
from veil.engine.datalog import fixpoint
from veil.engine.datalog.fixpoint import (
    MAX_JOIN,
    compile_components,
    complete_fixed_relations,
    compute_fixed_relations,
    fill_or_fail,
    shorten,
)
from veil.engine.datalog.relation import Relation
from veil.errors import VeilError
from veil.vocabulary import variables

CHAIN = "(edge 1 2) (edge 2 3) (edge 3 4)"
PATHS = f"{CHAIN} (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"
NUMBERS = "(num 0) (<= (num (s ?x)) (num ?x))"


def test_a_recursive_relation_is_computed_to_its_fixpoint() -> None:
    assert written(compute_fixed_relations(rules_of(PATHS), 100), "path") == ["1 2", "1 3", "1 4", "2 3", "2 4", "3 4"]


def test_relations_that_define_each_other_are_computed_together() -> None:
    rules = f"{CHAIN} (even 1) (<= (odd ?y) (even ?x) (edge ?x ?y)) (<= (even ?y) (odd ?x) (edge ?x ?y))"
    relations = compute_fixed_relations(rules_of(rules), 100)
    assert (written(relations, "even"), written(relations, "odd")) == (["1", "3"], ["2", "4"])


def test_what_is_negated_is_complete_before_it_is_asked() -> None:
    rules = f"(<= (apart ?x ?y) (node ?x) (node ?y) (not (path ?x ?y))) (<= (node ?x) (edge ?x ?y)) {PATHS}"
    assert written(compute_fixed_relations(rules_of(rules), 100), "apart") == ["1 1", "2 1", "2 2", "3 1", "3 2", "3 3"]


def test_what_depends_on_the_state_or_on_moves_is_not_fixed() -> None:
    rules = f"{CHAIN} (<= (now ?x) (true ?x)) (<= (here ?x) (edge ?x ?y) (not (now ?x))) (<= done (does r ?m))"
    assert sorted(compute_fixed_relations(rules_of(rules), 100)) == [("edge", 2)]


def test_a_relation_that_is_too_large_is_left_out_with_all_that_depend_on_it() -> None:
    rules = f"{PATHS} (<= (cycle ?x) (path ?x ?x)) (<= (start ?x) (edge ?x ?y))"
    assert sorted(compute_fixed_relations(rules_of(rules), 5)) == [("edge", 2), ("start", 1)]
    assert ("cycle", 1) in compute_fixed_relations(rules_of(rules), 6)


def test_a_relation_without_end_is_left_out_soon() -> None:
    """It is small, but each of its terms is larger than the last; nobody waits for a million of them."""
    relations = compute_fixed_relations(rules_of(f"{NUMBERS} (zero 0)"), 10**9)
    assert sorted(relations) == [("zero", 1)]


def test_what_is_known_already_is_not_computed_again() -> None:
    known = {("edge", 2): Relation([("7", "8")])}
    assert written(complete_fixed_relations(rules_of(PATHS), known, 100), "path") == ["7 8"]


def test_a_relation_without_end_is_refused_where_it_is_needed() -> None:
    with pytest.raises(VeilError, match=r"num with 1 argument\(s\) holds for more than 50 terms"):
        complete_fixed_relations(rules_of(NUMBERS), {}, 50)


def test_components_come_in_order_and_only_those_that_are_wanted() -> None:
    rules = rules_of("(<= (c ?x) (b ?x)) (<= (b ?x) (a ?x) (true ?x)) (a 1) (<= (d ?x) (c ?x))")
    wanted = {("b", 1), ("c", 1), ("d", 1)}
    order = [component.predicates for component in compile_components(rules, wanted, {})]
    assert order == [(("b", 1),), (("c", 1),), (("d", 1),)]


def test_a_component_is_filled_from_the_relations_below_it() -> None:
    rules = rules_of("(<= (b ?x) (a ?x) (true ?x)) (<= (b ?y) (b ?x) (edge ?x ?y)) (a 1)")
    relations: fixpoint.Relations = ChainMap(
        {
            ("a", 1): Relation([("1",)]),
            ("true", 1): Relation([("1",), ("2",)]),
            ("edge", 2): Relation([("1", "5"), ("5", "6"), ("8", "9")]),
            ("b", 1): Relation(),
        }
    )
    (component,) = compile_components(rules, {("b", 1)}, relations)
    fill_or_fail(component, relations, 100)
    assert list(relations["b", 1].rows) == [("1",), ("5",), ("6",)]


def test_long_bodies_are_shortened_and_mean_the_same() -> None:
    length = 2 * MAX_JOIN + 5
    body = " ".join(f"(step ?x{i} ?x{i + 1})" for i in range(length))
    facts = " ".join(f"(step {i} {i + 1})" for i in range(length + 1))
    rules = rules_of(f"(<= (far ?x0 ?x{length}) {body} (distinct ?x0 1)) {facts}")
    short = shorten(rules)
    assert all(sum(literal.binds for literal in rule.body) <= MAX_JOIN for rule in short)
    assert all(set(variables(rule.head)) <= rule.bound() for rule in short)
    assert written(compute_fixed_relations(rules, 10**6), "far") == [f"0 {length}"]


def test_short_rules_stay_the_same_set() -> None:
    rules = rules_of(PATHS)
    assert shorten(rules) is rules
