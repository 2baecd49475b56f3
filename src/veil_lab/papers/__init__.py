"""The papers' tables and figures, reproduced: theirs beside ours."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
