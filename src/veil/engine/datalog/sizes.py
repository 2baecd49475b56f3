"""Estimates of the number of rows of a relation and of a join, which decide where a rule body is split.

The usual model of databases: all values are equally likely, and conditions are independent. A join then has the
product of its relations' sizes, divided by the number of values of a variable for each repeated occurrence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from veil.engine.datalog.relation import Relation
from veil.lang import Literal, Position, Rule, RuleSet, positions
from veil.vocabulary import GIVEN, Signature, Term, Var, arguments, signature, variables

ENDLESS = 1e12  # stands for "no end of terms"


class Sizes:
    """Estimates for one set of rules; `add` includes predicates that are split off later."""

    def __init__(self, rules: RuleSet, fixed: Mapping[Signature, Relation] | None = None) -> None:
        """Prepare the estimates.

        Relations in `fixed` never change and are computed already: they are counted exactly.
        """
        self._domains = rules.domains
        self._counts: dict[Position, float] = {}
        self._rows: dict[Signature, float] = {}
        graph = rules.dependencies
        self._count_fixed(fixed or {})
        for predicate in sorted(graph.component, key=lambda sig: graph.component[sig]):
            definition = rules.by_head.get(predicate, [])
            if predicate in self._rows:
                continue
            if all(not rule.body for rule in definition):
                self._rows[predicate] = float(len(definition))
            elif any(graph.recursive(predicate, signature(lit.atom)) for rule in definition for lit in rule.body):
                self._rows[predicate] = self._all_rows(predicate)
            else:
                derived = sum(self._head_rows(rule) for rule in definition)
                self._rows[predicate] = min(derived, self._all_rows(predicate))

    def add(self, rule: Rule) -> None:
        """Estimate the size of a new predicate from its only rule."""
        self._rows[rule.signature] = self._head_rows(rule)
        for position, var in positions(rule.head):
            if isinstance(var, Var):
                self._counts[position] = self.values(var, rule.body)

    def values(self, var: Var, literals: Iterable[Literal]) -> float:
        """Return how many values a variable can take, judged by its positive literals."""
        places = [pos for lit in literals if lit.binds for pos, term in positions(lit.atom) if term == var]
        known = [self._count(place) for place in places]
        return max(1.0, min(known, default=1.0))

    def join(self, literals: Sequence[Literal]) -> float:
        """Return the rows of the join of all positive literals.

        `distinct` and negation are assumed to keep all rows.
        """
        positive = [lit for lit in literals if lit.binds]
        size = 1.0
        occurrences: dict[Var, int] = {}
        for literal in positive:
            size *= max(self.rows(literal.atom), 1e-3)
            for var in variables(literal.atom):
                occurrences[var] = occurrences.get(var, 0) + 1
        for var, count in occurrences.items():
            size /= self.values(var, positive) ** (count - 1)
        return size

    def rows(self, atom: Term) -> float:
        """Return the number of rows of a relation that agree with the constants of the atom."""
        sig = signature(atom)
        if sig in GIVEN:  # every shape of fluent or move is a relation of its own
            return self._shape_rows(atom)
        size = self._rows.get(sig, 0.0)
        for i, part in enumerate(arguments(atom)):
            if not isinstance(part, Var):
                size /= max(1.0, self._count(("predicate", sig[0], sig[1], i)))
        return size

    def _count_fixed(self, fixed: Mapping[Signature, Relation]) -> None:
        for (name, arity), relation in fixed.items():
            self._rows[name, arity] = float(len(relation.rows))
            for i in range(arity):
                self._counts["predicate", name, arity, i] = float(len({row[i] for row in relation.rows}))

    def _head_rows(self, rule: Rule) -> float:
        """Return the number of rows of the body, projected to the head's variables."""
        limit = 1.0
        for var in dict.fromkeys(variables(rule.head)):
            limit *= self.values(var, rule.body)
        return min(self.join(rule.body), limit)

    def _all_rows(self, sig: Signature) -> float:
        size = 1.0
        for i in range(sig[1]):
            size *= max(1.0, self._count(("predicate", sig[0], sig[1], i)))
        return size

    def _shape_rows(self, atom: Term) -> float:
        """Return the number of fluents or moves of this shape: all combinations of the values of its variables."""
        size = 1.0
        for position, term in positions(atom):
            if isinstance(term, Var):
                size *= max(1.0, self._count(position))
        return size

    def _count(self, position: Position, inside: tuple[Signature, ...] = ()) -> float:
        """Return the number of ground terms at a position."""
        if position in self._counts:
            return self._counts[position]
        total = 0.0
        for name, arity in self._domains.values.get(position, ()):
            if arity and (name, arity) in inside:
                return ENDLESS
            size = 1.0
            for i in range(arity):
                size *= self._count(("function", name, arity, i), (*inside, (name, arity)))
            total = min(total + size, ENDLESS)
        if not inside:
            self._counts[position] = total
        return total
