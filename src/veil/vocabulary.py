"""The words of GDL-II and the shape of a term, which all rooms use.

A ground constant is its lower-case text, a compound term a tuple whose first entry is the functor, a variable a `Var`.
Atoms are terms too: `("legal", "x", ("mark", "1", "1"))`, or `"terminal"` if there are no arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Var(NamedTuple):
    """A variable of a rule. Its name carries no question mark: `?x` in the text is `Var("x")`."""

    name: str


# A recursive alias; a `Var` is a tuple as well, so always ask `isinstance(term, Var)` first.
Term = str | Var | tuple["Term", ...]
Signature = tuple[str, int]  # name and number of arguments

RANDOM = "random"

# Keyword -> number of arguments, as the GDL-II specification fixes them.
KEYWORDS: dict[str, int] = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "sees": 2,
    "goal": 2,
    "terminal": 0,
    "distinct": 2,
    "base": 1,
    "input": 2,
}
GIVEN: tuple[Signature, ...] = (
    ("true", 1),
    ("does", 2),
)  # given by a state and a joint move; everything else follows
# The parts of a game: rules that cannot reach one of these say nothing about the game.
OUTPUTS: tuple[Signature, ...] = (
    ("role", 1),
    ("init", 1),
    ("legal", 2),
    ("next", 1),
    ("sees", 2),
    ("terminal", 0),
    ("goal", 2),
)
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+")
MAX_GOAL_DIGITS = 15  # less than 2^50: playouts add goals up exactly, and every one is a float


def signature(term: Term) -> Signature:
    """Return name and arity of an atom, a function term or a constant."""
    if isinstance(term, str):
        return term, 0
    assert not isinstance(term, Var)
    return str(term[0]), len(term) - 1


def arguments(term: Term) -> tuple[Term, ...]:
    """Return the arguments of an atom or a function term; none for a constant or a variable."""
    return () if isinstance(term, str | Var) else term[1:]


def variables(term: Term) -> Iterator[Var]:
    """Yield every occurrence of a variable, from left to right."""
    if isinstance(term, Var):
        yield term
    elif not isinstance(term, str):
        for part in term[1:]:
            yield from variables(part)


def substitute(term: Term, values: Mapping[Var, Term]) -> Term:
    """Return the term with every variable that has a value replaced by it."""
    if isinstance(term, Var):
        return values.get(term, term)
    if isinstance(term, str):
        return term
    return (term[0], *(substitute(part, values) for part in term[1:]))


def symbols(term: Term) -> Iterator[str]:
    """Yield every name, constant and variable of a term, from left to right."""
    waiting: list[Term] = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Var):
            yield "?" + part.name
        elif isinstance(part, str):
            yield part
        else:
            waiting.extend(reversed(part))


def goal_value(term: Term) -> int | None:
    """Return the number that a goal value spells; None if it is no number, or has too many digits."""
    if not isinstance(term, str) or not WHOLE_NUMBER.fullmatch(term) or len(term.lstrip("+-")) > MAX_GOAL_DIGITS:
        return None
    return int(term)


def find_goal_fault(term: Term) -> str:
    """Return the code of the message for a term that is no goal value."""
    return "goal-too-large" if isinstance(term, str) and WHOLE_NUMBER.fullmatch(term) else "goal-not-a-number"


def show(term: Term, spelling: Mapping[str, str] | None = None) -> str:
    """Return the term as prefix text; `spelling` maps a lower-case word to its first spelling in the rules."""
    words, parts = spelling or {}, list[str]()
    waiting: list[Term | None] = [term]  # None: a parenthesis closes here. No recursion: terms of states may be deep
    while waiting:
        part = waiting.pop()
        if part is None:
            parts[-1] += ")"
        elif isinstance(part, Var):
            parts.append("?" + part.name)
        elif isinstance(part, str):
            parts.append(words.get(part, part))
        else:
            functor = str(part[0])
            parts.append("(" + words.get(functor, functor).strip("()"))  # spelled `(over)` elsewhere
            waiting.append(None)
            waiting.extend(reversed(part[1:]))
    return " ".join(parts)
