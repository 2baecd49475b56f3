"""The places where matches and players run: a pool of processes, a process per player, workers of a Dask cluster."""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
