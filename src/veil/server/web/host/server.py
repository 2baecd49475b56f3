"""`serve_studio`: the studio on a port of this machine, until Ctrl-C."""

from __future__ import annotations

import errno
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from types import FrameType
from typing import Any
from urllib.parse import quote

from veil.errors import fail
from veil.files import reason_of
from veil.private_folders import choose_private_folder
from veil.server.web.host.settings import DEFAULT_PORT, StudioConfig, usual_folder
from veil.signals import acknowledge, check_signals

TRIES = 20  # number of ports to try after the default one


def serve_studio(config: StudioConfig, page: str = "/", say: Callable[[str], None] = print) -> None:
    """Serve the studio; `say` is called with its address when it listens. `page` is opened first."""
    uvicorn_module = _import_uvicorn()
    from veil.server.web.host.app import build_app  # imports an optional package
    from veil.server.web.host.connections import make_protocol  # imports an optional package
    from veil.server.web.host.security import CLASS_TOKEN, read_token  # imports an optional package

    folder, reason = choose_private_folder(config.folder, usual_folder())
    if reason is not None:
        print(f"note: {reason}, so the studio does not use it; its games are in {folder}", file=sys.stderr)
    with closing(_listen(config)) as listener:
        config = replace(config, port=listener.getsockname()[1], folder=folder)
        address = show_address(config, page, read_token(config.folder))
        if config.is_class:
            address += f"\n{show_address(config, '/join', read_token(config.folder, CLASS_TOKEN))}"
        settings = uvicorn_module.Config(
            build_app(config),
            http=make_protocol(),
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="on",
            timeout_graceful_shutdown=2,
            timeout_keep_alive=30,
            limit_concurrency=1000,
            ssl_certfile=None if config.certificate is None else str(config.certificate),
            proxy_headers=False,
        )
        server = uvicorn_module.Server(settings)

        def end_in_order(number: int, frame: FrameType | None) -> None:
            """End the server (uvicorn calls this for Ctrl-C and `kill`)."""
            acknowledge()
            server.should_exit = True

        server.handle_exit = end_in_order
        say(address)
        server.run(sockets=[listener])
    check_signals()


def _import_uvicorn() -> Any:
    """Return the module uvicorn. Raises `VeilError` if the extra is not installed."""
    try:
        import jinja2  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn
    except ImportError:
        raise fail("no-web") from None
    return uvicorn


def show_address(config: StudioConfig, page: str, token: str) -> str:
    """Return the address that opens the studio, with its token."""
    host = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname(), "": "localhost"}.get(config.host, config.host)
    host = f"[{host}]" if ":" in host else host
    scheme = "http" if config.certificate is None else "https"
    base = config.behind.rstrip("/") or f"{scheme}://{host}:{config.port}"
    return f"{base}{page}{'&' if '?' in page else '?'}token={quote(token)}"


def _listen(config: StudioConfig) -> socket.socket:
    """Return a socket that listens. If another studio has the default port, the next free one is used."""
    ports = range(config.port, config.port + TRIES) if config.port == DEFAULT_PORT else [config.port]
    for port in ports:
        family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
        # With its protocol named, asyncio sends at once (TCP_NODELAY); otherwise each answer waits 40 ms for an
        # acknowledgement of its head.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((config.host, port))
            listener.listen(256)
        except (OSError, OverflowError, ValueError, TypeError) as error:
            listener.close()
            taken = getattr(error, "errno", None) == errno.EADDRINUSE and port != ports[-1]
            if taken:
                continue
            raise fail("studio-no-port", host=config.host, port=port, reason=reason_of(error, str(error))) from None
        return listener
    raise fail("studio-no-port", host=config.host, port=config.port, reason="no port is free")


def open_browser(address: str) -> None:
    """Open the studio in the user's browser, if there is one."""
    if sys.stdout is None or not sys.stdout.isatty():
        return
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
