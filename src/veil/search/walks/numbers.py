"""The numbers for the kernels of walks, on trees and in lanes: how moves are chosen, and the columns of slots."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.search.playouts.playout_clock import MAX_ROUNDS
from veil.search.walks.contract import OosRule, WalkRule, make_strategy

OOS, UCT, RM, SMOOTH = range(4)  # how moves are chosen
REGRET, POLICY_SUM, VISITS, TOTAL = range(4)  # columns of what is learnt, a row per slot
KINDS = {"uct": UCT, "rm": RM, "smooth": SMOOTH}


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
    max_rounds: int  # of a walk in lanes; a longer walk ends where it stands
    takes_first: bool  # of UCT: the first of several moves with the largest bound; else one at random


def number_rule(rule: WalkRule, role: int) -> WalkNumbers:
    """Return a rule as kernels take it, for a searching role. Types are fixed: others would compile other kernels."""
    if isinstance(rule, OosRule):
        shares = float(rule.delta), float(rule.epsilon), float(rule.gamma)
        return WalkNumbers(OOS, *shares, 0.0, 0.0, 0.0, 1.0, -1, MAX_ROUNDS, False)
    bandit = float(rule.gamma), float(rule.constant), float(rule.eta), float(rule.decay)
    observer = role if rule.observer == "single" else -1
    return WalkNumbers(KINDS[rule.select], 0.0, 0.0, *bandit, 1.0, observer, MAX_ROUNDS, rule.ties == "first")


def find_current(rule: WalkNumbers, numbers: np.ndarray) -> np.ndarray:
    """Return the strategy [K] of the next walk at an infoset with these columns [K, 4].

    It has the uniform part of regret matching in Online Outcome Sampling, not the exploration of that in ISMCTS.
    """
    if rule.kind in (OOS, RM):
        matched = make_strategy(np.maximum(numbers[:, REGRET], 0.0))
        even = rule.gamma if rule.kind == OOS else 0.0
        return even / len(matched) + (1.0 - even) * matched
    by_bounds = _match_bounds(rule, numbers)
    visits = numbers[:, VISITS]
    if rule.kind == UCT or not visits.any():
        return by_bounds
    by_uct = max(rule.gamma, rule.eta / (1.0 + rule.decay * np.sqrt(visits.sum())))
    mixed: np.ndarray = by_uct * by_bounds + (1.0 - by_uct) * make_strategy(visits)
    return mixed


def _match_bounds(rule: WalkNumbers, numbers: np.ndarray) -> np.ndarray:
    """Return the strategy [K] of UCT: uniform over untried moves, or over those of the largest bound."""
    visits = numbers[:, VISITS]
    if (visits == 0).any():
        return make_strategy((visits == 0).astype(float))
    bounds = numbers[:, TOTAL] / visits + rule.constant * np.sqrt(np.log(visits.sum()) / visits)
    if rule.takes_first:
        return make_strategy((np.arange(len(visits)) == bounds.argmax()).astype(float))
    return make_strategy((bounds == bounds.max()).astype(float))
