"""Players: small stateful classes around search, belief and equilibrium. `PLAYERS` is the table of all players."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
