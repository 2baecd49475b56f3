"""An equilibrium by linear programs over few moves: the others are proved to be no better.

1. Some iterations of DCFR guess which moves an equilibrium plays.
2. Solve the linear program of the game in which roles have these moves alone. At infosets that it says nothing about,
   because the moves of the other role do not lead there, play the average of step 1.
3. Find best responses in the whole game. If no role gains, the policy is an equilibrium of the whole game.
4. Otherwise add the moves by which they gain, and go on with step 2.

Every round adds a move, so the search ends. (The double oracle of Bosansky, Kiekintveld, Lisy & Pechoucek 2014 adds
best responses in this way; here the start is a guess of the whole support.)
"""

from __future__ import annotations

import numpy as np

from veil.equilibrium.cfr import CfrSolver
from veil.equilibrium.configs import DcfrConfig
from veil.equilibrium.form import Form
from veil.equilibrium.response import evaluate_profile, to_behaviour, to_realization
from veil.equilibrium.sequence_kernels import add_payoffs, back_up, back_up_best, realize
from veil.equilibrium.sequence_program import make_program, solve_program
from veil.signals import check_signals

GUESS = 100  # iterations
RARE = 1e-3  # moves that the guess plays less often are left out at first
ROUNDS = 40  # then the program over all moves is faster
NO_GAIN = 1e-10  # of the largest payoff times probability of chance


def search_support(form: Form) -> np.ndarray | None:
    """Return an equilibrium policy [S] of a game of two roles with a constant sum; None if the search takes long."""
    guess = CfrSolver(form, DcfrConfig())
    guess.run(GUESS)
    average, sizes = guess.average(), np.diff(form.slot_start)
    allowed = (average >= RARE) | (average >= np.repeat(_best_in_infoset(form, average), sizes))
    tolerance = NO_GAIN * float(np.abs(form.weight).max(initial=0.0))
    for _ in range(ROUNDS):
        check_signals()
        policy = _solve_over(form, allowed, average)
        if evaluate_profile(form, policy).nash_conv <= tolerance:
            return policy
        better = _find_better(form, policy, allowed, tolerance / ROUNDS)
        if not better.any():
            return None
        allowed |= better
    return None


def _solve_over(form: Form, allowed: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Return an equilibrium of the game with the allowed moves [S], and the policy `otherwise` [S] beside it."""
    kept = np.ones(form.num_slots + form.num_roles)
    for role in (0, 1):
        realize(form, role, allowed.astype(np.float64), kept)  # 1 after allowed moves alone, 0 elsewhere
    solved = solve_program(make_program(form, 0, kept > 0))
    x = np.zeros(form.num_slots)
    for role, weights in ((0, solved.weights), (1, solved.other_weights)):
        own = form.role_range(role)
        x[own][kept[own] > 0] = np.maximum(weights, 0.0)
    starts, sizes = form.slot_start[:-1], np.diff(form.slot_start)
    told = (_count_entries(form, kept) > 0) & (np.add.reduceat(x, starts) > 0)
    return to_behaviour(form, np.where(np.repeat(told, sizes), x, otherwise))


def _count_entries(form: Form, kept: np.ndarray) -> np.ndarray:
    """Return [I] how many entries after an infoset have a kept sequence of the other role."""
    ones, count = form._replace(weight=np.ones(len(form.weight))), np.zeros(len(kept))
    for role in (0, 1):
        add_payoffs(ones, role, kept, count)
        back_up(form, role, np.ones(form.num_slots), count)
    return np.asarray(np.add.reduceat(count[: form.num_slots], form.slot_start[:-1]))


def _find_better(form: Form, policy: np.ndarray, allowed: np.ndarray, tolerance: float) -> np.ndarray:
    """Return [S] the best responses that are better than all allowed moves of their infosets."""
    x, q = to_realization(form, policy), np.zeros(form.num_slots + form.num_roles)
    best = np.zeros(len(form.infoset_before), np.int64)
    for role in (0, 1):
        add_payoffs(form, role, x, q)
        back_up_best(form, role, best, q)
    values = q[: form.num_slots]
    gains = values[best] - _best_in_infoset(form, np.where(allowed, values, -np.inf))
    better = np.zeros(form.num_slots, bool)
    better[best[gains > tolerance]] = True
    return better


def _best_in_infoset(form: Form, values: np.ndarray) -> np.ndarray:
    """Return [I] the largest value of an infoset."""
    return np.asarray(np.maximum.reduceat(values, form.slot_start[:-1]))
