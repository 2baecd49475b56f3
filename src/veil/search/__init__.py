"""Online search: from what a role knows to a mixed strategy over its moves, with values and cost.

Every searcher follows one contract (`contract.Searcher`); its config makes it.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
