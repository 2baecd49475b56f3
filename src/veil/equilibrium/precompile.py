"""Compilation of the kernels of solvers before a clock runs."""

from __future__ import annotations

from functools import cache

from veil.engine import tiny_game, warm_up as warm_up_engine
from veil.equilibrium.prepared_game import prepare
from veil.equilibrium.response import evaluate_profile, find_best_response, find_counterfactual_values
from veil.equilibrium.solvers import SOLVERS


@cache
def warm_up() -> None:
    """Compile the kernels of solvers and of the engine, once per process, by solving a tiny game with each solver."""
    warm_up_engine()
    prepared = prepare(tiny_game())
    for name in SOLVERS:
        solver = SOLVERS.make(name, prepared, 0)
        if not solver.is_exact:  # an exact solver is a library's and has no kernel
            solver.run(1)
            policy = solver.average()
    evaluate_profile(prepared.form, policy)
    find_counterfactual_values(prepared.form, policy)
    find_best_response(prepared.form, policy, 0)
