"""Beliefs over states after each of many records at once: the beliefs of players inside simulations.

This package is the interface of beliefs for the kernels of searches.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
