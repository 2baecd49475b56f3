"""`veil tournament`: all players against each other, with cross tables. A killed tournament can be continued."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import Call, command
from veil.cli.game_call import GroundOptions
from veil.cli.options import default_of, limited_number
from veil.cli.seats import SPECS, Isolated, Terms
from veil.cli.workers import ClusterOptions
from veil.engine import list_rules
from veil.errors import VeilError, fail
from veil.files import check_folder, result_folder
from veil.match import TournamentConfig
from veil.report import Progress, ranking_as_json, standings_as_json, standings_as_text, write_standings

if TYPE_CHECKING:
    from veil.match import TournamentTables

MATCHES: int = default_of(TournamentConfig, "matches")
JOBS_PER_CORE = 4  # more processes do not help

GameNames = Annotated[
    list[str], typer.Argument(metavar="GAME...", help="Games of the catalogue, rules files, or folders of rules files.")
]
PlayerSpecs = Annotated[
    list[str], typer.Option("--players", metavar="SPEC", help=f"The players, --players A B C: {SPECS}.")
]
Games = Annotated[int, limited_number("matches", "--games", help="Matches per pairing and seating.")]
Jobs = Annotated[int, limited_number("processes", help="Processes that play.")]
StoreFile = Annotated[
    str | None, typer.Option("--store", metavar="FILE", help="Keep results here; the same command continues from them.")
]
Logs = Annotated[bool, typer.Option("--logs", help="Keep every match in the store, so that the studio can replay it.")]
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
    logs: Logs = False,
    out: Out = None,
    terms: Terms,
    isolated: Isolated = False,
    workers: ClusterOptions,
    ground: GroundOptions,
) -> None:
    """Play all pairings in all seats and print a cross table per game."""
    from veil.match import Store, make_tables, play_matches  # help needs none of it

    config = TournamentConfig(
        games=tuple(file for name in games_to_play for file in list_rules(name)),
        players=tuple(players),
        matches=games,
        seed=call.seed,
        limits=ground.make_limits(),
        match=terms.make_config(isolated=isolated),
    )
    workers.check(jobs)
    if logs and store is None:
        raise fail("bad-option", what="logs are kept in a store: add --store FILE")
    if out is not None:
        check_folder(out)
    with Store(store) as kept, workers.open(call, isolated=isolated) as executor:
        play = partial(play_matches, config, kept, jobs=min(jobs, (os.cpu_count() or 1) * JOBS_PER_CORE), logs=logs)
        tables = _play(call, partial(play, executor=executor), lambda: make_tables(config, kept))
    if out is not None and not call.attempt(partial(_write, tables, out)):
        out = None
    call.answer(
        lambda: {
            "matches": tables.matches,
            "games": [standings_as_json(table) for table in tables.standings],
            "ranking": None if tables.ranking is None else ranking_as_json(tables.ranking),
            "store": store,
        },
        lambda: (
            standings_as_text(tables.standings, tables.ranking) + ("" if out is None else f"\n\nwritten to {Path(out)}")
        ),
    )


def _play(
    call: Call, play: Callable[..., TournamentTables], make_tables: Callable[[], TournamentTables]
) -> TournamentTables:
    """Play a tournament and return its tables. If an error ends it, return the tables of the finished matches."""
    reached: list[TournamentTables] = []
    counts: list[int] = []
    with Progress("playing matches") as progress:

        def note(done: int, total: int) -> None:
            counts.append(done)
            progress.count(done, total)

        call.attempt(lambda: reached.append(play(progress=note)))
        if not reached and len(counts) > 1:
            call.attempt(lambda: reached.append(make_tables()))
    if not reached or not reached[0].standings:
        raise VeilError(*call.failures)
    return reached[0]


def _write(tables: TournamentTables, folder: str) -> None:
    write_standings(tables.standings, result_folder(folder), tables.ranking)
