"""The one console on standard error: spinners and progress bars that run at the same time must share it."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def is_watched() -> bool:
    """Whether standard error is a terminal, so that something may move on it."""
    return sys.stderr is not None and sys.stderr.isatty()


@cache
def error_console() -> Console:
    """A console of `rich` that writes to standard error, the same for every caller."""
    from rich.console import Console

    return Console(stderr=True)
