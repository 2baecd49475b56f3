"""`ClusterExecutor`: a `concurrent.futures` executor on the workers of a Dask cluster, which may come and go.

Work goes through Dask's own executor. This module adds the following:

1. A worker is used only if it has the same versions as this process (`installation`). Other workers are refused, and
   the work continues without them. A watch thread looks for new workers every `PULSE` seconds.
2. Dask gives the work of a dead worker to another one. If all workers of a batch are dead, or the scheduler was lost
   for a while, the watch thread sends the batch again. A batch that has killed several workers (`KilledWorker`) fails;
   the caller then sends its tasks one by one (`series`).
3. Without a worker for `PATIENCE` seconds, all waiting jobs fail with a message; sooner, if all workers are refused.

Only one result of a batch is used, even if the batch was sent twice.
"""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Any

from veil.errors import VeilError, fail
from veil.match.batches import Batching
from veil.match.executors.installation import (
    Refusal,
    WorkerCard,
    describe_installation,
    find_differences,
    introduce,
    open_and_run,
)

PULSE = 0.5  # seconds between two looks at the workers
PATIENCE = 60.0  # seconds to wait for workers
REFUSED_PATIENCE = 10.0  # seconds to wait if there are workers and all of them were refused
INTERVIEW_SECONDS = 30.0  # for a worker to describe itself
CLUSTER_BATCHES = Batching(seconds=1.0, most=10_000)  # sending a batch costs about 10 ms, even a small one
MAX_NAMED = 3  # most refused workers in a message
DAEMON = "it may not start processes for --isolated; start it with DASK_DISTRIBUTED__WORKER__DAEMON=False"


class Job:
    """A submitted call, with its futures and its workers."""

    def __init__(self, parcel: bytes) -> None:
        self.parcel = parcel
        self.outer: Future[Any] = Future()  # the caller has this future
        self.inner: Future[Any] | None = None  # Dask's future; None while Dask does not have the job
        self.workers: frozenset[str] = frozenset()  # to which it was offered


