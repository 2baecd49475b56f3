"""What must be equal on all machines, and workers that refuse what was not made for them."""

from __future__ import annotations

import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.games import game
from veil import __version__
from veil.match import tasks
from veil.match.executors.installation import (
    CODE,
    Refusal,
    describe_installation,
    find_differences,
    hash_files,
    introduce,
    open_and_run,
)
from veil.match.series import play_batch
from veil.match.tasks import Task, play_task


@pytest.fixture
def on_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (extra `cluster`)")
    monkeypatch.setattr(distributed, "get_worker", lambda: SimpleNamespace(address="tcp://w:1"))


def bomb() -> None:
    raise AssertionError("it was opened")


class Bomb:
    """Cannot be opened without a bang."""

    def __reduce__(self) -> tuple[Any, ...]:
        return bomb, ()


def test_an_installation_is_described_by_its_versions_and_its_files() -> None:
    here = describe_installation()
    assert here["Veil"] == __version__
    assert {"Python", "numpy", "numba", "clingo", "scipy", "llvmlite", CODE} <= set(here)
    assert "missing" not in here.values()
    assert find_differences(here, dict(here)) is None
    assert introduce().installation == here


def test_differences_are_told_in_words() -> None:
    here = describe_installation()
    other = {**here, "numpy": "1.0", CODE: "0"}
    assert find_differences(here, other) == f"numpy is 1.0 there and {here['numpy']} here"
    assert find_differences(here, {**here, CODE: "0"}) == f"{CODE} is 0 there and {here[CODE]} here"
    assert "clingo is missing there" in str(find_differences(here, {"Veil": here["Veil"]}))


def test_any_file_of_the_package_counts_and_what_python_leaves_there_does_not(tmp_path: Path) -> None:
    for name, text in (("a.py", "1"), ("rules/b.kif", "(role x)")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    before = hash_files(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    for name in ("__pycache__/a.pyc", "a.py~", ".a.py.swp"):
        (tmp_path / name).write_text("left behind")
    assert hash_files(tmp_path) == before
    for name in ("a.py", "rules/b.kif", "new.py"):
        (tmp_path / name).write_text("other")
        after = hash_files(tmp_path)
        assert after != before
        before = after
    (tmp_path / "a.py").rename(tmp_path / "c.py")
    assert hash_files(tmp_path) != before


def test_a_parcel_of_the_same_installation_is_opened_and_called() -> None:
    parcel = pickle.dumps((divmod, (17, 5), {}))
    answer = open_and_run(describe_installation(), parcel)
    assert isinstance(answer, bytes)
    assert pickle.loads(answer) == (3, 2)


@pytest.mark.usefixtures("on_a_worker")
def test_a_parcel_of_another_installation_stays_closed() -> None:
    sender = {**describe_installation(), "Veil": "0.0.1"}
    answer = open_and_run(sender, pickle.dumps(Bomb()))
    assert answer == Refusal("tcp://w:1", f"Veil is {__version__} there and 0.0.1 here")


@pytest.mark.usefixtures("on_a_worker")
def test_rules_that_are_read_as_others_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kuhn = game("kuhn_poker")
    monkeypatch.setitem(tasks._packed, kuhn, pickle.dumps(("0123", kuhn)))
    task = Task(game=kuhn, name="kuhn", specs={"first": "random", "second": "random"}, number=0, seed=0)
    answer = open_and_run(describe_installation(), pickle.dumps((play_batch, (play_task, [task]), {})))
    assert answer == Refusal("tcp://w:1", f"it reads the rules of kuhn_poker as {kuhn.fingerprint}, and they are 0123")


inside = [0]


def count_inside() -> int:
    inside[0] += 1
    time.sleep(0.01)
    found, inside[0] = inside[0], inside[0] - 1
    return found


def test_matches_are_played_one_at_a_time_however_many_threads_a_worker_has() -> None:
    parcel = pickle.dumps((count_inside, (), {}))
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: open_and_run(describe_installation(), parcel), range(8)))
    assert [pickle.loads(answer) for answer in answers if isinstance(answer, bytes)] == [1] * 8
