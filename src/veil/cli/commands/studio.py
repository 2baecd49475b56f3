"""`veil studio`: write rules, see boards, play, and see what a role can know, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlsplit

import typer

from veil.cli.call import Call, command
from veil.cli.options import limited_number
from veil.cli.output import print_json, print_text
from veil.errors import fail, phrase
from veil.files import reason_of
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
IsClass = Annotated[
    bool, typer.Option("--class", help="For a class: everybody joins by a link and a name, with a space of their own.")
]
Certificate = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Serve over TLS with this PEM file of a certificate and its key.")
]
Behind = Annotated[
    str, typer.Option(metavar="ADDRESS", help="A proxy serves the studio at this address: https://veil.example.org.")
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the address.")]


@command
def studio(
    call: Call,
    game: GameName = None,
    port: Port = DEFAULT_PORT,
    host: Host = "127.0.0.1",
    results: Results = None,
    *,
    is_class: IsClass = False,
    certificate: Certificate = None,
    behind: Behind = "",
    no_browser: NoBrowser = False,
) -> None:
    """Open the studio in the browser. It runs until Ctrl-C, for this machine alone unless --host says otherwise."""
    page, file = _find_page(game)

    def say(address: str) -> None:
        own, _, join = address.partition("\n")
        if call.json:
            print_json({"address": own} | ({"join": join} if join else {}))
        else:
            told = f"the studio is at {own}\n" + (f"the class joins at {join}\n" if join else "")
            print_text(f"{told}Ctrl-C ends it; games that are being played are kept")
        if not no_browser:
            open_browser(own)

    where = (results or Path()).absolute()
    if not where.is_dir():
        raise fail("not-a-folder", name=str(results))
    if certificate is not None:
        check_certificate(certificate)
    if behind:
        check_address(behind)
    config = StudioConfig(
        host=host,
        port=port,
        file=file,
        results=where,
        is_class=is_class,
        certificate=certificate,
        behind=behind,
        max_tables=64 if is_class else 32,
    )
    serve_studio(config, "/room" if is_class and game is None else page, say)


def check_address(address: str) -> None:
    """Raise `VeilError` for anything but the address of a proxy."""
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or not address.isprintable():
        raise fail("bad-option", what="--behind must be an address such as https://veil.example.org")


def check_certificate(path: Path) -> None:
    """Raise `VeilError` if a file holds no certificate with its key."""
    import ssl  # only where it is needed

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(path)
    except ssl.SSLError:
        raise fail("bad-certificate", name=str(path), reason=phrase("no-certificate")) from None
    except (OSError, ValueError) as error:
        raise fail("bad-certificate", name=str(path), reason=reason_of(error, str(error))) from None


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
