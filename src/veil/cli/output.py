"""The functions with which commands print: results on standard output, messages on standard error.

No other module of this package prints. Results for people may contain text from outside; its control characters are
made visible here, and long text is cut. JSON contains the text unchanged.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TextIO

from veil.errors import Problem, problem
from veil.sanitize import show_text

MAX_PROBLEMS = 40  # most messages that are printed


def print_text(text: str, end: str = "\n", sink: TextIO | None = None) -> None:
    """Print a result for people, by default on standard output, and flush the stream."""
    print(show_text(text), end=end, file=sink or sys.stdout, flush=True)


def print_drawing(text: str, end: str = "\n", sink: TextIO | None = None) -> None:
    """Print a drawing for people, which may have colours. The caller has made text from outside visible."""
    print(text, end=end, file=sink or sys.stdout, flush=True)


def print_json(value: object) -> None:
    """Print one JSON object on standard output. A command prints nothing else there."""
    print(json.dumps(value))


def print_problems(problems: Iterable[Problem]) -> None:
    """Print messages on standard error: the first `MAX_PROBLEMS`, and the number of the others."""
    shown = list(problems)
    if len(shown) > MAX_PROBLEMS:
        shown[MAX_PROBLEMS:] = [problem("more-messages", count=len(shown) - MAX_PROBLEMS)]
    for entry in shown:
        print(entry, file=sys.stderr)


def print_event(code: str, **details: object) -> None:
    """Print an event on standard error: the text of an entry of the message catalogue."""
    print(problem(code, None, **details).message, file=sys.stderr)
