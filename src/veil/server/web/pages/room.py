"""The room of a class: people, tables at which they play each other, exercises, results; and the door to it.

A table has a seat for every role. People sit down; the seats that stay free are taken by machines when somebody starts
the game. From then on the game is a game like any other (`pages.play`), in which the server finds the role of a person
by the table.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from veil.errors import fail, phrase
from veil.games import FAMILIES, find_utility, instantiate
from veil.server.web.host.answers import answer_json, answers_errors, read_query, read_question
from veil.server.web.host.app import Studio
from veil.server.web.host.browser_players import list_players
from veil.server.web.host.people import People, Person
from veil.server.web.host.security import set_cookie
from veil.server.web.host.sessions import StudioSession
from veil.server.web.jobs.game_sources import GameSource
from veil.server.web.pages.play import PLAYING, SEED_BITS
from veil.vocabulary import RANDOM

MACHINE = "machine:"
WAIT_SECONDS = 20.0

Text = Annotated[str, msgspec.Meta(max_length=200)]


class GivenName(msgspec.Struct):
    """The name of somebody who joins."""

    name: Text


class NewTable(msgspec.Struct, kw_only=True):
    """A table: its game, the seat of the person who opens it, the player of free seats, what spectators see."""

    game: Text
    role: Text = ""
    machine: Text = "hyperplay"
    spectators: Literal["end", "side", "all"] = "end"


class TakenSeat(msgspec.Struct, kw_only=True):
    """A seat that somebody takes."""

    table: Text
    role: Text


class NamedTable(msgspec.Struct, kw_only=True):
    """A table."""

    table: Text


class NewExercise(msgspec.Struct, kw_only=True):
    """An exercise that the host hands out: a game to play in a role, and what to find out."""

    title: Text
    text: Annotated[str, msgspec.Meta(max_length=4000)] = ""
    game: Text
    role: Text = ""


class NamedExercise(msgspec.Struct, kw_only=True):
    """An exercise."""

    exercise: int


class AskedTurn(msgspec.Struct, kw_only=True):
    """A request to answer when a game has more rounds than the page knows."""

    round: Annotated[int, msgspec.Meta(ge=0)] = 0


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the room; none outside of a class."""
    if studio.people is None:
        return []
    pages = _RoomPages(studio, studio.people)
    return [
        Route("/join", pages.show_door),
        Route("/join", answers_errors(pages.join), methods=["POST"]),
        Route("/room", pages.show),
        Route("/room/state", answers_errors(pages.tell)),
        Route("/room/open", answers_errors(pages.open), methods=["POST"]),
        Route("/room/sit", answers_errors(pages.sit), methods=["POST"]),
        Route("/room/leave", answers_errors(pages.leave), methods=["POST"]),
        Route("/room/close", answers_errors(pages.close), methods=["POST"]),
        Route("/room/start", answers_errors(pages.start), methods=["POST"]),
        Route("/room/exercise", answers_errors(pages.hand_out), methods=["POST"]),
        Route("/room/withdraw", answers_errors(pages.withdraw), methods=["POST"]),
        Route("/room/remove", answers_errors(pages.remove), methods=["POST"]),
        Route("/play/{session}/wait", answers_errors(pages.wait)),
        Route("/play/{session}/watch", answers_errors(pages.watch)),
    ]


