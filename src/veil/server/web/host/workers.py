"""`StudioWorker`: a process that works for the server, within limits of time and memory, and can be ended at any time.

All code that reads rules, plays or searches runs in a worker; the server itself only passes on what workers say. A
worker calls a function by its address, `module:function`, with named arguments of plain data. The function also gets
`say`, to report results on the way. The result is JSON that the server does not parse.

A function that raises `VeilError` reports something that the user can repair. Any other exception is our fault: it is
written to standard error of the worker, and the user is told that something broke.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from veil.errors import Problem, VeilError, fail, problem
from veil.limits import is_out_of_memory, limit_memory, out_of_memory
from veil.match import FORK_SERVER, defer_ctrl_c, end_with_parent

OPTION = re.compile(r"(?<![\w-])--[a-z]")  # of the command line
THREADS = ThreadPoolExecutor(128, thread_name_prefix="wire")  # each waits for one worker
Say = Callable[[Any], None]


class StudioWorker:
    """A process and the connection to it. It answers one question at a time."""

    def __init__(self, max_memory: float, *, has_children: bool = False) -> None:
        """Make a worker. Its process starts with the first question. With `has_children`, it may start others."""
        self.max_memory, self.has_children = max_memory, has_children
        self.is_ended = False
        self._process: Any = None
        self._wire: Connection | None = None

    @property
    def is_started(self) -> bool:
        """Whether the process has been started."""
        return self._process is not None

    async def call(
        self,
        function: str,
        arguments: dict[str, Any],
        seconds: float,
        on_progress: Callable[[bytes], None] | None = None,
    ) -> bytes:
        """Return the result of a function as JSON; `on_progress` is called with what it says meanwhile.

        Raises `VeilError` if the function does, if the time is up, or if the process dies. In the last two cases, and
        if the caller is cancelled, the worker has ended.
        """
        try:
            async with asyncio.timeout(seconds):
                return await self._exchange(function, arguments, on_progress or (lambda _: None))
        except TimeoutError:
            self.end()
            raise fail("studio-too-long", seconds=f"{seconds:g}") from None
        except asyncio.CancelledError:
            self.end()
            raise

    async def _exchange(self, function: str, arguments: dict[str, Any], on_progress: Callable[[bytes], None]) -> bytes:
        loop = asyncio.get_running_loop()
        try:
            if self._wire is None:
                await loop.run_in_executor(THREADS, self._start)
            wire = self._wire
            if wire is None:
                raise EOFError
            wire.send((function, arguments))
            while True:
                kind, value = await loop.run_in_executor(THREADS, wire.recv)
                if kind != "say":
                    break
                on_progress(value)
        except (EOFError, OSError):
            self.end()
            raise fail("studio-worker-died") from None
        if kind == "done":
            return bytes(value)
        raise value

    def _start(self) -> None:
        """Fork the process; the first one waits until the server that forks it is up."""
        if self.is_ended:
            raise EOFError
        wire, theirs = FORK_SERVER.Pipe()
        with defer_ctrl_c():
            process = FORK_SERVER.Process(
                target=serve_worker, args=(theirs, self.max_memory), daemon=not self.has_children
            )
            process.start()
        theirs.close()
        self._process, self._wire = process, wire
        self._end_if_told()

    def _end_if_told(self) -> None:
        """End a process that was started while the worker was being ended."""
        if self.is_ended:
            self.end()

    def end(self) -> None:
        """End the process at once."""
        self.is_ended = True
        if self._process is not None:
            self._process.kill()
            THREADS.submit(_bury, self._process, self._wire)
            self._process = None


def _bury(process: Any, wire: Connection | None) -> None:
    """Wait for the end of a killed process, so that no zombie stays."""
    process.join(10)
    if wire is not None:
        wire.close()


def serve_worker(wire: Connection, max_memory: float) -> None:
    """Answer questions until the connection is closed (the main function of a worker)."""
    end_with_parent()
    os.dup2(2, 1)
    limit_memory(int(max_memory * 2**30))
    try:
        while True:
            function, arguments = wire.recv()
            wire.send(_answer(wire, function, arguments))
    except (EOFError, OSError):
        pass


def _answer(wire: Connection, function: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    try:
        result = find_function(function)(say=lambda data: wire.send(("say", as_json(data))), **arguments)
        return "done", as_json(result)
    except VeilError as error:
        return "failed", error
    except Exception as error:
        if is_out_of_memory(error):
            return "failed", out_of_memory()
        traceback.print_exc(file=sys.stderr)
        return "failed", fail("studio-broke")


def find_function(address: str) -> Callable[..., Any]:
    """Return the function at `module:name`. Addresses stand in our own code; none ever comes from a browser."""
    module, _, name = address.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def as_json(data: Any) -> bytes:
    """Return plain data as JSON on one line, for a stream of events; bytes are JSON already."""
    return data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode()


def show_problem(entry: Problem) -> dict[str, Any]:
    """Return a message of the catalogue for the browser, in parts, with the text of the terminal."""
    entry, place = replace(entry, hint=fit_hint(entry.hint)), entry.place
    return {
        "code": entry.code,
        "severity": entry.severity,
        "message": entry.message,
        "hint": entry.hint,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "text": str(entry),
    }


def fit_hint(hint: str | None) -> str | None:
    """Return the alternatives of a hint that need no option of the command line: a browser has none."""
    if hint is None or not OPTION.search(hint):
        return hint
    return ", or ".join(part for part in hint.split(", or ") if not OPTION.search(part)) or None


def show_problems(error: VeilError) -> dict[str, Any]:
    """Return the problems of an error as the body of an answer."""
    return {"problems": [show_problem(entry) for entry in error.problems]}


def busy() -> VeilError:
    """Return the error for more work than may wait."""
    return VeilError(problem("studio-busy"))
