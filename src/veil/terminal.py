"""The one console on standard error: spinners and progress bars that run at the same time must share it."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from veil.signals import at_sudden_end

if TYPE_CHECKING:
    from rich.console import Console


def is_watched() -> bool:
    """Whether standard error is a terminal, so that something may move on it."""
    return sys.stderr is not None and sys.stderr.isatty()


@cache
def error_console() -> Console:
    """A console of `rich` that writes to standard error, the same for every caller."""
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal:
        at_sudden_end(_clean_line)
    return console


def _clean_line() -> None:
    """Leave the terminal as it was: what moves on it is gone, and the cursor is there."""
    os.write(2, b"\r\x1b[2K\x1b[?25h")
