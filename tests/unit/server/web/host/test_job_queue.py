import asyncio
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.support.studio import LocalWorker
from veil.errors import VeilError
from veil.server.web.host.job_queue import MAX_SUBMITTED, JobOrder, Jobs
from veil.server.web.host.settings import StudioConfig

WORK = "tests.support.studio_work"


class SlowWorker(LocalWorker):
    """Never answers until it is let go."""

    async def _exchange(self, function: str, arguments: dict[str, Any], on_progress: Any) -> bytes:
        await asyncio.sleep(600)
        return b""


def run(work: Any, worker: type = LocalWorker, **limits: Any) -> Any:
    async def go() -> Any:
        with patch("veil.server.web.host.job_queue.StudioWorker", worker):
            return await work(Jobs(StudioConfig(folder=Path("unused"), **limits)))

    return asyncio.run(go())


def test_a_job_gives_its_result() -> None:
    assert run(lambda jobs: jobs.run(f"{WORK}:echo", {"a": 1})).startswith(b"{")


def test_events_come_in_order_and_the_last_is_the_result() -> None:
    async def work(jobs: Jobs) -> Any:
        order = jobs.take(jobs.submit(f"{WORK}:echo", {"a": 1}))
        assert order is not None
        return [(event.name, json.loads(event.data)) async for event in jobs.events(order)]

    (first, heard), (last, result) = run(work)
    assert (first, heard) == ("progress", {"heard": {"a": 1}})
    assert (last, result["a"]) == ("done", 1)


def test_a_job_that_fails_says_what_the_user_can_repair() -> None:
    async def work(jobs: Jobs) -> Any:
        order = jobs.take(jobs.submit(f"{WORK}:refuse", {}))
        assert order is not None
        return [(event.name, json.loads(event.data)) async for event in jobs.events(order)]

    ((name, data),) = run(work)
    assert name == "failed"
    assert data["problems"][0]["code"] == "game-over"


def test_a_job_is_taken_once() -> None:
    async def work(jobs: Jobs) -> None:
        number = jobs.submit(f"{WORK}:echo", {})
        assert jobs.take(number) is not None
        assert jobs.take(number) is None
        assert jobs.take("another") is None

    run(work)


def test_a_newer_question_with_the_same_key_ends_the_older_one() -> None:
    async def work(jobs: Jobs) -> None:
        older = asyncio.ensure_future(jobs.run("x:y", {}, key="tab"))
        other = asyncio.ensure_future(jobs.run("x:y", {}, key="other tab"))
        await asyncio.sleep(0.01)
        assert jobs.running == 2
        newer = asyncio.ensure_future(jobs.run("x:y", {}, key="tab"))
        with pytest.raises(asyncio.CancelledError):
            await older
        await asyncio.sleep(0.01)
        assert jobs.running == 2
        assert not newer.done()
        assert not other.done()
        for task in (newer, other):
            task.cancel()
        await asyncio.gather(newer, other, return_exceptions=True)
        assert jobs.running == 0

    run(work, SlowWorker)


def test_closing_the_stream_ends_the_job() -> None:
    async def work(jobs: Jobs) -> None:
        events = jobs.events(JobOrder("x:y", {}, 600.0, 0.0))
        reading = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0.01)
        assert jobs.running == 1
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await events.aclose()  # type: ignore[attr-defined]
        assert jobs.running == 0

    run(work, SlowWorker)


def test_so_many_work_so_many_wait_and_more_are_refused() -> None:
    async def work(jobs: Jobs) -> None:
        tasks = [asyncio.ensure_future(jobs.run("x:y", {})) for _ in range(5)]
        await asyncio.sleep(0.01)
        assert jobs.running == 2
        with pytest.raises(VeilError, match="too much to do"):
            await jobs.run("x:y", {})
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    run(work, SlowWorker, max_jobs=2, max_waiting=3)


def test_jobs_whose_stream_nobody_opens_do_not_pile_up() -> None:
    async def work(jobs: Jobs) -> None:
        for _ in range(MAX_SUBMITTED):
            jobs.submit("x:y", {})
        with pytest.raises(VeilError, match="too much to do"):
            jobs.submit("x:y", {})

    run(work)
