"""The claims of the five papers, each with its place in the paper and what decides about it here."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
