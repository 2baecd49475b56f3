"""Rules that no part of the game depends on: the game is played without them, and what is wrong in them is a warning.

Many files keep such rules as notes to some program. The faults are those that the language forbids anywhere: variables
that no condition binds, a relation that depends on its own negation, and `base` or `input` that depend on a state.
"""

from __future__ import annotations

from collections.abc import Container

from veil.errors import Problem, phrase, problem
from veil.lang import check
from veil.lang.repair import unsafe_variables
from veil.lang.rules import RuleSet
from veil.lang.source import Source
from veil.vocabulary import GIVEN, Signature, show

STATIC: tuple[Signature, ...] = (("base", 1), ("input", 2))


def check_unused(
    source: Source, rules: RuleSet, relevant: Container[Signature], spelling: dict[str, str]
) -> list[Problem]:
    """Return warnings of what is wrong in the rules of relations that are not relevant."""
    unused = rules.rewrite([rule for rule in rules if rule.signature not in relevant])
    moving = rules.dependencies.dependents(GIVEN)
    found = []
    for rule in unused:
        place = source.place(rule.node.offset)
        unsafe = unsafe_variables(rule)
        if unsafe:
            found.append(problem("unused-rule", place, fault=phrase("unused-unsafe", variable=show(unsafe[0]))))
        if rule.signature in STATIC and rule.signature in moving:
            name = spelling.get(rule.signature[0], rule.signature[0])
            found.append(problem("unused-rule", place, fault=phrase("unused-moving", name=name)))
    circle = check.doubt_stratified(source, unused, spelling)
    return [*found, problem("unused-rule", circle.place, fault=circle.message)] if circle else found
