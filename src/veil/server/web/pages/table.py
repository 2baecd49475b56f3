"""The table of pages. A page is a module with `routes(studio)`, a template of its name, and a row here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from starlette.routing import BaseRoute

if TYPE_CHECKING:
    from veil.server.web.host.app import Studio


class PageRow(NamedTuple):
    """A page: its address, and its title in the navigation. A page without a title is not listed there."""

    path: str
    title: str


PAGES: dict[str, PageRow] = {
    "games": PageRow("/", "Games"),
    "workbench": PageRow("/workbench", "Workbench"),
    "play": PageRow("/play", "Play"),
    "analysis": PageRow("/analysis", "Analysis"),
    "room": PageRow("/room", "Room"),
    "matches": PageRow("/matches", "Matches"),
    "review": PageRow("/review", ""),
    "contests": PageRow("/matches", ""),
    "help": PageRow("/help", "Help"),
}


def list_routes(name: str, studio: Studio) -> list[BaseRoute]:
    """Return all routes of the page with this name."""
    routes: list[BaseRoute] = import_module(f"veil.server.web.pages.{name}").routes(studio)
    return routes
