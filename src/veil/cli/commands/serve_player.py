"""`veil serve-player`: a player on the network, for game managers that use the GGP protocol."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

import typer

from veil.cli.call import Call, command
from veil.cli.options import limited_number
from veil.cli.output import print_json, print_problems, print_text
from veil.cli.seats import SPECS, Isolated
from veil.errors import problem
from veil.sanitize import show_text

LOGGER = "veil.serve-player"
LINE = "%(asctime)s %(levelname)-7s %(message)s"

PLAYER = "best"
PlayerSpec = Annotated[str, typer.Argument(metavar="SPEC", help=f"The player: {SPECS}.")]
Host = Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0: whoever can reach this machine.")]
Port = Annotated[int, limited_number("port", help="The port to listen at; 0: any that is free.")]
Dialect = Annotated[
    Literal["auto", "A", "B", "C"],
    typer.Option(help="How managers speak; auto: what the first messages tell."),
]
Matches = Annotated[int, limited_number("processes", "--matches", help="Matches at the same time; more are busy.")]
Margin = Annotated[float, limited_number("grace", help="Seconds of every clock that are kept for the network.")]
Name = Annotated[str, typer.Option(help="What the player is called.")]
Cors = Annotated[bool, typer.Option("--cors", help="Let web pages of any site command the player.")]
Level = Annotated[Literal["debug", "info", "warning", "error"], typer.Option("--log", help="What is logged.")]
Seconds = Annotated[float | None, limited_number("seconds", "--for", help="End after this number of seconds.")]


@command
def serve_player(
    call: Call,
    spec: PlayerSpec = PLAYER,
    *,
    port: Port = 9147,
    host: Host = "127.0.0.1",
    dialect: Dialect = "auto",
    matches: Matches = 1,
    margin: Margin = 0.5,
    isolated: Isolated = False,
    name: Name = "",
    cors: Cors = False,
    log: Level = "info",
    serve_seconds: Seconds = None,
) -> None:
    """Let a player answer game managers over HTTP, one match after the other, until Ctrl-C."""
    from veil.players import read_player_files  # help needs none of it
    from veil.server.ggp import PlayerServer, ServerConfig

    config = ServerConfig(
        player=spec,
        host=host,
        port=port,
        dialect=dialect,
        matches=matches,
        margin=margin,
        isolated=isolated,
        name=name,
        cors=cors,
        seed=call.seed,
        files=read_player_files([spec]),
    )
    with PlayerServer(config) as server, log_to_terminal(log):
        server.prepare()
        if not config.is_local:
            print_problems([problem("listens-to-others", host=host)])
        if call.json:
            print_json({"player": spec, "host": server.address.host, "port": server.address.port})
            sys.stdout.flush()
        else:
            print_text(f"{spec} listens at {server.address}; Ctrl-C ends it")
        server.serve(serve_seconds)


@contextmanager
def log_to_terminal(level: str) -> Iterator[None]:
    """Send log messages of this level and above to standard error until the end of the block."""
    handler, logger = logging.StreamHandler(sys.stderr), logging.getLogger(LOGGER)
    handler.setFormatter(VisibleFormatter(LINE, "%H:%M:%S"))
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(level.upper())
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before[0])
        logger.propagate = before[1]


class VisibleFormatter(logging.Formatter):
    """A log formatter that makes control characters visible, because messages contain text from other programs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a log record."""
        return show_text(super().format(record))
