"""Words on the command line -> calls of the rooms below. One module per command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.cli.main import run as run

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "main": "run",
    },
)
