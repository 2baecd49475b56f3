"""The workers of a cluster as an executor: a real scheduler, with workers that are threads of this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

from tests.support.games import game
from tests.support.processes import wait_until
from tests.support.refusals import refused
from veil.match import exploit
from veil.match.executors import cluster
from veil.match.executors.cluster import CLUSTER_BATCHES, ClusterExecutor
from veil.match.executors.installation import Refusal, WorkerCard, describe_installation, open_and_run
from veil.match.exploitability import Workers
from veil.match.series import play_all, run_tasks
from veil.match.tasks import Task
from veil.streams import match_seed

distributed = pytest.importorskip("distributed", reason="Dask is not installed (extra `cluster`)")
# Workers are threads of this process, and see these.
go_on = threading.Event()
numbers = count()
suspects: list[str] = []


@contextmanager
def threads_at_work(workers: int, **options: Any) -> Iterator[tuple[ClusterExecutor, Any]]:
    """An executor, and the cluster behind it."""
    settings = {"n_workers": workers, "threads_per_worker": 1, "processes": False, "dashboard_address": "127.0.0.1:0"}
    with (
        distributed.LocalCluster(**settings, scheduler_kwargs={"dashboard": False}, silence_logs=50) as made,
        distributed.Client(made, set_as_default=False) as client,
        ClusterExecutor(client, "inproc", **options) as executor,
    ):
        yield executor, made


@pytest.fixture(scope="module")
def two() -> Iterator[ClusterExecutor]:
    with threads_at_work(2) as (executor, _):
        assert wait_until(lambda: executor.count_workers() == 2)
        yield executor


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cluster, "PULSE", 0.05)
    go_on.clear()
    yield
    go_on.set()


def wait_for_it() -> str:
    assert go_on.wait(60)
    return "gone on"


def make_tasks(matches: int) -> Iterator[Task]:
    kuhn = game("kuhn_poker")
    for number in range(matches):
        specs = {"first": "random", "second": "first"}
        yield Task(game=kuhn, name="kuhn_poker", specs=specs, number=number, seed=match_seed(0, number))


def test_it_is_an_executor_like_any_other(two: ClusterExecutor) -> None:
    assert two.submit(divmod, 17, 5).result() == (3, 2)
    assert two.submit(int, "ff", base=16).result() == 255
    assert isinstance(two.submit(int, "x").exception(), ValueError)
    assert list(two.map(abs, [-1, 2, -3])) == [1, 2, 3]
    assert two.refused == {}


def draw_number() -> int:
    return next(numbers)


def test_equal_calls_are_made_each_time(two: ClusterExecutor) -> None:
    """Dask would take them for one (`pure`)."""
    drawn = [future.result() for future in [two.submit(draw_number) for _ in range(5)]]
    assert sorted(drawn) == [0, 1, 2, 3, 4]


def test_what_is_not_wanted_any_more_is_cancelled(two: ClusterExecutor) -> None:
    futures = [two.submit(wait_for_it) for _ in range(4)]
    assert futures[3].cancel()
    assert futures[3] in wait(futures, 0.1).done
    with pytest.raises(CancelledError):
        futures[3].result()
    go_on.set()
    assert [future.result() for future in futures[:3]] == ["gone on"] * 3


@pytest.mark.compiled("slow as Python")
def test_matches_are_those_of_this_process(two: ClusterExecutor) -> None:
    alone = {task.number: match.log.goals for task, match in play_all(make_tasks(60))}
    there = [(task.number, match.log.goals) for task, match in play_all(make_tasks(60), two)]
    assert dict(there) == alone
    assert len(there) == 60


def test_an_online_player_is_judged_as_in_this_process(two: ClusterExecutor) -> None:
    spec = "hyperplay:models=3,playouts=2"
    assert exploit("kuhn_poker", spec, workers=Workers(executor=two)).nash_conv == exploit("kuhn_poker", spec).nash_conv


def test_batches_are_as_long_as_the_executor_says() -> None:
    sizes: list[int] = []

    class Here(ClusterExecutor):
        def __init__(self) -> None:
            self.batching = CLUSTER_BATCHES._replace(most=7)

        def count_workers(self) -> int:
            return 1

        def submit(self, call: Any, /, *values: Any, **options: Any) -> Any:
            sizes.append(len(values[1]))
            future: Future[Any] = Future()
            future.set_result(call(*values))
            return future

    assert len(list(run_tasks(make_tasks(50), lambda task: task.number, Here()))) == 50
    assert max(sizes) == 7


# Workers that come and go


def test_work_waits_for_the_first_worker_and_for_the_next_when_all_are_gone() -> None:
    with threads_at_work(0) as (executor, made):
        early = [executor.submit(abs, -number) for number in range(3)]
        assert not wait(early, 0.2).done
        made.scale(1)
        assert [future.result(60) for future in early] == [0, 1, 2]
        assert executor.count_workers() == 1
        running = executor.submit(wait_for_it)
        waiting = executor.submit(abs, -7)
        first = executor._admitted
        made.scale(0)
        assert wait_until(lambda: not executor._admitted)
        made.scale(1)  # at another address
        assert wait_until(lambda: executor._admitted and executor._admitted != first)
        go_on.set()
        assert (running.result(60), waiting.result(60)) == ("gone on", 7)


def test_without_a_worker_it_is_given_up_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    with threads_at_work(0) as (executor, _):
        assert "none has come" in refused("no-workers", executor.submit(abs, -1).result)
        assert "none has come" in refused("no-workers", lambda: list(play_all(make_tasks(3), executor)))


def test_when_the_scheduler_is_gone_that_is_told() -> None:
    with threads_at_work(1) as (executor, made):
        assert executor.submit(abs, -1).result(60) == 1
        running = executor.submit(wait_for_it)
        made.close()
        refused("cluster-lost", lambda: running.result(60))


def test_a_closed_executor_takes_nothing() -> None:
    with threads_at_work(1) as (executor, _):
        assert executor.submit(abs, -1).result(60) == 1
        left = executor.submit(wait_for_it)
        executor.shutdown(wait=False, cancel_futures=True)
        assert left.cancelled()
        go_on.set()
        with pytest.raises(RuntimeError):
            executor.submit(abs, -1)


# Workers that are refused


def test_where_all_workers_are_refused_that_is_told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "REFUSED_PATIENCE", 0.1)
    monkeypatch.setattr(cluster, "_judge", lambda *card: "it is too old")
    with threads_at_work(1) as (executor, _):
        assert "it is too old" in refused("no-workers", executor.submit(abs, -1).result)


def test_a_worker_that_cannot_have_children_is_refused_where_players_are_isolated() -> None:
    here = describe_installation()
    assert cluster._judge(WorkerCard(here, False), here, False) is None
    assert cluster._judge(WorkerCard(here, True), here, True) is None
    assert "DASK_DISTRIBUTED__WORKER__DAEMON=False" in str(cluster._judge(WorkerCard(here, False), here, True))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (ModuleNotFoundError("No module named 'veil'", name="veil"), "it has no Veil"),
        (ModuleNotFoundError("No module named 'veil.x'", name="veil.x"), "it has another version of Veil, or none"),
        (AttributeError("no introduce"), "it has another version of Veil, or none"),
        ({"Veil": "0.0.1"}, "it has another version of Veil"),
        (WorkerCard({**describe_installation(), "Veil": "0.0.1"}, True), "Veil is 0.0.1 there"),
    ],
)
def test_a_worker_that_is_something_else_is_refused(answer: object, why: str) -> None:
    assert str(cluster._judge(answer, describe_installation(), False)).startswith(why)


def refuse_there(sender: Any, parcel: bytes) -> Any:
    address = distributed.get_worker().address
    return Refusal(address, "it was replaced") if address in suspects else open_and_run(sender, parcel)


def test_a_batch_that_a_worker_refuses_is_played_by_another(
    two: ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker may have been replaced by another one at its address."""
    suspects[:] = sorted(two._admitted)[:1]
    monkeypatch.setattr(cluster, "open_and_run", refuse_there)
    futures = [two.submit(abs, -number) for number in range(6)]
    assert [future.result(60) for future in futures] == list(range(6))
    assert two.refused == dict.fromkeys(suspects, "it was replaced")
    assert two.count_workers() == 1
    two.refused.clear()  # it is asked again, and is what it was
    assert wait_until(lambda: two.count_workers() == 2)
