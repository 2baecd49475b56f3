"""Joins: one rule as nested loops, whatever its shape."""

from __future__ import annotations

import pytest

from tests.support.datalog_texts import relations_of, rule_of
from veil.engine.datalog.joins import MAX_LOOPS, TooManyRowsError, compile_join
from veil.engine.datalog.relation import Relation
from veil.vocabulary import show, signature

GRAPH = "(edge a b) (edge b c) (edge c a) (edge c c) (colour a red) (colour b red) (colour c blue)"
TERMS = "(pair (f a (g b)) a) (pair (f b (g b)) a) (pair c c) (pair (f a) a)"


def join(rule: str, facts: str, limit: int = 1000) -> list[str]:
    """The rows of the head, as text; relations that the facts do not mention are empty."""
    written, relations = rule_of(rule), relations_of(facts)
    for literal in written.body:
        relations.setdefault(signature(literal.atom), Relation())
    rows = compile_join(written, relations)(relations, None, limit)
    return sorted(" ".join(show(term) for term in row) for row in rows)


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        ("(<= (p ?x) (edge ?x ?y))", ["a", "b", "c", "c"]),
        ("(<= (p ?x ?z) (edge ?x ?y) (edge ?y ?z))", ["a c", "b a", "b c", "c a", "c b", "c c"]),
        ("(<= (p ?x) (edge ?x ?x))", ["c"]),
        ("(<= (p ?x) (edge c ?x))", ["a", "c"]),
        ("(<= (p ?x ?y) (edge ?x ?y) (not (edge ?y ?x)))", ["a b", "b c", "c a"]),
        ("(<= (p ?x ?y) (edge ?x ?y) (distinct ?x ?y) (not (colour ?x blue)))", ["a b", "b c"]),
        ("(<= (p (f ?x)) (colour ?x ?c) (distinct ?c red))", ["(f c)"]),
        ("(<= (p ?x) (colour ?x ?c) (nowhere ?c))", []),
        ("(<= (p ?x) (colour ?x red) (not (nowhere ?x)))", ["a", "b"]),
        ("(<= p (edge a b) (colour c blue))", [""]),
        ("(<= p (edge a c))", []),
        ("(<= p (not (edge a c)))", [""]),
    ],
)
def test_a_rule_gives_the_rows_of_its_head(rule: str, rows: list[str]) -> None:
    assert join(rule, GRAPH) == rows


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        ("(<= (p ?x ?y) (pair (f ?x (g ?y)) a))", ["a b", "b b"]),
        ("(<= (p ?x) (pair (f ?x (g ?y)) ?x))", ["a"]),
        ("(<= (p ?x) (pair (f ?x (g ?x)) a))", ["b"]),
        ("(<= (p ?x) (pair ?x ?x))", ["c"]),
        ("(<= (p ?x) (pair (f ?x) ?x))", ["a"]),
        ("(<= (p ?x) (pair ?x c) (not (pair (f ?x) a)))", ["c"]),
    ],
)
def test_terms_inside_terms_are_matched(rule: str, rows: list[str]) -> None:
    assert join(rule, TERMS) == rows


def test_a_delta_is_asked_instead_of_the_relation_of_its_literal() -> None:
    rule, relations = rule_of("(<= (p ?x ?z) (edge ?x ?y) (edge ?y ?z))"), relations_of(GRAPH)
    new = Relation([("a", "b")])
    assert compile_join(rule, relations, delta=0)(relations, new, 9) == [("a", "c")]
    assert compile_join(rule, relations, delta=1)(relations, new, 9) == [("c", "b")]


def test_a_join_stops_above_its_limit() -> None:
    assert len(join("(<= (p ?x ?y) (colour ?x ?c) (colour ?y ?d))", GRAPH, limit=9)) == 9
    with pytest.raises(TooManyRowsError):
        join("(<= (p ?x ?y) (colour ?x ?c) (colour ?y ?d))", GRAPH, limit=8)


@pytest.mark.parametrize("length", [MAX_LOOPS - 1, MAX_LOOPS, MAX_LOOPS + 1, 2 * MAX_LOOPS + 3])
def test_more_loops_than_python_nests_are_written_as_functions(length: int) -> None:
    body = " ".join(f"(step ?x{i} ?x{i + 1})" for i in range(length))
    facts = " ".join(f"(step {i} {i + 1})" for i in range(length + 2))
    assert join(f"(<= (p ?x0 ?x{length}) {body})", facts) == sorted(f"{i} {i + length}" for i in range(3))


def test_the_smallest_relation_is_asked_first() -> None:
    """Otherwise the join would go through all pairs, and the test through a minute."""
    many = " ".join(f"(big {i} {i % 7})" for i in range(3000))
    rule = "(<= (p ?x ?y) (big ?x ?a) (big ?y ?b) (small ?x ?y))"
    assert join(rule, many + " (small 3 9) (small 5 1)") == ["3 9", "5 1"]