class _RoomPages:
    """The endpoints."""

    def __init__(self, studio: Studio, people: People) -> None:
        self.studio, self.people = studio, people

    async def show_door(self, request: Request) -> Response:
        if self.studio.person is not None:
            return RedirectResponse("/room", 303)
        return self.studio.page("join", part_of="room")

    async def join(self, request: Request) -> Response:
        secret = self.people.join((await read_question(request, GivenName)).name)
        answer = answer_json({})
        gate = request.app.state.gate
        set_cookie(answer, f"{gate.cookie_name}-person", secret, is_secure=gate.is_secure)
        return answer

    async def show(self, request: Request) -> Response:
        return self.studio.page(
            "room",
            games=list(FAMILIES),
            is_host=self._person().is_host,
            saved=self.studio.library.names(),
            players=list_players(),
        )

    async def tell(self, request: Request) -> Response:
        person, names, over = self._person(), self.people.names(), self.people.ended_sessions()
        return answer_json(
            {
                "me": person.name,
                "is_host": person.is_host,
                "people": [{"name": name, "away": self.people.is_away(each)} for each, name in names.items()],
                "tables": [self._tell_table(table, person, names, over) for table in self.people.tables()],
                "exercises": self.people.exercises(),
                "contests": self._tell_contests(person),
                "results": [
                    {key: row[key] for key in ("what", "game", "role", "goal", "ended", "exercise")}
                    | {"name": names.get(row["person"], ""), "score": _tell_score(row["game"], row["goal"])}
                    for row in self.people.results()
                    if person.is_host or row["person"] == person.id
                ],
            }
        )

    def _tell_contests(self, person: Person) -> list[dict[str, Any]]:
        """Return the tournaments of the class, the newest first."""
        contests = self.studio.contests
        listed = [(name, contests.read(name)) for name in contests.ids()]
        return [
            {
                "id": name,
                "title": contest.title,
                "state": contest.state,
                "games": [game.name for game in contest.games],
                "players": [entrant.label for entrant in contest.players],
                "takes_rules": contest.takes_rules,
                "entered": person.id in contest.rules_of or any(each.person == person.id for each in contest.players),
            }
            for name, contest in listed
            if contest.is_class
        ]

    def _tell_table(
        self, table: dict[str, Any], person: Person, names: dict[str, str], over: set[str]
    ) -> dict[str, Any]:
        seats = {role: _show_holder(holder, names) for role, holder in table["seats"].items()}
        mine = next((role for role, holder in table["seats"].items() if holder == person.id), "")
        is_open = bool(table["session"]) and (bool(mine) or table["spectators"] != "end")
        return {
            "id": table["id"],
            "game": table["game"],
            "seats": seats,
            "mine": mine,
            "spectators": table["spectators"],
            "started": bool(table["session"]),
            "over": table["session"] in over,
            "closes": not table["session"] and (person.is_host or table["owner"] == person.id),
            "session": table["session"] if is_open or (table["session"] and person.is_host) else "",
        }

    async def open(self, request: Request) -> Response:
        """Open a table; the person takes a seat."""
        wanted, person = await read_question(request, NewTable), self._person()
        roles = await self._find_roles(wanted.game)
        role = wanted.role or roles[0]
        if role not in roles:
            raise fail("unknown-role", role=role, roles=", ".join(roles))
        seats = dict.fromkeys(roles, "") | {role: person.id}
        table = self.people.open_table(wanted.game, seats, wanted.spectators, person.id)
        return answer_json({"table": table})

    async def _find_roles(self, game: str) -> list[str]:
        source = self.studio.find_source(game)
        if source.text is None:
            return [role for role in instantiate(source.name).family.roles if role != RANDOM]
        arguments = {"source": source.as_arguments(self.studio.config)}
        described = await self.studio.jobs.run("veil.server.web.jobs.description:describe_game", arguments)
        return list(json.loads(described)["roles"])

    async def sit(self, request: Request) -> Response:
        wanted = await read_question(request, TakenSeat)
        self.people.sit(wanted.table, wanted.role, self._person().id)
        return answer_json({})

    async def leave(self, request: Request) -> Response:
        """Free the seat of the person at a table that has not started."""
        self.people.stand_up((await read_question(request, NamedTable)).table, self._person().id)
        return answer_json({})

    async def close(self, request: Request) -> Response:
        """Remove a table that has not started; its owner and the host may do so."""
        table, person = self.people.find_table((await read_question(request, NamedTable)).table), self._person()
        if table["owner"] != person.id:
            self._check_host()
        self.people.close_table(table["id"])
        return answer_json({})

    async def start(self, request: Request) -> Response:
        """Start the game of a table; machines take the free seats."""
        table, person = self.people.find_table((await read_question(request, NamedTable)).table), self._person()
        if person.id not in table["seats"].values() and not person.is_host:
            raise fail("studio-refused", what=phrase("studio-not-seated"))
        if table["session"]:
            return answer_json({"session": table["session"]})
        names = self.people.names()
        seated = {role: holder for role, holder in table["seats"].items() if holder}
        session = StudioSession(
            source=self._find_source(table),
            role="",
            people={role: names.get(holder, "") for role, holder in seated.items()},
            players={},
            seed=secrets.randbits(SEED_BITS),
            play_seconds=2.0,
        )
        name = self.studio.sessions.add(session)
        arguments = {
            "path": str(self.studio.sessions.path(name)),
            "source": GameSource(name="").as_arguments(self.studio.config),
        }
        await self.studio.tables.ask(name, f"{PLAYING}:begin", arguments, self.studio.config.move_seconds)
        self.people.start_table(table["id"], name)
        return answer_json({"session": name})

    def _find_source(self, table: dict[str, Any]) -> GameSource:
        """Return the game of a table; an own game is that of the person who opened the table."""
        owner = self.people.find_by_id(table["owner"])
        return self.studio.find_source_of(owner, table["game"])

    async def hand_out(self, request: Request) -> Response:
        self._check_host()
        wanted = await read_question(request, NewExercise)
        roles = await self._find_roles(wanted.game)
        if wanted.role and wanted.role not in roles:
            raise fail("unknown-role", role=wanted.role, roles=", ".join(roles))
        self.people.add_exercise(wanted.title, wanted.text, wanted.game, wanted.role or roles[0])
        return answer_json({})

    async def withdraw(self, request: Request) -> Response:
        self._check_host()
        self.people.withdraw_exercise((await read_question(request, NamedExercise)).exercise)
        return answer_json({})

    async def remove(self, request: Request) -> Response:
        """Let a person in no longer."""
        self._check_host()
        self.people.remove((await read_question(request, GivenName)).name)
        return answer_json({})

    async def wait(self, request: Request) -> Response:
        """Answer when the game of a table has gone on, or after some seconds. Only rounds that are over count."""
        session = request.path_params["session"]
        self.studio.find_seat(session)
        turn = self.studio.turns[session]
        asked = read_query(request, AskedTurn).round
        if turn.rounds <= asked:
            try:
                async with asyncio.timeout(WAIT_SECONDS):
                    await turn.wait_for_round(asked)
            except TimeoutError:
                pass
        return answer_json({})

    async def watch(self, request: Request) -> Response:
        """Return what a spectator may see of a game."""
        session = request.path_params["session"]
        table = self.people.find_table_of(session)
        if table is None:
            raise fail("studio-no-session")
        arguments = {
            "path": str(self.studio.sessions.path(session)),
            "source": GameSource(name="").as_arguments(self.studio.config),
            "spectators": self._find_sight(table),
        }
        seconds = self.studio.config.move_seconds
        return answer_json(await self.studio.tables.ask(session, f"{PLAYING}:watch", arguments, seconds))

    def _find_sight(self, table: dict[str, Any]) -> str:
        """Return what the person may see of a game: the host sees everything, unless the host plays."""
        person = self._person()
        is_seated = person.id in table["seats"].values()
        return "end" if is_seated else "all" if person.is_host else str(table["spectators"])

    def _check_host(self) -> None:
        if not self._person().is_host:
            raise fail("studio-refused", what=phrase("studio-host-only"))

    def _person(self) -> Person:
        person = self.studio.person
        assert person is not None  # the gate lets nobody else in
        return person


def _tell_score(game: str, goal: float | None) -> str:
    """Return a goal in the unit of a game of the catalogue: chips, or points."""
    return "" if goal is None else find_utility(game).tell(goal)


def _show_holder(holder: str, names: dict[str, str]) -> str:
    return holder.removeprefix(MACHINE) if holder.startswith(MACHINE) else names.get(holder, "")
