"""Schedulers and workers of Dask as processes on loopback, as a user starts them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.support.processes import wait_until

SOURCE = Path(__file__).resolve().parents[2] / "src"
QUIET = {"DASK_LOGGING__DISTRIBUTED": "critical"}


class ClusterProcesses:
    """One scheduler, and workers that come and go. `address` is where the scheduler listens."""

    def __init__(self, folder: Path, stack: ExitStack, protocol: str, env: Mapping[str, str]) -> None:
        self._folder, self._stack, self._env = folder, stack, dict(env)
        self._file = folder / "scheduler.json"
        words = ["--host", "127.0.0.1", "--port", "0", "--protocol", protocol, "--scheduler-file", str(self._file)]
        self.scheduler = self._start("dask_scheduler", *words, "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
        assert wait_until(self._file.exists)
        assert wait_until(lambda: self._file.read_text().strip())
        self.address = str(json.loads(self._file.read_text())["address"])

    def start_worker(self, source: Path = SOURCE) -> subprocess.Popen[bytes]:
        """A worker that nobody restarts; `source` is the folder it has its Veil from."""
        words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--memory-limit", "4GiB"]
        place = ["--local-directory", str(self._folder)]
        return self._start("dask_worker", self.address, *words, *place, source=source)

    def _start(self, tool: str, *words: str, source: Path = SOURCE) -> subprocess.Popen[bytes]:
        env = {**os.environ, **QUIET, **self._env, "PYTHONPATH": f"{source}{os.pathsep}{SOURCE.parent}"}
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{tool}", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=env,
            start_new_session=True,
        )
        self._stack.callback(end, process)
        return process


@contextmanager
def running_cluster(
    folder: Path, protocol: str = "tcp", env: Mapping[str, str] | None = None
) -> Iterator[ClusterProcesses]:
    """A scheduler without workers; everything that was started ends with the block."""
    with ExitStack() as stack:
        yield ClusterProcesses(folder, stack, protocol, env or {})


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and wait for it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
