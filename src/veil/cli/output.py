"""What every command prints in the same way: JSON, problems, wrapped lines; and the folder it prints to."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from veil.errors import Problem, fail
from veil.terminal import error_console

MAX_PROBLEMS = 40  # on a screen
MAX_COLUMN = 40  # a longer label stands out to the right
NO_BREAK = "\u00a0"
TERM = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")  # parentheses, nested up to three deep


def print_json(value: object) -> None:
    """One JSON object on standard output, and nothing else there."""
    print(json.dumps(value))


def print_problems(problems: Iterable[Problem]) -> None:
    """Messages go to standard error."""
    shown = list(problems)
    for entry in shown[:MAX_PROBLEMS]:
        print(entry, file=sys.stderr)
    if len(shown) > MAX_PROBLEMS:
        print(f"... and {len(shown) - MAX_PROBLEMS:,} more; --json has them all", file=sys.stderr)


def labelled(label: str, text: str, indent: int = 10) -> str:
    """`  label     text`, wrapped to the terminal between terms, with the text kept in its column."""
    wrapped = textwrap.wrap(
        TERM.sub(lambda term: term.group().replace(" ", NO_BREAK), text.strip() or "-"),
        width=max(40, shutil.get_terminal_size((100, 24)).columns),
        initial_indent=f"  {label} ".ljust(indent),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(wrapped).replace(NO_BREAK, " ")


def column(labels: Iterable[str], least: int = 10) -> int:
    """The indent of a block with these labels: the texts stand one below the other, to the right of the longest."""
    return max([least, *(min(len(label) + 4, MAX_COLUMN) for label in labels)])


@contextmanager
def busy(what: str) -> Iterator[None]:
    """A sign of life on standard error while something takes its time; only on a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    with error_console().status(what):
        yield


def out_folder(name: str) -> Path:
    """A folder for results, made and tried out before the work that they take."""
    folder = Path(name)
    try:
        if not name.strip() or (folder.exists() and not folder.is_dir()):
            raise ValueError("this is not a folder")
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except (OSError, ValueError) as error:  # ValueError also: a name that no file can have
        reason = getattr(error, "strerror", None) or str(error)
        raise fail("unwritable-file", name=name.strip() or "(nothing)", reason=reason) from None
