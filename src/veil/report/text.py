"""Lines of text for people: a label, and beside it a text that is wrapped to the terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable

LEAST_WIDTH = 40  # a narrower terminal is taken for one of this width
USUAL_WIDTH = 100  # where there is no terminal
MAX_COLUMN = 40  # a longer label stands out to the right
NO_BREAK = "\u00a0"
TERM = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")  # parentheses, nested up to three deep


def label_text(label: str, text: str, indent: int = 10) -> str:
    """`  label     text`, wrapped to the terminal between terms, with the text kept in its column.

    The column begins `indent` characters from the left. A term that is wider than the column is wrapped inside. A text
    of nothing is shown as a dash.
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
    """A term that fits the width with spaces that are no place to break a line at."""
    return term.replace(" ", NO_BREAK) if len(term) <= width else term


def count_things(count: int, one: str, several: str | None = None) -> str:
    """`1 node`, `2 nodes`, `1,000 nodes`; `several` is the plural where it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def find_column(labels: Iterable[str], least: int = 10) -> int:
    """The indent of a block with these labels: the texts stand one below the other, to the right of the longest."""
    return max([least, *(min(len(label) + 4, MAX_COLUMN) for label in labels)])


def terminal_width() -> int:
    """How many characters a line may have."""
    return max(LEAST_WIDTH, shutil.get_terminal_size((USUAL_WIDTH, 24)).columns)
