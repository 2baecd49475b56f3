"""A page for a terminal: the headline, then the sections with their sentences and figures. Charts become lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from veil.report.axes import show_cell_number, show_share
from veil.report.page_records import Bars, Chart, Curves, Figure, Histogram, PageSection, ReportPage, Shares
from veil.report.text import find_column, label_text, terminal_width

MAX_POINTS = 12  # of a line or a histogram that is shown as text


def page_as_text(page: ReportPage) -> str:
    """Return the page as text, wrapped to the terminal. Remarks are left out: they are messages of their own."""
    lines = [page.title, "", *_wrap(page.headline)]
    for sentence in page.summary:
        lines += _wrap(sentence)
    for part in page.sections:
        lines += ["", *_section(part)]
    lines += ["", *(line for note in page.notes for line in _wrap(note))]
    return "\n".join(lines).rstrip()


def _wrap(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, terminal_width(), initial_indent=indent, subsequent_indent=indent)


def _section(part: PageSection) -> list[str]:
    lines = [part.title.upper()]
    for sentence in part.sentences:
        lines += _wrap(sentence, "  ")
    shown = [(chart.title, list(_lines_of(chart))) for chart in part.charts]
    figures = [(entry.label, _show(entry)) for entry in part.figures]
    column = find_column([label for _, rows in (*shown, ("", figures)) for label, _ in rows])
    for title, rows in shown:
        if rows:
            lines += ["", f"  {title}", *(label_text(label, words, column) for label, words in rows)]
    if part.table is not None:
        lines += ["", *(f"  {line}" for line in part.table.as_lines())]
    if figures:
        lines += ["", *(label_text(label, words, column) for label, words in figures)]
    return lines


def _show(entry: Figure) -> str:
    return f"{entry.show()}  ({entry.basis})" if entry.basis else entry.show()


def _lines_of(chart: Chart) -> Iterator[tuple[str, str]]:
    """Yield label and text for the content of a chart."""
    if isinstance(chart, Shares):
        for label, shares in chart.rows.items():
            named = zip(chart.names, shares, strict=True)
            yield label, ", ".join(f"{name} {show_share(share)}" for name, share in named if share > 0)
    elif isinstance(chart, Histogram):
        for name, counts in chart.series.items():
            yield name, _list([f"{number}: {100 * share:.0f} %" for number, share in sorted(counts.items())])
    elif isinstance(chart, Curves):
        for name, line in chart.lines.items():
            yield name, _list([f"{y:.1f}" for _, y in line])
    elif isinstance(chart, Bars):
        for entry in chart.bars:
            yield entry.label, _show(entry)
    else:
        yield f"{chart.y} down, {chart.x} across", _list(chart.columns)
        for name, row in zip(chart.rows, chart.values, strict=True):
            yield name, _list(["-" if value is None else show_cell_number(value) for value in row])


def _list(entries: Sequence[str]) -> str:
    more = " ..." if len(entries) > MAX_POINTS else ""
    return ", ".join(entries[:MAX_POINTS]) + more
