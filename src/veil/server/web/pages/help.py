"""The page of help: how to read the studio, its keys, and the glossary, which every page can open at a word."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.handbook import find_site
from veil.server.web.host.answers import answer_json
from veil.server.web.host.app import Studio
from veil.server.web.host.security import HANDBOOK
from veil.server.web.pages.glossary import GLOSSARY

KEYS = (
    ("1 … 9", "play the first, second, … move of the buttons"),
    ("arrows, Enter", "go from cell to cell of the board, and choose one"),
    ("h", "ask for a hint"),
    ("u", "take your last move back"),
    ("r", "open or close the rules"),
    ("%", "show or hide probabilities"),
    ("n", "a rematch with changed seats, when the game is over"),
    ("← →", "the round before, the next round, when the game is over"),
)
FIRST_PLAYER = Path(__file__).parent.parent / "static" / "first_player.txt"


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the page and of the glossary."""

    async def show(request: Request) -> Response:
        return studio.page(
            "help",
            glossary=GLOSSARY,
            keys=KEYS,
            first_player=FIRST_PLAYER.read_text("utf-8"),
            handbook=f"{HANDBOOK}/index.html" if find_site() else "",
        )

    async def glossary(request: Request) -> Response:
        return answer_json(GLOSSARY)

    return [Route("/help", show), Route("/help/glossary", glossary)]
