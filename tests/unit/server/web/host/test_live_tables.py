import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.support.studio import LocalWorker
from veil.errors import VeilError
from veil.server.web.host.live_tables import LiveTables
from veil.server.web.host.people import CURRENT, Person
from veil.server.web.host.settings import StudioConfig

WORK = "tests.support.studio_work"


class WaitingWorker(LocalWorker):
    """Answers when it is told to."""

    gate: asyncio.Event

    async def _exchange(self, function: str, arguments: dict[str, Any], on_progress: Any) -> bytes:
        await self.gate.wait()
        return b"{}"


def run(work: Any, worker: type = LocalWorker, **limits: Any) -> Any:
    async def go() -> Any:
        with patch("veil.server.web.host.live_tables.StudioWorker", worker):
            WaitingWorker.gate = asyncio.Event()
            return await work(LiveTables(StudioConfig(folder=Path("unused"), **limits)))

    return asyncio.run(go())


def test_the_table_that_was_idle_longest_makes_room() -> None:
    async def work(tables: LiveTables) -> None:
        for name in ("a", "b", "a", "c", "d"):
            await tables.ask(name, f"{WORK}:echo", {}, 10.0)
        assert len(tables) == 2
        assert set(tables._tables) == {"c", "d"}

    run(work, max_tables=2)


def test_a_game_that_is_over_makes_room_before_one_that_is_played() -> None:
    async def work(tables: LiveTables) -> None:
        for name, over in (("played", False), ("over", True)):
            await tables.ask(name, f"{WORK}:echo", {"over": over}, 10.0)
        await tables.ask("over", f"{WORK}:echo", {}, 10.0)  # an answer that says nothing about it
        await tables.ask("new", f"{WORK}:echo", {}, 10.0)
        assert set(tables._tables) == {"played", "new"}

    run(work, max_tables=2)


def test_a_table_in_use_never_makes_room() -> None:
    async def work(tables: LiveTables) -> None:
        asking = [asyncio.ensure_future(tables.ask(name, "x:y", {}, 60.0)) for name in "ab"]
        await asyncio.sleep(0.01)
        with pytest.raises(VeilError, match="too much to do"):
            await tables.ask("c", "x:y", {}, 60.0)
        WaitingWorker.gate.set()
        await asyncio.gather(*asking)
        await tables.ask("c", "x:y", {}, 60.0)

    run(work, WaitingWorker, max_tables=2)


def test_a_question_is_finished_even_where_its_page_went_away() -> None:
    async def work(tables: LiveTables) -> None:
        asking = asyncio.ensure_future(tables.ask("a", "x:y", {}, 60.0))
        await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert not tables._tables["a"].worker.is_ended
        assert tables._tables["a"].asking == 1
        WaitingWorker.gate.set()
        await asyncio.sleep(0.01)
        assert tables._tables["a"].asking == 0

    run(work, WaitingWorker)


def test_idle_tables_end_by_themselves() -> None:
    async def work(tables: LiveTables) -> None:
        await tables.ask("a", f"{WORK}:echo", {}, 10.0)
        sweeping = asyncio.ensure_future(tables.sweep())
        for _ in range(500):
            await asyncio.sleep(0.01)
            if not len(tables):
                break
        sweeping.cancel()
        assert len(tables) == 0

    run(work, idle_seconds=0.05)


def test_after_its_process_was_ended_a_table_gets_another_one() -> None:
    async def work(tables: LiveTables) -> None:
        await tables.ask("a", f"{WORK}:echo", {}, 10.0)
        tables._tables["a"].worker.end()
        await tables.ask("a", f"{WORK}:echo", {}, 10.0)
        assert not tables._tables["a"].worker.is_ended

    run(work)


def test_those_who_play_do_not_wait_for_those_who_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes start as many at once as there are processors, those of different people in turn."""
    monkeypatch.setattr("veil.server.web.host.live_tables.os.cpu_count", lambda: 1)
    started: list[str] = []

    class StartingWorker(WaitingWorker):
        is_started = False

        async def _exchange(self, function: str, arguments: dict[str, Any], on_progress: Any) -> bytes:
            if not self.is_started:
                started.append(arguments["name"])
                await self.gate.wait()
                self.is_started = True
            return b"{}"

    async def ask(tables: LiveTables, name: str, person: str) -> bytes:
        CURRENT.set(Person(person, person))
        return await tables.ask(name, "x:y", {"name": name}, 60.0)

    async def work(tables: LiveTables) -> None:
        WaitingWorker.gate.set()
        await ask(tables, "played", "eve")
        WaitingWorker.gate.clear()
        asked = (("a1", "ann"), ("a2", "ann"), ("a3", "ann"), ("b1", "bob"))
        beginning = [asyncio.ensure_future(ask(tables, name, person)) for name, person in asked]
        await asyncio.sleep(0.01)
        assert started == ["played", "a1"]  # the others wait
        assert await asyncio.wait_for(ask(tables, "played", "eve"), 5) == b"{}"
        WaitingWorker.gate.set()
        await asyncio.gather(*beginning)
        assert started.index("b1") < started.index("a3")

    run(work, StartingWorker)
