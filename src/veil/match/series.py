"""`play_all`: a series of matches on any executor, in batches. It tolerates the loss of workers.

1. Tasks are sent in batches that take about `BATCH_SECONDS`, or as long as the executor asks for. The duration of each
   kind of task is measured. Each worker has only a few batches in advance, so that Ctrl-C is handled soon and tasks are
   made when they are needed. Workers may join later: an executor that can count them (`CountsWorkers`) is asked again.
2. Results are yielded as they arrive.
3. An exception in a match is raised here. Any other failure (a killed process, a lost machine, cancelled futures) is a
   loss of workers. The lost tasks are then sent again one by one, to a new executor if one can be made. After
   `MAX_LOSSES` losses in a row the series fails.
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
from veil.match.batches import BATCH_SECONDS as BATCH_SECONDS, MAX_BATCH as MAX_BATCH, Batching, CountsWorkers
from veil.match.tasks import PlayedMatch, Task, play_task
from veil.signals import check_signals, interruptible

MAX_LOSSES = 3  # losses of workers without a result in between, after which the series fails
BATCHES_PER_WORKER = 2  # sent in advance
PULSE = 1.0  # seconds between two questions for the number of workers
NEWEST = 0.7  # weight of the newest measurement


class Work(Protocol):
    """A task for a worker: a match, or anything else that can be pickled. `str` names it in messages."""

    @property
    def kind(self) -> object:
        """A key that is equal for tasks of about the same duration."""


W = TypeVar("W", bound=Work)
R = TypeVar("R")


def play_all(
    tasks: Iterable[Task],
    executor: Executor | Callable[[], Executor] | None = None,
    *,
    workers: int | None = None,
    play: Callable[[Task], PlayedMatch] = play_task,
) -> Generator[tuple[Task, PlayedMatch], None, None]:
    """Play all matches and yield each task with its result, as results arrive; see `run_tasks`."""
    return run_tasks(tasks, play, executor, workers=workers)


def run_tasks(
    tasks: Iterable[W],
    play: Callable[[W], R],
    executor: Executor | Callable[[], Executor] | None = None,
    *,
    workers: int | None = None,
) -> Generator[tuple[W, R], None, None]:
    """Do all tasks and yield each with its result, as results arrive. Without an executor they run in this process.

    A given executor stays open, and is used again after it has lost workers. A function that makes executors is called
    at the start and after each loss of workers; its executors are closed. `workers` is the number of workers of the
    executor, by default the number of processors. An executor that `CountsWorkers` is asked instead.
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
    """The results of a batch, one per task in their order, up to the first task that raised an exception."""

    results: list[R]
    seconds: list[float]  # duration of each task
    fault: Exception | None = None


def play_batch(play: Callable[[W], R], tasks: Sequence[W]) -> BatchResult[R]:
    """Do some tasks, in any process. An exception of a task is returned; a raised exception has another cause."""
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
    """Return the exception with its traceback as a note; if it cannot be pickled, a `RuntimeError` with that text."""
    if not isinstance(error, VeilError):
        error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("".join(traceback.format_exception(error)))
    return error


class _Handed(NamedTuple, Generic[W]):
    """A batch of tasks that was sent to the executor."""

    batch: list[W]
    losses: int  # counted when it was sent; a batch that was sent before the last loss belongs to that loss


class _Dispatcher(Generic[W, R]):
    """The waiting tasks, the batches that were sent, and the measured durations."""

    def __init__(self, tasks: Iterable[W], play: Callable[[W], R], workers: int) -> None:
        """Take the tasks, the function that does them, and the workers of an executor that cannot count its own."""
        self._tasks, self._play, self._workers = iter(tasks), play, workers
        self._batching = Batching()
        self._lost: deque[W] = deque()  # to be sent again, one by one
        self._next: W | None = None  # taken from the tasks, and not yet sent
        self._waiting: dict[Future[BatchResult[R]], _Handed[W]] = {}
        self._seconds: dict[Any, float] = {}  # per match of a kind
        self._losses = self._losses_in_a_row = 0

    def has_work(self) -> bool:
        """Return whether any task is not finished."""
        return bool(self._waiting or self._lost or self._peek() is not None)

    def work(self, executor: Executor, *, kept: bool) -> Iterator[tuple[W, R]]:
        """Yield results as they arrive until all tasks are done. If workers are lost, return, unless `kept` is true."""
        self._batching = executor.batching if isinstance(executor, CountsWorkers) else Batching()
        pulse = PULSE if isinstance(executor, CountsWorkers) else None
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
        """Cancel the batches that have not come back."""
        for future in self._waiting:
            future.cancel()

    def _hand_out(self, executor: Executor) -> BaseException | None:
        """Send batches until all workers have enough. Return the exception if the executor refuses one, else None."""
        count = executor.count_workers() if isinstance(executor, CountsWorkers) else self._workers
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
        """Yield the results of these futures. Raise an exception of a task; return the exception of lost workers."""
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
            except BaseException as failure:  # executors raise various exceptions when workers are lost
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
        """Count a loss. Raise `VeilError` after `MAX_LOSSES` losses without a result in between."""
        self._losses += 1
        self._losses_in_a_row += 1
        if self._losses_in_a_row == MAX_LOSSES:
            raise fail("workers-lost", count=MAX_LOSSES, match=str(self._lost[0])) from loss

    def _take_back(self) -> None:
        """Collect the unfinished batches of the lost workers, so that they are sent again."""
        for future, handed in list(self._waiting.items()):
            if not future.done() or future.cancelled() or future.exception() is not None:
                future.cancel()
                self._lost.extend(handed.batch)
                del self._waiting[future]

    def _fill(self) -> list[W]:
        """Return the next batch: one lost task, one task of an unknown kind, or as many tasks as fit the batch time."""
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
        """Return the next task without taking it; None if there is none."""
        if self._next is None:
            self._next = next(self._tasks, None)
        return self._next

    def _learn(self, task: W, seconds: float) -> None:
        """Update the expected duration of a kind. The newest counts most: the first task of a process takes longest."""
        known = self._seconds.get(task.kind, seconds)
        self._seconds[task.kind] = known + NEWEST * (seconds - known)
