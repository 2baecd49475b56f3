"""Worker processes: they end with their context, and Ctrl-C is for their parent."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from veil.match.executors.processes import Pool, defer_ctrl_c


def test_ctrl_c_waits_while_processes_are_started() -> None:
    """They inherit what is blocked; then it is heard as before, also when it came in between."""
    blocked = partial(signal.pthread_sigmask, signal.SIG_BLOCK, ())
    before, heard = blocked(), []
    previous = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        with defer_ctrl_c():
            signal.raise_signal(signal.SIGINT)
            assert signal.SIGINT in blocked()
            assert heard == []
        assert heard == [1]
        assert blocked() == before
    finally:
        signal.signal(signal.SIGINT, previous)


def sleep_long(seconds: float) -> None:
    time.sleep(seconds)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_workers_end_with_the_context_whatever_they_are_doing() -> None:
    with Pool(1) as pool:
        worker = pool.submit(os.getpid).result()
        pool.submit(sleep_long, 3600.0)
        assert Path(f"/proc/{worker}").exists()
    assert not Path(f"/proc/{worker}").exists()
