"""Tables that fit a page: at most six columns. A wide table of few rows is transposed, any other is split.

Splitting repeats the columns that name a row, and keeps neighbours together. A column with the same text in all rows
becomes a sentence above the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veil.report import Table
from veil_lab.results.run import RunTable, read_half

MOST_COLUMNS = 6
MOST_TRANSPOSED = 4  # rows of a table that is transposed
MOST_KEYS = 3  # columns that name a row
LARGE = 1000  # a mean beyond this may have no digit behind the point
FOLDED_ROWS = 30  # a table with more rows is folded away


def show_table(table: RunTable) -> list[str]:
    """Return a table in Markdown, as narrow as it can be read."""
    columns, rows, lines = list(table.columns), [list(row) for row in table.rows], list[str]()
    if not rows:
        return ["(no rows)"]
    if len(columns) > MOST_COLUMNS:
        columns, rows, lines = _drop_constant(columns, rows)
    shown = [[show_cell(cell) for cell in row] for row in rows]
    for part in _narrow(columns, shown):
        lines += ["", *lay_out(part)]
    if len(rows) > FOLDED_ROWS:
        return [f"<details><summary>{len(rows)} rows</summary>", *lines, "", "</details>"]
    return lines[1:] if lines[0] == "" else lines


def lay_out(table: Table) -> list[str]:
    """Return a table in Markdown without padding: a cell that changes then changes its own line only."""
    padded = table.as_markdown()
    ends = ["---:" if cell.strip().endswith(":") else "---" for cell in padded[1].strip("|").split("|")]
    cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in (padded[0], *padded[2:])]
    head, *lines = (f"| {' | '.join(line)} |" for line in cells)
    return [head, f"|{'|'.join(ends)}|", *lines]


def show_cell(cell: Any) -> Any:
    """Return a cell for a page: a mean with its interval as text, in as many digits as either has."""
    half = read_half(cell)
    if half is not None:
        digits = max(_count_digits(cell[0]), _count_digits(half), int(abs(cell[0]) < LARGE))
        return f"{cell[0]:,.{digits}f} ± {half:,.{digits}f}"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return "-" if set(cell.split()) == {"nan"} else cell.replace("|", "/")
    return cell


def _count_digits(value: float) -> int:
    """Return the number of digits behind the point."""
    text = f"{value:f}".rstrip("0")
    return len(text.partition(".")[2])


def _drop_constant(columns: list[str], rows: list[list[Any]]) -> tuple[list[str], list[list[Any]], list[str]]:
    """Return (columns, rows, lines) without columns of one long text, which become lines."""
    constant = [
        number
        for number, cells in enumerate(zip(*rows, strict=True))
        if len(rows) > 1 and len(set(map(str, cells))) == 1 and isinstance(cells[0], str) and cells[0] not in ("", "-")
    ]
    said = [f"{columns[number] or 'in all rows'}: {rows[0][number]}." for number in constant]
    kept = [number for number in range(len(columns)) if number not in constant]
    lines = [" ".join(said)] if said else []
    return [columns[number] for number in kept], [[row[number] for number in kept] for row in rows], lines


def _narrow(columns: list[str], rows: list[list[Any]]) -> list[Table]:
    """Return the table in as many parts as it takes."""
    if len(columns) <= MOST_COLUMNS:
        return [Table(columns, rows)]
    if len(rows) <= MOST_TRANSPOSED:
        turned = [list(line) for line in zip(columns, *rows, strict=True)]
        return [Table([str(cell) for cell in turned[0]], turned[1:])]
    keys = count_keys(rows)
    rest = len(columns) - keys
    parts = -(-rest // (MOST_COLUMNS - keys))
    width = -(-rest // parts)
    groups = [range(start, min(start + width, len(columns))) for start in range(keys, len(columns), width)]
    chosen = [[*range(keys), *group] for group in groups]
    return [Table([columns[n] for n in part], [[row[n] for n in part] for row in rows]) for part in chosen]


def count_keys(rows: Sequence[Sequence[Any]]) -> int:
    """Return how many of the first columns it takes to tell the rows apart, at least one."""
    for keys in range(1, MOST_KEYS):
        if len({tuple(map(str, row[:keys])) for row in rows}) == len(rows):
            return keys
    return MOST_KEYS
