"""Evaluate the rules themselves, state by state, without grounding: slow, small, and independent of clingo.

1. Predicates are grouped into components that depend on each other, from the bottom up (negation is stratified, so a
   component is complete before anyone asks for what is not in it).
2. A component without recursion is one pass over its rules; a recursive one is evaluated semi-naively: in every round
   each rule is asked only for what the rows of the round before make new.
3. What depends neither on the state nor on moves is computed once.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from veil.engine.joins import Join, compile_join
from veil.engine.reasoner import Judgement, State
from veil.engine.relation import Relation, Row
from veil.errors import VeilError, fail
from veil.lang import Rule, Rules
from veil.lang.depends import dependencies
from veil.vocabulary import Signature, Term, show, signature

MAX_ROWS = 3_000_000  # of one component in one state; more means terms that grow without end
JUDGED: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2))
STEPPED: tuple[Signature, ...] = (("next", 1), ("sees", 2))


class Component(NamedTuple):
    """Predicates that depend on each other, and the joins that fill them."""

    predicates: tuple[Signature, ...]
    first: list[tuple[Signature, Join]]  # every rule, once
    again: list[tuple[Signature, Signature, Join]]  # head, delta predicate: for the rows that are new


class RuleReasoner:
    """Answers questions about states, given as sets of fluents, from the rules."""

    kind = "interpreter"

    def __init__(self, rules: Rules) -> None:
        errors = [doubt for doubt in rules.doubts if doubt.code == "unstratified"]
        if errors:
            raise VeilError(*errors)
        self.rules = rules
        graph = dependencies(rules.rules)
        by_head: dict[Signature, list[Rule]] = {}
        for rule in rules.rules:
            by_head.setdefault(rule.signature, []).append(rule)
        order: dict[int, list[Signature]] = {}
        for predicate, number in graph.component.items():
            order.setdefault(number, []).append(predicate)
        moving = graph.dependents([("true", 1), ("does", 2)])
        judged, stepped = graph.reachable(JUDGED), graph.reachable(STEPPED)
        self._changing = [*moving, *JUDGED, *STEPPED, *(p for p in graph.component if p not in by_head)]
        fixed, self._to_judge, self._to_step = [], [], []
        for number in sorted(order):
            predicates = order[number]
            if not any(predicate in by_head for predicate in predicates):
                continue
            component = _compile(predicates, by_head)
            if not moving.intersection(predicates):
                fixed.append(component)
                continue
            if judged.intersection(predicates):
                self._to_judge.append(component)
            if stepped.intersection(predicates):
                self._to_step.append(component)
        self._fixed = {predicate: Relation() for predicate in (*by_head, ("init", 1)) if predicate not in moving}
        self._run(fixed, (), {})

    def initial(self) -> State:
        return frozenset(row[0] for row in self._fixed[("init", 1)].rows)

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

    def _run(self, components: list[Component], state: Iterable[Term], joint_move: Mapping[Term, Term]) -> _Relations:
        given = {
            ("true", 1): Relation((fluent,) for fluent in state),
            ("does", 2): Relation(joint_move.items()),
        }
        empty = {predicate: Relation() for predicate in self._changing if predicate not in self._fixed}
        found: _Relations = ChainMap({**empty, **given}, self._fixed)
        for component in components:
            self._fill(component, found)
        return found

    def _fill(self, component: Component, found: _Relations) -> None:
        """Evaluate one component to its fixpoint; `found` is changed in place."""
        new: dict[Signature, list[Row]] = {predicate: [] for predicate in component.predicates}
        for head, join in component.first:
            new[head] += [row for row in join(found, None) if found[head].add(row)]
        while component.again and any(new.values()):
            deltas = {predicate: Relation(rows) for predicate, rows in new.items()}
            new = {predicate: [] for predicate in component.predicates}
            for head, asked, join in component.again:
                if deltas[asked].rows:
                    new[head] += [row for row in join(found, deltas[asked]) if found[head].add(row)]
            if any(len(found[predicate].rows) > MAX_ROWS for predicate in component.predicates):
                name, arity = component.predicates[0]
                raise fail("endless-relation", name=name, arity=arity, limit=MAX_ROWS)


_Relations = ChainMap[Signature, Relation]


def _compile(predicates: list[Signature], by_head: Mapping[Signature, list[Rule]]) -> Component:
    component = Component(tuple(predicates), [], [])
    for predicate in predicates:
        for rule in by_head.get(predicate, ()):
            component.first.append((predicate, compile_join(rule)))
            for i, literal in enumerate(rule.body):
                if literal.binds and signature(literal.atom) in predicates:
                    component.again.append((predicate, signature(literal.atom), compile_join(rule, delta=i)))
    return component
