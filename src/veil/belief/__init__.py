"""What a role can know: the histories that explain what it was told, each with its probability.

Every sampler follows one contract (`contract.Sampler`): it observes what the role did and saw, round by round, and
returns worlds. No sampler ever sees the true state. `SAMPLERS` is the table of samplers; `BeliefTracker` lets a
sampler follow a record as it grows; `believe` leads from a record to a bag.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
