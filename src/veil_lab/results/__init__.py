"""Kept runs of experiments, the papers' claims with verdicts on them, and the pages that are generated from both."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
