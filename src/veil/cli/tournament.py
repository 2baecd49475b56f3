"""`veil tournament`: players against each other, a cross table with intervals; killed, it goes on where it was."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.match import AllowCheat, Isolated, PlayClock, StartClock
from veil.cli.options import Json, Seed
from veil.cli.output import out_folder, print_json
from veil.errors import fail

if TYPE_CHECKING:
    from veil.match import Mean, Standings

GameNames = Annotated[list[str], typer.Argument(metavar="GAME...", help="Games of the catalogue, or rules files.")]
PlayerSpecs = Annotated[list[str], typer.Option("--players", metavar="SPEC", help="The players: --players A B C.")]
Games = Annotated[int, typer.Option("--games", min=1, help="Matches per pairing and seating.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes that play.")]
StoreFile = Annotated[
    str | None, typer.Option("--store", metavar="FILE", help="Keep results here, and go on from them.")
]
Out = Annotated[str | None, typer.Option(metavar="FOLDER", help="Write Markdown, CSV and a heat map.")]


def tournament(
    games_to_play: GameNames,
    players: PlayerSpecs,
    games: Games = 20,
    jobs: Jobs = 1,
    store: StoreFile = None,
    out: Out = None,
    start_clock: StartClock = None,
    play_clock: PlayClock = None,
    allow_cheat: AllowCheat = False,
    isolated: Isolated = False,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Play all pairings in all seats and print a cross table per game."""
    from veil.match import MatchConfig, Store, TournamentConfig, play_tournament

    config = TournamentConfig(
        games=tuple(games_to_play),
        players=tuple(players),
        matches=games,
        seed=seed,
        match=MatchConfig(
            start_seconds=start_clock, play_seconds=play_clock, allow_cheat=allow_cheat, isolated=isolated
        ),
    )
    folder = out_folder(out) if out is not None else None
    with Store(store) as kept, _counter() as progress:
        results, tables = play_tournament(config, kept, jobs=min(jobs, (os.cpu_count() or 1) * 4), progress=progress)
    if not json:  # before anything else can fail
        print("\n\n".join(as_markdown(table) for table in tables))
    if folder is not None:
        _write(folder, tables)
    if json:
        print_json({"matches": len(results), "games": [_as_json(table) for table in tables], "store": store})
    elif folder is not None:
        print(f"\nwritten to {folder}")


@contextmanager
def _counter() -> Iterator[Callable[[int, int], None]]:
    """Counts matches on a terminal; whatever ends it, the next message has a line of its own."""
    shown = False

    def progress(done: int, total: int) -> None:
        nonlocal shown
        if sys.stderr.isatty():
            print(f"\r{done:,} of {total:,} matches", end="", file=sys.stderr, flush=True)
            shown = True

    try:
        yield progress
    finally:
        if shown:
            print(file=sys.stderr, flush=True)


def _as_json(table: Standings) -> dict[str, Any]:
    def plain(mean: Mean) -> dict[str, Any]:
        return {"mean": mean.value, "ci95": mean.half, "matches": mean.matches}

    return {
        "game": table.game,
        "players": {spec: plain(table.overall[spec]) | {"errors": table.errors[spec]} for spec in table.players},
        "cross": [{"player": row, "against": column, **plain(mean)} for (row, column), mean in table.cross.items()],
        "rounds_per_second": table.rounds_per_second,
    }


def as_markdown(table: Standings) -> str:
    """The cross table: row's mean goal against column, ± half of a 95 % interval."""
    others = table.players if table.cross else ()  # nobody meets anybody in a game of one role
    head = ["player", "mean goal", *(f"against {spec}" for spec in others), "errors"]
    rows = [
        [
            spec,
            str(table.overall[spec]),
            *(str(table.cross.get((spec, other), "-")) for other in others),
            str(table.errors[spec]),
        ]
        for spec in table.players
    ]
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    matches = table.overall[table.players[0]].matches
    note = f"{table.game}: {matches:,} matches per player, {table.rounds_per_second:,.0f} rounds per second"
    return "\n".join([note, "", line(head), rule, *map(line, rows)])


def as_csv(tables: list[Standings]) -> str:
    """A line per player, against nobody in particular and with its errors, and one per pair that has met."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["game", "player", "against", "mean", "ci95", "matches", "errors"])
    for table in tables:
        for spec, mean in table.overall.items():
            writer.writerow([table.game, spec, "", mean.value, mean.half, mean.matches, table.errors[spec]])
        for (row, column), mean in table.cross.items():
            writer.writerow([table.game, row, column, mean.value, mean.half, mean.matches, ""])
    return text.getvalue()


def _write(folder: Path, tables: list[Standings]) -> None:
    from veil.report import draw_cross_table, has_matplotlib

    whole = "\n\n".join(as_markdown(table) for table in tables) + "\n"
    try:
        (folder / "tournament.md").write_text(whole, encoding="utf-8")
        (folder / "tournament.csv").write_text(as_csv(tables), encoding="utf-8")
    except OSError as error:
        raise fail("unwritable-file", name=str(folder), reason=error.strerror) from None
    if has_matplotlib():
        draw_cross_table(tables, folder / "tournament.png")
