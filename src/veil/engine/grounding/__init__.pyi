from veil.engine.grounding.evaluate import GroundReasoner as GroundReasoner
from veil.engine.grounding.grounder import (
    GroundingError as GroundingError,
    GroundLimits as GroundLimits,
    ground as ground,
)
from veil.engine.grounding.program import FALSE as FALSE, TRUE as TRUE, GroundProgram as GroundProgram
from veil.engine.grounding.reachable import find_reachable as find_reachable
from veil.engine.grounding.rounds_bound import find_reachable_in_rounds as find_reachable_in_rounds
from veil.engine.grounding.stops import (
    GroundingEndedError as GroundingEndedError,
    GroundingStop as GroundingStop,
    check_stop as check_stop,
    stoppable as stoppable,
)
