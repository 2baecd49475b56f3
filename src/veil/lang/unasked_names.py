"""Names that rules make and no rule asks for, and that are a slip away from one that is asked for.

The other side of `undefined_names`: `(next (carriess ?x))` beside `(true (carries ?x))` is a rule for nothing, which is
an error nowhere. Many games have fluents and relations that nobody asks for; only a name that differs in one letter
from one that is asked for, or in its number of arguments alone, is taken for a slip.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from veil.errors import Problem, phrase, problem
from veil.lang.rule import Rule
from veil.lang.rules import RuleSet
from veil.lang.source import Source
from veil.lang.tree import words
from veil.vocabulary import KEYWORDS, Signature, Var, arguments, signature

MADE_BY = {"init": "true", "next": "true", "legal": "does"}  # keyword of a head -> keyword that asks for it
SHORT = 4  # letters of the longer of two names; shorter ones are often one letter apart


class _Made(NamedTuple):
    """Something that a rule makes: a relation, or a fluent or a move inside a keyword."""

    asked_by: str  # keyword of the question; "" for a relation
    name: Signature
    rule: Rule


def find_unasked_names(source: Source, rule_set: RuleSet, spelling: dict[str, str]) -> list[Problem]:
    """Return warnings of names that rules make in vain and that look like a slip, in the order of the text."""
    asked, open_kinds = _list_asked(rule_set)
    all_made = list(_list_made(rule_set))
    known = asked & {(made.asked_by, made.name) for made in all_made}  # of the others `undefined_names` speaks
    known |= {("", name) for name in KEYWORDS.items()}
    problems, seen = [], set[tuple[str, Signature]]()
    for made in all_made:
        key = (made.asked_by, made.name)
        if key in asked or key in seen or made.asked_by in open_kinds:
            continue
        seen.add(key)
        meant = _find_meant(made.name, [name for kind, name in known if kind == made.asked_by])
        if meant is not None:
            problems.append(_describe(source, made, meant, spelling))
    return problems


def _describe(source: Source, made: _Made, meant: Signature, spelling: dict[str, str]) -> Problem:
    """Return the warning, at the name where it is first made."""
    name, arity = made.name[0], meant[1]
    guess = phrase("guess-name", name=spelling.get(meant[0], meant[0]))
    if name == meant[0]:
        guess = phrase("guess-asked-arity-one" if arity == 1 else "guess-asked-arity", arity=arity)
    found = (word.offset for word in words(made.rule.node) if word.text == name)
    place = source.place(next(found, made.rule.node.offset))
    return problem("unasked-name", place, name=spelling.get(name, name), guess=guess)


def _list_made(rules: Iterable[Rule]) -> Iterable[_Made]:
    for rule in rules:
        name, arity = rule.signature
        if name in MADE_BY and arity == KEYWORDS[name]:
            term = arguments(rule.head)[-1]
            if not isinstance(term, Var):
                yield _Made(MADE_BY[name], signature(term), rule)
        elif name not in KEYWORDS:
            yield _Made("", rule.signature, rule)


def _list_asked(rules: Iterable[Rule]) -> tuple[set[tuple[str, Signature]], set[str]]:
    """Return what bodies ask for, by keyword, and the keywords that are asked for anything."""
    asked, open_kinds = set[tuple[str, Signature]](), set[str]()
    for rule in rules:
        for literal in rule.body:
            sig = signature(literal.atom)
            if sig in (("true", 1), ("does", 2)):
                term = arguments(literal.atom)[-1]
                if not isinstance(term, Var):
                    asked.add((sig[0], signature(term)))
                elif sig[0] == "true":  # a move is often asked for whatever it is, a fluent hardly ever
                    open_kinds.add(sig[0])
            else:
                asked.add(("", sig))
    return asked, open_kinds


def _find_meant(name: Signature, asked: Iterable[Signature]) -> Signature | None:
    """Return the name that is asked for and is a slip away; None if there is none."""
    return next((other for other in sorted(asked) if other[0] == name[0] or is_slip(name[0], other[0])), None)


def is_slip(one: str, other: str) -> bool:
    """Return whether two words differ in one letter, or in two neighbours that have changed places.

    The first letter and digits do not count: `xwins` and `owins`, `cell1` and `cell2` are different things.
    """
    if one[0] != other[0] or abs(len(one) - len(other)) > 1 or one == other or max(len(one), len(other)) < SHORT:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, rest_of_other = one[start:], other[start:]
    if any(char.isdigit() for char in (*rest[:1], *rest_of_other[:1])):
        return False
    return (
        rest[1:] == rest_of_other
        or rest == rest_of_other[1:]
        or rest[1:] == rest_of_other[1:]
        or (rest[:2] == rest_of_other[1::-1] and rest[2:] == rest_of_other[2:])
    )
