"""All that commands print: results on standard output, messages on standard error; nothing else in this room prints.

Results for people hold words from outside, which are made visible and cut here. JSON has them as they are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TextIO

from veil.errors import Problem, problem
from veil.sanitize import show_text

MAX_PROBLEMS = 40  # on a screen


def print_text(text: str, end: str = "\n", sink: TextIO | None = None) -> None:
    """A result for people, on standard output where no other stream is given, at once."""
    print(show_text(text), end=end, file=sink or sys.stdout, flush=True)


def print_drawing(text: str, end: str = "\n", sink: TextIO | None = None) -> None:
    """A drawing for people, which may hold colours; whoever drew it has made words from outside visible."""
    print(text, end=end, file=sink or sys.stdout, flush=True)


def print_json(value: object) -> None:
    """One JSON object on standard output, and nothing else there."""
    print(json.dumps(value))


def print_problems(problems: Iterable[Problem]) -> None:
    """Messages on standard error; beyond `MAX_PROBLEMS` of them only their number."""
    shown = list(problems)
    if len(shown) > MAX_PROBLEMS:
        shown[MAX_PROBLEMS:] = [problem("more-messages", count=len(shown) - MAX_PROBLEMS)]
    for entry in shown:
        print(entry, file=sys.stderr)


def print_event(code: str, **details: object) -> None:
    """Something that happened, on standard error: the bare text of an entry of the catalogue."""
    print(problem(code, None, **details).message, file=sys.stderr)
