"""Bottom-up evaluation of rules: components in order, each to its fixpoint.

1. Predicates that depend on each other form a component; components come from the bottom up. Negation is stratified, so
   a component is complete before anyone asks for what is not in it.
2. A component without recursion is one pass over its rules; a recursive one is evaluated semi-naively: in every round
   each rule is asked only for what the rows of the round before make new.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from veil.engine.joins import Join, TooManyRowsError, compile_join
from veil.engine.relation import Relation, Row
from veil.errors import fail
from veil.lang import Rule
from veil.lang.depends import Dependencies, dependencies
from veil.vocabulary import Signature, signature

GIVEN: tuple[Signature, ...] = (("true", 1), ("does", 2))


class Component(NamedTuple):
    """Predicates that depend on each other, and the joins that fill them."""

    predicates: tuple[Signature, ...]
    first: list[tuple[Signature, Join]]  # every rule, once
    again: list[tuple[Signature, Signature, Join]]  # head, delta predicate: for the rows that are new


Relations = ChainMap[Signature, Relation]


def components_of(rules: Sequence[Rule], graph: Dependencies) -> Iterator[Component]:
    """The components that have rules, each after all it depends on."""
    by_head: dict[Signature, list[Rule]] = {}
    for rule in rules:
        by_head.setdefault(rule.signature, []).append(rule)
    order: dict[int, list[Signature]] = {}
    for predicate, number in graph.component.items():
        if predicate in by_head:
            order.setdefault(number, []).append(predicate)
    for number in sorted(order):
        yield _compile(order[number], by_head)


def fixed_relations(rules: Sequence[Rule], max_rows: int, complete: bool) -> dict[Signature, Relation]:
    """What depends neither on the state nor on moves, computed once.

    A relation with more than `max_rows` rows is an error where all are wanted (`complete`); else it is left out, and
    with it everything that depends on it.
    """
    graph = dependencies(rules)
    skipped = graph.dependents(GIVEN)
    found: Relations = ChainMap({predicate: Relation() for predicate in graph.component if predicate not in skipped})
    for component in components_of([rule for rule in rules if rule.signature not in skipped], graph):
        if skipped.intersection(component.predicates):
            continue
        if complete:
            fill_or_fail(component, found, max_rows)
            continue
        try:
            fill(component, found, max_rows)
        except TooManyRowsError:
            skipped |= graph.dependents(component.predicates)
    return {predicate: relation for predicate, relation in found.items() if predicate not in skipped}


def fill(component: Component, found: Relations, max_rows: int) -> None:
    """Evaluate one component to its fixpoint; `found` is changed in place."""
    new: dict[Signature, list[Row]] = {predicate: [] for predicate in component.predicates}
    for head, join in component.first:
        new[head] += [row for row in join(found, None, max_rows) if found[head].add(row)]
    while component.again and any(new.values()):
        deltas = {predicate: Relation(rows) for predicate, rows in new.items()}
        new = {predicate: [] for predicate in component.predicates}
        for head, asked, join in component.again:
            if deltas[asked].rows:
                new[head] += [row for row in join(found, deltas[asked], max_rows) if found[head].add(row)]
        if any(len(found[predicate].rows) > max_rows for predicate in component.predicates):
            raise TooManyRowsError


def fill_or_fail(component: Component, found: Relations, max_rows: int) -> None:
    """`fill`, where a relation without end is the user's to repair."""
    try:
        fill(component, found, max_rows)
    except TooManyRowsError:
        name, arity = component.predicates[0]
        raise fail("endless-relation", name=name, arity=arity, limit=max_rows) from None


def _compile(predicates: list[Signature], by_head: Mapping[Signature, list[Rule]]) -> Component:
    component = Component(tuple(predicates), [], [])
    for predicate in predicates:
        for rule in by_head[predicate]:
            component.first.append((predicate, compile_join(rule)))
            for i, literal in enumerate(rule.body):
                if literal.binds and signature(literal.atom) in predicates:
                    component.again.append((predicate, signature(literal.atom), compile_join(rule, delta=i)))
    return component
