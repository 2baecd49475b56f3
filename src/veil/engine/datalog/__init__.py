"""Rules evaluated as they stand, without grounding.

`relation` (rows with indexes) and `joins` (one rule as nested loops) -> `fixpoint` (all rules, bottom up) ->
`interpreter` (answers questions about states). `sizes` estimates how large relations and joins are, `demand` restricts
relations to what is asked of them; grounding uses both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.engine.datalog.demand import restrict as restrict
    from veil.engine.datalog.fixpoint import (
        MAX_FIXED_ROWS as MAX_FIXED_ROWS,
        compute_fixed_relations as compute_fixed_relations,
    )
    from veil.engine.datalog.interpreter import RuleReasoner as RuleReasoner
    from veil.engine.datalog.sizes import Sizes as Sizes
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "demand": "restrict",
            "fixpoint": "MAX_FIXED_ROWS compute_fixed_relations",
            "interpreter": "RuleReasoner",
            "sizes": "Sizes",
        },
    )
