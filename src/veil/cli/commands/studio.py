"""`veil studio`: write rules, see boards, play, and see what a role can know, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from veil.cli.call import Call, command
from veil.cli.options import limited_number
from veil.cli.output import print_json, print_text
from veil.errors import fail
from veil.games import FAMILIES, instantiate
from veil.server.web import DEFAULT_PORT, StudioConfig, open_browser, serve_studio

GameName = Annotated[
    str | None, typer.Argument(metavar="[GAME]", help="Opened first: a name from `veil games`, or a rules file.")
]
Port = Annotated[int, limited_number("port", help="Where it listens; 0 takes any port that is free.")]
Host = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Listen here; 0.0.0.0 lets other machines in that know the token.")
]
Results = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Matches in this folder can be looked at; the current one by default."),
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the address.")]


@command
def studio(
    call: Call,
    game: GameName = None,
    port: Port = DEFAULT_PORT,
    host: Host = "127.0.0.1",
    results: Results = None,
    no_browser: NoBrowser = False,
) -> None:
    """Open the studio in the browser. It runs until Ctrl-C, for this machine alone unless --host says otherwise."""
    page, file = _find_page(game)

    def say(address: str) -> None:
        if call.json:
            print_json({"address": address})
        else:
            print_text(f"the studio is at {address}\nCtrl-C ends it; games that are being played are kept")
        if not no_browser:
            open_browser(address)

    where = (results or Path()).absolute()
    if not where.is_dir():
        raise fail("not-a-folder", name=str(results))
    serve_studio(StudioConfig(host=host, port=port, file=file, results=where), page, say)


def _find_page(game: str | None) -> tuple[str, Path | None]:
    """Return the page to open, and the path of the rules file if `game` names one."""
    if game is None:
        return "/", None
    if game.split("(")[0].strip() in FAMILIES:
        return f"/play?game={quote(instantiate(game).name)}", None
    path = Path(game).absolute()
    if not path.is_file():
        instantiate(game)  # raises an error that explains what is wrong with the name
        raise fail("not-a-file", name=game)
    return f"/workbench?game={quote('own:' + path.name)}", path
