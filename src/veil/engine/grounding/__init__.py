"""Rules -> `GroundProgram`: the game as numbered atoms and ground rules.

The line: `shrink` (rules with smaller ground programs) -> `translate` (text for clingo) -> `grounder` and `worker`
(clingo in a process that can be stopped at a limit) -> `assemble` and `strata` (numbered atoms, rules in the order of
evaluation: `program`). `evaluate` answers questions about states from the ground program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.engine.grounding.evaluate import GroundReasoner as GroundReasoner
    from veil.engine.grounding.grounder import (
        GroundingError as GroundingError,
        GroundLimits as GroundLimits,
        ground as ground,
    )
    from veil.engine.grounding.program import FALSE as FALSE, TRUE as TRUE, GroundProgram as GroundProgram
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "evaluate": "GroundReasoner",
            "grounder": "GroundLimits GroundingError ground",
            "program": "FALSE GroundProgram TRUE",
        },
    )
