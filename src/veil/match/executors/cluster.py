"""`ClusterExecutor`: the workers of a Dask cluster behind `concurrent.futures`, for machines that come and go.

Work goes through Dask's own executor. What is added here:

1. A worker is used when it has said what it is, and that is what we are (`installation`); any other is refused, and the
   others go on. A watch looks for new workers every `PULSE` seconds.
2. Dask gives the work of a dead worker to another one. Where all are dead that a batch was meant for, or the scheduler
   was gone for a while, the watch sends it again. A batch that has killed several workers (`KilledWorker`) fails, and
   whoever hands out work hands out its tasks one by one.
3. Without any worker for `PATIENCE` seconds, everything that waits fails with a message; sooner, where all are refused.

A result is taken once, whatever was sent twice.
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

PULSE = 0.5  # seconds from one look at the workers to the next
PATIENCE = 60.0  # seconds that workers are waited for
REFUSED_PATIENCE = 10.0  # the same, where there are workers and all of them were refused
INTERVIEW_SECONDS = 30.0  # for a worker to say what it is
CLUSTER_BATCHES = Batching(seconds=1.0, most=10_000)  # to send a batch costs some 10 ms, however small it is
MAX_NAMED = 3  # refused workers in a message
DAEMON = "it may not start processes for --isolated; start it with DASK_DISTRIBUTED__WORKER__DAEMON=False"


class Job:
    """One call that was submitted, and where it is now."""

    def __init__(self, parcel: bytes) -> None:
        self.parcel = parcel
        self.outer: Future[Any] = Future()  # what the caller holds
        self.inner: Future[Any] | None = None  # Dask's; None while nobody has it
        self.workers: frozenset[str] = frozenset()  # that may do it


class ClusterExecutor(Executor):
    """The workers of a cluster. As a context, it gives up what is not finished when it ends."""

    def __init__(
        self, client: Any, address: str, *, batching: Batching = CLUSTER_BATCHES, needs_children: bool = False
    ) -> None:
        """`client` is a Dask client that is connected. Workers that cannot have children are refused where needed."""
        self.batching, self.address = batching, address
        self.refused: dict[str, str] = {}  # worker -> why it is not used
        self._client, self._needs_children = client, needs_children
        self._dask = client.get_executor(pure=False)
        self._admitted: frozenset[str] = frozenset()
        self._jobs: set[Job] = set()
        self._lock = threading.RLock()
        self._closed, self._news = threading.Event(), threading.Event()
        self._served_at = monotonic()  # when there was a worker, the last time
        self._watch = threading.Thread(target=self._keep_watch, name="veil-cluster", daemon=True)
        self._watch.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.shutdown(wait=False, cancel_futures=True)

    def submit(self, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """As any executor does it; what is called and what it is given have to be known to pickle."""
        if self._closed.is_set():
            raise RuntimeError("cannot schedule new futures after shutdown")
        job = Job(pickle.dumps((call, args, options)))
        job.outer.add_done_callback(lambda _: self._drop(job))
        with self._lock:
            self._jobs.add(job)
            self._send(job)
        return job.outer

    def count_workers(self) -> int:
        """How many workers are used now; at least one, so that there is work for the first."""
        return max(1, len(self._admitted))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; wait for what was taken, or let go of it. The client stays open."""
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
        """Hand a job to Dask, for the workers that are used now; without any it stays here. Needs the lock."""
        if not self._admitted or job.outer.done():
            return
        job.workers = self._admitted
        try:
            inner = self._dask.submit(open_and_run, describe_installation(), job.parcel, workers=sorted(job.workers))
        except Exception:  # the client is not connected at the moment: the watch will send it
            return
        job.inner = inner
        inner.add_done_callback(lambda done: self._settle(job, done))

    def _settle(self, job: Job, inner: Future[Any]) -> None:
        """Take what Dask says about a job. A job that was cancelled or refused is sent again, to somebody else."""
        with self._lock:
            if job.inner is not inner:
                return  # somebody else has it by now
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
        """The caller has its answer, or wants none."""
        with self._lock:
            self._jobs.discard(job)
            inner, job.inner = job.inner, None
        if job.outer.cancelled():
            job.outer.set_running_or_notify_cancel()  # wakes those who wait for it
        _let_go(inner)

    # All workers

    def _keep_watch(self) -> None:
        """Look at the workers again and again, in a thread of its own, until the executor is closed."""
        while not self._closed.is_set():
            try:
                self._look()
            except ConnectionError:
                if self._client.status in ("closed", "closing") or monotonic() - self._served_at > PATIENCE:
                    self._fail(fail("cluster-lost", address=self.address))
            except Exception as error:  # a refusal, or a fault of ours, is for whoever waits
                self._fail(error)
            self._news.wait(PULSE)
            self._news.clear()

    def _look(self) -> None:
        """Admit new workers, forget those that are gone, send what nobody has; fail where there is nobody."""
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
        """Send the jobs that nobody has, or that only workers may do who are gone."""
        with self._lock:
            stranded = [job for job in self._jobs if job.inner is None or not job.workers & self._admitted]
            given_up = [job.inner for job in stranded]
            for job in stranded:
                job.inner = None
                self._send(job)
        for inner in given_up:
            _let_go(inner)

    def _interview(self, addresses: Iterable[str]) -> None:
        """Ask workers what they are, all at once; each is admitted or refused. Who does not answer is asked again."""
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
        """Nobody will do what waits."""
        self._served_at = monotonic()  # who submits more waits again
        with self._lock:
            waiting = list(self._jobs)
        for job in waiting:
            _answer(job.outer, error=error)


def _judge(card: object, here: Any, needs_children: bool) -> str | None:
    """Why a worker that has answered like this cannot be used; None where it can."""
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
    """What Dask answers; whatever it raises, which may be anything where its scheduler is gone, is a loss of it."""
    try:
        return call(*values)
    except Exception as error:
        raise ConnectionError from error


def _let_go(inner: Future[Any] | None) -> None:
    """Tell Dask that nobody wants this any more. That waits for Dask's thread, so nobody who has our lock does it."""
    if inner is not None:
        with suppress(Exception):  # the client is closed
            inner.cancel()


def _answer(future: Future[Any], *, value: Any = None, error: BaseException | None = None) -> None:
    """Give the caller an answer, unless it has one or has let go of it."""
    with suppress(InvalidStateError):
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)
