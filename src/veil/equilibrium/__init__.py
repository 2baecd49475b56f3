"""The whole game in memory: the explicit tree, its sequences, equilibrium, best response, exploitability.

The steps: `tree` (the game as flat arrays) -> `form` (its sequence form) -> a solver of the table `SOLVERS` ->
`solver_run` (budgets, exact evaluations, the `Solution`) -> `policy` (probabilities by role, record and move). `solve`
and `evaluate` are the face for users.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
