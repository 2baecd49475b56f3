"""Tournaments in the browser: started, watched, stopped; a match is replayed from its cell. Also those of a class."""

from __future__ import annotations

import json
import os
import secrets
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.errors import VeilError, fail, phrase
from veil.files import write_text
from veil.games import instantiate
from veil.match import has_all_walls
from veil.players import PLAYERS
from veil.server.web.host.answers import answer_json, answers_errors, read_query, read_question
from veil.server.web.host.app import Studio
from veil.server.web.host.browser_players import check_players, list_players
from veil.server.web.host.contests import ContestPlan, Entrant
from veil.server.web.host.people import Person
from veil.server.web.jobs.game_sources import GameSource, clean_name

REPLAYING = "veil.server.web.jobs.replays"
MOST_MATCHES, MOST_GAMES, MOST_PLAYERS = 1000, 20, 40
MOST_JOBS = os.cpu_count() or 1
CLASS_SECONDS = 0.5  # per move, where the host says nothing

Text = Annotated[str, msgspec.Meta(max_length=200)]
Matches = Annotated[int, msgspec.Meta(ge=1, le=MOST_MATCHES)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=60)]


class NewContest(msgspec.Struct, kw_only=True):
    """A tournament to begin."""

    games: Annotated[list[Text], msgspec.Meta(min_length=1, max_length=MOST_GAMES)]
    players: Annotated[list[Text], msgspec.Meta(min_length=1, max_length=MOST_PLAYERS)]
    matches: Matches = 20
    seconds: Seconds | None = None
    jobs: Annotated[int, msgspec.Meta(ge=1, le=MOST_JOBS)] = 1
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**48)] = 0


class NewClassContest(msgspec.Struct, kw_only=True):
    """A tournament of a class, for which people enter players; with `takes_rules`, rules."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    games: Annotated[list[Text], msgspec.Meta(max_length=MOST_GAMES)] = []
    players: Annotated[list[Text], msgspec.Meta(max_length=MOST_PLAYERS)] = []
    takes_rules: bool = False
    matches: Matches = 10
    seconds: Seconds = CLASS_SECONDS


class GivenEntry(msgspec.Struct, kw_only=True):
    """What a person enters: the spec of a player, the text of a player's file, or the name of own rules."""

    spec: Text = ""
    text: Annotated[str, msgspec.Meta(max_length=200_000)] = ""
    game: Text = ""


class AskedCell(msgspec.Struct, kw_only=True):
    """A cell of a table; without `against`, all matches of a player."""

    game: Text
    player: Text
    against: Text = ""


