"""Evaluation of rules as they stand, without grounding.

`relation` (rows with indexes) and `joins` (one rule as nested loops) -> `fixpoint` (all rules, bottom up) ->
`interpreter` (answers questions about states). `sizes` estimates how large relations and joins are, `demand` restricts
relations to what is asked of them; grounding uses both.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
