"""Answers of the studio: JSON, streams of events, errors; and questions, read within their limits."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from veil.errors import VeilError, fail
from veil.server.web.host.job_queue import JobOrder, Jobs
from veil.server.web.host.workers import as_json, show_problems

T = TypeVar("T")
HEARTBEAT = 10.0  # seconds of silence after which a stream sends a comment
REPAIRABLE = 422  # the status of an answer about something that the user can repair
GONE = 499  # the client closed the connection, and nothing reads this answer
FILE_CHARACTERS = re.compile(r"[^A-Za-z0-9_.()=, -]+")
BUSY_CODES = frozenset({"studio-busy"})


def answer_json(data: Any, status: int = 200) -> Response:
    """Return an answer of plain data, or of bytes that are JSON already."""
    return Response(as_json(data), status, media_type="application/json")


class GivenFile(msgspec.Struct):
    """A file that a worker made for the browser to keep."""

    name: str
    text: str
    kind: str = "application/x-ndjson"


def answer_file(file: GivenFile) -> Response:
    """Return a file that the browser saves under its name."""
    name = FILE_CHARACTERS.sub("_", file.name)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(file.text, media_type=file.kind, headers=headers)


def answer_error(error: VeilError) -> Response:
    """Return an answer about something that the user can repair."""
    is_busy = any(entry.code in BUSY_CODES for entry in error.problems)
    return answer_json(show_problems(error), 503 if is_busy else REPAIRABLE)


async def read_question(request: Request, kind: type[T]) -> T:
    """Return the body of a request as a value of this type. Raises `VeilError` for anything else."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise fail("studio-bad-request", what="JSON was expected")
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise fail("studio-bad-request", what=str(error)) from None


def read_query(request: Request, kind: type[T]) -> T:
    """Return the query of a request as a value of this type. Raises `VeilError` for anything else."""
    try:
        return msgspec.convert(dict(request.query_params), type=kind, strict=False)
    except msgspec.ValidationError as error:
        raise fail("studio-bad-request", what=str(error)) from None


async def while_connected(request: Request, work: Awaitable[bytes]) -> Response:
    """Return the result of some work as JSON; the work is cancelled if the browser goes away."""
    task = asyncio.ensure_future(work)
    watcher = asyncio.ensure_future(_wait_for_end(request))
    try:
        await asyncio.wait({task, watcher}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            return Response(status_code=GONE)
        return answer_json(task.result())
    except asyncio.CancelledError:
        if task.cancelled():  # a newer question replaced it
            return Response(status_code=GONE)
        raise
    finally:
        for pending in (task, watcher):
            pending.cancel()


async def _wait_for_end(request: Request) -> None:
    try:
        await request.body()
        while (await request.receive())["type"] != "http.disconnect":
            pass
    except ClientDisconnect:
        return


class EventStream(Response):
    """The events of a job as a stream for an `EventSource`; when the browser goes away, the job ends."""

    media_type = "text/event-stream"

    def __init__(self, jobs: Jobs, order: JobOrder) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.jobs, self.order = jobs, order

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the job or the connection ends."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        sender = asyncio.ensure_future(self._send_all(send))
        watcher = asyncio.ensure_future(_drain(receive))
        try:
            await asyncio.wait({sender, watcher}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            watcher.cancel()
            sender.cancel()
            await asyncio.gather(sender, watcher, return_exceptions=True)

    async def _send_all(self, send: Send) -> None:
        async with aclosing(_with_heartbeat(self.jobs, self.order)) as parts:
            async for part in parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _with_heartbeat(jobs: Jobs, order: JobOrder) -> Any:
    """Yield the lines of the stream, and a comment after every silence."""
    yield b": here\n\n"
    async with aclosing(jobs.events(order)) as events:  # type: ignore[type-var]
        following = asyncio.ensure_future(anext(events, None))
        try:
            while True:
                done, _ = await asyncio.wait({following}, timeout=HEARTBEAT)
                if not done:
                    yield b": still here\n\n"
                    continue
                event = following.result()
                if event is None:
                    return
                yield b"event: " + event.name.encode() + b"\ndata: " + event.data + b"\n\n"
                following = asyncio.ensure_future(anext(events, None))
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


async def _drain(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


Endpoint = Callable[[Request], Awaitable[Response]]


def answers_errors(endpoint: Endpoint) -> Endpoint:
    """Return the endpoint with errors as answers: a `VeilError` becomes an answer that the user can read."""

    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except VeilError as error:
            return answer_error(error)

    return answered
