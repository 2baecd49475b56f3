"""The page of a review: what designers want to know of a game, with progress, and Stop, which keeps what is there."""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.games import FAMILIES
from veil.report import page_style
from veil.server.web.host.answers import answer_json, answers_errors, read_question
from veil.server.web.host.app import Studio
from veil.server.web.pages.workbench import CHECKING, REVIEW_SECONDS

CLOCKS = (15, 30, 60, 180)  # seconds to choose from


class AskedReview(msgspec.Struct, kw_only=True):
    """A game to review, and about how long."""

    game: Annotated[str, msgspec.Meta(max_length=200)]
    seconds: Annotated[float, msgspec.Meta(gt=0, le=300)] = REVIEW_SECONDS


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the page, of its style sheet, and of the review."""

    async def show(request: Request) -> Response:
        game = request.query_params.get("game", "kuhn_poker")
        return studio.page(
            "review",
            part_of="workbench",
            chosen=game,
            games=list(FAMILIES),
            saved=studio.library.names(),
            clocks=CLOCKS,
        )

    async def style(request: Request) -> Response:
        return Response(page_style(), media_type="text/css", headers={"cache-control": "no-cache"})

    async def review(request: Request) -> Response:
        wanted = await read_question(request, AskedReview)
        source = studio.find_source(wanted.game).as_arguments(studio.config)
        arguments = {"source": source, "seconds": wanted.seconds}
        return answer_json({"job": studio.jobs.submit(f"{CHECKING}:review", arguments)})

    return [
        Route("/review", show),
        Route("/review/page.css", style),
        Route("/review", answers_errors(review), methods=["POST"]),
    ]
