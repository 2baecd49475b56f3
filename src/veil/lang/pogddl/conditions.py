"""Translation of formulas into bodies of rules (Lloyd & Topor 1984), and derived predicates.

1. A conjunction is the conditions of its parts, one after the other; `exists` adds its variables to the rule.
2. A disjunction becomes a predicate of its own with a rule for each part.
3. `forall` becomes the negation of a predicate that holds if the body fails. In a derived predicate that depends on
   itself through the body, this would be a negation inside the recursion; there the body is written out for all
   objects.

A formula that can never be true has no body: None.
"""

from __future__ import annotations

from collections.abc import Iterator

from veil.errors import fail
from veil.lang.depends import components
from veil.lang.pogddl.numbers import Numbers, find_fluents
from veil.lang.pogddl.statements import Key, Statements, deny, make
from veil.lang.pogddl.syntax import (
    AllOf,
    AnyOf,
    AtomForm,
    AtomTest,
    Comparison,
    DerivedRule,
    Expression,
    ForEvery,
    Formula,
    ForSome,
    Operation,
    Sameness,
)
from veil.lang.tree import Node

TURNED = {"=": "!=", "!=": "="}


class Conditions:
    """Writer of formulas as conditions of rules."""

    def __init__(self, statements: Statements, numbers: Numbers) -> None:
        self.statements, self.numbers = statements, numbers
        self._recursive: set[Key] = set()  # derived predicates of the current recursion

    def write(self, formula: Formula) -> list[Node] | None:
        """Return the conditions of a formula; None if it is never true."""
        if isinstance(formula, AtomTest):
            return self._write_atom(formula)
        if isinstance(formula, Sameness):
            return self._write_sameness(formula)
        if isinstance(formula, Comparison):
            return self.numbers.compare(formula)
        if isinstance(formula, AllOf):
            return self.write_all(formula.parts)
        if isinstance(formula, AnyOf):
            return self._write_any(formula)
        if isinstance(formula, ForSome):
            return None if self.statements.is_empty(formula.variables) else self.write(formula.body)
        return self._write_every(formula)

    def write_all(self, formulas: tuple[Formula, ...]) -> list[Node] | None:
        """Return the conditions of several formulas together."""
        bodies = [self.write(part) for part in formulas]
        known = [body for body in bodies if body is not None]
        return [node for body in known for node in body] if len(known) == len(bodies) else None

    def _write_atom(self, test: AtomTest) -> list[Node] | None:
        if test.atom.key not in self.statements.possible:
            return None if test.positive else []
        node = self.statements.atom(test.atom)
        return [node if test.positive else deny(node)]

    def _write_sameness(self, formula: Sameness) -> list[Node] | None:
        left, right = formula.left, formula.right
        if left == right or not (left.startswith("?") or right.startswith("?")):
            return [] if (left == right) == formula.positive else None
        apart = make("distinct", left, right, at=0)
        return [deny(apart) if formula.positive else apart]

    def _write_any(self, formula: AnyOf) -> list[Node] | None:
        bodies = [body for body in map(self.write, formula.parts) if body is not None]
        if len(bodies) < 2 or [] in bodies:
            return [] if [] in bodies else bodies[0] if bodies else None
        head = self._name_for("any", formula)
        for body in bodies:
            self.statements.add_rule(head, body)
        return [head]

    def _write_every(self, formula: ForEvery) -> list[Node] | None:
        if self._recursive.intersection(atom.key for atom, _ in find_atoms(formula)):
            return self._write_out(formula)
        failing = None if self.statements.is_empty(formula.variables) else self.write(negate(formula.body))
        if failing is None:
            return []
        head = self._name_for("not all", formula)
        self.statements.add_rule(head, failing)
        return [deny(head)]

    def _write_out(self, formula: ForEvery) -> list[Node] | None:
        """Return the body once for all objects."""
        at = next(find_atoms(formula))[0].offset
        bindings = self.statements.world.bindings(self.statements.kinds, formula.variables, at)
        return self.write_all_apart([bind(formula.body, binding) for binding in bindings])

    def write_all_apart(self, formulas: list[Formula]) -> list[Node] | None:
        """Return the conditions of copies of one formula, a predicate each: their quantifiers share variables."""
        heads = []
        for formula in formulas:
            body = self.write(formula)
            if body is None:
                return None
            if body:
                heads.append(self._name_for("each", formula))
                self.statements.add_rule(heads[-1], body)
        return heads

    def _name_for(self, what: str, formula: Formula) -> Node:
        """Return a new predicate over the variables that a formula shares with its surroundings."""
        free = tuple(dict.fromkeys(find_variables(formula)))
        at = next((atom.offset for atom, _ in find_atoms(formula)), 0)
        return make(self.statements.name(what), *free, at=at)

    def write_derived(self, rules: tuple[DerivedRule, ...]) -> None:
        """Write the rules of derived predicates, each after those it depends on."""
        below: dict[Key, dict[Key, None]] = {rule.head.key: {} for rule in rules}
        for rule in rules:
            below[rule.head.key].update((atom.key, None) for atom, _ in find_atoms(rule.body) if atom.key in below)
        for circle in components(below):
            self._recursive = set(circle) if len(circle) > 1 or circle[0] in below[circle[0]] else set()
            written = {rule.head.key for rule in rules if rule.head.key in circle and self._write_rule(rule)}
            self.statements.possible -= set(circle) - written
        self._recursive = set()

    def _write_rule(self, rule: DerivedRule) -> bool:
        """Write the rule of a derived predicate; return False if it can never be true."""
        self._check_stratified(rule)
        body = None if self.statements.is_empty(rule.head.args) else self.write(rule.body)
        if body is not None:
            self.statements.add_rule(self.statements.atom(rule.head), body)
        return body is not None

    def _check_stratified(self, rule: DerivedRule) -> None:
        """Refuse a derived predicate that depends on its own negation."""
        for atom, positive in find_atoms(rule.body):
            if not positive and atom.key in self._recursive:
                place = self.statements.world.source.place(atom.offset)
                raise fail("unstratified", place, atom=atom.name, head=rule.head.name)


