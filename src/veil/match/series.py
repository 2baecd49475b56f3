"""`play_all`: a series of matches on any executor, in batches, whatever happens to its workers.

1. Tasks are handed out in batches that take about `BATCH_SECONDS`, or as long as the executor says (`batching`); how
   long matches of a kind take is measured. Only some batches per worker are handed out ahead, so that Ctrl-C is heard
   and tasks are made when they are needed. Workers may join: an executor that can count them is asked again.
2. Results are yielded as they come.
3. What goes wrong in a match is raised here. Whatever else goes wrong (a process is killed, a machine is gone, futures
   are cancelled) is a loss of workers: what they had is handed out again, one by one, to a fresh executor where one
   can be made. After `MAX_LOSSES` in a row it is given up.
"""

from __future__ import annotations

import os
import pickle
import traceback
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import nullcontext
from time import perf_counter
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from veil.errors import VeilError, fail
from veil.match.batches import BATCH_SECONDS as BATCH_SECONDS, MAX_BATCH as MAX_BATCH, Batching
from veil.match.tasks import PlayedMatch, Task, play_task
from veil.signals import check_signals, interruptible

MAX_LOSSES = 3  # times in a row that workers may be lost before a match is over
BATCHES_PER_WORKER = 2  # handed out ahead
PULSE = 1.0  # seconds after which an executor is asked again how many workers it has
NEWEST = 0.7  # weight of the newest measurement


class Work(Protocol):
    """What can be handed out: a match, or anything else that can be pickled; `str` names it in messages."""

    @property
    def kind(self) -> object:
        """What works have in common that take about the same time."""


W = TypeVar("W", bound=Work)
R = TypeVar("R")


def play_all(
    tasks: Iterable[Task],
    executor: Executor | Callable[[], Executor] | None = None,
    *,
    workers: int | None = None,
    play: Callable[[Task], PlayedMatch] = play_task,
) -> Generator[tuple[Task, PlayedMatch], None, None]:
    """Play all matches and yield each with its result, as they come; see `run_tasks`."""
    return run_tasks(tasks, play, executor, workers=workers)


def run_tasks(
    tasks: Iterable[W],
    play: Callable[[W], R],
    executor: Executor | Callable[[], Executor] | None = None,
    *,
    workers: int | None = None,
) -> Generator[tuple[W, R], None, None]:
    """Do all tasks and yield each with its result, as they come; without an executor, in this process.

    An executor that is given is left open, and tried again when it loses workers. A function that makes one is called
    for the first and whenever workers were lost; what it makes is closed. `workers` says how many the executor has,
    where they are not as many as this machine has processors; one with a method `count_workers` is asked.
    """
    if executor is None:
        for task in tasks:
            check_signals()
            yield task, play(task)
        return
    kept = isinstance(executor, Executor)
    dispatcher: _Dispatcher[W, R] = _Dispatcher(tasks, play, workers or os.cpu_count() or 1)
    try:
        while dispatcher.has_work():
            with nullcontext(executor) if isinstance(executor, Executor) else executor() as at_work:
                yield from dispatcher.work(at_work, kept=kept)
    finally:
        dispatcher.cancel()


class BatchResult(NamedTuple, Generic[R]):
    """What came back for a batch: a result per task in their order, or fewer and the exception of the next."""

    results: list[R]
    seconds: list[float]  # that each of them took, everything included
    fault: Exception | None = None


def play_batch(play: Callable[[W], R], tasks: Sequence[W]) -> BatchResult[R]:
    """Play some tasks, anywhere. An exception of a match is returned: one that is raised here comes from elsewhere."""
    results: list[R] = []
    seconds: list[float] = []
    for task in tasks:
        clock = perf_counter()
        try:
            results.append(play(task))
        except Exception as error:
            return BatchResult(results, seconds, make_sendable(error))
        seconds.append(perf_counter() - clock)
    return BatchResult(results, seconds)


def make_sendable(error: Exception) -> Exception:
    """The exception with the place where it was raised; what cannot be pickled is put into words."""
    if not isinstance(error, VeilError):
        error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("".join(traceback.format_exception(error)))
    return error


class _Handed(NamedTuple, Generic[W]):
    """Tasks that were handed out together."""

    batch: list[W]
    losses: int  # that were counted before: what is lost later, but was handed out earlier, is the same loss