class ClusterExecutor(Executor):
    """An executor on the workers of a cluster. At the end of its context, unfinished work is cancelled."""

    batching = CLUSTER_BATCHES

    def __init__(
        self, client: Any, address: str, *, batching: Batching = CLUSTER_BATCHES, needs_children: bool = False
    ) -> None:
        """Take a connected Dask client. With `needs_children`, workers that cannot start processes are refused."""
        self.batching, self.address = batching, address
        self.refused: dict[str, str] = {}  # worker -> why it is not used
        self._client, self._needs_children = client, needs_children
        self._dask = client.get_executor(pure=False)
        self._admitted: frozenset[str] = frozenset()
        self._jobs: set[Job] = set()
        self._lock = threading.RLock()
        self._closed, self._news = threading.Event(), threading.Event()
        self._served_at = monotonic()  # last time at which there was a worker
        self._watch = threading.Thread(target=self._keep_watch, name="veil-cluster", daemon=True)
        self._watch.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.shutdown(wait=False, cancel_futures=True)

    def submit(self, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Submit a call, as `Executor.submit` does. Pickle must be able to store the function and its arguments."""
        if self._closed.is_set():
            raise RuntimeError("cannot schedule new futures after shutdown")
        job = Job(pickle.dumps((call, args, options)))
        job.outer.add_done_callback(lambda _: self._drop(job))
        with self._lock:
            self._jobs.add(job)
            self._send(job)
        return job.outer

    def count_workers(self) -> int:
        """Return the number of workers in use; at least 1, so that there is work for the first worker."""
        return max(1, len(self._admitted))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; wait for the submitted work, or cancel it. The client stays open."""
        with self._lock:
            pending = [job.outer for job in self._jobs]
        for future in pending:
            if cancel_futures or not wait:
                future.cancel()
            else:
                with suppress(BaseException):
                    future.exception()
        self._closed.set()
        self._news.set()
        if threading.current_thread() is not self._watch:
            self._watch.join(PULSE)

    # One job

    def _send(self, job: Job) -> None:
        """Give a job to Dask for the workers in use; do nothing if there are none. The caller must hold the lock."""
        if not self._admitted or job.outer.done():
            return
        job.workers = self._admitted
        try:
            inner = self._dask.submit(open_and_run, describe_installation(), job.parcel, workers=sorted(job.workers))
        except Exception:  # the client is not connected at the moment: the watch thread will send the job
            return
        job.inner = inner
        inner.add_done_callback(lambda done: self._settle(job, done))

    def _settle(self, job: Job, inner: Future[Any]) -> None:
        """Take Dask's result of a job. A job that was cancelled by Dask or refused will be sent to another worker."""
        with self._lock:
            if job.inner is not inner:
                return  # the job was sent again in the meantime
            job.inner = None
            if inner.cancelled() or job.outer.done():
                self._news.set()
                return
            error = inner.exception()
            answer: Any = None if error is not None else inner.result()
            if isinstance(answer, Refusal):
                self._refuse(answer.worker, answer.why)
                self._news.set()
                return
        if error is not None:
            _answer(job.outer, error=error)
        else:
            try:
                _answer(job.outer, value=pickle.loads(answer))
            except Exception as fault:
                _answer(job.outer, error=fault)

    def _drop(self, job: Job) -> None:
        """Forget a job whose caller has its answer or has cancelled it."""
        with self._lock:
            self._jobs.discard(job)
            inner, job.inner = job.inner, None
        if job.outer.cancelled():
            job.outer.set_running_or_notify_cancel()  # wakes the waiting threads
        _let_go(inner)

    # All workers

    def _keep_watch(self) -> None:
        """Look at the workers every `PULSE` seconds until the executor is closed. This runs in the watch thread."""
        while not self._closed.is_set():
            try:
                self._look()
            except ConnectionError:
                if self._client.status in ("closed", "closing") or monotonic() - self._served_at > PATIENCE:
                    self._fail(fail("cluster-lost", address=self.address))
            except Exception as error:  # the waiting callers get a refusal or an internal error
                self._fail(error)
            self._news.wait(PULSE)
            self._news.clear()

    def _look(self) -> None:
        """Admit new workers, forget lost ones, send waiting jobs. Raise `VeilError` after too long without workers."""
        present = set(_ask_dask(self._client.nthreads))
        with self._lock:
            known = self._admitted | set(self.refused)
            self._admitted &= present
        if present - known:
            self._interview(sorted(present - known))
        if self._admitted:
            self._send_again()
        with self._lock:
            if self._admitted or not self._jobs:
                self._served_at = monotonic()
            all_refused = bool(present) and present <= set(self.refused)
        patience = REFUSED_PATIENCE if all_refused else PATIENCE
        if monotonic() - self._served_at > patience:
            raise self._without_workers(patience)

    def _send_again(self) -> None:
        """Send the jobs that Dask does not have, or whose workers are all lost."""
        with self._lock:
            stranded = [job for job in self._jobs if job.inner is None or not job.workers & self._admitted]
            given_up = [job.inner for job in stranded]
            for job in stranded:
                job.inner = None
                self._send(job)
        for inner in given_up:
            _let_go(inner)

    def _interview(self, addresses: Iterable[str]) -> None:
        """Ask workers for their versions, all at the same time, and admit or refuse each.

        A worker that does not answer is asked again at the next look.
        """
        answers: list[tuple[str, Any]] = _ask_dask(self._client.sync, self._ask, list(addresses))
        here = describe_installation()
        with self._lock:
            for address, card in answers:
                if isinstance(card, TimeoutError | OSError):
                    continue
                why = _judge(card, here, self._needs_children)
                if why is None:
                    self._admitted |= {address}
                else:
                    self._refuse(address, why)

    async def _ask(self, addresses: list[str]) -> list[tuple[str, Any]]:
        async def ask(address: str) -> tuple[str, Any]:
            try:
                question = self._client.run(introduce, workers=[address], on_error="return")
                return address, (await asyncio.wait_for(question, INTERVIEW_SECONDS)).get(address, TimeoutError())
            except Exception as error:
                return address, error

        return await asyncio.gather(*map(ask, addresses))

    def _refuse(self, address: str, why: str) -> None:
        self.refused[address] = why
        self._admitted -= {address}

    def _without_workers(self, patience: float) -> VeilError:
        reasons = [f"{address}: {why}" for address, why in sorted(self.refused.items())]
        what = "none has come" if not reasons else "; ".join(reasons[:MAX_NAMED])
        return fail("no-workers", address=self.address, seconds=patience, what=what)

    def _fail(self, error: Exception) -> None:
        """Give this error to all waiting jobs."""
        self._served_at = monotonic()  # later jobs wait the full time again
        with self._lock:
            waiting = list(self._jobs)
        for job in waiting:
            _answer(job.outer, error=error)


def _judge(card: object, here: Any, needs_children: bool) -> str | None:
    """Return the reason why a worker with this answer cannot be used; None if it can."""
    if isinstance(card, ModuleNotFoundError) and str(card.name) == "veil":
        return "it has no Veil"
    if isinstance(card, Exception):
        return f"it has another version of Veil, or none: {card}"
    if not isinstance(card, WorkerCard):
        return "it has another version of Veil"
    return find_differences(here, card.installation) or (
        DAEMON if needs_children and not card.can_have_children else None
    )


def _ask_dask(call: Callable[..., Any], *values: Any) -> Any:
    """Return the answer of Dask. Turn any exception into `ConnectionError`: without a scheduler, Dask raises many."""
    try:
        return call(*values)
    except Exception as error:
        raise ConnectionError from error


def _let_go(inner: Future[Any] | None) -> None:
    """Cancel a future of Dask, if given. This waits for Dask's thread, so the caller must not hold the lock."""
    if inner is not None:
        with suppress(Exception):  # the client is closed
            inner.cancel()


def _answer(future: Future[Any], *, value: Any = None, error: BaseException | None = None) -> None:
    """Set the result or the exception of a future, unless it is done or cancelled."""
    with suppress(InvalidStateError):
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)
