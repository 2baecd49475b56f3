"""Output for people: tables, plots and progress, one of each for the command line, the laboratory and tournaments."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
