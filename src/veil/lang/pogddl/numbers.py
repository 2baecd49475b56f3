"""Numbers in conditions: a fluent that changes is a value `(true (= (f ...) v))`, one that does not is a fact.

Sums and comparisons are looked up in tables of facts over the values that can occur. If a table would be large, a
comparison goes along the values instead: `below` holds for all values below the current one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import pairwise, product
from typing import NamedTuple

from veil.errors import fail
from veil.lang.pogddl.statements import Statements, make
from veil.lang.pogddl.syntax import AtomForm, Comparison, Expression, GroundFluent, Operation
from veil.lang.pogddl.world import show_number
from veil.lang.tree import Node, words

MAX_TABLE = 10_000  # rows of a comparison; a larger one goes along the values
MAX_SUMS = 500_000  # rows of a table of sums

Values = frozenset[Fraction]
Ranges = dict[GroundFluent, Values]  # every fluent that can have a value, with all values it can have

OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
SIGNS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
}


class Valued(NamedTuple):
    """An expression as conditions: if they hold, `word` is its value, one of `values`."""

    conditions: list[Node]
    word: str  # a number, or a variable
    values: Values


def operate(sign: str, left: Fraction, right: Fraction) -> Fraction | None:
    """Return the result of an operation; None for a division by zero."""
    return None if sign == "/" and not right else OPERATIONS[sign](left, right)


class Numbers:
    """Writer of expressions and comparisons as conditions."""

    def __init__(self, statements: Statements, ranges: Ranges, changing: set[str]) -> None:
        self.statements, self.ranges, self.changing = statements, ranges, changing
        for (name, *args), values in ranges.items():
            if name not in changing:
                statements.add_fact(f"value {name}", *args, *map(show_number, values))

    def value_of(self, fluent: AtomForm, word: str) -> Node:
        """Return the condition that a fluent has a value."""
        at = fluent.offset
        if fluent.name not in self.changing:
            return make(f"value {fluent.name}", *fluent.args, word, at=at)
        return make("true", make("=", make(fluent.name, *fluent.args, at=at), word, at=at), at=at)

    def values_of(self, fluent: AtomForm) -> Values:
        """Return the values that a fluent can have, for any objects of its variables."""
        found = [values for ground, values in self.ranges.items() if matches(fluent, ground)]
        return frozenset[Fraction]().union(*found)

    def express(self, expression: Expression) -> Valued | None:
        """Return an expression as conditions; None if it never has a value."""
        if isinstance(expression, Fraction):
            return Valued([], show_number(expression), frozenset([expression]))
        if isinstance(expression, AtomForm):
            values = self.values_of(expression)
            word = "? " + self.statements.name("value")
            return Valued([self.value_of(expression, word)], word, values) if values else None
        parts = [self.express(part) for part in expression.parts]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if len(known) == 1 and expression.sign == "-":
            known.insert(0, Valued([], "0", frozenset([Fraction(0)])))
        return reduce(lambda left, right: self._operate(expression, left, right), known)

    def _operate(self, expression: Operation, left: Valued, right: Valued) -> Valued:
        """Return the conditions of two expressions under an operation."""
        sign, at = expression.sign, expression.offset
        if len(left.values) * len(right.values) > MAX_SUMS:
            raise fail("pogddl-too-many-sums", self.statements.world.source.place(at), limit=MAX_SUMS)
        results = {(a, b): operate(sign, a, b) for a, b in product(left.values, right.values)}
        values = frozenset(value for value in results.values() if value is not None)
        if not left.conditions and not right.conditions and values:
            return Valued([], show_number(next(iter(values))), values)
        for (a, b), value in results.items():
            if value is not None:
                self.add_sum(sign, a, b, value)
        word = "? " + self.statements.name("value")
        lookup = make(f"number {sign}", left.word, right.word, word, at=at)
        return Valued([*left.conditions, *right.conditions, lookup], word, values)

    def add_sum(self, sign: str, left: Fraction, right: Fraction, result: Fraction) -> None:
        """Write a row of a table."""
        self.statements.add_fact(f"number {sign}", *map(show_number, (left, right, result)))

    def compare(self, comparison: Comparison) -> list[Node] | None:
        """Return a comparison as conditions; None if it never holds."""
        left, right = self.express(comparison.left), self.express(comparison.right)
        if left is None or right is None:
            return None
        conditions, holds = [*left.conditions, *right.conditions], SIGNS[comparison.sign]
        at, rows = comparison.offset, len(left.values) * len(right.values)
        if comparison.sign in ("=", "!="):
            apart = make("distinct", left.word, right.word, at=at)
            same = make("not", apart, at=at)
            if not left.conditions and not right.conditions:
                return [] if holds(*left.values, *right.values) else None
            return [*conditions, same if comparison.sign == "=" else apart]
        if rows > MAX_TABLE:
            return self._compare_along(comparison, left, right)
        pairs = [(a, b) for a, b in product(left.values, right.values) if holds(a, b)]
        if len(pairs) in (0, rows):
            return conditions if pairs else None
        for a, b in pairs:
            self.statements.add_fact(f"number {comparison.sign}", show_number(a), show_number(b))
        return [*conditions, make(f"number {comparison.sign}", left.word, right.word, at=at)]

    def _compare_along(self, comparison: Comparison, left: Valued, right: Valued) -> list[Node]:
        """Return `left < right` for many values: right has a value, and left has one that is below it.

        `below k` holds for the values below (or, for <=, up to) that of the right side, downwards one by one.
        """
        at, statements = comparison.offset, self.statements
        order = [show_number(value) for value in sorted(left.values | right.values)]
        step, below = statements.name("next value"), statements.name("below")
        for low, high in pairwise(order):
            statements.add_fact(step, low, high)
        free = list(dict.fromkeys(w.text for c in right.conditions for w in words(c) if w.text in statements.kinds))
        here, above = "? " + statements.name("value"), "? " + statements.name("value")
        if comparison.sign == "<=":
            statements.add_rule(make(below, *free, right.word, at=at), right.conditions)
        start = [*right.conditions, make(step, here, right.word, at=at)]
        statements.add_rule(make(below, *free, here, at=at), start)
        further = [make(below, *free, above, at=at), make(step, here, above, at=at)]
        statements.add_rule(make(below, *free, here, at=at), further)
        return [*left.conditions, make(below, *free, left.word, at=at)]


def matches(fluent: AtomForm, ground: GroundFluent) -> bool:
    """Return whether a fluent with variables can stand for a ground one."""
    if ground[0] != fluent.name or len(ground) != len(fluent.args) + 1:
        return False
    return all(arg.startswith("?") or arg == value for arg, value in zip(fluent.args, ground[1:], strict=True))


def find_fluents(expression: Expression) -> Iterator[AtomForm]:
    """Yield every fluent of an expression."""
    if isinstance(expression, AtomForm):
        yield expression
    elif isinstance(expression, Operation):
        for part in expression.parts:
            yield from find_fluents(part)
