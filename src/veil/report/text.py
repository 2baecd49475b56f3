"""Lines of text for people: a label, and beside it a text that is wrapped to the terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable

LEAST_WIDTH = 40  # a narrower terminal is treated as one of this width
USUAL_WIDTH = 100  # if there is no terminal
MAX_COLUMN = 40  # a longer label reaches beyond the column
NUMBER = re.compile(r"([0-9]+)")
NO_BREAK = "\u00a0"
TERM = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")  # parentheses, nested up to three deep


def label_text(label: str, text: str, indent: int = 10) -> str:
    """Return `  label     text`, wrapped to the terminal between terms, with the text in its column.

    The column begins `indent` characters from the left. A term that is wider than the column is wrapped inside. An
    empty text is shown as a dash.
    """
    width = terminal_width()
    wrapped = textwrap.wrap(
        TERM.sub(lambda term: _hold_together(term.group(), width - indent), text.strip() or "-"),
        width=width,
        initial_indent=f"  {label} ".ljust(indent),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(wrapped).replace(NO_BREAK, " ")


def _hold_together(term: str, width: int) -> str:
    """Return a term that fits the width with spaces at which no line is broken."""
    return term.replace(" ", NO_BREAK) if len(term) <= width else term


def count_things(count: int, one: str, several: str | None = None) -> str:
    """Return `1 node`, `2 nodes`, `1,000 nodes`; `several` is the plural if it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts texts as people do: numbers by their size, everything else by its letters."""
    parts = NUMBER.split(text.lower())
    return [(0, int(part), "") if NUMBER.fullmatch(part) else (1, 0, part) for part in parts if part]


def begin_sentence(text: str) -> str:
    """Return a sentence whose first letter is a capital: names of roles are written in small letters."""
    return text[:1].upper() + text[1:]


def find_column(labels: Iterable[str], least: int = 10) -> int:
    """Return the indent of a block with these labels: one column of texts, to the right of the longest label."""
    return max([least, *(min(len(label) + 4, MAX_COLUMN) for label in labels)])


def terminal_width() -> int:
    """Return the number of characters of a line."""
    return max(LEAST_WIDTH, shutil.get_terminal_size((USUAL_WIDTH, 24)).columns)
