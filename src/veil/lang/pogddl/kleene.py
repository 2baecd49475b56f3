"""Formulas and numbers in a partly known state: true, false, or None for unknown (Kleene logic)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import NamedTuple

from veil.lang.depends import reachable
from veil.lang.pogddl.conditions import find_atoms, find_comparisons
from veil.lang.pogddl.numbers import SIGNS, Ranges, Values, find_fluents, matches, operate
from veil.lang.pogddl.statements import Key
from veil.lang.pogddl.syntax import (
    AllOf,
    AnyOf,
    AtomChange,
    AtomForm,
    AtomTest,
    Comparison,
    Expression,
    ForEvery,
    Formula,
    GameForms,
    GroundFluent,
    Sameness,
    list_changes,
)
from veil.lang.pogddl.world import World

MAX_PAIRS = 20_000  # of values or objects that are tried one by one; beyond, the result is unknown

Truth = bool | None
Binding = dict[str, str]
Atoms = frozenset[tuple[str, ...]]


class Projected(NamedTuple):
    """The known part of a state: one fluent, and all atoms of some predicates."""

    fluent: GroundFluent
    predicates: frozenset[Key]


class Situation(NamedTuple):
    """The facts that are known of a state."""

    atoms: Atoms  # the true ones among the known predicates
    value: Fraction | None  # of the fluent


class Kleene:
    """Evaluator of formulas under a view. Without a situation, only what never changes is known."""

    def __init__(self, world: World, forms: GameForms, ranges: Ranges, view: Projected) -> None:
        self.world, self.forms, self.ranges, self.view = world, forms, ranges, view
        self.changed = {change.atom.key for change in list_changes(forms, AtomChange)}
        self.derived = {rule.head.key for rule in forms.derived}
        self.seen, self.counted = self._find_dependents()
        self._inside: set[tuple[str, ...]] = set()  # derived atoms under evaluation

    def _find_dependents(self) -> tuple[set[Key], set[Key]]:
        """Return the predicates that depend on the view, and the derived ones that depend on the fluent."""
        above: dict[Key, list[Key]] = {}
        counting: list[Key] = []
        for rule in self.forms.derived:
            for atom, _ in find_atoms(rule.body):
                above.setdefault(atom.key, []).append(rule.head.key)
            if self.mentions_fluent(rule.body):
                counting.append(rule.head.key)
        counted = reachable(above, counting)
        return reachable(above, self.view.predicates) | counted, counted

    def mentions_fluent(self, formula: Formula) -> bool:
        """Return whether a comparison in a formula is about the fluent's function."""
        return any(
            fluent.name == self.view.fluent[0]
            for comparison in find_comparisons(formula)
            for side in (comparison.left, comparison.right)
            for fluent in find_fluents(side)
        )

    def depends_on_value(self, formula: Formula) -> bool:
        """Return whether the truth of a formula can depend on the fluent."""
        return self.mentions_fluent(formula) or any(atom.key in self.counted for atom, _ in find_atoms(formula))

    def _is_unknowable(self, formula: Formula) -> bool:
        """Return whether a formula asks for atoms outside of the view, and for none inside."""
        keys = {atom.key for atom, _ in find_atoms(formula)}
        if self.mentions_fluent(formula) or keys & self.seen:
            return False
        return bool(keys & (self.changed | self.derived))

    def holds(self, formula: Formula, binding: Binding, situation: Situation | None) -> Truth:
        """Return whether a formula is true; variables without an object make it unknown."""
        if isinstance(formula, AtomTest):
            truth = self._holds_atom(formula.atom, binding, situation)
            return truth if truth is None or formula.positive else not truth
        if isinstance(formula, Sameness):
            left, right = (binding.get(side, side) for side in (formula.left, formula.right))
            return None if left.startswith("?") or right.startswith("?") else (left == right) == formula.positive
        if isinstance(formula, Comparison):
            return self._compare(formula, binding, situation)
        if isinstance(formula, AllOf | AnyOf):
            truths = (self.holds(part, binding, situation) for part in formula.parts)
            return _join(truths, isinstance(formula, AllOf))
        count = self.world.count_bindings(self.forms.kinds, formula.variables)
        if self._is_unknowable(formula.body) or count > MAX_PAIRS:
            return None
        wider = ({**binding, **added} for added in self.world.bindings(self.forms.kinds, formula.variables, 0))
        return _join((self.holds(formula.body, each, situation) for each in wider), isinstance(formula, ForEvery))

    def _holds_atom(self, atom: AtomForm, binding: Binding, situation: Situation | None) -> Truth:
        args = tuple(binding.get(arg, arg) for arg in atom.args)
        if any(arg.startswith("?") for arg in args):
            return None
        if atom.key in self.derived:
            return self._holds_derived(atom.key, args, situation)
        if atom.key not in self.changed:
            return args in self.world.facts.get(atom.key, {})
        if situation is None or atom.key not in self.view.predicates:
            return None
        return (atom.name, *args) in situation.atoms

    def _holds_derived(self, key: Key, args: tuple[str, ...], situation: Situation | None) -> Truth:
        """Evaluate a derived atom by its rules; inside its own evaluation it is unknown."""
        ground = (key[0], *args)
        if key not in self.seen or ground in self._inside:
            return None
        self._inside.add(ground)
        try:
            rules = [rule for rule in self.forms.derived if rule.head.key == key]
            bindings = [dict(zip(rule.head.args, args, strict=True)) for rule in rules]
            truths = (
                self.holds(rule.body, binding, situation) if self._is_typed(binding) else False
                for rule, binding in zip(rules, bindings, strict=True)
            )
            return _join(truths, False)
        finally:
            self._inside.discard(ground)

    def _is_typed(self, binding: Binding) -> bool:
        return all(value in self.world.members(self.forms.kinds[name]) for name, value in binding.items())

    def _compare(self, formula: Comparison, binding: Binding, situation: Situation | None) -> Truth:
        lefts, rights = (self.values(side, binding, situation) for side in (formula.left, formula.right))
        if not lefts or not rights or len(lefts) * len(rights) > MAX_PAIRS:
            return None
        outcomes = {SIGNS[formula.sign](left, right) for left, right in product(lefts, rights)}
        return outcomes.pop() if len(outcomes) == 1 else None

    def values(self, expression: Expression, binding: Binding, situation: Situation | None) -> Values:
        """Return the values that an expression can have."""
        if isinstance(expression, Fraction):
            return frozenset([expression])
        if isinstance(expression, AtomForm):
            return self._values_of(expression, binding, situation)
        parts = [self.values(part, binding, situation) for part in expression.parts]
        if len(parts) == 1 and expression.sign == "-":
            parts.insert(0, frozenset([Fraction(0)]))

        def combine(left: Values, right: Values) -> Values:
            results = (operate(expression.sign, a, b) for a, b in product(left, right))
            return frozenset(result for result in results if result is not None)

        return reduce(combine, parts)

    def _values_of(self, fluent: AtomForm, binding: Binding, situation: Situation | None) -> Values:
        args = tuple(binding.get(arg, arg) for arg in fluent.args)
        if situation is not None and (fluent.name, *args) == self.view.fluent:
            return frozenset() if situation.value is None else frozenset([situation.value])
        bound = fluent._replace(args=args)
        return frozenset[Fraction]().union(*(values for key, values in self.ranges.items() if matches(bound, key)))


def _join(truths: Iterable[Truth], is_all: bool) -> Truth:
    """Return the conjunction of truths, or their disjunction."""
    result: Truth = is_all
    for truth in truths:
        if truth is (not is_all):
            return truth
        if truth is None:
            result = None
    return result
