"""An equilibrium that is sensible where mistakes lead: the second stage of `lp:refine=mistakes`.

A linear program says nothing about what a role does after a mistake of the other, as long as the other loses by it: it
may give back what the mistake has cost. The second stage chooses among the equilibria:

1. Of all policies that are worth the value of the game, take one that earns most against an other who plays uniformly.
   No policy dominates it: one that is never worse and sometimes better would earn more against uniform play.
2. At infosets that only own mistakes lead to, take a best response to the other's policy of step 1, or, with a small
   probability `TREMBLE`, to uniform play.

Both roles do this; their policies are an equilibrium because each is worth the value of the game. Step 1 is a
normal-form perfect equilibrium. It need not be quasi-perfect or sequential, which would ask for step 1 after own
mistakes, too.
"""

from __future__ import annotations

import numpy as np

from veil.equilibrium.form import Form
from veil.equilibrium.response import find_best_slots, to_behaviour, to_realization, uniform_policy
from veil.equilibrium.sequence_program import make_program, solve_program

TREMBLE = 1e-3  # probability of uniform play, at infosets after own mistakes
SLACK = 1e-9  # utility that a role may lose in step 1, so that rounding makes no program infeasible
UNREACHED = 1e-9  # realization weight that rounding leaves of 0


def refine_equilibrium(form: Form) -> np.ndarray:
    """Return an equilibrium policy [S] of a game of two roles with a constant sum."""
    uniform = to_realization(form, uniform_policy(form))
    x = uniform.copy()
    for role in (0, 1):
        program, other = make_program(form, role), form.role_range(1 - role)
        value = solve_program(program).value
        reward = program.payoff @ np.concatenate((uniform[other], [1.0]))
        x[form.role_range(role)] = np.maximum(solve_program(program, reward, value - SLACK).weights, 0.0)
    trembling = (1.0 - TREMBLE) * x + TREMBLE * uniform
    best = np.zeros(form.num_slots)
    best[find_best_slots(form, trembling)] = 1.0
    reached = np.repeat(
        np.add.reduceat(x[: form.num_slots], form.slot_start[:-1]) > UNREACHED, np.diff(form.slot_start)
    )
    return to_behaviour(form, np.where(reached, x[: form.num_slots], best))
