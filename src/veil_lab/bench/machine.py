"""The origin of a measurement: the machine, and the commit of the code."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parents[2]


def about() -> dict[str, object]:
    """Return machine and commit, for the JSON of every benchmark."""
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    return {"machine": machine, "commit": commit()}


def commit() -> str | None:
    """Return the commit of this code, if it is in a repository; else None. With changes since then it ends with `+`."""
    found = _ask_git("rev-parse", "--short", "HEAD")
    if not found:
        return None
    return f"{found}+" if _ask_git("status", "--porcelain", "--", str(SOURCES)) else found


def _ask_git(*words: str) -> str:
    """Return what git says about these sources; nothing if there is no git or no repository."""
    try:
        answer = subprocess.run(["git", *words], capture_output=True, text=True, cwd=SOURCES, check=False)
    except OSError:
        return ""
    return answer.stdout.strip()
