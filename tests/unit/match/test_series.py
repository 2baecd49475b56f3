"""Series on executors: all of them are played, in batches, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from tests.support.games import game
from tests.support.refusals import refused
from veil.errors import VeilError, fail
from veil.match import series
from veil.match.series import BATCH_SECONDS, MAX_BATCH, play_all, play_batch
from veil.match.tasks import PlayedMatch, Task, play_task
from veil.streams import match_seed

SPECS = {"first": "random", "second": "first"}


def make_tasks(matches: int | None = 12, specs: dict[str, str] = SPECS) -> Iterator[Task]:
    kuhn = game("kuhn_poker")
    for number in count() if matches is None else range(matches):
        yield Task(game=kuhn, name="kuhn_poker", specs=specs, number=number, seed=match_seed(0, number))


def goals_of(played: Iterator[tuple[Task, PlayedMatch]]) -> dict[int, dict[str, int]]:
    """Goals by number; nothing may be there twice."""
    pairs = [(task.number, match.log.goals) for task, match in played]
    assert len(dict(pairs)) == len(pairs)
    return dict(sorted(pairs))


EXPECTED = [match.log.goals for _, match in play_all(make_tasks())]


def check(played: Iterator[tuple[Task, PlayedMatch]]) -> None:
    assert list(goals_of(played).values()) == EXPECTED


class Here(Executor):
    """Plays what it is given at once, unless `trouble` has something to say about it."""

    def __init__(self, trouble: Callable[[int], BaseException | None] = lambda number: None) -> None:
        self.trouble, self.batches = trouble, list[int]()

    def submit(self, call: Callable[..., Any], /, *values: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.batches.append(len(values[1]))
        error = self.trouble(len(self.batches))
        if error is None:
            future.set_result(call(*values, **options))
        elif isinstance(error, CancelledError):
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_exception(error)
        return future


def test_without_an_executor_tasks_are_played_here_one_by_one_when_they_are_asked_for() -> None:
    with closing(play_all(make_tasks(None))) as played:
        assert [task.number for task, _ in islice(played, 3)] == [0, 1, 2]


def test_threads_play_the_same_matches() -> None:
    with ThreadPoolExecutor(3) as pool:
        check(play_all(make_tasks(), pool))
        assert pool.submit(int, "7").result() == 7  # it is left open


def test_an_executor_is_made_where_there_is_a_way_to_make_one_and_closed() -> None:
    pools: list[ThreadPoolExecutor] = []

    def make() -> ThreadPoolExecutor:
        pools.append(ThreadPoolExecutor(2))
        return pools[-1]

    check(play_all(make_tasks(), make))
    (pool,) = pools
    with pytest.raises(RuntimeError):
        pool.submit(int, "7")
    assert goals_of(play_all(iter(()), make)) == {}
    assert len(pools) == 1  # without a task, nobody is needed


@pytest.mark.compiled("slow as Python")
def test_short_matches_are_played_in_batches_and_long_ones_alone() -> None:
    here = Here()
    with pytest.MonkeyPatch.context() as patch:
        ticks = count(step=BATCH_SECONDS / 40.5)
        patch.setattr(series, "perf_counter", lambda: next(ticks))
        assert len(goals_of(play_all(make_tasks(500), here, workers=1))) == 500
    assert here.batches[0] == 1  # nobody knows yet how long they take
    assert max(here.batches) == 40
    assert sum(here.batches) == 500

    def long(task: Task) -> PlayedMatch:
        return play_task(task)._replace(seconds=0.0)

    slow = Here()
    clock = count(step=BATCH_SECONDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(series, "perf_counter", lambda: next(clock))
        check(play_all(make_tasks(), slow, workers=1, play=long))
    assert set(slow.batches) == {1}


@pytest.mark.compiled("slow as Python")
def test_a_batch_is_never_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Here()
    monkeypatch.setattr(series, "perf_counter", lambda: 0.0)
    assert len(goals_of(play_all(make_tasks(3 * MAX_BATCH), here, workers=1))) == 3 * MAX_BATCH
    assert max(here.batches) == MAX_BATCH


@pytest.mark.compiled("slow as Python")
def test_a_kind_that_was_never_played_is_not_mixed_with_others() -> None:
    here = Here()
    other = {"first": "first", "second": "random"}
    tasks = [*make_tasks(100), *make_tasks(5, other)]
    sizes: list[set[tuple[str, ...]]] = []

    def watch(task: Task) -> PlayedMatch:
        sizes.append({tuple(task.specs.values())})
        return play_task(task)

    assert len(list(play_all(tasks, here, workers=1, play=watch))) == 105
    assert here.batches[0] == 1
    first_of_other = sizes.index({("first", "random")})
    ends = [sum(here.batches[:number]) for number in range(len(here.batches) + 1)]
    assert first_of_other in ends  # a batch begins with it
    assert first_of_other + 1 in ends  # and ends


def test_only_some_work_is_handed_out_ahead() -> None:
    taken: list[int] = []

    def take() -> Iterator[Task]:
        for task in make_tasks(None):
            taken.append(task.number)
            yield task

    with closing(play_all(take(), Here(), workers=1)) as played:
        next(played)
    assert len(taken) <= 4


def test_what_has_not_begun_is_cancelled_when_nobody_wants_more() -> None:
    class Never(Executor):
        futures: list[Future[Any]] = []  # noqa: RUF012

        def submit(self, call: Any, /, *values: Any, **options: Any) -> Future[Any]:
            self.futures.append(Future())
            if len(self.futures) == 1:
                self.futures[0].set_result(call(*values))
            return self.futures[-1]

    with closing(play_all(make_tasks(None), Never(), workers=2)) as played:
        next(played)
    assert all(future.cancelled() for future in Never.futures[1:])


# Workers that are lost


class KilledWorkerError(Exception):
    """As distributed has one."""


LOSSES = [
    BrokenProcessPool(),
    CancelledError(),
    OSError(5, "gone"),
    KilledWorkerError("t-1", "w-7"),
    EOFError(),
    TypeError(),
]


@pytest.mark.parametrize("error", LOSSES, ids=lambda error: type(error).__name__)
def test_whatever_says_that_workers_are_lost_their_tasks_are_handed_out_again(error: Exception) -> None:
    here = Here(lambda number: error if number in (2, 5, 6, 9) else None)
    check(play_all(make_tasks(), here, workers=1))


@pytest.mark.parametrize("error", LOSSES, ids=lambda error: type(error).__name__)
def test_after_three_losses_in_a_row_it_is_given_up(error: Exception) -> None:
    here = Here(lambda number: error if number > 3 else None)
    with pytest.raises(VeilError) as caught:
        list(play_all(make_tasks(1000), here, workers=1))
    assert caught.value.problems[0].code == "workers-lost"
    assert "kuhn_poker, random against first" in str(caught.value)
    assert "3 times in a row" in str(caught.value)
    assert type(caught.value.__cause__) is type(error)
    assert len(here.batches) <= 3 + 3 * 2  # two are handed out ahead


def test_futures_that_fail_together_are_one_loss() -> None:
    """All that were handed out before a loss was noticed belong to it, in whatever order they come to be seen."""
    broken: list[int] = []

    class Slow(Here):
        """Its futures fail when they are waited for one after the other."""

        def submit(self, call: Callable[..., Any], /, *values: Any, **options: Any) -> Future[Any]:
            future = super().submit(call, *values, **options)
            if len(self.batches) <= 8:
                broken.append(len(self.batches))
                future = Future()
                future.set_exception(KilledWorkerError())
            return future

    def one_by_one(futures: Any, timeout: None, return_when: str) -> tuple[set[Any], set[Any]]:
        done = next(future for future in futures if future.done())
        return {done}, set(futures) - {done}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(series, "wait", one_by_one)
        check(play_all(make_tasks(), Slow(), workers=2))
    assert len(broken) == 8  # four at first, and four of them again


def test_an_executor_that_takes_nothing_any_more_is_given_up() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    assert "3 times" in refused("workers-lost", lambda: list(play_all(make_tasks(), pool)))


def test_what_is_on_its_way_is_waited_for_when_nothing_more_is_taken() -> None:
    with ThreadPoolExecutor(1) as pool:

        def take() -> Iterator[Task]:
            for task in make_tasks():
                if task.number == 3:  # it is looked at when the one before it is handed out
                    pool.shutdown(wait=False)
                yield task

        kept: list[int] = []
        with pytest.raises(VeilError, match="3 times"):
            kept.extend(task.number for task, _ in play_all(take(), pool, workers=2))
    assert kept == [0, 1]


@pytest.mark.slow
def test_lost_tasks_are_tried_alone_on_a_fresh_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "perf_counter", lambda: 0.0)  # batches are as large as they may be
    made: list[Here] = []

    def make() -> Here:
        made.append(Here((lambda number: BrokenProcessPool() if number == 7 else None) if not made else lambda _: None))
        return made[-1]

    assert len(goals_of(play_all(make_tasks(700), make, workers=1))) == 700
    first, second = made
    lost = first.batches[6]
    assert lost > 1
    assert second.batches[:lost] == [1] * lost


def fall(flag: str, task: Task) -> PlayedMatch:
    """The first process that comes here is killed."""
    try:
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return play_task(task)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


@pytest.mark.nightly
@pytest.mark.slow
def test_processes_that_are_killed_cost_nothing_but_time(tmp_path: Path) -> None:
    """With the executor of the standard library."""

    def make() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=get_context("spawn"))

    check(play_all(make_tasks(), make, workers=1, play=partial(fall, str(tmp_path / "flag"))))
    assert (tmp_path / "flag").exists()


# What goes wrong in a match


class OddError(Exception):
    """Cannot be pickled: it wants two words, and hands on one."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one)


