"""The command line: reads words, calls the rooms below, prints what they return. `main` has the table of commands."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
