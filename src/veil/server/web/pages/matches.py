"""The page of matches and tournaments: a form that starts one, and logs and stores of one folder, never changed."""

from __future__ import annotations

import json
import os
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.errors import VeilError, fail
from veil.games import FAMILIES
from veil.server.web.host.answers import answer_json, answers_errors, read_query, read_question, while_connected
from veil.server.web.host.app import Studio
from veil.server.web.host.results import LOG, STORE
from veil.server.web.jobs.game_sources import GameSource, is_bundled

REPLAYING = "veil.server.web.jobs.replays"
Text = Annotated[str, msgspec.Meta(max_length=500)]
LogText = Annotated[str, msgspec.Meta(max_length=1_000_000)]


class AskedFile(msgspec.Struct, kw_only=True):
    """A file of the list."""

    file: Text


class NumberedMatch(msgspec.Struct, kw_only=True):
    """A match of a log, and its view: that of a role, or of the referee if it is empty. In a store, it has seats."""

    number: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
    game: Text
    seats: Annotated[list[Text], msgspec.Meta(max_length=64)] = []
    view: Text = ""


class AskedReplay(NumberedMatch, kw_only=True):
    """A match of a file of the list."""

    file: Text


class GivenLog(msgspec.Struct, kw_only=True):
    """The text of a log that a browser has opened; it is not stored."""

    text: LogText
    name: Text = "the file"


class GivenMatch(NumberedMatch, kw_only=True):
    """A match of such a log."""

    text: LogText
    name: Text = "the file"


class AskedStoreCell(AskedFile, kw_only=True):
    """A cell of a table of a store; without `against`, all matches of a player."""

    game: Text
    player: Text
    against: Text = ""


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the list of files, of the page of one file, and of their questions."""
    pages = _MatchesPages(studio)
    return [
        Route("/matches", pages.show),
        Route("/matches/view", pages.view),
        Route("/matches/open", answers_errors(pages.open)),
        Route("/matches/csv", answers_errors(pages.csv)),
        Route("/matches/cell", answers_errors(pages.list_cell)),
        Route("/matches/replay", answers_errors(pages.replay), methods=["POST"]),
        Route("/replay", pages.show_given),
        Route("/replay/open", answers_errors(pages.open_given), methods=["POST"]),
        Route("/replay/replay", answers_errors(pages.replay_given), methods=["POST"]),
    ]


class _MatchesPages:
    """The endpoints."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    async def show(self, request: Request) -> Response:
        contests = self.studio.contests
        return self.studio.page(
            "matches",
            files=self.studio.results.files(),
            contests=[(name, contests.read(name)) for name in contests.ids()],
            games=list(FAMILIES),
            saved=self.studio.library.names(),
            chosen=request.query_params.get("game", ""),
            jobs=os.cpu_count() or 1,
        )

    async def view(self, request: Request) -> Response:
        name = request.query_params.get("file", "")
        try:
            _, kind = self.studio.results.find(name)
        except VeilError as error:
            return self.studio.page("missing", 404, what=str(error))
        return self.studio.page("results", file=name, kind=kind)

    async def open(self, request: Request) -> Response:
        path, kind = self.studio.results.find(read_query(request, AskedFile).file)
        function = {LOG: f"{REPLAYING}:open_log", STORE: f"{REPLAYING}:open_store"}[kind]
        return await while_connected(request, self.studio.jobs.run(function, {"path": str(path)}))

    async def csv(self, request: Request) -> Response:
        path, kind = self.studio.results.find(read_query(request, AskedFile).file)
        if kind != STORE:
            raise fail("studio-no-results", name=path.name)
        table = json.loads(await self.studio.jobs.run(f"{REPLAYING}:open_store", {"path": str(path)}))
        headers = {"content-disposition": f'attachment; filename="{path.stem.replace(chr(34), "_")}.csv"'}
        return Response(table["csv"], media_type="text/csv", headers=headers)

    async def replay(self, request: Request) -> Response:
        wanted = await read_question(request, AskedReplay)
        path, kind = self.studio.results.find(wanted.file)
        source = self._find_source(wanted.game).as_arguments(self.studio.config)
        match = {"game": wanted.game, "seats": wanted.seats, "number": wanted.number}
        kept = {"number": wanted.number} if kind == LOG else {"match": match}
        arguments = {"path": str(path), "view": wanted.view, "source": source} | kept
        function = {LOG: "replay", STORE: "replay_kept"}[kind]
        return answer_json({"job": self.studio.jobs.submit(f"{REPLAYING}:{function}", arguments)})

    async def show_given(self, request: Request) -> Response:
        return self.studio.page("results", part_of="play", file="A match from a file", kind="given")

    async def open_given(self, request: Request) -> Response:
        given = await read_question(request, GivenLog)
        arguments = {"name": given.name, "text": given.text}
        return await while_connected(request, self.studio.jobs.run(f"{REPLAYING}:open_text", arguments))

    async def replay_given(self, request: Request) -> Response:
        wanted = await read_question(request, GivenMatch)
        source = self._find_source(wanted.game).as_arguments(self.studio.config)
        arguments = {"name": wanted.name, "text": wanted.text, "number": wanted.number, "view": wanted.view}
        return answer_json({"job": self.studio.jobs.submit(f"{REPLAYING}:replay_text", arguments | {"source": source})})

    async def list_cell(self, request: Request) -> Response:
        asked = read_query(request, AskedStoreCell)
        path, kind = self.studio.results.find(asked.file)
        if kind != STORE:
            raise fail("studio-no-results", name=path.name)
        cell = {"game": asked.game, "player": asked.player, "against": asked.against}
        return answer_json(await self.studio.jobs.run(f"{REPLAYING}:list_cell", {"path": str(path)} | cell))

    def _find_source(self, game: str) -> GameSource:
        """Return the rules of a match by the game's name in its log: from the catalogue, or saved in the studio."""
        if is_bundled(game):
            return GameSource(name=game)
        for name in self.studio.library.names():
            if name.rsplit(".", 1)[0] == game.rsplit(".", 1)[0]:
                return self.studio.find_source(f"own:{name}")
        raise fail("studio-other-rules", game=game)
