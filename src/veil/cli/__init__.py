"""The command line: it parses the words, calls the packages below, and prints results. `main` has all commands."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
