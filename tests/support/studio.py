"""The studio for tests: an application whose workers are this process, and a client that has its token.

Processes are tested by themselves (`test_workers`, `test_studio`); everything else is the same without them.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from starlette.testclient import TestClient

from veil.engine import Game
from veil.server.web.host.app import build_app
from veil.server.web.host.security import read_token
from veil.server.web.host.settings import StudioConfig
from veil.server.web.host.workers import StudioWorker, _answer
from veil.server.web.jobs import game_sources

ADDRESS = "http://127.0.0.1:8645"
EVENT = re.compile(r"event: (\w+)\ndata: (.*)\n\n")
RULES = Path(__file__).resolve().parents[2] / "src" / "veil" / "server" / "web" / "static" / "first_game.kif"
FIRST_PLAYER = RULES.with_name("first_player.txt")


class _Wire:
    """Takes what a function says."""

    def __init__(self, on_progress: Callable[[bytes], None]) -> None:
        self.on_progress = on_progress

    def send(self, message: tuple[str, bytes]) -> None:
        self.on_progress(message[1])


class LocalWorker(StudioWorker):
    """A worker that works in a thread of this process; nothing limits or ends it."""

    async def _exchange(self, function: str, arguments: dict[str, Any], on_progress: Callable[[bytes], None]) -> bytes:
        loop = asyncio.get_running_loop()

        def pass_on(data: bytes) -> None:
            loop.call_soon_threadsafe(on_progress, data)

        wire: Any = _Wire(pass_on)
        kind, value = await asyncio.to_thread(_answer, wire, function, arguments)
        await asyncio.sleep(0)  # what was said is heard before the end
        if kind == "done":
            return bytes(value)
        raise value


class StudioClient:
    """A browser without a screen: it has the cookie, and its questions come from our own page."""

    def __init__(self, client: TestClient, folder: Path) -> None:
        self.client, self.folder = client, folder

    def get(self, path: str) -> Any:
        return self.client.get(path)

    def post(self, path: str, data: Any = None) -> Any:
        return self.client.post(path, json={} if data is None else data, headers={"origin": ADDRESS})

    def ask(self, path: str, data: Any = None) -> Any:
        """The answer as data; it must be a good one."""
        response = self.get(path) if data is None else self.post(path, data)
        assert response.status_code == 200, (path, response.status_code, response.text)
        return response.json()

    def refusal(self, path: str, data: Any = None) -> str:
        """The code of the one message that refuses a question."""
        response = self.get(path) if data is None else self.post(path, data)
        assert response.status_code in (422, 503), (path, response.status_code, response.text)
        (entry,) = response.json()["problems"]
        return str(entry["code"])

    def follow(self, path: str, data: Any) -> list[tuple[str, Any]]:
        """The events of the job that a question starts."""
        text = self.get(f"/jobs/{self.ask(path, data)['job']}").text
        return [(name, json.loads(body)) for name, body in EVENT.findall(text)]

    def start(self, game: str, **wanted: Any) -> str:
        """The address of a new game, against random players unless others are wanted."""
        described = self.ask(f"/play/describe?game={game}")
        players = dict.fromkeys(described["roles"], "random")
        session = self.ask("/play/new", {"game": game, "players": players, "seconds": 0.5} | wanted)["session"]
        return f"/play/{session}"

    def session_file(self, address: str) -> Path:
        return self.folder / "played" / f"{address.rpartition('/')[2]}.json"


@contextmanager
def open_studio(folder: Path, **limits: Any) -> Iterator[StudioClient]:
    """A studio with its files in a folder, and a client that was let in."""
    config = StudioConfig(folder=folder, **limits)
    with (
        patch("veil.server.web.host.job_queue.StudioWorker", LocalWorker),
        patch("veil.server.web.host.live_tables.StudioWorker", LocalWorker),
        patch("veil.server.web.host.contests.StudioWorker", LocalWorker),
        TestClient(build_app(config), base_url=ADDRESS) as client,
    ):
        assert client.get(f"/?token={read_token(folder)}").status_code == 200
        yield StudioClient(client, folder)


@contextmanager
def games_loaded_once() -> Iterator[None]:
    """Catalogue games are ground once, however many workers open them."""
    real = game_sources.open_game

    @cache
    def load_once(name: str) -> Game:
        return real(limits | {"name": name, "text": None})

    limits: dict[str, Any] = {"transfer": False, "max_rules": 500_000, "seconds": 60.0, "memory": 4.0}

    def open_game(source: dict[str, Any]) -> Game:
        return load_once(source["name"]) if source["text"] is None else real(source)

    rooms = ("jobs.game_session", "jobs.rules_check", "jobs.description", "jobs.thumbnails")
    patches = [patch(f"veil.server.web.{room}.open_game", open_game) for room in rooms]
    for entry in patches:
        entry.start()
    try:
        yield
    finally:
        for entry in patches:
            entry.stop()
