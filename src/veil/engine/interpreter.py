"""Evaluate the rules themselves, state by state, without grounding: slow, small, and independent of clingo.

1. Predicates are grouped into components that depend on each other, from the bottom up (negation is stratified, so a
   component is complete before anyone asks for what is not in it).
2. A component without recursion is one pass over its rules; a recursive one is evaluated semi-naively: in every round
   each rule is asked only for what the rows of the round before make new.
3. What depends neither on the state nor on moves is computed once.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from veil.engine.joins import Join, TooManyRows, compile_join
from veil.engine.reasoner import Judgement, State
from veil.engine.relation import Relation, Row
from veil.errors import VeilError, fail
from veil.lang import Rule, Rules
from veil.lang.depends import Dependencies, dependencies
from veil.vocabulary import Signature, Term, show, signature

MAX_ROWS = 3_000_000  # of one component in one state; more means terms that grow without end
GIVEN: tuple[Signature, ...] = (("true", 1), ("does", 2))
JUDGED: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2))
STEPPED: tuple[Signature, ...] = (("next", 1), ("sees", 2))


class Component(NamedTuple):
    """Predicates that depend on each other, and the joins that fill them."""

    predicates: tuple[Signature, ...]
    first: list[tuple[Signature, Join]]  # every rule, once
    again: list[tuple[Signature, Signature, Join]]  # head, delta predicate: for the rows that are new


Relations = ChainMap[Signature, Relation]


class RuleReasoner:
    """Answers questions about states, given as sets of fluents, from the rules."""

    kind = "interpreter"

    def __init__(self, rules: Rules) -> None:
        errors = [doubt for doubt in rules.doubts if doubt.code == "unstratified"]
        if errors:
            raise VeilError(*errors)
        self.rules = rules
        graph = dependencies(rules.rules)
        moving = graph.dependents(GIVEN)
        judged, stepped = graph.reachable(JUDGED), graph.reachable(STEPPED)
        self._to_judge, self._to_step = [], []
        for component in components_of(rules.rules, graph):
            if moving.intersection(component.predicates):
                if judged.intersection(component.predicates):
                    self._to_judge.append(component)
                if stepped.intersection(component.predicates):
                    self._to_step.append(component)
        self._fixed = fixed_relations(rules.rules, MAX_ROWS, complete=True)
        known = dict.fromkeys([*graph.component, *JUDGED, *STEPPED, ("init", 1)])
        self._changing = [predicate for predicate in known if predicate not in self._fixed]

    def initial(self) -> State:
        return frozenset(row[0] for row in self._fixed[("init", 1)].rows) if ("init", 1) in self._fixed else frozenset()

    def judge(self, state: State) -> Judgement:
        found = self._run(self._to_judge, state, {})
        legal = self._by_role(found[("legal", 2)])
        values = self._by_role(found[("goal", 2)])
        goals = {role: tuple(sorted({int(str(value)) for value in own})) for role, own in values.items()}
        return Judgement(legal, bool(found[("terminal", 0)].rows), goals)

    def step(self, state: State, joint_move: Mapping[Term, Term]) -> tuple[State, dict[Term, tuple[Term, ...]]]:
        found = self._run(self._to_step, state, joint_move)
        return frozenset(row[0] for row in found[("next", 1)].rows), self._by_role(found[("sees", 2)])

    def _by_role(self, relation: Relation) -> dict[Term, tuple[Term, ...]]:
        """Second arguments by first, for the roles, sorted as they print."""
        found: dict[Term, list[Term]] = {role: [] for role in self.rules.roles}
        for role, term in relation.rows:
            if role in found:
                found[role].append(term)
        return {role: tuple(sorted(terms, key=show)) for role, terms in found.items()}

    def _run(self, components: list[Component], state: Iterable[Term], joint_move: Mapping[Term, Term]) -> Relations:
        own = {predicate: Relation() for predicate in self._changing}
        own["true", 1] = Relation((fluent,) for fluent in state)
        own["does", 2] = Relation(joint_move.items())
        found: Relations = ChainMap(own, self._fixed)
        for component in components:
            _fill_or_fail(component, found, MAX_ROWS)
        return found


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
    found: Relations = ChainMap({})
    for component in components_of([rule for rule in rules if rule.signature not in skipped], graph):
        if skipped.intersection(component.predicates):
            continue
        found.update((predicate, Relation()) for predicate in component.predicates)
        if complete:
            _fill_or_fail(component, found, max_rows)
            continue
        try:
            fill(component, found, max_rows)
        except TooManyRows:
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
            raise TooManyRows


def _fill_or_fail(component: Component, found: Relations, max_rows: int) -> None:
    try:
        fill(component, found, max_rows)
    except TooManyRows:
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
