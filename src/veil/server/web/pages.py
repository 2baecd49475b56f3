"""The table of pages. A page is a module with `routes(studio)`, a template of its name, and a row here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from starlette.routing import BaseRoute

if TYPE_CHECKING:
    from veil.server.web.app import Studio


class PageRow(NamedTuple):
    """A page: its module in this room, its address, its title in the navigation; one without a title is not there."""

    module: str
    path: str
    title: str

    def routes(self, studio: Studio) -> list[BaseRoute]:
        """Everything that the module serves."""
        found: list[BaseRoute] = import_module(f"veil.server.web.{self.module}").routes(studio)
        return found


PAGES: dict[str, PageRow] = {
    "games": PageRow("games_page", "/", "Games"),
    "workbench": PageRow("workbench_page", "/workbench", "Workbench"),
    "play": PageRow("play_page", "/play", "Play"),
    "analysis": PageRow("analysis_page", "/analysis", "Analysis"),
    "matches": PageRow("matches_page", "/matches", "Matches"),
}
