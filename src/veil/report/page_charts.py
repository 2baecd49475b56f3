"""Charts of a page as SVG, with colours from the style of the page. Equal data give equal bytes.

A chart is drawn for a wide page, or for a narrow one, a telephone: there, labels stand above their bars.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from veil.report.axes import find_ticks, show_cell_number, show_share, show_tick
from veil.report.page_records import Bars, Chart, Curves, Figure, HeatMap, Histogram, Shares

LETTER = 7.4  # mean width of a letter of a label
BAR, ROW, LINE = 18, 30, 18  # heights of a bar, of its row, of a label above it
PLOT_HEIGHT, LEFT, BOTTOM, TOP = 190, 52, 44, 12
COLOURS = 6
MAX_CELLS = 400  # of a heat map with numbers in its cells
MAX_POINTS = 40  # of a line whose points are drawn


class Canvas(NamedTuple):
    """The space for a chart."""

    width: int
    is_narrow: bool

    def label_width(self, labels: Sequence[str]) -> float:
        """Return the width of the column of labels beside bars; 0 if they stand above them."""
        if self.is_narrow:
            return 0.0
        return min(0.45 * self.width, 14 + LETTER * max(map(len, labels), default=0))

    def cut(self, label: str) -> str:
        """Return a label that fits beside or above a bar."""
        most = int((self.width if self.is_narrow else 0.45 * self.width) / LETTER)
        return label if len(label) <= most else label[: most - 1] + "…"


WIDE, NARROW = Canvas(640, False), Canvas(324, True)


def draw_chart(chart: Chart, canvas: Canvas = WIDE) -> str:
    """Return a chart as an SVG element."""
    if isinstance(chart, Bars):
        parts, height = _draw_bars(chart, canvas)
    elif isinstance(chart, Shares):
        parts, height = _draw_shares(chart, canvas)
    elif isinstance(chart, Histogram):
        parts, height = _draw_histogram(chart, canvas)
    elif isinstance(chart, Curves):
        parts, height = _draw_curves(chart, canvas)
    else:
        parts, height = _draw_heat_map(chart, canvas)
    name = escape(chart.title, {chr(34): "&quot;"})
    kind = "narrow" if canvas.is_narrow else "wide"
    head = f'<svg class="{kind}" viewBox="0 0 {canvas.width} {height:g}" role="img" aria-label="{name}">'
    return "\n".join([head, *parts, "</svg>"])


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def _rect(x: float, y: float, width: float, height: float, kind: str, hint: str = "") -> str:
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    size = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{height:.1f}"'
    return f'<rect {size} class="{kind}">{inside}</rect>' if inside else f'<rect {size} class="{kind}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _legend(names: Sequence[str], y: float, canvas: Canvas, first: int, least: int = 2) -> tuple[list[str], float]:
    """Return the parts of a legend and its height; nothing for fewer names than `least`."""
    if len(names) < least:
        return [], 0.0
    parts, x, top = list[str](), 0.0, y
    for number, name in enumerate(names, first):
        label = canvas.cut(name)
        width = 30 + LETTER * len(label)
        if x and x + width > canvas.width:
            x, y = 0.0, y + 20
        parts.append(_rect(x, y, 12, 12, f"s{number % COLOURS}"))
        parts.append(_text(x + 18, y + 10.5, label, "soft"))
        x += width
    return parts, y - top + 26


def _draw_labels(labels: Sequence[str], left: float, canvas: Canvas) -> tuple[list[str], list[float], float]:
    """Return the labels of rows of bars, the top of every bar, and the height of them all."""
    above = LINE if canvas.is_narrow else 0
    tops = [number * (ROW + above) + 4.0 + above for number in range(len(labels))]
    parts = [
        _text(0, top - 6, canvas.cut(label)) if above else _text(left - 10, top + 13.5, canvas.cut(label), anchor="end")
        for label, top in zip(labels, tops, strict=True)
    ]
    return parts, tops, len(labels) * (ROW + above)


def _draw_bars(chart: Bars, canvas: Canvas) -> tuple[list[str], float]:
    known = [entry for entry in chart.bars if entry.value is not None]
    ends = [(entry.value or 0.0) + side * (entry.half or 0.0) for entry in known for side in (-1, 1)]
    low = min([chart.low, *ends]) if chart.high is None else chart.low
    high = max([chart.low, *ends]) if chart.high is None else chart.high
    span = (high - low) or 1.0
    left = canvas.label_width([entry.label for entry in chart.bars])
    numbers = [entry.show() for entry in chart.bars]
    area = canvas.width - left - 18 - LETTER * max(map(len, numbers), default=0)

    def place(value: float) -> float:
        return left + area * (min(max(value, low), high) - low) / span

    parts, tops, bottom = _draw_labels([entry.label for entry in chart.bars], left, canvas)
    zero = place(min(max(0.0, low), high))
    colours = chart.colours or [0] * len(chart.bars)
    for entry, y, number, colour in zip(chart.bars, tops, numbers, colours, strict=True):
        parts.append(_rect(left, y, area, BAR, "track"))
        if entry.value is not None:
            x = place(entry.value)
            kind = f"s{colour % COLOURS}"
            parts.append(_rect(min(zero, x), y, abs(x - zero), BAR, kind, f"{entry.label}: {number}"))
            parts += _whisker(place, entry, y)
        parts.append(_text(left + area + 10, y + 13.5, number, "number"))
    if chart.middle is not None:
        parts.append(_line(place(chart.middle), tops[0] - 4, place(chart.middle), bottom, "middle"))
    elif low < 0:
        parts.append(_line(zero, tops[0] - 4, zero, bottom, "axis"))
    return parts, bottom + 2


def _whisker(place: Callable[[float], float], entry: Figure, y: float) -> list[str]:
    """Return the interval of a bar."""
    if not entry.half or entry.value is None:
        return []
    low, high = place(entry.value - entry.half), place(entry.value + entry.half)
    middle = y + BAR / 2
    return [
        _line(low, middle, high, middle, "whisker"),
        *(_line(x, middle - 4, x, middle + 4, "whisker") for x in (low, high)),
    ]


def _draw_shares(chart: Shares, canvas: Canvas) -> tuple[list[str], float]:
    labels = list(chart.rows)
    left = canvas.label_width(labels)
    area = canvas.width - left
    parts, tops, bottom = _draw_labels(labels, left, canvas)
    for (label, shares), y in zip(chart.rows.items(), tops, strict=True):
        x = left
        for place, share in enumerate(shares):
            width = area * share
            hint = f"{label}: {chart.names[place]} {100 * share:.1f} %"
            parts.append(_rect(x, y, width, BAR, f"s{(place + chart.first_colour) % COLOURS}", hint))
            words = show_share(share)
            if width > 8 * len(words):
                parts.append(_text(x + width / 2, y + 13.5, words, "inside", "middle"))
            x += width
        if chart.has_middle:
            parts += [_line(left + area / 2, end, left + area / 2, end + 5, "middle") for end in (y - 5, y + BAR)]
    legend, height = _legend(chart.names, bottom + 8, canvas, chart.first_colour, least=1)
    return parts + legend, bottom + height + 4


def _frame(x: str, ticks: list[tuple[float, str]], rises: list[tuple[float, str]], canvas: Canvas) -> list[str]:
    """Return the axes: ticks along x and rises along y, as (place, text)."""
    bottom, right = TOP + PLOT_HEIGHT, canvas.width - 8
    parts = [_line(LEFT, at, right, at, "grid") for at, _ in rises]
    parts += [_text(LEFT - 8, at + 4, words, "soft", "end") for at, words in rises]
    parts += [_text(at, bottom + 16, words, "soft", "middle") for at, words in ticks]
    parts.append(_line(LEFT, bottom, right, bottom, "axis"))
    parts.append(_text((LEFT + right) / 2, bottom + 34, x, "soft", "middle"))
    return parts


def _draw_histogram(chart: Histogram, canvas: Canvas) -> tuple[list[str], float]:
    numbers = [number for counts in chart.series.values() for number in counts]
    low, high = min(numbers), max(numbers)
    most = max(max(counts.values()) for counts in chart.series.values())
    slot = (canvas.width - 8 - LEFT) / (high - low + 1)
    bar = slot * 0.82 / len(chart.series)
    ticks = [(LEFT + slot * (value - low + 0.5), f"{value:.0f}") for value in find_ticks(low, high, whole=True)]
    rises = [(TOP + PLOT_HEIGHT * (1 - at / most), f"{100 * at:.3g} %") for at in find_ticks(0.0, most)]
    parts = _frame(chart.x, ticks, rises, canvas)
    for place, (name, counts) in enumerate(chart.series.items()):
        kind = f"s{(place + chart.first_colour) % COLOURS}"
        for number, share in counts.items():
            height = PLOT_HEIGHT * share / most
            x = LEFT + slot * (number - low) + slot * 0.09 + place * bar
            hint = f"{name}: {number} in {100 * share:.1f} %"
            parts.append(_rect(x, TOP + PLOT_HEIGHT - height, max(0.8, bar), height, kind, hint))
    legend, height = _legend(list(chart.series), TOP + PLOT_HEIGHT + BOTTOM, canvas, chart.first_colour)
    return parts + legend, TOP + PLOT_HEIGHT + BOTTOM + height


def _draw_curves(chart: Curves, canvas: Canvas) -> tuple[list[str], float]:
    points = [point for line in chart.lines.values() for point in line]
    low, right = min(x for x, _ in points), max(x for x, _ in points)
    high = chart.high or max([1e-9, *(y for _, y in points)])
    span = (right - low) or 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        return LEFT + 10 + (canvas.width - 28 - LEFT) * (x - low) / span, TOP + PLOT_HEIGHT * (1 - min(y, high) / high)

    ticks = [(place(value, 0)[0], show_tick(value)) for value in find_ticks(low, right, whole=True)]
    rises = [(place(low, value)[1], show_tick(value)) for value in find_ticks(0.0, high)]
    parts = _frame(chart.x, ticks, rises, canvas)
    for number, (name, line) in enumerate(chart.lines.items(), chart.first_colour):
        colour = number % COLOURS
        places = [place(x, y) for x, y in line]
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{corners}" class="curve c{colour}"/>')
        for (x, y), (at, value) in zip(places, line, strict=True) if len(line) <= MAX_POINTS else ():
            hint = f"<title>{escape(name)}: {value:.2f} {escape(chart.y)} at {at:g}</title>"
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" class="s{colour}">{hint}</circle>')
    legend, height = _legend(list(chart.lines), TOP + PLOT_HEIGHT + BOTTOM, canvas, chart.first_colour)
    return parts + legend, TOP + PLOT_HEIGHT + BOTTOM + height


def _draw_heat_map(chart: HeatMap, canvas: Canvas) -> tuple[list[str], float]:
    known = [value for row in chart.values for value in row if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    left = 24 + 8 * max(len(name) for name in chart.rows)
    width = min(72.0, (canvas.width - left) / len(chart.columns))
    tall = min(34.0, max(16.0, width))
    shows = width >= 30 and len(chart.rows) * len(chart.columns) <= MAX_CELLS
    parts = []
    for down, row in enumerate(chart.values):
        y = 24 + tall * down
        parts.append(_text(left - 8, y + tall / 2 + 4, chart.rows[down], "soft", "end"))
        for across, value in enumerate(row):
            x = left + width * across
            hint = f"{chart.y} {chart.rows[down]}, {chart.x} {chart.columns[across]}"
            if value is None:
                parts.append(_rect(x, y, width - 2, tall - 2, "track", f"{hint}: not judged"))
                continue
            share = (value - low) / ((high - low) or 1.0)
            heat = 1.0 - share if chart.is_low_good else share
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width - 2:.1f}" height="{tall - 2:.1f}" class="s0" '
                f'fill-opacity="{0.12 + 0.88 * heat:.2f}"><title>{escape(hint)}: {value:.4g}</title></rect>'
            )
            if shows:
                kind = "inside" if heat > 0.45 else "plain"
                parts.append(_text(x + width / 2 - 1, y + tall / 2 + 4, show_cell_number(value), kind, "middle"))
    named = max(1, round(8 * max(map(len, chart.columns)) / width + 0.4))  # one of this number of columns is named
    parts += [
        _text(left + width * (number + 0.5) - 1, 14, name, "soft", "middle")
        for number, name in enumerate(chart.columns)
        if number % named == 0
    ]
    if chart.best is not None:
        down, across = chart.best
        parts.append(_rect(left + width * across - 1, 24 + tall * down - 1, width, tall, "best"))
    bottom = 24 + tall * len(chart.rows)
    names = " down, ".join(name for name in (chart.y, chart.x) if name) + " across"
    parts.append(_text(left, bottom + 16, names, "soft"))
    return parts, bottom + 24
