"""A page as data: a headline, and sections with sentences, figures, tables and charts.

Reviews and tuning runs make pages. `page_text` shows one in a terminal, `page_html` makes a printable document of it,
and `ReportPage.as_json` is plain data for programs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from veil.report.tables import Table

SAME_DIGITS = 1e-12  # a smaller number is shown as 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number with half of its 95 % interval, and what it rests on."""

    label: str
    value: float | None  # None if it is not known
    half: float | None = None
    unit: str = ""
    basis: str = ""  # the players, games or method behind the number
    digits: int = 1

    def show(self) -> str:
        """Return the number with its interval and unit."""
        if self.value is None:
            return "not known"
        value = 0.0 if abs(self.value) < SAME_DIGITS else self.value
        number = f"{value:,.{self.digits}f}"
        if float(number.replace(",", "")) == 0.0:
            number = number.lstrip("-")
        half = "" if self.half is None else f" ± {self.half:,.{self.digits}f}"
        return f"{number}{half}{' ' if self.unit else ''}{self.unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """A horizontal bar per figure, on one scale that includes 0."""

    title: str
    bars: Sequence[Figure]
    low: float = 0.0
    high: float | None = None  # None: the largest value
    middle: float | None = None  # where a line is drawn: what would be equal
    colours: Sequence[int] = ()  # the colour of each bar; the first one for all if empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """A horizontal bar per row, divided into named shares that add up to 1."""

    title: str
    names: Sequence[str]
    rows: Mapping[str, Sequence[float]]  # label -> a share per name
    has_middle: bool = False  # whether a line is drawn at one half
    first_colour: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """How often each number occurs, as shares; one colour per series."""

    title: str
    x: str
    series: Mapping[str, Mapping[int, float]]  # name -> number -> share
    first_colour: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Lines over whole numbers."""

    title: str
    x: str
    y: str
    lines: Mapping[str, Sequence[tuple[float, float]]]
    high: float | None = None  # upper end of the y axis; None: the largest value
    first_colour: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """A number per row and column; None where there is none. The best one is marked."""

    title: str
    x: str
    y: str
    columns: Sequence[str]
    rows: Sequence[str]
    values: Sequence[Sequence[float | None]]  # [rows][columns]
    best: tuple[int, int] | None = None
    is_low_good: bool = True


Chart = Bars | Shares | Histogram | Curves | HeatMap


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSection:
    """A part of a page. What is empty is not shown."""

    title: str
    sentences: Sequence[str] = ()
    charts: Sequence[Chart] = ()
    figures: Sequence[Figure] = ()
    table: Table | None = None
    details: Sequence[Figure] = ()  # numbers that the table and the charts show; for programs and comparisons


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A finding: its kind, what was found, the place in the text, and the way out."""

    severity: str
    message: str
    place: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFact:
    """One of the few numbers at the top of a page."""

    label: str
    number: str  # with its interval and unit
    basis: str  # the players, games or method behind the number


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPage:
    """A report for people: the most important sentence first."""

    title: str
    headline: str
    summary: Sequence[str] = ()  # the next few sentences
    key_facts: Sequence[KeyFact] = ()  # numbers that sections have, too
    sections: Sequence[PageSection] = ()
    remarks: Sequence[Remark] = ()
    has_remarks_first: bool = False  # whether they come before the sections
    notes: Sequence[str] = ()  # how the page was made
    picture: str = ""  # an SVG of the game, made by Veil

    def figures(self) -> dict[str, Figure]:
        """Return all figures by section and label."""
        return {
            f"{part.title}: {entry.label}": entry for part in self.sections for entry in (*part.figures, *part.details)
        }

    def as_json(self) -> dict[str, Any]:
        """Return the page as plain data; a chart says of which kind it is."""
        data = {name: value for name, value in asdict(self).items() if name != "picture"}
        for part, told in zip(self.sections, data["sections"], strict=True):
            for chart, drawn in zip(part.charts, told["charts"], strict=True):
                drawn["kind"] = type(chart).__name__.lower()
        return data
