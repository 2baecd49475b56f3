"""The cross tables of a tournament: for a terminal, as JSON, CSV and Markdown, as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.files import write_text
from veil.intervals import LEGEND
from veil.report.plots import draw_cross_table, has_matplotlib
from veil.report.tables import Table

if TYPE_CHECKING:
    from veil.match import Mean, Standings

CSV_COLUMNS = ("game", "player", "against", "mean", "ci95", "matches", "errors", "unfinished")


def standings_as_text(tables: Sequence[Standings]) -> str:
    """Return a cross table per game, in Markdown: the row's mean goal against the column, ± half of a 95 % interval."""
    return "\n\n".join(_as_text(table) for table in tables)


def standings_as_json(table: Standings) -> dict[str, Any]:
    """Return one game as plain data."""
    return {
        "game": table.game,
        "players": {
            spec: _mean_as_json(table.overall[spec]) | {"errors": table.errors[spec]} for spec in table.players
        },
        "cross": [
            {"player": row, "against": column, **_mean_as_json(mean)} for (row, column), mean in table.cross.items()
        ],
        "rounds_per_second": table.rounds_per_second,
        "unfinished": table.unfinished,
    }


def standings_as_csv(tables: Sequence[Standings]) -> str:
    """Return a line per player against all others, with its errors, and one per pair that has met."""
    rows: list[tuple[Any, ...]] = []
    for table in tables:
        for spec, mean in table.overall.items():
            rows.append(
                (table.game, spec, "", mean.value, mean.half, mean.matches, table.errors[spec], mean.unfinished)
            )
        for (row, column), mean in table.cross.items():
            rows.append((table.game, row, column, mean.value, mean.half, mean.matches, None, mean.unfinished))
    return Table(CSV_COLUMNS, rows).as_csv()


def write_standings(tables: Sequence[Standings], folder: Path) -> None:
    """Write `tournament.md`, `tournament.csv` and, if matplotlib is installed, `tournament.png` to the folder."""
    write_text(folder / "tournament.md", standings_as_text(tables) + "\n")
    write_text(folder / "tournament.csv", standings_as_csv(tables))
    if has_matplotlib():
        draw_cross_table(tables, folder / "tournament.png")


def _as_text(table: Standings) -> str:
    others = table.players if table.cross else ()  # a game of one role has no opponents
    columns = ["player", "mean goal", *(f"against {spec}" for spec in others), "errors"]
    rows = [
        [
            spec,
            str(table.overall[spec]),
            *(str(table.cross.get((spec, other), "-")) for other in others),
            table.errors[spec],
        ]
        for spec in table.players
    ]
    return "\n".join([_describe(table), "", *Table(columns, rows).as_markdown()])


def _describe(table: Standings) -> str:
    """Return the text above a cross table: amount of play, unfinished matches, and the meaning of `±` if it occurs."""
    first = table.overall[table.players[0]]
    matches = f"{first.matches + first.unfinished:,} matches per player"
    notes = [f"{table.game}: {matches}, {table.rounds_per_second:,.0f} rounds per second"]
    if table.unfinished:
        are = "matches have not ended and are" if table.unfinished > 1 else "match has not ended and is"
        notes.append(f"{table.unfinished:,} {are} in no mean")
    if any(mean.half is not None for mean in (*table.overall.values(), *table.cross.values())):
        notes.append(LEGEND)
    return "; ".join(notes)


def _mean_as_json(mean: Mean) -> dict[str, Any]:
    return {"mean": mean.value, "ci95": mean.half, "matches": mean.matches, "unfinished": mean.unfinished}
