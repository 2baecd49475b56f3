"""How objects look in a notebook: tables and boards as HTML, figures by Matplotlib.

`veil.display` names these functions for the classes of the rooms below; nobody needs to call them.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
