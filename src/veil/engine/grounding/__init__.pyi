from veil.engine.grounding.evaluate import GroundReasoner as GroundReasoner
from veil.engine.grounding.grounder import (
    GroundingError as GroundingError,
    GroundLimits as GroundLimits,
    ground as ground,
)
from veil.engine.grounding.program import FALSE as FALSE, TRUE as TRUE, GroundProgram as GroundProgram
