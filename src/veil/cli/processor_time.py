"""The processor time of another process and of all that it started: how busy the machine is does not change it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

TIMES = slice(11, 15)  # of the fields after the name in /proc/PID/stat: its own, and those of children that have ended


def find_processor_seconds(pid: int) -> float:
    """Return the seconds of processor time of a process and those that it started; 0 where the system does not tell."""
    return _count_ticks(pid) / os.sysconf("SC_CLK_TCK")


def _count_ticks(pid: int) -> int:
    ticks = 0
    with suppress(OSError, ValueError):  # it has just ended
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks = sum(map(int, fields[TIMES]))
        for thread in Path(f"/proc/{pid}/task").iterdir():
            ticks += sum(_count_ticks(int(child)) for child in (thread / "children").read_text().split())
    return ticks
