"""`veil tournament`: all players against each other, with cross tables. A killed tournament can be continued."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import Call, command
from veil.cli.game_call import GroundOptions
from veil.cli.options import default_of, limited_number
from veil.cli.seats import SPECS, Isolated, Terms
from veil.cli.workers import ClusterOptions
from veil.errors import VeilError
from veil.files import check_folder, result_folder
from veil.match import TournamentConfig
from veil.report import Progress, standings_as_json, standings_as_text, write_standings

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from veil.match import Standings, Store, TournamentTables

MATCHES: int = default_of(TournamentConfig, "matches")
JOBS_PER_CORE = 4  # more processes do not help

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
    workers: ClusterOptions,
    ground: GroundOptions,
) -> None:
    """Play all pairings in all seats and print a cross table per game."""
    from veil.match import Store  # help needs none of it

    config = TournamentConfig(
        games=tuple(games_to_play),
        players=tuple(players),
        matches=games,
        seed=call.seed,
        limits=ground.make_limits(),
        match=terms.make_config(isolated=isolated),
    )
    workers.check(jobs)
    if out is not None:
        check_folder(out)
    with Store(store) as kept, workers.open(call, isolated=isolated) as executor:
        matches, tables = _play(call, config, kept, min(jobs, (os.cpu_count() or 1) * JOBS_PER_CORE), executor)
    if out is not None and not call.attempt(partial(_write, tables, out)):
        out = None
    call.answer(
        lambda: {"matches": matches, "games": [standings_as_json(table) for table in tables], "store": store},
        lambda: standings_as_text(tables) + ("" if out is None else f"\n\nwritten to {Path(out)}"),
    )


def _play(call: Call, config: TournamentConfig, store: Store, jobs: int, executor: Executor | None) -> TournamentTables:
    """Play a tournament and return its tables. If an error ends it, return the tables of the finished matches."""
    from veil.match import make_tables, play_matches  # help needs none of it

    reached: list[TournamentTables] = []
    counts: list[int] = []
    with Progress("playing matches") as progress:

        def note(done: int, total: int) -> None:
            counts.append(done)
            progress.count(done, total)

        call.attempt(lambda: reached.append(play_matches(config, store, jobs=jobs, executor=executor, progress=note)))
        if not reached and len(counts) > 1:
            call.attempt(lambda: reached.append(make_tables(config, store)))
    if not reached or not reached[0].standings:
        raise VeilError(*call.failures)
    return reached[0]


def _write(tables: Sequence[Standings], folder: str) -> None:
    write_standings(tables, result_folder(folder))
