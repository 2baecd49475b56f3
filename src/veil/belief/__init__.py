"""What a role can know: the histories that explain what it was told, each with its probability.

Every sampler keeps to one contract (`protocol.Sampler`): it hears what the role did and saw, round by round, and gives
worlds. None of them ever sees the true state. `SAMPLERS` is the table of them; `BeliefTracker` lets one
follow a record as it grows; `believe` leads from a record to a bag.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
