"""Where matches and players run: processes of our own, a process per player, the workers of a Dask cluster."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
