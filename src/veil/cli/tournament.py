"""`veil tournament`: players against each other, a cross table with intervals; killed, it goes on where it was."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from veil.cli.call import Call, command
from veil.cli.game_call import GroundOptions
from veil.cli.options import default_of, limited_number
from veil.cli.output import print_json
from veil.cli.seats import SPECS, Isolated, Terms
from veil.files import result_folder
from veil.match import TournamentConfig
from veil.report import Progress, standings_as_json, standings_as_text, write_standings

MATCHES: int = default_of(TournamentConfig, "matches")
JOBS_PER_CORE = 4  # more processes are of no use

GameNames = Annotated[list[str], typer.Argument(metavar="GAME...", help="Games of the catalogue, or rules files.")]
PlayerSpecs = Annotated[
    list[str], typer.Option("--players", metavar="SPEC", help=f"The players, --players A B C: {SPECS}.")
]
Games = Annotated[int, limited_number("matches", "--games", help="Matches per pairing and seating.")]
Jobs = Annotated[int, limited_number("processes", help="Processes that play.")]
StoreFile = Annotated[
    str | None, typer.Option("--store", metavar="FILE", help="Keep results here, and go on from them.")
]
Out = Annotated[str | None, typer.Option(metavar="FOLDER", help="Write Markdown, CSV and a heat map.")]


@command
def tournament(
    call: Call,
    *,
    games_to_play: GameNames,
    players: PlayerSpecs,
    games: Games = MATCHES,
    jobs: Jobs = 1,
    store: StoreFile = None,
    out: Out = None,
    terms: Terms,
    isolated: Isolated = False,
    ground: GroundOptions,
) -> None:
    """Play all pairings in all seats and print a cross table per game."""
    from veil.match import Store, play_tournament

    config = TournamentConfig(
        games=tuple(games_to_play),
        players=tuple(players),
        matches=games,
        seed=call.seed,
        limits=ground.make_limits(),
        match=terms.make_config(isolated=isolated),
    )
    folder = result_folder(out) if out is not None else None
    with Store(store) as kept, Progress("playing matches") as progress:
        jobs = min(jobs, (os.cpu_count() or 1) * JOBS_PER_CORE)
        results, tables = play_tournament(config, kept, jobs=jobs, progress=progress.count)
    if not call.json:  # before anything else can fail
        print(standings_as_text(tables))
    if folder is not None:
        write_standings(tables, folder)
    if call.json:
        print_json({"matches": len(results), "games": [standings_as_json(table) for table in tables], "store": store})
    elif folder is not None:
        print(f"\nwritten to {folder}")
