import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import NEEDS_PROC, wait_until
from veil.errors import VeilError, problem
from veil.server.web.host.workers import StudioWorker, as_json, show_problem

WORK = "tests.support.studio_work"
PATIENCE = 120.0  # seconds for what takes milliseconds on a machine that has nothing else to do


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def call(
    name: str, seconds: float = PATIENCE, on_progress: Any = None, memory: float = 4.0, **arguments: Any
) -> Any:
    worker = StudioWorker(memory)
    try:
        return json.loads(await worker.call(f"{WORK}:{name}", arguments, seconds, on_progress))
    finally:
        worker.end()


def refusal_of(coroutine: Any) -> str:
    with pytest.raises(VeilError) as caught:
        asyncio.run(coroutine)
    return caught.value.problems[0].code


@NEEDS_PROC
def test_a_worker_answers_what_it_is_asked_and_ends_when_it_is_told() -> None:
    async def work() -> tuple[list[bytes], Any, Any]:
        worker, heard = StudioWorker(4.0), []  # type: ignore[var-annotated]
        first = await worker.call(f"{WORK}:echo", {"a": 1}, PATIENCE, heard.append)
        second = await worker.call(f"{WORK}:echo", {"a": 2}, PATIENCE)
        worker.end()
        return heard, json.loads(first), json.loads(second)

    heard, first, second = asyncio.run(work())
    assert [json.loads(data) for data in heard] == [{"heard": {"a": 1}}]
    assert (first["a"], second["a"]) == (1, 2)
    assert first["pid"] == second["pid"]
    assert wait_until(lambda: not is_alive(first["pid"]), seconds=20)


@NEEDS_PROC
def test_work_ends_when_its_time_is_up_and_when_nobody_waits_any_more() -> None:
    pids: list[int] = []
    assert refusal_of(call("sleep_long", 1.0, lambda data: pids.append(int(data)))) == "studio-too-long"

    async def give_up() -> None:
        task = asyncio.ensure_future(call("sleep_long", PATIENCE, lambda data: pids.append(int(data))))
        while len(pids) < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(give_up())
    assert wait_until(lambda: not any(map(is_alive, pids)), seconds=20)


def test_a_worker_that_takes_too_much_memory_or_dies_says_so() -> None:
    assert refusal_of(call("eat_memory", memory=4.0, gigabytes=8)) == "out-of-memory"
    assert refusal_of(call("end_itself")) == "studio-worker-died"


def test_what_users_can_repair_comes_through_and_our_own_faults_do_not(capfd: pytest.CaptureFixture[str]) -> None:
    assert refusal_of(call("refuse")) == "game-over"
    assert refusal_of(call("break_down")) == "studio-broke"


def test_an_event_is_one_line_whatever_it_holds() -> None:
    data = {"text": "a\nb\u2028c\rd</script>"}
    assert json.loads(as_json(data)) == data
    assert len(as_json(data).splitlines()) == 1


def test_a_problem_is_told_with_all_its_parts() -> None:
    shown = show_problem(problem("game-over", where=""))
    assert shown["code"] == "game-over"
    assert shown["severity"] == "error"
    assert shown["line"] is None
    assert shown["message"] in shown["text"]
