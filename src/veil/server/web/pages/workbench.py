"""The workbench: rules in an editor that checks them while the user types, and the game that they make."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.errors import VeilError
from veil.games import FAMILIES, instantiate
from veil.server.web.host.answers import answer_json, answers_errors, read_question, while_connected
from veil.server.web.host.app import Studio
from veil.server.web.host.library import NAME, SavedRules
from veil.server.web.jobs.game_sources import GameSource

CHECKING = "veil.server.web.jobs.rules_check"
WORDS = "veil.server.web.jobs.rule_words"
NEW_NAME = "my_game"
REVIEW_SECONDS = 15.0

RulesText = Annotated[str, msgspec.Meta(max_length=1_000_000)]
Name = Annotated[str, msgspec.Meta(max_length=60)]


class WrittenRules(msgspec.Struct, kw_only=True):
    """Rules as they stand in the editor."""

    text: RulesText
    name: Name = NEW_NAME
    tab: Annotated[str, msgspec.Meta(max_length=40)] = ""  # the page that asks: its newer question ends its older one
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**32)] = 0
    overwrites: bool = True  # whether rules of this name that were saved before are replaced
    version: Annotated[str, msgspec.Meta(max_length=40)] = ""  # of the saved rules that these replace in any case

    def source(self) -> GameSource:
        """Return the rules as a game."""
        return GameSource(name=self.name or NEW_NAME, text=self.text)


class WordQuestion(msgspec.Struct, kw_only=True):
    """A question of the editor about the word at a place of the rules."""

    text: RulesText
    what: Literal["explain", "complete", "define", "rename", "layout"]
    offset: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    new: Name = ""


class NamedRules(msgspec.Struct, kw_only=True):
    """The name of rules in the library."""

    name: Name


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the page and of its questions."""

    async def show(request: Request) -> Response:
        game = request.query_params.get("game", "")
        try:
            opened = _open(studio, game)
        except VeilError as error:
            return studio.page("missing", 404, what=str(error))
        saved = studio.library.names()
        return studio.page("workbench", opened=opened, saved=saved, games=list(FAMILIES), is_new=not game)

    async def check(request: Request) -> Response:
        written = await read_question(request, WrittenRules)
        work = studio.jobs.run(f"{CHECKING}:check_rules", _arguments(studio, written), key=f"check {written.tab}")
        return await while_connected(request, work)

    async def ask_about_word(request: Request) -> Response:
        question = await read_question(request, WordQuestion)
        return await while_connected(request, studio.jobs.run(f"{WORDS}:answer_editor", msgspec.to_builtins(question)))

    async def play_through(request: Request) -> Response:
        written = await read_question(request, WrittenRules)
        arguments = _arguments(studio, written) | {"seed": written.seed}
        job = studio.jobs.submit(f"{CHECKING}:play_through", arguments, studio.config.check_seconds * 2)
        return answer_json({"job": job})

    async def review(request: Request) -> Response:
        written = await read_question(request, WrittenRules)
        arguments = _arguments(studio, written) | {"seconds": REVIEW_SECONDS}
        return answer_json({"job": studio.jobs.submit(f"{CHECKING}:review", arguments)})

    async def save(request: Request) -> Response:
        written = await read_question(request, WrittenRules)
        saved = studio.library.save(written.name, written.text, overwrites=written.overwrites, version=written.version)
        return answer_json({"name": saved.name, "version": saved.version})

    async def delete(request: Request) -> Response:
        named = await read_question(request, NamedRules)
        studio.library.delete(named.name)
        return answer_json({"name": named.name})

    return [
        Route("/workbench", show),
        Route("/workbench/check", answers_errors(check), methods=["POST"]),
        Route("/workbench/word", answers_errors(ask_about_word), methods=["POST"]),
        Route("/workbench/playthrough", answers_errors(play_through), methods=["POST"]),
        Route("/workbench/review", answers_errors(review), methods=["POST"]),
        Route("/workbench/save", answers_errors(save), methods=["POST"]),
        Route("/workbench/delete", answers_errors(delete), methods=["POST"]),
    ]


def _arguments(studio: Studio, written: WrittenRules) -> dict[str, Any]:
    return {"source": written.source().as_arguments(studio.config)}


def _open(studio: Studio, game: str) -> SavedRules:
    """Return the rules that an address names: from the library, from the catalogue, or a new text."""
    if not game:
        return SavedRules(NEW_NAME, "")
    if game.startswith("own:"):
        return studio.library.read(game.removeprefix("own:"))
    instance = instantiate(game)
    name = f"my_{instance.family.name}"
    return SavedRules(name if NAME.fullmatch(name) else NEW_NAME, instance.text)
