"""The origin of a measurement: the machine, and the commit of the code."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path


def about() -> dict[str, object]:
    """Return machine and commit, for the JSON of every benchmark."""
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    return {"machine": machine, "commit": commit()}


def commit() -> str | None:
    """Return the commit of this code, if it is in a repository; else None."""
    try:
        answer = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],
            capture_output=True,
            text=True,
            cwd=Path(__file__).parent,
            check=False,
        )
    except OSError:
        return None
    return answer.stdout.strip() or None
