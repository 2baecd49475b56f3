"""Kernels of solvers made ready before a clock runs."""

from __future__ import annotations

from functools import cache

from veil.engine import tiny_game, warm_up as warm_up_engine
from veil.equilibrium.cfr import CfrSolver, ItsSolver, XfpSolver
from veil.equilibrium.form import sequence_form
from veil.equilibrium.mccfr import McCfrSolver
from veil.equilibrium.response import best_response, evaluate
from veil.equilibrium.solvers import Solver
from veil.equilibrium.tree import constant_sum, expand


@cache
def warm_up() -> None:
    """Make the kernels of solvers and of the engine ready, once per process: a tiny game is solved by each."""
    warm_up_engine()
    tree = expand(tiny_game()).tree
    form, total = sequence_form(tree), constant_sum(tree)
    solvers: list[Solver] = [CfrSolver(form), ItsSolver(form), XfpSolver(form)]
    solvers += [McCfrSolver(tree, form, total, sampling) for sampling in ("external", "outcome")]
    for solver in solvers:
        solver.run(1)
        policy = solver.average()
        evaluate(form, policy)
    best_response(form, policy, 0)
