"""The numbers for the kernels of walks, on trees and in lanes: how moves are chosen, and the columns of slots."""

from __future__ import annotations

from typing import NamedTuple

from veil.search.walks.contract import OosRule, WalkRule

OOS, UCT, RM, SMOOTH = range(4)  # how moves are chosen
REGRET, POLICY_SUM, VISITS, TOTAL = range(4)  # columns of what is learnt, a row per slot
KINDS = {"uct": UCT, "rm": RM, "smooth": SMOOTH}
MAX_ROUNDS = 100_000  # of a walk in lanes; a longer walk ends where it stands


class WalkNumbers(NamedTuple):
    """A rule of `contract` in numbers. Numbers that its kind does not use are 0."""

    kind: int  # OOS, UCT, RM or SMOOTH
    delta: float
    epsilon: float
    gamma: float
    constant: float  # of UCT, in payoffs
    eta: float
    decay: float
    weight: float  # w_T
    observer: int  # role whose record names the statistics of all; -1: each mover's own
    max_rounds: int


def number_rule(rule: WalkRule, role: int) -> WalkNumbers:
    """Return a rule as kernels take it, for a searching role. Types are fixed: others would compile other kernels."""
    if isinstance(rule, OosRule):
        shares = float(rule.delta), float(rule.epsilon), float(rule.gamma)
        return WalkNumbers(OOS, *shares, 0.0, 0.0, 0.0, 1.0, -1, MAX_ROUNDS)
    bandit = float(rule.gamma), float(rule.constant), float(rule.eta), float(rule.decay)
    observer = role if rule.observer == "single" else -1
    return WalkNumbers(KINDS[rule.select], 0.0, 0.0, *bandit, 1.0, observer, MAX_ROUNDS)
