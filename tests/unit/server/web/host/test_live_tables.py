import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.support.studio import LocalWorker
from veil.errors import VeilError
from veil.server.web.host.live_tables import LiveTables
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
