"""The page of play: set up a game, play it by clicks with your knowledge on the board, and see the truth at its end."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.errors import VeilError
from veil.games import FAMILIES
from veil.server.web.host.answers import answer_json, answers_errors, read_query, read_question, while_connected
from veil.server.web.host.app import Studio
from veil.server.web.host.browser_players import list_players
from veil.server.web.host.sessions import StudioSession
from veil.server.web.jobs.description import describe_family
from veil.server.web.jobs.game_sources import GameSource

PLAYING, HINTING, REVEALING, DESCRIBING = (
    f"veil.server.web.jobs.{name}" for name in ("game_session", "hints", "reveal", "description")
)
CLOCKS = (0.5, 1, 2, 5, 10, 30)  # seconds to choose from
THINKERS = ("best", "hyperplay", "ismcts", "oos", "mmd", "pimc", "hyperplay2")  # offered for hints
SEED_BITS = 48

Seconds = Annotated[float, msgspec.Meta(gt=0, le=60)]
Text = Annotated[str, msgspec.Meta(max_length=500)]


class NewGame(msgspec.Struct, kw_only=True):
    """A request to play a game."""

    game: Text  # of the catalogue, or `own:NAME`
    role: Text = ""
    players: dict[str, Text] = {}
    seconds: Seconds = 2.0
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**SEED_BITS)] | None = None


class MadeMove(msgspec.Struct, kw_only=True):
    """A move of the person, in the round after `round` rounds."""

    round: int
    move: Text


class AskedWorld(msgspec.Struct, kw_only=True):
    """A request for one of the worlds."""

    number: Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class AskedHint(msgspec.Struct, kw_only=True):
    """A request for a hint: by which player, and how long it may think."""

    player: Text = "best"
    seconds: Seconds = 2.0


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the page that sets up a game, of the page of a game, and of their questions."""
    pages = _PlayPages(studio)
    game = "/play/{session}"
    return [
        Route("/play", pages.set_up),
        Route("/play/new", answers_errors(pages.start), methods=["POST"]),
        Route("/play/describe", answers_errors(pages.describe)),
        Route(game, pages.show),
        Route(f"{game}/view", answers_errors(pages.view)),
        Route(f"{game}/belief", answers_errors(pages.belief)),
        Route(f"{game}/world", answers_errors(pages.world)),
        Route(f"{game}/move", answers_errors(pages.move), methods=["POST"]),
        Route(f"{game}/resign", answers_errors(pages.resign), methods=["POST"]),
        Route(f"{game}/hint", answers_errors(pages.hint), methods=["POST"]),
        Route(f"{game}/judge", answers_errors(pages.judge), methods=["POST"]),
        Route(f"{game}/reveal", answers_errors(pages.reveal), methods=["POST"]),
    ]


class _PlayPages:
    """The endpoints; each asks the worker of its game."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.limits = GameSource(name="").as_arguments(studio.config)  # limits of a worker; the file names the game

    async def set_up(self, request: Request) -> Response:
        game = request.query_params.get("game", "")
        return self.studio.page(
            "play",
            games=list(FAMILIES),
            saved=self.studio.library.names(),
            chosen=game,
            players=list_players(),
            clocks=CLOCKS,
        )

    async def describe(self, request: Request) -> Response:
        source = self.studio.find_source(request.query_params.get("game", ""))
        if source.text is None:
            return answer_json(describe_family(source.name))
        arguments = {"source": source.as_arguments(self.studio.config)}
        return await while_connected(request, self.studio.jobs.run(f"{DESCRIBING}:describe_game", arguments))

    async def start(self, request: Request) -> Response:
        wanted = await read_question(request, NewGame)
        session = StudioSession(
            source=self.studio.find_source(wanted.game),
            role=wanted.role,
            players=wanted.players,
            seed=secrets.randbits(SEED_BITS) if wanted.seed is None else wanted.seed,
            play_seconds=wanted.seconds,
        )
        name = self.studio.sessions.add(session)
        arguments = {"path": str(self.studio.sessions.path(name)), "source": self.limits}
        try:
            await self.studio.tables.ask(name, f"{PLAYING}:begin", arguments, self.studio.config.move_seconds)
        except VeilError:
            self.studio.tables.clear(name)
            self.studio.sessions.remove(name)
            raise
        return answer_json({"session": name})

    async def show(self, request: Request) -> Response:
        session = request.path_params["session"]
        try:
            self.studio.sessions.path(session)
        except VeilError as error:
            return self.studio.page("missing", 404, what=str(error))
        return self.studio.page("table", part_of="play", session=session, thinkers=THINKERS, clocks=CLOCKS)

    async def view(self, request: Request) -> Response:
        return await self._ask(request, "look")

    async def belief(self, request: Request) -> Response:
        return await self._ask(request, "believe_now")

    async def world(self, request: Request) -> Response:
        return await self._ask(request, "look_at_world", number=read_query(request, AskedWorld).number)

    async def move(self, request: Request) -> Response:
        made = await read_question(request, MadeMove)
        return await self._ask(request, "move", round_number=made.round, text=made.move)

    async def resign(self, request: Request) -> Response:
        return await self._ask(request, "resign")

    async def hint(self, request: Request) -> Response:
        return await self._submit(request, f"{HINTING}:hint")

    async def judge(self, request: Request) -> Response:
        return await self._submit(request, f"{HINTING}:judge")

    async def reveal(self, request: Request) -> Response:
        arguments = self._arguments(request)
        return answer_json({"job": self.studio.jobs.submit(f"{REVEALING}:reveal", arguments)})

    def _arguments(self, request: Request) -> dict[str, Any]:
        return {"path": str(self.studio.sessions.path(request.path_params["session"])), "source": self.limits}

    async def _ask(self, request: Request, function: str, **arguments: Any) -> Response:
        """Ask the worker of the game. Its work goes on if the page goes away, and the game is stored."""
        answer = await self.studio.tables.ask(
            request.path_params["session"],
            f"{PLAYING}:{function}",
            self._arguments(request) | arguments,
            self.studio.config.move_seconds,
        )
        return answer_json(answer)

    async def _submit(self, request: Request, function: str) -> Response:
        wanted = await read_question(request, AskedHint)
        arguments = self._arguments(request) | {"player": wanted.player, "seconds": wanted.seconds}
        return answer_json({"job": self.studio.jobs.submit(function, arguments)})
