"""`Contests`: tournaments that were started in the browser. They go on when their page is closed.

A contest is a plan (a JSON file) and a store of its matches beside it, in one folder. While it is played, a process
works for it; what the process has reported last is what pages are shown. Stopping ends the process: the store has all
matches that are over, and the contest can go on. So it can when the studio is started again.

In a class, people enter players, as specs or as Python files, and rules of their own, until the host starts it. Files
are played by isolated processes only (`veil.match.executors.walls`), with a clock and a limit of memory.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from contextlib import suppress
from pathlib import Path
from time import time
from typing import Any, Literal

import msgspec

from veil.errors import VeilError, fail, phrase
from veil.files import decode_json, read_text, write_text
from veil.private_folders import make_private_folder
from veil.server.web.host.settings import StudioConfig
from veil.server.web.host.workers import StudioWorker, as_json, busy, show_problems
from veil.server.web.jobs.game_sources import GameSource

WORK = "veil.server.web.jobs.contests:play_contest"
FORMAT = "veil contest 1"
ID = re.compile(r"[A-Za-z0-9_-]{12}")
MOST_RUNNING, MOST_KEPT = 2, 200
HOURS = 24 * 3600.0  # seconds that a contest may take
GUEST_MEMORY = 1.0  # GB of a process of a player whose file somebody has entered

State = Literal["open", "running", "stopped", "done", "failed"]


class Entrant(msgspec.Struct, kw_only=True):
    """A player of a contest."""

    spec: str
    label: str  # how tables call it
    person: str = ""  # who entered it


class ContestPlan(msgspec.Struct, kw_only=True):
    """The plan of a contest."""

    format: str = FORMAT
    title: str
    games: list[GameSource]
    players: list[Entrant]
    matches: int
    seconds: float | None  # per move
    jobs: int = 1
    seed: int = 0
    isolated: bool = False
    is_class: bool = False  # people enter players until the host starts it
    takes_rules: bool = False  # people enter rules instead
    rules_of: dict[str, str] = {}  # person -> name of the game that the person has entered
    state: State = "running"
    made: float = 0.0
    problems: dict[str, Any] | None = None  # why it failed


class RunningContest:
    """The process of a contest, and what it has reported."""

    def __init__(self, worker: StudioWorker) -> None:
        self.worker = worker
        self.report: bytes = b"null"
        self.task: asyncio.Task[None] | None = None


class Contests:
    """All contests."""

    def __init__(self, config: StudioConfig) -> None:
        self.config, self.folder = config, config.folder / "contests"
        self._running: dict[str, RunningContest] = {}
        self._last: dict[str, bytes] = {}  # the last report of contests that do not run any more

    def add(self, contest: ContestPlan) -> str:
        """Store a new contest and return its id."""
        make_private_folder(self.folder)
        if len(self.ids()) >= MOST_KEPT:
            raise fail("studio-library-full", most=MOST_KEPT)
        contest.made = time()
        name = secrets.token_urlsafe(9)
        self.write(name, contest)
        return name

    def ids(self) -> list[str]:
        """Return the ids of all contests, the newest first."""
        paths = [path for path in self.folder.glob("*.json") if ID.fullmatch(path.stem)]
        return [path.stem for path in sorted(paths, key=lambda path: (-self.read(path.stem).made, path.stem))]

    def read(self, name: str) -> ContestPlan:
        """Return a contest. One that ran when the studio was ended is stopped. Raises `VeilError` if there is none."""
        path = self.folder / f"{name}.json"
        if not ID.fullmatch(name) or not path.is_file():
            raise fail("studio-refused", what=phrase("studio-no-contest"))
        contest = decode_json(read_text(path), ContestPlan, name, _refuse)
        if contest.state == "running" and name not in self._running:
            contest.state = "stopped"
        return contest

    def write(self, name: str, contest: ContestPlan) -> None:
        """Store a contest under its id."""
        write_text(self.folder / f"{name}.json", msgspec.json.encode(contest).decode(), private=True)

    def store(self, name: str) -> Path:
        """Return the file of the matches of a contest."""
        return self.folder / f"{name}.sqlite"

    def player_file(self, name: str, person: str) -> Path:
        """Return the file of the player that a person enters."""
        return self.folder / f"{name}-{person}.py"

    def report(self, name: str) -> bytes:
        """Return what the contest has reported last, as JSON; `null` if nothing is known."""
        running = self._running.get(name)
        return running.report if running is not None else self._last.get(name, b"null")

    def keep_report(self, name: str, report: bytes) -> None:
        """Note the tables of a contest that does not run."""
        self._last[name] = report

    def start(self, name: str) -> None:
        """Begin or go on with a contest."""
        contest = self.read(name)
        if name in self._running:
            return
        if len(self._running) >= MOST_RUNNING:
            raise busy()
        contest.state, contest.problems = "running", None
        self.write(name, contest)
        running = self._running[name] = RunningContest(StudioWorker(self.config.max_memory, has_children=True))
        running.report = self._last.pop(name, b"null")
        running.task = asyncio.ensure_future(self._play(name, contest, running))

    async def _play(self, name: str, contest: ContestPlan, running: RunningContest) -> None:
        def listen(report: bytes) -> None:
            running.report = report

        arguments = {
            "path": str(self.store(name)),
            "sources": [game.as_arguments(self.config) for game in contest.games],
            "settings": {
                "players": [entrant.spec for entrant in contest.players],
                "memory": GUEST_MEMORY if contest.is_class else self.config.max_memory,
                **{key: getattr(contest, key) for key in ("matches", "seconds", "jobs", "seed", "isolated")},
            },
        }
        try:
            running.report = await running.worker.call(WORK, arguments, HOURS, listen)
            contest.state = "done"
        except VeilError as error:
            contest.state, contest.problems = "failed", show_problems(error)
        except asyncio.CancelledError:
            contest.state = "stopped"
        finally:
            running.worker.end()
            self._running.pop(name, None)
            self._last[name] = running.report
            with suppress(OSError, VeilError):
                self.write(name, contest)

    async def stop(self, name: str) -> None:
        """End the process of a contest; its matches that are over stay."""
        running = self._running.get(name)
        if running is not None and running.task is not None:
            running.task.cancel()
            with suppress(asyncio.CancelledError):
                await running.task

    async def remove(self, name: str) -> None:
        """Delete a contest with its matches."""
        self.read(name)
        await self.stop(name)
        self._last.pop(name, None)
        for path in self.folder.glob(f"{name}*"):
            path.unlink(missing_ok=True)

    def tell(self, name: str) -> bytes:
        """Return a contest as a page shows it: its state, and its tables with the labels of its players."""
        contest = self.read(name)
        report = json.loads(self.report(name))
        labels = {entrant.spec: entrant.label for entrant in contest.players}
        return as_json(
            {
                "title": contest.title,
                "state": contest.state,
                "games": [game.name for game in contest.games],
                "players": [entrant.label for entrant in contest.players],
                "matches": contest.matches,
                "seconds": contest.seconds,
                "problems": contest.problems and _name_players(contest.problems, labels),
                "report": report and _name_players(report, labels),
            }
        )

    def close(self) -> None:
        """End all processes."""
        for running in self._running.values():
            running.worker.end()


def _name_players(data: Any, labels: dict[str, str]) -> Any:
    """Return data with the labels of players in place of their specs, which may hold names of files."""
    if isinstance(data, dict):
        return {labels.get(key, key): _name_players(value, labels) for key, value in data.items()}
    if isinstance(data, list):
        return [_name_players(value, labels) for value in data]
    if isinstance(data, str):
        for spec, label in labels.items():
            data = data.replace(spec, label) if spec.startswith("own:") else label if data == spec else data
    return data


def _refuse(name: str, what: str) -> VeilError:
    return fail("studio-bad-request", what=what)
