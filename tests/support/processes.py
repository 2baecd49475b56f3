"""Processes that a test starts, looked at from outside."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.command import PATIENCE

# Whoever started the tests may ignore Ctrl-C, or a closed terminal (`nohup`), which children inherit; a user's shell
# does not. Put in front of a command: [sys.executable, "-c", WITH_CTRL_C, *command].
WITH_CTRL_C = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


class _Process(NamedTuple):
    pid: int
    parent: int
    group: int
    session: int


def _list_processes() -> list[_Process]:
    """All processes that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, *numbers = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:  # it has just ended
            continue
        if state not in "ZX":
            found.append(_Process(int(path.parent.name), *map(int, numbers)))
    return found


def children(parent: int) -> list[int]:
    """The processes a process has started and that still run."""
    return [entry.pid for entry in _list_processes() if entry.parent == parent]


def members(group: int) -> list[int]:
    """The processes of a group that still run."""
    return [entry.pid for entry in _list_processes() if entry.group == group]


def sessions(session: int) -> list[int]:
    """The processes of a session that still run."""
    return [entry.pid for entry in _list_processes() if entry.session == session]


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def hears(pid: int, number: int) -> bool:
    """Whether a process has a handler for a signal, or is gone."""
    try:
        (caught,) = (
            int(line.split()[1], 16)
            for line in Path(f"/proc/{pid}/status").read_text().splitlines()
            if line.startswith("SigCgt")
        )
    except (OSError, ValueError):
        return True
    return bool(caught >> (number - 1) & 1)


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