def negate(formula: Formula) -> Formula:
    """Return the negation of a formula, in negation normal form."""
    if isinstance(formula, AtomTest | Sameness):
        return formula._replace(positive=not formula.positive)
    if isinstance(formula, Comparison):
        if formula.sign in TURNED:
            return formula._replace(sign=TURNED[formula.sign])
        sign = "<=" if formula.sign == "<" else "<"
        return formula._replace(sign=sign, left=formula.right, right=formula.left)
    if isinstance(formula, AllOf | AnyOf):
        parts = tuple(map(negate, formula.parts))
        return AnyOf(parts) if isinstance(formula, AllOf) else AllOf(parts)
    body = negate(formula.body)
    return ForEvery(formula.variables, body) if isinstance(formula, ForSome) else ForSome(formula.variables, body)


def bind(formula: Formula, binding: dict[str, str]) -> Formula:
    """Return a formula with objects in the place of some variables."""
    if isinstance(formula, AtomTest):
        return formula._replace(atom=bind_atom(formula.atom, binding))
    if isinstance(formula, Sameness):
        return formula._replace(
            left=binding.get(formula.left, formula.left), right=binding.get(formula.right, formula.right)
        )
    if isinstance(formula, Comparison):
        return formula._replace(
            left=bind_expression(formula.left, binding), right=bind_expression(formula.right, binding)
        )
    if isinstance(formula, AllOf | AnyOf):
        return type(formula)(tuple(bind(part, binding) for part in formula.parts))
    return formula._replace(body=bind(formula.body, binding))


def bind_atom(atom: AtomForm, binding: dict[str, str]) -> AtomForm:
    """Return an atom with objects in the place of some variables."""
    return atom._replace(args=tuple(binding.get(arg, arg) for arg in atom.args))


def bind_expression(expression: Expression, binding: dict[str, str]) -> Expression:
    """Return an expression with objects in the place of some variables."""
    if isinstance(expression, AtomForm):
        return bind_atom(expression, binding)
    if isinstance(expression, Operation):
        return expression._replace(parts=tuple(bind_expression(part, binding) for part in expression.parts))
    return expression


def find_atoms(formula: Formula) -> Iterator[tuple[AtomForm, bool]]:
    """Yield every atom of a formula, and whether it must be true."""
    if isinstance(formula, AtomTest):
        yield formula.atom, formula.positive
    elif isinstance(formula, AllOf | AnyOf):
        for part in formula.parts:
            yield from find_atoms(part)
    elif isinstance(formula, ForSome | ForEvery):
        yield from find_atoms(formula.body)


def find_comparisons(formula: Formula) -> Iterator[Comparison]:
    """Yield every comparison of numbers in a formula."""
    if isinstance(formula, Comparison):
        yield formula
    elif isinstance(formula, AllOf | AnyOf):
        for part in formula.parts:
            yield from find_comparisons(part)
    elif isinstance(formula, ForSome | ForEvery):
        yield from find_comparisons(formula.body)


def find_variables(formula: Formula) -> Iterator[str]:
    """Yield every variable that a formula shares with its surroundings."""
    if isinstance(formula, AtomTest):
        yield from (arg for arg in formula.atom.args if arg.startswith("?"))
    elif isinstance(formula, Sameness):
        yield from (side for side in (formula.left, formula.right) if side.startswith("?"))
    elif isinstance(formula, Comparison):
        for side in (formula.left, formula.right):
            for fluent in find_fluents(side):
                yield from (arg for arg in fluent.args if arg.startswith("?"))
    elif isinstance(formula, AllOf | AnyOf):
        for part in formula.parts:
            yield from find_variables(part)
    else:
        yield from (name for name in find_variables(formula.body) if name not in formula.variables)
