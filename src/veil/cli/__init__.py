"""The command line: reads words, calls the rooms below, prints what they return. `main` has the table of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.cli.main import run as run, say_end as say_end
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "main": "run say_end",
        },
    )
