"""A class for tests: one studio, and several people who ask it with their own cookies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from starlette.testclient import TestClient

from tests.support.studio import ADDRESS, LocalWorker, StudioClient
from veil.server.web.host.app import build_app
from veil.server.web.host.security import CLASS_TOKEN, read_token
from veil.server.web.host.settings import StudioConfig


class Visitor(StudioClient):
    """A person in a class. The browser is shared; the cookies are the person's."""

    def __init__(self, client: TestClient, folder: Path) -> None:
        super().__init__(client, folder)
        self.cookies: dict[str, str] = {}

    def get(self, path: str) -> Any:
        return self._with_cookies(lambda: StudioClient.get(self, path))

    def post(self, path: str, data: Any = None) -> Any:
        return self._with_cookies(lambda: StudioClient.post(self, path, data))

    def _with_cookies(self, ask: Any) -> Any:
        self.client.cookies.clear()
        self.client.cookies.update(self.cookies)
        answer = ask()
        self.cookies = dict(self.client.cookies)
        return answer


@dataclass
class Classroom:
    """A class with its host."""

    host: Visitor
    token: str

    def join(self, name: str) -> Visitor:
        """Return a person who has come by the link and given a name."""
        guest = Visitor(self.host.client, self.host.folder)
        assert guest.get(f"/join?token={self.token}").status_code == 200
        guest.ask("/join", {"name": name})
        return guest


@contextmanager
def open_class(folder: Path, **limits: Any) -> Iterator[Classroom]:
    """A class whose workers are this process."""
    config = StudioConfig(folder=folder, is_class=True, move_seconds=900.0, **limits)
    with (
        patch("veil.server.web.host.job_queue.StudioWorker", LocalWorker),
        patch("veil.server.web.host.live_tables.StudioWorker", LocalWorker),
        patch("veil.server.web.host.contests.StudioWorker", LocalWorker),
        TestClient(build_app(config), base_url=ADDRESS) as client,
    ):
        host = Visitor(client, folder)
        assert host.get(f"/?token={read_token(folder)}").status_code == 200
        yield Classroom(host, read_token(folder, CLASS_TOKEN))
