"""Kernels that update the table of infosets with the results of the walks of a batch."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import Int, borrowing
from veil.search.walks.lanes.records import UNDERWAY, LaneEnds, LaneLog
from veil.search.walks.numbers import REGRET, RM, TOTAL, VISITS


@borrowing
def learn_regrets(slots: np.ndarray, log: LaneLog, ends: LaneEnds) -> None:
    """Do lines 19 to 27 of Algorithm 1, walk by walk, from the last step up (slots changed in place)."""
    log_before, log_slot, log_count, log_chosen, log_role = log.before, log.slot, log.num_moves, log.chosen, log.role
    log_policy, payoffs, lasts = log.policy, ends.payoff, ends.last
    log_other, log_chance = log.other, log.chance
    for walk in range(len(lasts)):
        entry, updated = lasts[walk], ends.updated[walk]
        value = payoffs[walk, updated] * ends.chance[walk] / ends.leaf_reach[walk]  # u x / l, with all of chance
        while entry >= 0:
            first, chosen, role = log_slot[entry], log_slot[entry] + log_chosen[entry], log_role[entry]
            if role == updated:
                gain = value * log_other[entry] / log_chance[entry]  # c W
                for slot in range(first, first + log_count[entry]):
                    slots[slot, REGRET] -= gain * log_policy[entry]
                slots[chosen, REGRET] += gain
            slots[chosen, VISITS] += 1.0
            slots[chosen, TOTAL] += payoffs[walk, role]
            value *= log_policy[entry]
            entry = log_before[entry]


@borrowing
def learn_payoffs(kind: Int, slots: np.ndarray, log: LaneLog, ends: LaneEnds) -> None:
    """Add the mover's payoff to every infoset of the table that a walk has passed (slots changed in place)."""
    log_before, log_slot, log_count, log_chosen, log_role = log.before, log.slot, log.num_moves, log.chosen, log.role
    log_policy, payoffs, lasts = log.policy, ends.payoff, ends.last
    for walk in range(len(lasts)):
        entry = lasts[walk]
        while entry >= 0:
            first, chosen = log_slot[entry], log_slot[entry] + log_chosen[entry]
            payoff = payoffs[walk, log_role[entry]]
            if kind == RM:
                for slot in range(first, first + log_count[entry]):
                    slots[slot, REGRET] -= payoff
                slots[chosen, REGRET] += payoff / log_policy[entry]
            else:
                slots[chosen, UNDERWAY] -= 1.0
            slots[chosen, VISITS] += 1.0
            slots[chosen, TOTAL] += payoff
            entry = log_before[entry]
