"""The page of games: the catalogue with pictures, own games, and the way in for rules that somebody has."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.games import FAMILIES, Family
from veil.server.web.app import Studio


def routes(studio: Studio) -> list[BaseRoute]:
    """The page itself."""

    async def show(request: Request) -> Response:
        return studio.page(
            "games", families=[_describe(family) for family in FAMILIES.values()], saved=studio.library.names()
        )

    return [Route("/", show)]


def _describe(family: Family) -> dict[str, Any]:
    """What a card says about a family."""
    return {
        "name": family.name,
        "summary": family.summary,
        "players": family.players(),
        "moves": family.moves,
        "size": family.size(),
        "origin": family.source,
    }
