"""The console on standard error, which spinners and progress bars that run at the same time must share."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from veil.signals import at_sudden_end

if TYPE_CHECKING:
    from rich.console import Console


def is_watched() -> bool:
    """Return whether standard error is a terminal, on which progress may be shown."""
    return sys.stderr is not None and sys.stderr.isatty()


@cache
def error_console() -> Console:
    """Return a console of `rich` that writes to standard error, the same for every caller."""
    from rich.console import Console  # takes long to import

    console = Console(stderr=True)
    if console.is_terminal:
        at_sudden_end(_clean_line)
    return console


def _clean_line() -> None:
    """Clear the current line of the terminal and show the cursor."""
    os.write(2, b"\r\x1b[2K\x1b[?25h")
