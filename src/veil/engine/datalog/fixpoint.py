"""Bottom-up evaluation of rules: components in order, each to its fixpoint.

1. Predicates that depend on each other form a component; components come from the bottom up. Negation is stratified, so
   a component is complete before anyone asks for what is not in it.
2. A component without recursion is one pass over its rules; a recursive one is evaluated semi-naively: in every round
   each rule is asked only for what the rows of the round before make new.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from veil.engine.datalog.joins import Join, TooManyRowsError, compile_join
from veil.engine.datalog.relation import Relation, Row
from veil.errors import fail
from veil.lang import Literal, Rule, RuleSet
from veil.vocabulary import GIVEN, Signature, Term, Var, arguments, signature, variables

MAX_JOIN = 40  # positive conditions of one join
MAX_NESTING = 500  # rounds of a recursion that makes larger and larger terms
MAX_FIXED_ROWS = 100_000  # of a relation that is only computed to count its rows


class Component(NamedTuple):
    """Predicates that depend on each other, and the joins that fill them."""

    predicates: tuple[Signature, ...]
    first: list[tuple[Signature, Join]]  # every rule, once
    again: list[tuple[Signature, Signature, Join]]  # head, delta predicate: every recursive rule, for the new rows
    grows: bool  # some recursive rule puts its result into a larger term


Relations = ChainMap[Signature, Relation]


def shorten(rules: RuleSet) -> RuleSet:
    """Return rules whose joins Python can nest: a long body starts with a new relation of its first conditions."""
    result: list[Rule] = []
    for rule in rules:
        while sum(literal.binds for literal in rule.body) > MAX_JOIN:
            binding = [literal for literal in rule.body if literal.binds]
            front, rest = binding[:MAX_JOIN], [lit for lit in rule.body if lit not in binding[:MAX_JOIN]]
            needed = {var for atom in (rule.head, *(lit.atom for lit in rest)) for var in variables(atom)}
            shared = [v for v in dict.fromkeys(v for lit in front for v in variables(lit.atom)) if v in needed]
            name = f"front {len(result)}"
            head: Term = (name, *shared) if shared else name
            result.append(Rule(head, tuple(front), rule.node))
            rule = rule._replace(body=(Literal(head, True, rule.node.offset), *rest))
        result.append(rule)
    return rules.rewrite(result)


def compile_components(
    rules: RuleSet, wanted: Container[Signature], filled: Mapping[Signature, Relation]
) -> Iterator[Component]:
    """Yield the components of the `wanted` predicates that have rules, each after all components that it depends on.

    A component is compiled when the caller asks for it: the relations below it may be `filled` by then, and their sizes
    help.
    """
    order: dict[int, list[Signature]] = {}
    for predicate, number in rules.dependencies.component.items():
        if predicate in rules.by_head and predicate in wanted:
            order.setdefault(number, []).append(predicate)
    for number in sorted(order):
        known = {predicate: relation for predicate, relation in filled.items() if relation.rows}
        yield _compile(order[number], rules.by_head, known)


def compute_fixed_relations(rules: RuleSet, max_rows: int) -> dict[Signature, Relation]:
    """Return the relations that depend neither on the state nor on moves.

    Relations with more than `max_rows` rows are left out, and so are all relations that depend on them.
    """
    rules = shorten(rules)
    graph = rules.dependencies
    left_out = graph.dependents(GIVEN)
    fixed = [predicate for predicate in graph.component if predicate not in left_out]
    relations: Relations = ChainMap({predicate: Relation() for predicate in fixed})
    for component in compile_components(rules, set(fixed), relations):
        if left_out.isdisjoint(component.predicates):
            try:
                fill(component, relations, max_rows)
            except TooManyRowsError:
                left_out |= graph.dependents(component.predicates)
    return {predicate: relation for predicate, relation in relations.items() if predicate not in left_out}


def complete_fixed_relations(
    rules: RuleSet, known: Mapping[Signature, Relation], max_rows: int
) -> dict[Signature, Relation]:
    """Return all relations that depend neither on the state nor on moves.

    `known` holds those that are computed already.
    """
    moving = rules.dependencies.dependents(GIVEN)
    fixed = [predicate for predicate in rules.dependencies.component if predicate not in moving]
    relations: Relations = ChainMap({predicate: known.get(predicate) or Relation() for predicate in fixed})
    for component in compile_components(rules, set(fixed).difference(known), relations):
        fill_or_fail(component, relations, max_rows)
    return dict(relations)


def fill(component: Component, relations: Relations, max_rows: int) -> None:
    """Evaluate one component to its fixpoint; `relations` is changed in place."""
    rounds = 0
    new: dict[Signature, list[Row]] = {predicate: [] for predicate in component.predicates}
    for head, join in component.first:
        new[head] += [row for row in join(relations, None, max_rows) if relations[head].add(row)]
    while component.again and any(new.values()):
        rounds += 1
        if component.grows and rounds > MAX_NESTING:
            raise TooManyRowsError
        deltas = {predicate: Relation(rows) for predicate, rows in new.items()}
        new = {predicate: [] for predicate in component.predicates}
        for head, asked, join in component.again:
            if deltas[asked].rows:
                new[head] += [row for row in join(relations, deltas[asked], max_rows) if relations[head].add(row)]
        if any(len(relations[predicate].rows) > max_rows for predicate in component.predicates):
            raise TooManyRowsError


def fill_or_fail(component: Component, relations: Relations, max_rows: int) -> None:
    """Evaluate one component to its fixpoint, and raise `VeilError` if a relation has more than `max_rows` rows."""
    try:
        fill(component, relations, max_rows)
    except TooManyRowsError:
        name, arity = component.predicates[0]
        raise fail("endless-relation", name=name, arity=arity, limit=max_rows) from None


def _compile(
    predicates: list[Signature], by_head: Mapping[Signature, list[Rule]], known: Mapping[Signature, Relation]
) -> Component:
    """Return one component with the joins of its predicates; `known` are the relations that are filled already."""
    recursive = [
        rule
        for predicate in predicates
        for rule in by_head[predicate]
        if any(signature(literal.atom) in predicates for literal in rule.body)
    ]
    grows = any(not isinstance(part, str | Var) for rule in recursive for part in arguments(rule.head))
    component = Component(tuple(predicates), [], [], grows)
    for predicate in predicates:
        for rule in by_head[predicate]:
            component.first.append((predicate, compile_join(rule, known)))
            for i, literal in enumerate(rule.body):
                if literal.binds and signature(literal.atom) in predicates:
                    component.again.append((predicate, signature(literal.atom), compile_join(rule, known, delta=i)))
    return component
