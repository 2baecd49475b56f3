"""The orientation of two axes: which are the columns, and where the first row is.

Chess letters, names of variables, or x before y.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from veil.boards.fluent_families import LETTER, FluentFamily, Path
from veil.lang import Rules
from veil.vocabulary import Term, Var, arguments, signature

ROW_NAME = re.compile(r"(r|row|line|rank|m|i)([0-9'_]|row)*", re.IGNORECASE)
COLUMN_NAME = re.compile(r"(c|col|column|file|n|j)([0-9'_])*", re.IGNORECASE)
FLUENT_ATOMS = (("true", 1), ("next", 1), ("init", 1))


class Orientation(NamedTuple):
    """The orientation of two axes."""

    first_is_column: bool
    rows_up: bool  # the first row is at the bottom


def orient(rules: Rules, family: FluentFamily, axes: tuple[int, int]) -> Orientation:
    """Return the orientation of the two axes of a family on a board."""
    prefixes = [_prefix_of(family, place) for place in axes]
    if prefixes == ["letter", "number"]:
        return Orientation(True, True)
    if prefixes == ["number", "letter"]:
        return Orientation(False, True)
    if prefixes in (["r", "c"], ["row", "col"]):
        return Orientation(False, False)
    if prefixes in (["c", "r"], ["col", "row"]):
        return Orientation(True, False)
    names = [_variable_names(rules, family, family.places[place].path) for place in axes]
    if _count(names[0], ROW_NAME) + _count(names[1], COLUMN_NAME) > sum(map(sum, (c.values() for c in names))) // 2:
        return Orientation(False, False)
    return Orientation(True, True)


def _prefix_of(family: FluentFamily, place: int) -> str:
    """Return the common beginning of the values of a place; "letter" or "number" if they are such."""
    entry = family.places[place]
    texts = [str(value) for value in entry.values]
    if entry.path[-1] == LETTER or all(len(text) == 1 and text.isalpha() for text in texts):
        return "letter"
    stripped = {text.rstrip("0123456789") for text in texts}
    if len(stripped) > 1:
        return ""
    prefix = stripped.pop()
    return prefix or "number"


def _variable_names(rules: Rules, family: FluentFamily, path: Path) -> Counter[str]:
    """Count how often each variable stands at a place, over all rules."""
    names: Counter[str] = Counter()
    for rule in rules.rules:
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            if signature(atom) in FLUENT_ATOMS:
                term = _walk(arguments(atom)[0], family, path)
                if term is not None:
                    names[term] += 1
    return names


def _walk(term: Term, family: FluentFamily, path: Sequence[int]) -> str | None:
    """Return the variable at a place of a fluent of this family; None if there is none."""
    if isinstance(term, Var) or signature(term) != (family.name, family.arity):
        return None
    for index in path:
        parts = arguments(term)
        if not 0 <= index < len(parts):
            return None
        term = parts[index]
    return term.name if isinstance(term, Var) else None


def moves_along(rules: Rules, family: FluentFamily, place: int) -> bool:
    """Return whether some rule moves fluents of a family along a place: only the variable there changes."""
    for rule in rules.rules:
        if signature(rule.head) != ("next", 1):
            continue
        after = _variables_of(arguments(rule.head)[0], family)
        for literal in rule.body:
            if signature(literal.atom) == ("true", 1):
                before = _variables_of(arguments(literal.atom)[0], family)
                pairs = list(zip(before, after, strict=True))
                has_moved = None not in pairs[place] and pairs[place][0] != pairs[place][1]
                if has_moved and any(old == new is not None for old, new in pairs):
                    return True
    return False


def _variables_of(term: Term, family: FluentFamily) -> list[str | None]:
    """Return the variables at the places of a fluent of this family, None at places without one."""
    return [_walk(term, family, entry.path) for entry in family.places]


def _count(names: Counter[str], pattern: re.Pattern[str]) -> int:
    return sum(count for name, count in names.items() if pattern.fullmatch(name))