class AskedMatch(msgspec.Struct, kw_only=True):
    """A match, and its view: that of a role, or of the referee if it is empty."""

    game: Text
    seats: Annotated[list[Text], msgspec.Meta(max_length=64)]
    number: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
    view: Text = ""


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the pages and of their questions."""
    pages = _ContestPages(studio)
    contest = "/contests/{contest}"
    return [
        Route("/contests/players", answers_errors(pages.list_players)),
        Route("/contests/new", answers_errors(pages.start), methods=["POST"]),
        Route("/contests/class", answers_errors(pages.announce), methods=["POST"]),
        Route(contest, pages.show),
        Route(f"{contest}/state", answers_errors(pages.tell)),
        Route(f"{contest}/enter", answers_errors(pages.enter), methods=["POST"]),
        Route(f"{contest}/go", answers_errors(pages.go), methods=["POST"]),
        Route(f"{contest}/stop", answers_errors(pages.stop), methods=["POST"]),
        Route(f"{contest}/delete", answers_errors(pages.delete), methods=["POST"]),
        Route(f"{contest}/cell", answers_errors(pages.list_cell)),
        Route(f"{contest}/replay", answers_errors(pages.replay), methods=["POST"]),
        Route(f"{contest}/csv", answers_errors(pages.csv)),
    ]


class _ContestPages:
    """The endpoints. In a class, only the host starts, stops and deletes; everybody enters and watches."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    async def list_players(self, request: Request) -> Response:
        """Return the players that may be named, each with its options in words."""
        return answer_json(
            [
                {
                    "name": name,
                    "summary": summary,
                    "options": [
                        {"name": entry.name, "default": _show(entry.default), "kind": entry.kind, "about": entry.about}
                        for entry in PLAYERS.options(name)
                    ],
                }
                for name, summary in list_players()
            ]
        )

    async def start(self, request: Request) -> Response:
        self._check_host()
        wanted = await read_question(request, NewContest)
        _check_specs(wanted.players)
        contest = ContestPlan(
            title=", ".join(wanted.games)[:100],
            games=[self._find_game(game) for game in wanted.games],
            players=[Entrant(spec=spec, label=spec) for spec in wanted.players],
            matches=wanted.matches,
            seconds=wanted.seconds,
            jobs=wanted.jobs,
            seed=wanted.seed,
        )
        name = self.studio.contests.add(contest)
        self.studio.contests.start(name)
        return answer_json({"contest": name})

    async def announce(self, request: Request) -> Response:
        """Open a tournament of a class, for which people enter players or rules."""
        self._check_host()
        wanted = await read_question(request, NewClassContest)
        _check_specs(wanted.players)
        if self.studio.people is None or not (wanted.players if wanted.takes_rules else wanted.games):
            raise fail("studio-refused", what=phrase("studio-empty-contest"))
        contest = ContestPlan(
            title=wanted.title,
            games=[self._find_game(game) for game in wanted.games],
            players=[Entrant(spec=spec, label=spec) for spec in wanted.players],
            matches=wanted.matches,
            seconds=wanted.seconds,
            seed=secrets.randbits(32),
            isolated=not wanted.takes_rules,
            is_class=True,
            takes_rules=wanted.takes_rules,
            state="open",
        )
        return answer_json({"contest": self.studio.contests.add(contest)})

    async def enter(self, request: Request) -> Response:
        """Enter a player or rules for the person who asks, in place of what the person entered before."""
        name, person = request.path_params["contest"], self.studio.person
        given = await read_question(request, GivenEntry)
        contest = self.studio.contests.read(name)  # nothing may be awaited until it is written: others enter as well
        if person is None or contest.state != "open":
            raise fail("studio-refused", what=phrase("studio-contest-closed"))
        if contest.takes_rules:
            rules = self.studio.find_source(f"own:{given.game.removeprefix('own:')}")
            before = contest.rules_of.get(person.id)
            games = [game for game in contest.games if game.name != before]
            title = _find_title(f"{rules.name} ({person.name})", {game.name for game in games})
            contest.games = [*games, msgspec.structs.replace(rules, name=title)]
            contest.rules_of[person.id] = title
        else:
            others = [entrant for entrant in contest.players if entrant.person != person.id]
            contest.players = [*others, self._read_entrant(name, given, person)]
            named = {PLAYERS.parse(entrant.spec) for entrant in contest.players if not entrant.spec.startswith("own:")}
            if len(named) < sum(not entrant.spec.startswith("own:") for entrant in contest.players):
                raise fail("studio-refused", what=phrase("studio-entered-already"))
        if len(contest.players) > MOST_PLAYERS or len(contest.games) > MOST_GAMES:
            raise fail("studio-busy")
        self.studio.contests.write(name, contest)
        return answer_json({})

    def _read_entrant(self, contest: str, given: GivenEntry, person: Person) -> Entrant:
        if given.text.strip():
            if not has_all_walls():
                raise fail("studio-refused", what=phrase("studio-no-walls"))
            path = self.studio.contests.player_file(contest, person.id)
            write_text(path, given.text, private=True)
            return Entrant(spec=f"own:file={path}", label=person.name, person=person.id)
        _check_specs([given.spec])
        return Entrant(spec=given.spec, label=f"{person.name}: {given.spec}", person=person.id)

    async def go(self, request: Request) -> Response:
        self._check_host()
        name = request.path_params["contest"]
        contest = self.studio.contests.read(name)
        if not contest.players or not contest.games:
            raise fail("studio-refused", what=phrase("studio-empty-contest"))
        self.studio.contests.start(name)
        return answer_json({})

    async def stop(self, request: Request) -> Response:
        self._check_host()
        await self.studio.contests.stop(request.path_params["contest"])
        return answer_json({})

    async def delete(self, request: Request) -> Response:
        self._check_host()
        await self.studio.contests.remove(request.path_params["contest"])
        return answer_json({})

    async def show(self, request: Request) -> Response:
        name = request.path_params["contest"]
        try:
            contest = self.studio.contests.read(name)
        except VeilError as error:
            return self.studio.page("missing", 404, what=str(error))
        part_of = "room" if self.studio.people is not None else "matches"
        return self.studio.page("contest", part_of=part_of, contest=name, title=contest.title, mine=self._is_host)

    async def tell(self, request: Request) -> Response:
        name = request.path_params["contest"]
        await self._fill_report(name)
        return answer_json(self.studio.contests.tell(name))

    async def _fill_report(self, name: str) -> None:
        """Read the tables of a contest that is over, or was stopped before the studio was started, from its store."""
        contests = self.studio.contests
        store = contests.store(name)
        if contests.report(name) == b"null" and contests.read(name).state != "running" and store.is_file():
            contests.keep_report(name, await self.studio.jobs.run(f"{REPLAYING}:open_store", {"path": str(store)}))

    async def csv(self, request: Request) -> Response:
        name = request.path_params["contest"]
        await self._fill_report(name)
        report = (json.loads(self.studio.contests.tell(name))["report"]) or {}
        headers = {"content-disposition": f'attachment; filename="tournament-{name}.csv"'}
        return Response(report.get("csv", ""), media_type="text/csv", headers=headers)

    async def list_cell(self, request: Request) -> Response:
        name, asked = request.path_params["contest"], read_query(request, AskedCell)
        specs, labels = self._find_names(name)
        arguments = {
            "path": str(self.studio.contests.store(name)),
            "game": asked.game,
            "player": specs.get(asked.player, asked.player),
            "against": specs.get(asked.against, asked.against),
        }
        found = json.loads(await self.studio.jobs.run(f"{REPLAYING}:list_cell", arguments))
        for entry in found["matches"]:
            entry["seats"] = [labels.get(spec, spec) for spec in entry["seats"]]
        return answer_json(found)

    async def replay(self, request: Request) -> Response:
        name, wanted = request.path_params["contest"], await read_question(request, AskedMatch)
        specs, _ = self._find_names(name)
        contest = self.studio.contests.read(name)
        source = next((game for game in contest.games if game.name == wanted.game), None)
        if source is None:
            raise fail("studio-other-rules", game=wanted.game)
        seats = [specs.get(label, label) for label in wanted.seats]
        arguments = {
            "path": str(self.studio.contests.store(name)),
            "match": {"game": wanted.game, "seats": seats, "number": wanted.number},
            "view": wanted.view,
            "source": source.as_arguments(self.studio.config),
        }
        return answer_json({"job": self.studio.jobs.submit(f"{REPLAYING}:replay_kept", arguments)})

    def _find_names(self, name: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return label -> spec and spec -> label of a contest."""
        entrants = self.studio.contests.read(name).players
        return {each.label: each.spec for each in entrants}, {each.spec: each.label for each in entrants}

    def _find_game(self, game: str) -> GameSource:
        source = self.studio.find_source(game)
        return source if source.text is not None else GameSource(name=instantiate(source.name).name)

    @property
    def _is_host(self) -> bool:
        return not self.studio.is_guest

    def _check_host(self) -> None:
        if not self._is_host:
            raise fail("studio-refused", what=phrase("studio-host-only"))


def _check_specs(specs: list[str]) -> None:
    for spec in specs:
        PLAYERS.parse(spec)
    check_players({str(number): spec for number, spec in enumerate(specs)})


def _find_title(wanted: str, taken: set[str]) -> str:
    """Return a name for a game that may stand in files, and that no other game of the contest has."""
    title, number = clean_name(wanted), 2
    while title in taken:
        title, number = clean_name(f"{wanted[:50]} {number}"), number + 1
    return title


def _show(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
