"""Grounding: `Rules` become a `GroundProgram` of numbered atoms and ground rules.

The steps: `shrink` (rules with smaller ground programs) -> `translate` (text for clingo) -> `grounder` and `worker`
(clingo in a process that can be stopped at a limit) -> `assemble` and `strata` (numbered atoms, rules in the order of
evaluation: `program`). `evaluate` answers questions about states from the ground program.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
