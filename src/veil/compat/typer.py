"""What Veil uses of typer that typer does not document."""

from __future__ import annotations

from typer import BadParameter

# The base of all errors in words on the command line: click's, of which typer carries a copy that it does not export.
UsageError: type[Exception] = next(kind for kind in BadParameter.__mro__ if kind.__name__ == "ClickException")
