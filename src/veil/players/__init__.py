"""Players: thin stateful shells around search, belief and equilibrium. `PLAYERS` is the table of them."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
