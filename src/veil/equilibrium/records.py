"""Records that the kernels of solvers work on, beside the game itself (`form.Form`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Scheme(NamedTuple):
    """A member of the CFR family: what becomes of regrets and policies from one iteration to the next."""

    alternating: bool  # roles update in turn
    average_power: float  # iteration t counts t^power in the average policy
    plus: bool = False  # negative regrets are forgotten
    predictive: bool = False  # the last instant regret is expected to come again
    discounted: bool = False
    alpha: float = 0.0  # exponent of the discount of positive regrets
    beta: float = 0.0  # of negative ones
    horizon: float = 0.0  # iterations in which `average_power` changes; 0: it is constant
    power_change: float = 0.0  # of `average_power` until then


class Memory(NamedTuple):
    """The state of CFR between two iterations. S slots, R roles."""

    regret: np.ndarray  # [S]
    policy: np.ndarray  # [S] current
    policy_sum: np.ndarray  # [S] realization weights, summed
    realization: np.ndarray  # [S + R] current policy as realization weights
    cf_value: np.ndarray  # [S + R] scratch: counterfactual values


class Links(NamedTuple):
    """A tree to walk down. N nodes, I infosets, S slots, R roles."""

    first_child: np.ndarray  # [N] the children are [first, first + count)
    num_children: np.ndarray  # [N] 0 at terminals
    infoset: np.ndarray  # [N] -1 at chance nodes and terminals
    infoset_role: np.ndarray  # [I]
    slot_start: np.ndarray  # [I + 1]
    chance_prob: np.ndarray  # [N]
    utility: np.ndarray  # [N, R]


class Tables(NamedTuple):
    """The memory of sampled walks. S slots."""

    regret: np.ndarray  # [S]
    policy_sum: np.ndarray  # [S]
    policies: np.ndarray  # [depth + 1, widest infoset] scratch: policies on the way
    values: np.ndarray  # [depth + 1, widest infoset] scratch: values of moves
