"""Errors that the user caused and can repair: one exception, and the catalogue of all its messages.

`VeilError` carries one or more `Problem`s. Each is an entry of `CATALOGUE`, filled in with details and, if there is
one, the `Place` in the rules that it points at. Any other exception is a bug of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from veil._catalogue import CATALOGUE, PHRASES, Severity
from veil.sanitize import make_visible, show_detail

__all__ = [
    "CATALOGUE",
    "ArgumentError",
    "Place",
    "Problem",
    "Severity",
    "VeilError",
    "bad_argument",
    "check_kind",
    "did_you_mean",
    "fail",
    "phrase",
    "problem",
]

MAX_SHOWN = 60  # characters of a wrong argument


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


class ArgumentError(VeilError, TypeError):
    """An argument of a Python function that has the wrong type."""


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


def bad_argument(name: str, wanted: str, value: object) -> ArgumentError:
    """Return the exception for an argument: `name` must be `wanted`, and is `value`."""
    shown = "None" if value is None else f"{type(value).__name__} {repr(value)[:MAX_SHOWN]}"
    return ArgumentError(problem("bad-argument", name=name, wanted=wanted, value=shown))


def check_kind(name: str, value: object, *kinds: type) -> None:
    """Raise `ArgumentError` if an argument is of none of these classes."""
    if not isinstance(value, kinds):
        raise bad_argument(name, phrase("a-kind", names=" or ".join(kind.__name__ for kind in kinds)), value)


def check_choice(name: str, value: object, known: Iterable[str | None]) -> None:
    """Raise `VeilError` if an argument is none of the known words; None among them is allowed and not named."""
    words = tuple(known)
    if value not in words:
        listed = ", ".join(word for word in words if word is not None)
        raise fail("bad-option", what=f"{name} is one of {listed}, not {str(value)[:MAX_SHOWN]}")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the question for the known names that are nearest, with a space after it; nothing if none is near.

    Where none is spelled nearly so, names that contain the word are near.
    """
    from difflib import get_close_matches  # needed only after a mistake

    tidy, names = "_".join(name.lower().replace("-", " ").split()), list(known)
    near = get_close_matches(tidy, names) or [entry for entry in names if len(tidy) > 2 and tidy in entry][:3]
    return phrase("did-you-mean", names=" or ".join(near)) if near else ""
