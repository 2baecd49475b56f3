"""The table of pages. A page is a module with `routes(studio)`, a template of its name, and a row here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from starlette.routing import BaseRoute

if TYPE_CHECKING:
    from veil.server.web.host.app import Studio


class PageRow(NamedTuple):
    """A page: its module in this room, its address, its title in the navigation; one without a title is not there."""

    module: str
    path: str
    title: str

    def routes(self, studio: Studio) -> list[BaseRoute]:
        """Everything that the module serves."""
        found: list[BaseRoute] = import_module(f"veil.server.web.pages.{self.module}").routes(studio)
        return found


PAGES: dict[str, PageRow] = {
    "games": PageRow("games", "/", "Games"),
    "workbench": PageRow("workbench", "/workbench", "Workbench"),
    "play": PageRow("play", "/play", "Play"),
    "analysis": PageRow("analysis", "/analysis", "Analysis"),
    "matches": PageRow("matches", "/matches", "Matches"),
}
