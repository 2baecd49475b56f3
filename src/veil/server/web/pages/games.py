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
from veil.vocabulary import RANDOM

HIDDEN, PLAYS = "Hidden", "Plays"  # sections of a header: what is hidden; "5 minutes, easy, bluffing"
LEVELS = ("easy", "medium", "hard")
NOTHING_HIDDEN = "nothing hidden"
KNOWN = ("monty_hall", "kuhn_poker", "tic_tac_toe", "krieg_tictactoe", "exploding_bomb", "liars_dice", "mastermind")


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the page and of its pictures."""
    pictures = Pictures(studio.config.folder / "pictures")

    async def show(request: Request) -> Response:
        families = sorted(map(_describe, FAMILIES.values()), key=_rank)
        tags = sorted({tag for family in families for tag in family["tags"]})
        return studio.page("games", families=families, tags=tags, levels=LEVELS, saved=studio.library.names())

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
        "people": sum(role != RANDOM for role in family.roles),
        "hidden": header.get(HIDDEN, ""),
        "origin": family.source,
        "facts": f"{family.players()}, {family.moves}, {family.size()}",
    } | _read_plays(header.get(PLAYS, ""))


def _read_plays(text: str) -> dict[str, Any]:
    """Return minutes, level and other tags from a section such as `5 minutes, easy, bluffing`."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    minutes = next((word for word in words if word.partition(" ")[0].isdecimal()), "")
    level = next((word for word in words if word in LEVELS), "")
    return {"minutes": minutes, "level": level, "tags": [word for word in words if word not in (minutes, level)]}


def _rank(family: dict[str, Any]) -> tuple[int, int, int, str]:
    """Return a rank: well-known games first, then easy before hard and short before long."""
    known = KNOWN.index(family["name"]) if family["name"] in KNOWN else len(KNOWN)
    level = LEVELS.index(family["level"]) if family["level"] else len(LEVELS)
    return known, level, int(family["minutes"].partition(" ")[0] or 99), family["name"]
