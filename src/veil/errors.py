"""Errors that the user caused and can repair: one exception, and the catalogue of all its messages.

`VeilError` carries one or more `Problem`s. Each is an entry of `CATALOGUE`, filled in with details and, if there is
one, the `Place` in the rules that it points at. Any other exception is a bug of ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from veil._catalogue import CATALOGUE, PHRASES, Severity
from veil.sanitize import make_visible, show_detail

__all__ = ["CATALOGUE", "Place", "Problem", "Severity", "VeilError", "fail", "phrase", "problem"]


class Place(NamedTuple):
    """A place in a rules text; line and column count from 1."""

    name: str
    line: int
    column: int
    text: str  # the source line, or the part of a long one around the column
    shift: int = 0  # number of characters of the line before that part

    def __str__(self) -> str:
        return f"{self.name}:{self.line}:{self.column}"

    def caret(self) -> str:
        """Return the source line with a caret below the column."""
        return f"    {make_visible(self.text).replace(chr(9), ' ')}\n    {' ' * (self.column - 1 - self.shift)}^"


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: what is wrong, where, and how to repair it."""

    code: str
    severity: Severity
    message: str
    place: Place | None = None
    hint: str | None = None

    def __str__(self) -> str:
        where = f"{show_detail(str(self.place))}: " if self.place else ""
        lines = [f"{self.severity}: {where}{self.message}"]
        if self.place and self.place.text.strip():
            lines.append(self.place.caret())
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        """Return the problem as plain data, for `--json`."""
        where = self.place and {"file": self.place.name, "line": self.place.line, "column": self.place.column}
        return {"code": self.code, "message": self.message, "where": where, "hint": self.hint}

    def as_error(self) -> Problem:
        """Return this problem as an error (`--strict`)."""
        return Problem(self.code, "error", self.message, self.place, self.hint)


class VeilError(Exception):
    """An error that the user caused and can repair. `str()` is the whole text to show."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)  # args are the problems, so that the exception survives pickling
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(str(entry) for entry in self.problems)


def phrase(name: str, /, **details: object) -> str:
    """Fill in a phrase of the catalogue: a part of a message that differs from case to case."""
    return PHRASES[name].format(**details)


def problem(code: str, place: Place | None = None, **details: object) -> Problem:
    """Fill in an entry of the catalogue. Texts from outside are made safe to show."""
    entry = CATALOGUE[code]
    shown = {name: show_detail(value) if isinstance(value, str) else value for name, value in details.items()}
    hint = entry.hint.format(**shown) if entry.hint else None
    return Problem(code, entry.severity, entry.what.format(**shown), place, hint)


def fail(code: str, place: Place | None = None, **details: object) -> VeilError:
    """Return the exception for one problem: `raise fail("empty-text", place)`."""
    return VeilError(problem(code, place, **details))
