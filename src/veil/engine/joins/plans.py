"""Plans: which relations are asked with which arguments known, and in which order the conditions of rules are tested.

A *question* is about a relation that depends on the state: some of its arguments are known, and the rows that agree
with them are wanted. The questions of a game are found from those that everybody asks (`legal`, `next`, ...): the
conditions of a rule are put in order, and each condition on a derived relation is a question with the arguments that
are known by then. So `threatened` is computed for the squares that a king may enter, and not for all squares and all
kings.

The order of conditions, one after the other:

1. tests on given relations whose arguments are all known;
2. look-ups with one row or less;
3. tests on derived relations whose arguments are all known;
4. the look-up with the fewest expected rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from veil.engine.joins.relations import FixedRows
from veil.lang import Literal, Rule, RuleSet
from veil.vocabulary import GIVEN, Signature, Term, Var, arguments, signature, variables

TRUE, DOES = GIVEN
ANY_ROWS, MANY_ROWS = 4.0, 1e6  # guesses: rows of a recursive relation; the most that counts
RARE = 0.02  # the least expected rows of a look-up
CALL = 2.0  # how much dearer a derived relation is than a given one
Columns = tuple[int, ...]


class Step(NamedTuple):
    """One condition, with the columns whose values are known before."""

    literal: Literal
    known: Columns


class RulePlan(NamedTuple):
    """A rule for a function: its head, and its conditions in order."""

    head: Term
    steps: tuple[Step, ...]


@dataclass(eq=False)
class Question:
    """What is asked of a derived relation: the rows that agree in the known columns."""

    name: str
    predicate: Signature
    known: Columns
    is_recursive: bool
    derived: frozenset[Signature]  # the relations that are answered by functions
    rules: list[RulePlan] = field(default_factory=list)
    rows: float = ANY_ROWS  # expected
    cost: float = ANY_ROWS  # expected conditions to test

    @property
    def free(self) -> Columns:
        """The columns whose values are wanted."""
        return tuple(i for i in range(self.predicate[1]) if i not in self.known)

    @property
    def is_kept(self) -> bool:
        """Whether results are kept for the next question about the same state; plain tests are as fast again."""
        asked = (signature(step.literal.atom) for rule in self.rules for step in rule.steps)
        return bool(self.free) or self.is_recursive or any(predicate in self.derived for predicate in asked)


class Planner:
    """The functions that were asked for so far, with their plans."""

    def __init__(
        self, rules: RuleSet, fixed: Mapping[Signature, FixedRows], fluents: Mapping[Signature, FixedRows]
    ) -> None:
        """Take the rules, the relations that never change, and all fluents by shape: their arguments as rows."""
        self.rules, self.fixed, self.fluents = rules, fixed, fluents
        self.derived = frozenset(sig for sig in rules.by_head if sig not in fixed and sig not in GIVEN)
        self.functions: dict[tuple[Signature, Columns], Question] = {}
        self.at_start = {
            shape: sum(signature(arguments(rule.head)[0]) == shape for rule in rules.by_head.get(("init", 1), ()))
            for shape in fluents
        }

    def function(self, predicate: Signature, known: Columns) -> Question:
        """Return the function of a question, planned with everything it asks."""
        key = predicate, known
        found = self.functions.get(key)
        if found is None:
            graph = self.rules.dependencies
            heads = self.rules.by_head.get(predicate, [])
            recursive = any(graph.recursive(predicate, signature(lit.atom)) for rule in heads for lit in rule.body)
            found = self.functions[key] = Question(f"f{len(self.functions)}", predicate, known, recursive, self.derived)
            planned = [plan for rule in heads if (plan := self._plan(rule, known)) is not None]
            found.rules = [plan for plan, _, _ in planned]
            found.rows = min(MANY_ROWS, sum(rows for _, rows, _ in planned)) if found.free else 1.0
            found.cost = min(MANY_ROWS, sum(cost for _, _, cost in planned) + 1.0)
        return found

    def _plan(self, rule: Rule, known: Columns) -> tuple[RulePlan, float, float] | None:
        """Return the plan of a rule with its expected rows and cost; None if it never fires."""
        waiting, steps = list(rule.body), list[Step]()
        bound = {var for i in known for var in variables(arguments(rule.head)[i])}
        rows, cost = 1.0, 0.0
        while waiting:
            literal = min(waiting, key=lambda literal: self._rank(literal, bound))
            waiting.remove(literal)
            if self._is_empty(literal):
                if literal.positive:
                    return None
                continue
            columns = tuple(i for i, part in enumerate(arguments(literal.atom)) if bound.issuperset(variables(part)))
            steps.append(Step(literal, columns))
            is_test = len(columns) == len(arguments(literal.atom))
            expected = 0.5 if is_test else self._expect(literal, bound, columns)
            cost += rows * (1.0 + (0.2 * self._ask(literal, columns).cost if self._is_derived(literal) else 0.0))
            rows = max(rows * expected, 1e-3)
            bound.update(variables(literal.atom) if literal.binds else ())
        return RulePlan(rule.head, tuple(steps)), rows, min(cost, MANY_ROWS)

    def _rank(self, literal: Literal, bound: set[Var]) -> tuple[float, float]:
        """Return a key by which the next condition is chosen: the smallest comes next."""
        parts = arguments(literal.atom)
        columns = tuple(i for i, part in enumerate(parts) if bound.issuperset(variables(part)))
        is_test = len(columns) == len(parts)
        if is_test and not self._is_derived(literal):
            return 0.0, 0.0
        if not literal.binds and not is_test:
            return 9.0, 0.0  # not yet
        if is_test:
            return 2.0, self._ask(literal, columns).cost
        expected = self._expect(literal, bound, columns)
        if self._is_derived(literal):
            return 3.0, CALL * expected
        return (1.0 if expected <= 1.0 else 3.0), expected

    def _is_derived(self, literal: Literal) -> bool:
        return signature(literal.atom) in self.derived

    def _is_empty(self, literal: Literal) -> bool:
        """Return whether the relation of a condition has neither rules nor rows."""
        sig = signature(literal.atom)
        given = sig in self.fixed or sig in GIVEN or literal.is_distinct
        return not given and sig not in self.derived

    def _ask(self, literal: Literal, columns: Columns) -> Question:
        return self.function(signature(literal.atom), columns)

    def _expect(self, literal: Literal, bound: set[Var], columns: Columns) -> float:
        """Return the expected rows of a look-up."""
        sig = signature(literal.atom)
        if self._is_empty(literal):
            return 0.0
        if sig == DOES:
            return 1.0
        if sig == TRUE:
            return self._expect_fluents(arguments(literal.atom)[0], bound)
        if sig in self.fixed:
            return max(RARE, self.fixed[sig].rows_per_key(columns))
        return self._ask(literal, columns).rows

    def _expect_fluents(self, pattern: Term, bound: set[Var]) -> float:
        """Return the expected number of true fluents of a shape, if some of its arguments are known."""
        if isinstance(pattern, Var):
            return 50.0
        shape = signature(pattern)
        if shape not in self.fluents:
            return 0.0
        table = self.fluents[shape]
        known = tuple(i for i, part in enumerate(arguments(pattern)) if bound.issuperset(variables(part)))
        share = self.at_start[shape] / max(1, len(table.rows)) or 1 / max(1.0, table.rows_per_key(()) ** 0.5)
        return max(RARE, table.rows_per_key(known) * min(1.0, share))
