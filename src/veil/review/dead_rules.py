"""Rules that can never fire because a name they need is defined nowhere: one cause, all its consequences.

A rule can fire if each of its conditions can hold: a relation that has a rule that can fire, a fluent that an `init` or
`next` that can fire makes true, a move that a `legal` that can fire allows. Names are compared without their arguments.
The rules that cannot fire are the consequences of the names that nothing defines (`lang.undefined_names`).
"""

from __future__ import annotations

from collections.abc import Iterable

from veil.lang import Rule
from veil.vocabulary import GIVEN, Signature, Term, Var, arguments, signature

Name = tuple[str, Signature | None]  # what is asked for: ("true", fluent), ("does", move) or (relation, itself)
MAKERS = {"init": "true", "next": "true", "legal": "does"}  # keyword of a head -> what it makes possible


def find_dead_rules(rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules that can never fire, in their order."""
    waiting, possible = list(rules), set[Name]()
    while True:
        alive = [rule for rule in waiting if _may_fire(rule, possible)]
        if not alive:
            return waiting
        waiting = [rule for rule in waiting if not _may_fire(rule, possible)]
        for rule in alive:
            possible |= _made_by(rule.head)


def _may_fire(rule: Rule, possible: set[Name]) -> bool:
    return all(_may_hold(literal.atom, possible) for literal in rule.body if literal.binds)


def _made_by(head: Term) -> set[Name]:
    """Return what a head makes possible; `None` stands for any fluent or any move."""
    name, arity = signature(head)
    made: set[Name] = {(name, (name, arity))}
    if name in MAKERS and arity:
        term = arguments(head)[-1]
        made.add((MAKERS[name], None if isinstance(term, Var) else signature(term)))
    return made


def _may_hold(atom: Term, possible: set[Name]) -> bool:
    """Return whether a condition can hold by what is known to be possible."""
    name, arity = signature(atom)
    if (name, arity) in GIVEN:
        term = arguments(atom)[-1]
        if isinstance(term, Var):
            return any(kind == name for kind, _ in possible)
        return (name, signature(term)) in possible or (name, None) in possible
    return (name, (name, arity)) in possible
