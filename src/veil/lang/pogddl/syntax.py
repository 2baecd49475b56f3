"""The forms of a POGDDL text as records: names with types, formulas, numbers, effects, actions, gains.

Formulas are in negation normal form: `not` stands before atoms only, `imply` is replaced, and comparisons are turned
around instead of negated. Every variable has a unique name in the whole text, so that no quantifier hides another's.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, TypeVar

Kind = tuple[str, ...]  # the types of an object or a variable: one, or those of an `either`
GroundFluent = tuple[str, ...]  # a function and its objects


class TypedName(NamedTuple):
    """A name in a typed list."""

    name: str
    kind: Kind
    offset: int


class AtomForm(NamedTuple):
    """A predicate or function with its arguments; an argument that starts with `?` is a variable."""

    name: str
    args: tuple[str, ...]
    offset: int

    @property
    def key(self) -> tuple[str, int]:
        """Name and number of arguments."""
        return self.name, len(self.args)


class AtomTest(NamedTuple):
    """A test whether an atom is true, or is not."""

    atom: AtomForm
    positive: bool


class Sameness(NamedTuple):
    """A test whether two objects are the same, or are not."""

    left: str
    right: str
    positive: bool


class Comparison(NamedTuple):
    """A comparison of two numbers."""

    sign: str  # one of = != < <=
    left: Expression
    right: Expression
    offset: int


class AllOf(NamedTuple):
    """A conjunction; the empty one is true."""

    parts: tuple[Formula, ...]


class AnyOf(NamedTuple):
    """A disjunction; the empty one is false."""

    parts: tuple[Formula, ...]


class ForSome(NamedTuple):
    """A formula that holds if some objects make the body true."""

    variables: tuple[str, ...]
    body: Formula


class ForEvery(NamedTuple):
    """A formula that holds if all objects make the body true."""

    variables: tuple[str, ...]
    body: Formula


Formula = AtomTest | Sameness | Comparison | AllOf | AnyOf | ForSome | ForEvery
TRUE = AllOf(())


class Operation(NamedTuple):
    """A sum, difference, product or quotient."""

    sign: str  # one of + - * /
    parts: tuple[Expression, ...]
    offset: int


Expression = Fraction | AtomForm | Operation


class AtomChange(NamedTuple):
    """A change of an atom to true or false."""

    atom: AtomForm
    adds: bool


class NumberChange(NamedTuple):
    """A change of a fluent: a new value, or an increase; `decrease` adds the negative."""

    fluent: AtomForm
    amount: Expression
    assigns: bool


class Telling(NamedTuple):
    """An observation of a role."""

    who: str  # a role, a variable, `all` or `others`
    what: AtomForm
    named: tuple[str, ...]  # roles and variables that the same `observe` names


class Conditional(NamedTuple):
    """A change for all values of some variables, if all conditions hold in the state before."""

    variables: tuple[str, ...]
    conditions: tuple[Formula, ...]
    change: AtomChange | NumberChange | Telling
    offset: int


class ActionSchema(NamedTuple):
    """An action with its parameters."""

    name: str
    variables: tuple[str, ...]
    precondition: Formula
    effects: tuple[Conditional, ...]
    offset: int


class DerivedRule(NamedTuple):
    """A rule: the head is true for all values of its variables that make the body true."""

    head: AtomForm
    body: Formula


class GainClause(NamedTuple):
    """A gain of roles at the end, once for each value of the variables that makes the condition true."""

    variables: tuple[str, ...]
    recipients: tuple[str, ...]  # variables among the above, or roles
    amount: Expression
    condition: Formula
    offset: int


class GameForms(NamedTuple):
    """The actions, derived predicates and gains of a domain and its problem."""

    actions: tuple[ActionSchema, ...]
    derived: tuple[DerivedRule, ...]
    gains: tuple[GainClause, ...]
    kinds: dict[str, Kind]  # of every variable


C = TypeVar("C", AtomChange, NumberChange, Telling)


def list_changes(forms: GameForms, what: type[C]) -> Iterator[C]:
    """Yield every change of one sort that an action can make."""
    for action in forms.actions:
        for effect in action.effects:
            if isinstance(effect.change, what):
                yield effect.change


def list_required(precondition: Formula) -> Iterator[AtomForm]:
    """Yield the atoms that must be true for a precondition to hold, whatever its other parts are."""
    if isinstance(precondition, AtomTest) and precondition.positive:
        yield precondition.atom
    elif isinstance(precondition, AllOf):
        for part in precondition.parts:
            yield from list_required(part)
