"""`build_app`: the studio as an ASGI application; `Studio` is shared by its pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from veil._version import __version__
from veil.errors import VeilError, fail, phrase
from veil.handbook import find_site
from veil.server.web.host.answers import EventStream, answer_json
from veil.server.web.host.contests import Contests
from veil.server.web.host.job_queue import Jobs
from veil.server.web.host.library import Library
from veil.server.web.host.live_tables import LiveTables
from veil.server.web.host.people import CURRENT, People, Person
from veil.server.web.host.results import ResultFolder
from veil.server.web.host.security import HANDBOOK, StudioGate, read_token
from veil.server.web.host.sessions import SessionFolder
from veil.server.web.host.settings import StudioConfig
from veil.server.web.host.turns import Turns
from veil.server.web.jobs.game_sources import GameSource
from veil.server.web.pages.table import PAGES, list_routes

HERE = Path(__file__).parent.parent  # the room of the studio
MAX_GAMES_OF_GUEST = 50
READY_SECONDS = 900.0  # the first start on a machine compiles kernels


class Studio:
    """The data that all pages share: templates, work, games that are being played, saved rules."""

    def __init__(self, config: StudioConfig) -> None:
        self.config = config
        self.jobs, self.tables = Jobs(config), LiveTables(config)
        self.turns, self.contests = Turns(), Contests(config)
        self.people = People(config.folder) if config.is_class else None
        self.sessions = SessionFolder(config.folder / "played", config.max_sessions)
        self._library = Library(config.folder / "games", config.max_games, config.file)
        self.results = ResultFolder(config.results)
        self.is_ready = False  # whether the server that forks the workers is up
        self.templates = Environment(
            loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )

    @property
    def person(self) -> Person | None:
        """The person whose request is answered; None outside of a class."""
        return CURRENT.get()

    @property
    def is_guest(self) -> bool:
        """Whether the person is in the class of somebody else."""
        return self.person is not None and not self.person.is_host

    @property
    def library(self) -> Library:
        """The own games of the person whose request is answered."""
        return self.library_of(self.person)

    def library_of(self, person: Person | None) -> Library:
        """Return the own games of a person; of the user of this machine outside of a class."""
        if person is None or person.is_host:
            return self._library
        return Library(self.config.folder / "people" / person.id / "games", MAX_GAMES_OF_GUEST)

    def find_seat(self, session: str) -> str:
        """Return the role of the person in a game; empty if the game has one person. Raises `VeilError` for others."""
        if self.people is None or self.person is None:
            return ""
        table = self.people.find_table_of(session)
        if table is None:
            if self.sessions.owner(session) not in ("", self.person.id):
                raise fail("studio-refused", what=phrase("studio-not-seated"))
            return ""
        role = next((role for role, holder in table["seats"].items() if holder == self.person.id), None)
        if role is None:
            raise fail("studio-refused", what=phrase("studio-not-seated"))
        return str(role)

    def page(self, name: str, status: int = 200, *, part_of: str | None = None, **details: Any) -> HTMLResponse:
        """Return a page from its template; all inserted text is escaped. `part_of` is the page that it belongs to."""
        pages = {key: row for key, row in PAGES.items() if self._is_offered(key)}
        shared = {
            "pages": pages,
            "current": part_of or name,
            "version": __version__,
            "ready": self.is_ready,
            "person": self.person,
        }
        return HTMLResponse(self.templates.get_template(f"{name}.html").render(**shared, **details), status)

    def _is_offered(self, page: str) -> bool:
        return not (page == "room" and self.people is None) and not (page == "matches" and self.is_guest)

    def find_source(self, game: str) -> GameSource:
        """Return the game that an address names: `own:NAME` is in the library, any other name in the catalogue."""
        return self.find_source_of(self.person, game)

    def find_source_of(self, person: Person | None, game: str) -> GameSource:
        """Return the game that a person means by an address."""
        if game.startswith("own:"):
            saved = self.library_of(person).read(game.removeprefix("own:"))
            return GameSource(name=saved.name, text=saved.text)
        return GameSource(name=game)

    async def get_ready(self) -> None:
        """Start the server that forks the workers, by a first job."""
        with suppress(VeilError):
            await self.jobs.run("veil.server.web.host.app:do_nothing", {}, seconds=READY_SECONDS)
        self.is_ready = True

    def close(self) -> None:
        """End all processes."""
        self.jobs.close()
        self.tables.close()
        self.contests.close()
        if self.people is not None:
            self.people.close()


def do_nothing(say: Any) -> dict[str, Any]:
    """Do nothing; the job shows that workers are running."""
    return {}


def build_app(config: StudioConfig) -> ASGIApp:
    """Return the application behind its gate."""
    studio = Studio(config)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.ensure_future(studio.tables.sweep()), asyncio.ensure_future(studio.get_ready())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            studio.close()

    async def stream_job(request: Request) -> Response:
        order = studio.jobs.take(request.path_params["number"])
        if order is None:
            return Response(status_code=204)  # which tells an EventSource not to try again
        return EventStream(studio.jobs, order)

    async def tell_status(request: Request) -> Response:
        return answer_json({"ready": studio.is_ready, "jobs": studio.jobs.running, "tables": len(studio.tables)})

    routes: list[BaseRoute] = [
        Route("/jobs/{number}", stream_job),
        Route("/status", tell_status),
        Mount("/static", _Static(directory=HERE / "static")),
    ]
    site = find_site()
    if site is not None:
        routes.append(Mount(HANDBOOK, _Static(directory=site, html=True)))
    for name in PAGES:
        routes += list_routes(name, studio)
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=_handlers(studio))
    app.state.studio = studio
    app.state.gate = StudioGate(app, config, read_token(config.folder), studio.people)
    return app.state.gate  # type: ignore[no-any-return]


class _Static(StaticFiles):
    """Static files of the studio. Browsers ask for them each time, so that they see a new version at once."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers["cache-control"] = "no-cache"
        return response


def _handlers(studio: Studio) -> dict[Any, Any]:
    def missing(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        if "text/html" not in request.headers.get("accept", ""):
            return PlainTextResponse(f"{status}\n", status)
        return studio.page("missing", status, what="There is no such page.")

    def repairable(request: Request, error: Exception) -> Response:
        return studio.page("missing", 404, what=str(error))

    return {HTTPException: missing, VeilError: repairable}
