"""Line charts as SVG, with the same bytes for the same data on any machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from xml.sax.saxutils import escape

from veil.report import COLOURS

PANEL, HEIGHT = 320, 230  # of the area of the lines
WIDE_PANEL = 560  # width of a panel that is alone
LEFT, TOP, BOTTOM, GAP = 62, 30, 46, 70
LEGEND_ROW = 18
Point = tuple[float, float, float | None]  # x, y, half of the interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Panels side by side with the same names of lines."""

    name: str  # of the file, without its ending
    title: str
    x: str
    y: str
    panels: Mapping[str, Mapping[str, Sequence[Point]]]  # title -> name of a line -> its points
    log_x: bool = False
    log_y: bool = False

    def draw(self) -> str:
        """Return the chart as SVG."""
        names = list(dict.fromkeys(name for lines in self.panels.values() for name in lines))
        colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
        panel = self._panel_width
        width = LEFT + len(self.panels) * (panel + GAP)
        per_row = max(1, width // 230)
        legend = LEGEND_ROW * ceil(len(names) / per_row)
        height = TOP + HEIGHT + BOTTOM + legend + 8
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(self.title)}">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
        ]
        for number, (title, lines) in enumerate(self.panels.items()):
            parts += self._panel(LEFT + number * (panel + GAP), title, lines, colours, first=number == 0)
        for number, name in enumerate(names):
            x, y = LEFT + (number % per_row) * 225, TOP + HEIGHT + BOTTOM + LEGEND_ROW * (number // per_row)
            parts.append(f'<rect x="{x}" y="{y}" width="18" height="4" fill="{colours[name]}"/>')
            parts.append(f'<text x="{x + 24}" y="{y + 7}">{escape(name)}</text>')
        return "\n".join([*parts, "</svg>"]) + "\n"

    @property
    def _panel_width(self) -> int:
        return WIDE_PANEL if len(self.panels) == 1 else PANEL

    def _panel(
        self, left: int, title: str, lines: Mapping[str, Sequence[Point]], colours: Mapping[str, str], *, first: bool
    ) -> list[str]:
        width = self._panel_width
        points = [point for line in lines.values() for point in line]
        across = Axis.fit([x for x, _, _ in points], log=self.log_x)
        up = Axis.fit([y + side * (half or 0.0) for _, y, half in points for side in (-1, 1)], log=self.log_y)
        parts = [
            f'<text x="{left + width / 2:g}" y="18" text-anchor="middle" font-weight="bold">{escape(title)}</text>'
        ]
        parts += _grid(left, width, across, up)
        middle = TOP + HEIGHT / 2
        parts.append(
            f'<text x="{left + width / 2:g}" y="{TOP + HEIGHT + 36}" text-anchor="middle">{escape(self.x)}</text>'
        )
        if first:
            turned = f'transform="rotate(-90 14 {middle:g})"'
            parts.append(f'<text x="14" y="{middle:g}" text-anchor="middle" {turned}>{escape(self.y)}</text>')
        for name, line in lines.items():
            places = [
                (left + width * across.place(x), TOP + HEIGHT * (1 - up.place(y)), half, y) for x, y, half in line
            ]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in places)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colours[name]}" stroke-width="1.6"/>')
            for x, y, half, value in places if len(places) <= 30 else []:
                parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colours[name]}"/>')
                if half:
                    low, high = (TOP + HEIGHT * (1 - up.place(value + side * half)) for side in (-1, 1))
                    parts.append(
                        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="{colours[name]}"/>'
                    )
        return parts


@dataclass(frozen=True, slots=True)
class Axis:
    """The range of an axis, in logarithms if it is logarithmic."""

    low: float
    high: float
    log: bool

    @classmethod
    def fit(cls, values: Sequence[float], *, log: bool) -> Axis:
        """Return the axis for these values; a logarithmic one leaves out those that are not positive."""
        used = [log10(value) for value in values if value > 0] if log else list(values)
        low, high = (min(used), max(used)) if used else (0.0, 1.0)
        if not log and low > 0 and low < 0.5 * high:
            low = 0.0
        pad = 0.04 * ((high - low) or 1.0)
        return cls(low if low == 0 else low - pad, high + pad, log)

    def place(self, value: float) -> float:
        """Return the place of a value, from 0 to 1."""
        at = (log10(value) if value > 0 else self.low) if self.log else value
        return min(1.0, max(0.0, (at - self.low) / (self.high - self.low)))

    def ticks(self) -> list[float]:
        """Return a few round values."""
        if self.log and self.high - self.low > 0.6:
            every = max(1, ceil((self.high - self.low) / 6))
            factors = (1, 2, 5) if self.high - self.low < 2 else (1,)
            powers = range(floor(self.low), floor(self.high) + 1, every)
            listed = [factor * 10.0**power for power in powers for factor in factors]
            return [value for value in listed if self.low <= log10(value) <= self.high]
        low, high = (10**self.low, 10**self.high) if self.log else (self.low, self.high)
        step = 10 ** floor(log10((high - low) / 3))
        step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
        return [number * step for number in range(ceil(low / step), floor(high / step) + 1)]


def _grid(left: int, width: int, across: Axis, up: Axis) -> list[str]:
    """Return the frame, the grid and the numbers of a panel."""
    parts, bottom = [], TOP + HEIGHT
    for value in across.ticks():
        x = left + width * across.place(value)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" fill="#444">{_show(value)}</text>')
    for value in up.ticks():
        y = TOP + HEIGHT * (1 - up.place(value))
        parts.append(f'<line x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#444">{_show(value)}</text>')
    return [*parts, f'<path d="M{left} {TOP}V{bottom}H{left + width}" fill="none" stroke="#444"/>']


def _show(value: float) -> str:
    """Return the number beside a tick: 0.01, 40, 3k, 2M."""
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= limit:
            return f"{value / limit:g}{unit}" if abs(value) < 1e12 else f"{value:.0e}"
    return f"{value:.6g}"