class _Dispatcher(Generic[W, R]):
    """Tasks that wait, batches that are on their way, and what is known about both."""

    def __init__(self, tasks: Iterable[W], play: Callable[[W], R], workers: int) -> None:
        """`workers` is how many an executor has that cannot count them."""
        self._tasks, self._play, self._workers = iter(tasks), play, workers
        self._batching = Batching()
        self._lost: deque[W] = deque()  # handed out again, one by one
        self._next: W | None = None  # taken from the tasks and not handed out
        self._waiting: dict[Future[BatchResult[R]], _Handed[W]] = {}
        self._seconds: dict[Any, float] = {}  # per match of a kind
        self._losses = self._losses_in_a_row = 0

    def has_work(self) -> bool:
        """Whether anything is left to be played."""
        return bool(self._waiting or self._lost or self._peek() is not None)

    def work(self, executor: Executor, *, kept: bool) -> Iterator[tuple[W, R]]:
        """Results as they come, until all is played; or until workers are lost, unless the executor is `kept`."""
        self._batching = getattr(executor, "batching", Batching())
        pulse = PULSE if hasattr(executor, "count_workers") else None
        while self.has_work():
            loss = self._hand_out(executor)
            if self._waiting:
                with interruptible():
                    finished, _ = wait(self._waiting, pulse, return_when=FIRST_COMPLETED)
                loss = (yield from self._take(finished)) or loss
            if loss is not None:
                self._count_loss(loss)
                if not kept:
                    self._take_back()
                    return

    def cancel(self) -> None:
        """Let go of what has not come back."""
        for future in self._waiting:
            future.cancel()

    def _hand_out(self, executor: Executor) -> BaseException | None:
        """Keep the workers busy; what went wrong where they cannot be."""
        count = getattr(executor, "count_workers", lambda: self._workers)()
        while len(self._waiting) < BATCHES_PER_WORKER * count:
            batch = self._fill()
            if not batch:
                break
            try:
                self._waiting[executor.submit(play_batch, self._play, batch)] = _Handed(batch, self._losses)
            except Exception as error:
                self._lost.extendleft(reversed(batch))
                return error
        return None

    def _take(self, finished: Collection[Future[BatchResult[R]]]) -> Generator[tuple[W, R], None, BaseException | None]:
        """Yield the results of these futures; raise what went wrong in a match, or return how workers were lost."""
        fault: Exception | None = None
        loss: BaseException | None = None
        lost: list[W] = []
        for future in [future for future in self._waiting if future in finished]:  # in the order of the tasks
            batch, losses = self._waiting.pop(future)
            try:
                results, seconds, error = future.result()
            except VeilError as refusal:
                results, seconds, error = [], [], refusal
            except (KeyboardInterrupt, SystemExit, GeneratorExit):
                raise
            except BaseException as failure:  # whatever an executor raises when its workers are gone
                lost += batch
                loss = failure if losses == self._losses else loss
                continue
            self._losses_in_a_row = 0
            for task, result, spent in zip(batch, results, seconds, strict=False):
                self._learn(task, spent)
                yield task, result
            fault = fault or error
        self._lost.extendleft(reversed(lost))
        if fault is not None:
            raise fault
        return loss

    def _count_loss(self, loss: BaseException) -> None:
        """Give up where workers are lost again and again, and nothing is played in between."""
        self._losses += 1
        self._losses_in_a_row += 1
        if self._losses_in_a_row == MAX_LOSSES:
            raise fail("workers-lost", count=MAX_LOSSES, match=str(self._lost[0])) from loss

    def _take_back(self) -> None:
        """What the lost workers had and have not finished is handed out again."""
        for future, handed in list(self._waiting.items()):
            if not future.done() or future.cancelled() or future.exception() is not None:
                future.cancel()
                self._lost.extend(handed.batch)
                del self._waiting[future]

    def _fill(self) -> list[W]:
        """The next batch: lost tasks and those of an unknown kind alone, others as many as fit."""
        if self._lost:
            return [self._lost.popleft()]
        batch: list[W] = []
        expected = 0.0
        wanted = self._batching
        while (task := self._peek()) is not None and len(batch) < wanted.most:
            seconds = self._seconds.get(task.kind, wanted.seconds)
            if batch and expected + seconds > wanted.seconds:
                break
            batch.append(task)
            self._next = None
            expected += seconds
        return batch

    def _peek(self) -> W | None:
        """The next task, which stays the next."""
        if self._next is None:
            self._next = next(self._tasks, None)
        return self._next

    def _learn(self, task: W, seconds: float) -> None:
        """The first match of a process takes longer than the others: what was measured last counts most."""
        known = self._seconds.get(task.kind, seconds)
        self._seconds[task.kind] = known + NEWEST * (seconds - known)
