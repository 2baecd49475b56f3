"""The cross tables of a tournament: for a terminal, as JSON, CSV and Markdown, as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veil.files import write_text
from veil.games import find_utility
from veil.intervals import LEGEND
from veil.report.plots import draw_cross_table, has_matplotlib
from veil.report.tables import Table

if TYPE_CHECKING:
    from veil.match import Mean, Ranking, Standings

CSV_COLUMNS = ("game", "player", "against", "mean", "ci95", "matches", "errors", "unfinished")


SHOWN = "*"  # behind a difference that chance does not explain


def standings_as_text(tables: Sequence[Standings], ranking: Ranking | None = None) -> str:
    """Return a cross table per game, in Markdown: the row's mean goal against the column, ± half of a 95 % interval.

    With a ranking, it comes last: ranks and Elo, and the differences of the players on common seeds.
    """
    parts = [_as_text(table) for table in tables]
    if ranking is not None:
        parts.append(_ranking_as_text(ranking))
    return "\n\n".join(parts)


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


def ranking_as_json(ranking: Ranking) -> dict[str, Any]:
    """Return a ranking as plain data, the best player first."""
    return {
        "games": list(ranking.games),
        "numbers": ranking.numbers,
        "players": [
            {
                "player": spec,
                "rank": ranking.mean_ranks[spec],
                "mean": ranking.mean_goals[spec],
                "elo": ranking.elo[spec].value if ranking.elo else None,
                "elo_ci95": ranking.elo[spec].half if ranking.elo else None,
            }
            for spec in ranking.players
        ],
        "differences": [
            {
                "player": entry.player,
                "other": entry.other,
                "mean": entry.goals.value,
                "ci95": entry.goals.half,
                "shown": entry.is_shown,
            }
            for entry in ranking.differences
        ],
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


def write_standings(tables: Sequence[Standings], folder: Path, ranking: Ranking | None = None) -> None:
    """Write `tournament.md`, `tournament.csv` and, if matplotlib is installed, `tournament.png` to the folder."""
    write_text(folder / "tournament.md", standings_as_text(tables, ranking) + "\n")
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


def _ranking_as_text(ranking: Ranking) -> str:
    """Return a line per player, the best first: rank, Elo, mean goal, and the difference from each player below it."""
    differences = {(entry.player, entry.other): entry for entry in ranking.differences}

    def show(player: str, other: str) -> str:
        entry = differences.get((player, other))
        return "-" if entry is None else f"{entry.goals.show(1)}{SHOWN if entry.is_shown else ''}"

    below = ranking.players[1:]
    columns = ["player", "mean rank", *(["Elo"] if ranking.elo else []), *(f"ahead of {spec}" for spec in below)]
    rows = [
        [
            spec,
            f"{ranking.mean_ranks[spec]:.2f}",
            *([ranking.elo[spec].show(0)] if ranking.elo else []),
            *(show(spec, other) for other in below),
        ]
        for spec in ranking.players
    ]
    games = "one game" if len(ranking.games) == 1 else f"{len(ranking.games)} games"
    note = (
        f"over {games}: goals ahead on the same {ranking.numbers:,} seeds; "
        f"{SHOWN} marks differences that chance does not explain, all together with 95 % (Holm)"
    )
    return "\n".join([note, "", *Table(columns, rows).as_markdown()])


def _describe(table: Standings) -> str:
    """Return the text above a cross table: amount of play, unfinished matches, and the meaning of `±` if it occurs."""
    first = table.overall[table.players[0]]
    matches = f"{first.matches + first.unfinished:,} matches per player"
    notes = [f"{table.game}: {matches}, {table.rounds_per_second:,.0f} rounds per second"]
    if table.unfinished:
        are = "matches have not ended and are" if table.unfinished > 1 else "match has not ended and is"
        notes.append(f"{table.unfinished:,} {are} in no mean")
    if find_utility(table.game).is_told:
        notes.append(f"in goals, {find_utility(table.game).in_words()}")
    if any(mean.half is not None for mean in (*table.overall.values(), *table.cross.values())):
        notes.append(LEGEND)
    return "; ".join(notes)


def _mean_as_json(mean: Mean) -> dict[str, Any]:
    return {"mean": mean.value, "ci95": mean.half, "matches": mean.matches, "unfinished": mean.unfinished}
