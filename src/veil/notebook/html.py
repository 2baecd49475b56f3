"""Pieces of HTML for notebooks: every text is escaped, and tables have no style but that of the notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from veil.sanitize import make_visible

MAX_ROWS = 12  # of a table; the rest is counted
CELL = "text-align:left;padding:2px 14px 2px 0"  # style of every cell
NOTHING = 1e-9  # what is smaller is shown as 0


def clean(text: object) -> str:
    """Return a text as HTML that shows it."""
    return escape(make_visible(str(text)))


def paragraph(*parts: str) -> str:
    """Return a paragraph of pieces of HTML, separated by points."""
    return f"<p>{' · '.join(part for part in parts if part)}</p>"


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], more: int = 0) -> str:
    """Return a table; `more` rows are only counted below it."""
    head = "".join(f'<th style="{CELL}">{clean(name)}</th>' for name in columns)
    body = "".join(
        "<tr>" + "".join(f'<td style="{CELL}">{clean(_show(cell))}</td>' for cell in row) + "</tr>" for row in rows
    )
    rest = f"<p>… and {more:,} more</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def cut_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a table of the first `MAX_ROWS` rows, and the number of the others."""
    return table(columns, rows[:MAX_ROWS], len(rows) - MAX_ROWS)


def side_by_side(parts: Iterable[str]) -> str:
    """Return pieces of HTML beside each other, as many as fit on a line."""
    style = "display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start"
    return f'<div style="{style}">{"".join(f"<div>{part}</div>" for part in parts)}</div>'


def _show(cell: object) -> str:
    if not isinstance(cell, float):
        return str(cell)
    return "0" if abs(cell) < NOTHING else f"{cell:.4f}"
