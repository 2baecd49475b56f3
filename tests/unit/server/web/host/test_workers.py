import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import NEEDS_PROC, wait_until
from veil.errors import CATALOGUE, VeilError, phrase, problem
from veil.server.web.host.workers import StudioWorker, as_json, fit_hint, show_problem

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
    assert wait_until(lambda: not is_alive(first["pid"]), seconds=60)


@NEEDS_PROC
def test_work_ends_when_its_time_is_up_and_when_nobody_waits_any_more() -> None:
    pids: list[int] = []
    worker = StudioWorker(4.0)

    async def overrun() -> None:
        pids.append(json.loads(await worker.call(f"{WORK}:echo", {}, PATIENCE))["pid"])  # from now on it is up
        await worker.call(f"{WORK}:sleep_long", {}, 0.5)

    assert refusal_of(overrun()) == "studio-too-long"

    async def give_up() -> None:
        is_told = asyncio.Event()

        def note(data: bytes) -> None:
            pids.append(int(data))
            is_told.set()

        task = asyncio.ensure_future(call("sleep_long", PATIENCE, note))
        await asyncio.wait({task, asyncio.ensure_future(is_told.wait())}, return_when=asyncio.FIRST_COMPLETED)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(give_up())
    assert len(pids) == 2
    assert wait_until(lambda: not any(map(is_alive, pids)), seconds=60)


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


def test_hints_in_a_browser_name_no_options_of_the_command_line() -> None:
    assert fit_hint(phrase("raise-the-limit")) == "shorten the longest rule bodies"
    assert fit_hint("--matches 5 does it") is None
    assert fit_hint("look at line 3 -- or not") == "look at line 3 -- or not"
    hints = [entry.hint for entry in CATALOGUE.values() if entry.hint]
    assert any("--" in hint for hint in hints)
    assert not [hint for hint in hints if " --" in (fit_hint(hint) or "")]
    assert "--" not in show_problem(problem("gains-as-written"))["text"]
