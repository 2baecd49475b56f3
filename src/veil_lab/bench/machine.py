"""Where a figure was measured: the machine, and the commit of the code."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path


def about() -> dict[str, object]:
    """For the JSON of every benchmark."""
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    return {"machine": machine, "commit": commit()}


def commit() -> str | None:
    """The commit this code is from, where it lies in a repository."""
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