def raise_in_match(error: Exception, task: Task) -> PlayedMatch:
    if task.number == 5:
        raise error
    return play_task(task)


def test_what_the_user_can_repair_is_raised_and_what_came_before_is_kept() -> None:
    kept: list[int] = []
    played = play_all(make_tasks(), Here(), workers=1, play=partial(raise_in_match, fail("bad-option", what="oh")))
    with pytest.raises(VeilError, match="oh"):
        kept.extend(task.number for task, _ in played)
    assert set(kept) >= {0, 1, 2, 3, 4}


@pytest.mark.parametrize("executor", [None, Here(), ThreadPoolExecutor(1)], ids=["here", "at once", "threads"])
def test_an_exception_of_a_match_is_no_loss_of_workers(executor: Executor | None) -> None:
    with pytest.raises(ZeroDivisionError, match="oh"):
        list(play_all(make_tasks(), executor, workers=1, play=partial(raise_in_match, ZeroDivisionError("oh"))))


def test_an_exception_that_cannot_travel_is_told_in_words() -> None:
    batch = play_batch(partial(raise_in_match, OddError("one", "other")), list(make_tasks(6)))
    assert len(batch.results) == len(batch.seconds) == 5
    assert isinstance(batch.fault, RuntimeError)
    assert "OddError: one" in str(batch.fault)
    assert "raise_in_match" in str(batch.fault)


def test_ctrl_c_is_no_loss_of_workers() -> None:
    with pytest.raises(KeyboardInterrupt):
        list(play_all(make_tasks(), Here(lambda number: KeyboardInterrupt() if number == 3 else None), workers=1))
