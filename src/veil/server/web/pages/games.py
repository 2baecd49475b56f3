"""The page of games: the catalogue with pictures, own games, and the entry for the user's rules."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.games import FAMILIES, Family
from veil.report import read_header
from veil.server.web.host.answers import answer_json, answers_errors, while_connected
from veil.server.web.host.app import Studio
from veil.server.web.jobs.thumbnails import Pictures

COUNTED = 10**9  # larger than every counted size: games without a count come first
HIDDEN = "Hidden"  # the section of a header that says what is hidden


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the page and of its pictures."""
    pictures = Pictures(studio.config.folder / "pictures")

    async def show(request: Request) -> Response:
        by_size = sorted(FAMILIES.values(), key=lambda family: (-(family.nodes or COUNTED), -len(family.roles)))
        families = [_describe(family) for family in by_size]
        return studio.page("games", families=families, saved=studio.library.names())

    async def picture(request: Request) -> Response:
        source = studio.find_source(request.query_params.get("game", ""))
        known = pictures.find(source)
        if known is not None:
            return answer_json(known)

        async def draw() -> bytes:
            arguments = {"source": source.as_arguments(studio.config)}
            drawn = await studio.jobs.run("veil.server.web.jobs.thumbnails:draw_picture", arguments)
            pictures.keep(source, drawn)
            return drawn

        return await while_connected(request, draw())

    return [Route("/", show), Route("/games/picture", answers_errors(picture))]


def _describe(family: Family) -> dict[str, Any]:
    """Return the text of a family's card."""
    header = {section.name: section.text for section in read_header(family.rules_text())}
    return {
        "name": family.name,
        "summary": family.summary,
        "players": family.players(),
        "moves": family.moves,
        "size": family.size(),
        "hidden": header.get(HIDDEN, ""),
        "origin": family.source,
    }
