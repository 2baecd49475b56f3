"""Veil plays, analyses and solves any game with hidden information, from its rules alone.

>>> import veil
>>> game = veil.load("monty_hall")
>>> game.roles
['random', 'contestant']
>>> state = game.initial_state()
>>> state.legal("contestant")
['(choose 1)', '(choose 2)', '(choose 3)']

These are the names for users; everything else may change. A name is imported when it is first used.
"""

from __future__ import annotations

from veil._version import __version__ as __version__
from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
