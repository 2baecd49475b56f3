"""Rules to a ground program: smaller rules, clingo in a process with limits, numbered atoms in strata."""

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

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "evaluate": "GroundReasoner",
        "grounder": "GroundLimits GroundingError ground",
        "program": "FALSE GroundProgram TRUE",
    },
)
