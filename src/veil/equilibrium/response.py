"""The value of a profile, and what best responses win against it: expected values, best responses, NashConv.

A best response of one role to fixed others is found in one pass over its infosets, last ones first. The value of a slot
is the payoff of its terminals, weighted by the reach of the others and chance, plus the values of the infosets that
follow. Roles remember all they were told, so this is exact, for any number of roles and any payoffs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from veil.equilibrium.form import Form


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The exact evaluation of a profile. R roles."""

    value: np.ndarray  # [R] expected utility
    best_value: np.ndarray  # [R] expected utility if this role alone plays a best response

    @property
    def nash_conv(self) -> float:
        """The sum over roles of the gain by its own best response; 0 exactly at an equilibrium."""
        return float(np.maximum(self.best_value - self.value, 0.0).sum())

    @property
    def exploitability(self) -> float:
        """NashConv per role."""
        return self.nash_conv / len(self.value)


# Role, policy [S], realization weights [S + R], q [S + R]: sets the role's rows of q to the payoffs at its last moves.
Payoffs = Callable[[int, np.ndarray, np.ndarray, np.ndarray], None]


def evaluate_profile(form: Form, policy: np.ndarray, payoffs: Payoffs | None = None) -> Evaluation:
    """Return the value of a profile, policy [S], to every role, and the value of each role's best response.

    The payoffs are those of the entries of the form, unless `payoffs` finds them in another way.
    """
    from veil.equilibrium.sequence_kernels import add_payoffs, back_up_best  # imports numba

    x = to_realization(form, policy)
    value, best_value = np.zeros(form.num_roles), np.zeros(form.num_roles)
    for role in range(form.num_roles):
        payoff = np.zeros(len(x))
        if payoffs is None:
            add_payoffs(form, role, x, payoff)
        else:
            payoffs(role, policy, x, payoff)
        value[role] = payoff[form.role_range(role)] @ x[form.role_range(role)] + payoff[form.num_slots + role]
        back_up_best(form, role, np.zeros(len(form.infoset_before), np.int64), payoff)
        best_value[role] = payoff[form.num_slots + role]
    return Evaluation(value, best_value)


def find_best_slots(form: Form, x: np.ndarray) -> np.ndarray:
    """Return [I] the best slot of every infoset against the others' realization weights x [S + R]."""
    from veil.equilibrium.sequence_kernels import add_payoffs, back_up_best  # imports numba

    q, best = np.zeros(len(x)), np.zeros(len(form.infoset_before), np.int64)
    for role in range(form.num_roles):
        add_payoffs(form, role, x, q)
        back_up_best(form, role, best, q)
    return best


def find_best_response(form: Form, policy: np.ndarray, role: int) -> tuple[np.ndarray, float]:
    """Return a pure best response of a role to the others in `policy` [S]: ([S], 0 for the others; its value)."""
    from veil.equilibrium.sequence_kernels import add_payoffs, back_up_best  # imports numba

    x = to_realization(form, policy)
    q, best = np.zeros(len(x)), np.zeros(len(form.infoset_before), np.int64)
    add_payoffs(form, role, x, q)
    back_up_best(form, role, best, q)
    response = np.zeros(form.num_slots)
    response[best[form.role_start[role] : form.role_start[role + 1]]] = 1.0
    return response, float(q[form.num_slots + role])


def to_realization(form: Form, policy: np.ndarray) -> np.ndarray:
    """Return the realization weights [S + R] of a policy [S]: the probability of the owner's moves up to a slot."""
    from veil.equilibrium.sequence_kernels import realize  # imports numba

    x = np.ones(form.num_slots + form.num_roles)
    for role in range(form.num_roles):
        realize(form, role, policy, x)
    return x


def to_behaviour(form: Form, x: np.ndarray) -> np.ndarray:
    """Return the policy [S] of these weights [S] or [S + R]; uniform at infosets without a positive weight."""
    from veil.equilibrium.sequence_kernels import normalise  # imports numba

    policy = np.zeros(form.num_slots)
    normalise(form.slot_start, x, policy)
    return policy


def uniform_policy(form: Form) -> np.ndarray:
    """Return the policy [S] that plays every move of an infoset with the same probability."""
    return to_behaviour(form, np.zeros(form.num_slots))


def find_counterfactual_values(form: Form, policy: np.ndarray) -> np.ndarray:
    """Return [S] the value of every slot to its owner, times the probability that the others and chance reach it."""
    from veil.equilibrium.sequence_kernels import add_payoffs, back_up  # imports numba

    x, values = to_realization(form, policy), np.zeros(form.num_slots + form.num_roles)
    for role in range(form.num_roles):
        add_payoffs(form, role, x, values)
        back_up(form, role, policy, values)
    return values[: form.num_slots]
