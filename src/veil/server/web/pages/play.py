"""The page of play: set up a game, play it by clicks with your knowledge on the board, and see the truth at its end."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.errors import VeilError, fail, phrase
from veil.games import FAMILIES
from veil.search import UNIFORM
from veil.server.web.host.answers import (
    GivenFile,
    answer_file,
    answer_json,
    answers_errors,
    read_query,
    read_question,
    while_connected,
)
from veil.server.web.host.app import Studio
from veil.server.web.host.browser_players import list_players
from veil.server.web.host.people import People
from veil.server.web.host.sessions import StudioSession
from veil.server.web.host.turns import ENDED
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
    exercise: int | None = None  # of a class


class MadeMove(msgspec.Struct, kw_only=True):
    """A move of the person, in the round after `round` rounds."""

    round: int
    move: Text


class AskedModel(msgspec.Struct, kw_only=True):
    """A request for what the person can know, if the others play as this model of opponents."""

    model: Text = UNIFORM


class AskedWorld(AskedModel, kw_only=True):
    """A request for one of the worlds."""

    number: Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class ToldView(msgspec.Struct):
    """The part of a view that the server needs in a class; other answers have no round."""

    game: str = ""
    role: str = ""
    round: int | None = None
    over: bool = False
    goals: dict[str, int] | None = None
    resigned_by: str = ""


class CopiedSeats(msgspec.Struct, kw_only=True):
    """What a rematch needs."""

    source: GameSource
    role: str
    players: dict[str, str]
    seconds: float


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
        Route(f"{game}/about", answers_errors(pages.about)),
        Route(f"{game}/download", answers_errors(pages.download)),
        Route(f"{game}/undo", answers_errors(pages.undo), methods=["POST"]),
        Route(f"{game}/rematch", answers_errors(pages.rematch), methods=["POST"]),
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
        if wanted.seed is not None and self.studio.is_guest:  # whoever knows the seed knows the cards
            raise fail("studio-refused", what=phrase("studio-host-only"))
        seed = secrets.randbits(SEED_BITS) if wanted.seed is None else wanted.seed
        source = self.studio.find_source(wanted.game)
        return await self._begin(
            StudioSession(
                source=source, role=wanted.role, players=wanted.players, seed=seed, play_seconds=wanted.seconds
            ),
            wanted.exercise,
        )

    async def rematch(self, request: Request) -> Response:
        """Begin the same game with another seed and changed seats."""
        name = request.path_params["session"]
        arguments = self._arguments(request)
        answer = await self.studio.tables.ask(name, f"{PLAYING}:copy_seats", arguments, self.studio.config.move_seconds)
        seats = msgspec.json.decode(answer, type=CopiedSeats)
        return await self._begin(
            StudioSession(
                source=seats.source,
                role=seats.role,
                players=seats.players,
                seed=secrets.randbits(SEED_BITS),
                play_seconds=seats.seconds,
            )
        )

    async def _begin(self, session: StudioSession, exercise: int | None = None) -> Response:
        """Store a game and prepare it; return its name."""
        name = self.studio.sessions.add(session)
        arguments = {"path": str(self.studio.sessions.path(name)), "source": self.limits}
        try:
            await self.studio.tables.ask(name, f"{PLAYING}:begin", arguments, self.studio.config.move_seconds)
        except VeilError:
            self.studio.tables.clear(name)
            self.studio.sessions.remove(name)
            raise
        if self.studio.person is not None:
            self.studio.sessions.set_owner(name, self.studio.person.id, exercise)
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
        return await self._ask(request, "believe_now", model=read_query(request, AskedModel).model)

    async def world(self, request: Request) -> Response:
        wanted = read_query(request, AskedWorld)
        return await self._ask(request, "look_at_world", number=wanted.number, model=wanted.model)

    async def move(self, request: Request) -> Response:
        made = await read_question(request, MadeMove)
        return await self._ask(request, "move", round_number=made.round, text=made.move)

    async def about(self, request: Request) -> Response:
        return await self._ask(request, "about")

    async def undo(self, request: Request) -> Response:
        return await self._ask(request, "undo")

    async def download(self, request: Request) -> Response:
        arguments = self._arguments(request)
        name, seconds = request.path_params["session"], self.studio.config.move_seconds
        answer = await self.studio.tables.ask(name, f"{PLAYING}:download", arguments, seconds)
        return answer_file(msgspec.json.decode(answer, type=GivenFile))

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
        session = request.path_params["session"]
        return {
            "path": str(self.studio.sessions.path(session)),
            "source": self.limits,
            "role": self.studio.find_seat(session),
        }

    async def _ask(self, request: Request, function: str, **arguments: Any) -> Response:
        """Ask the worker of the game. Its work goes on if the page goes away, and the game is stored."""
        answer = await self.studio.tables.ask(
            request.path_params["session"],
            f"{PLAYING}:{function}",
            self._arguments(request) | arguments,
            self.studio.config.move_seconds,
        )
        if self.studio.people is not None:
            self._note(request.path_params["session"], answer, self.studio.people)
        return answer_json(answer)

    def _note(self, session: str, answer: bytes, people: People) -> None:
        """Wake the others at the table if the game has gone on, and note its end."""
        told = msgspec.json.decode(answer, type=ToldView)
        if told.round is None:
            return
        self.studio.turns[session].note(ENDED if told.over else told.round)
        person = self.studio.person
        if told.over and person is not None:
            exercise = self.studio.sessions.exercise(session)
            goal = None if told.goals is None else told.goals.get(told.role)
            what = "game" if exercise is None else "exercise"
            if told.resigned_by not in ("", told.role):
                what = "the other gave up"
            row = {"what": what, "game": told.game, "role": told.role, "goal": goal, "exercise": exercise}
            people.note_result(session, person.id, row)

    async def _submit(self, request: Request, function: str) -> Response:
        wanted = await read_question(request, AskedHint)
        arguments = self._arguments(request) | {"player": wanted.player, "seconds": wanted.seconds}
        return answer_json({"job": self.studio.jobs.submit(function, arguments)})
