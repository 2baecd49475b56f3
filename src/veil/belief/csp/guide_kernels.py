"""Kernels that find out which plausible moves are likely to fit the record, so that attempts choose them more often.

A record may ask for something that many rounds could have brought about, but few of their plausible moves did: a card
that is played later was dealt in one of ten rounds, in each of which fifty cards are plausible. With moves drawn
uniformly, such attempts usually fail. The proposal is a step of Bayes' rule with all moves taken as independent:

1. Forwards, from the first row to the last: the probability pi of every slot that is not known, where all plausible
   moves of a variable are equally likely and the literals of a gate are independent.
2. Gates that are known for another reason than their inputs are the evidence E, each with its own probability.
   Backwards: g, the derivative of log E with respect to the probability of each move.
3. q(m) = pi(m) * (1 + g(m) - mean of g under pi), which sums to 1: the posterior to first order. If that is below a
   tenth of pi, q is a tenth of pi instead, so that no history is excluded and no weight becomes too large.

Errors of these assumptions do not make the weights wrong, because the weights divide by q. They only reduce the number
of attempts that succeed.
"""

from __future__ import annotations

import numpy as np

from veil.belief.csp.stage_records import FALSE, ROUNDS, TRUE, UNKNOWN, Stages
from veil.engine.lanes import Int, Wiring, kernel

LEAST = 0.1  # share of the uniform probability that every plausible move gets at least
TINY = 1e-6  # no unknown slot is more certain than this


@kernel
def weigh_moves(wiring: Wiring, stages: Stages, weight: np.ndarray) -> None:
    """Find how often each move is chosen, relative to the others of its round and role: weight [T, M], ones before.

    Slots that do not matter (`relevance_kernels`) are left out (weight changed).
    """
    rounds = stages.state[ROUNDS]
    prob = np.zeros((rounds + 1, wiring.num_slots), np.float64)
    grad = np.zeros((rounds + 1, wiring.num_slots), np.float64)
    matters = np.zeros(rounds + 1, np.bool_)
    for row in range(rounds + 1):
        matters[row] = stages.live[row].any()
        if matters[row]:
            predict_row(wiring, stages, prob, row)
    for row in range(rounds, -1, -1):
        if matters[row]:
            explain_row(wiring, stages, prob, grad, row)
    for row in range(rounds):
        if not matters[row]:
            continue
        for role in range(stages.plausible.shape[1]):
            begin, end = wiring.role_moves[role], wiring.role_moves[role + 1]
            share, mean = 1.0 / max(1, stages.plausible[row, role]), 0.0
            for move in range(begin, end):
                if stages.value[row, wiring.moves + move] != FALSE:
                    mean += share * grad[row, wiring.moves + move]
            for move in range(begin, end):
                weight[row, move] = max(LEAST, 1.0 + grad[row, wiring.moves + move] - mean)


@kernel
def predict_row(wiring: Wiring, stages: Stages, prob: np.ndarray, row: Int) -> None:
    """Do step 1 for one row (prob [rows, S] changed). Known gates get the probability by their inputs."""
    for fluent in range(wiring.num_fluents):
        if row > 0 and stages.live[row, wiring.fluents + fluent]:
            prob[row, wiring.fluents + fluent] = prob[row - 1, wiring.next + fluent]
    for move in range(len(wiring.move_role)):
        prob[row, wiring.moves + move] = 1.0 / max(1, stages.plausible[row, wiring.move_role[move]])
    for gate in range(len(wiring.gate_slot)):
        slot = wiring.gate_slot[gate]
        if stages.live[row, slot]:
            none = 1.0
            for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
                if stages.false_count[row, term] == 0:
                    none *= 1.0 - find_term(wiring, stages, prob, row, term)
            prob[row, slot] = min(1.0 - TINY, max(TINY, 1.0 - none))


@kernel
def find_term(wiring: Wiring, stages: Stages, prob: np.ndarray, row: Int, term: Int) -> float:
    """Return the probability of an open term: the product of the probabilities of its unknown literals."""
    product = 1.0
    for entry in range(wiring.term_start[term], wiring.term_start[term + 1]):
        literal = wiring.literals[entry]
        if stages.value[row, literal >> 1] == UNKNOWN:
            chance = prob[row, literal >> 1]
            product *= 1.0 - chance if literal & 1 else chance
    return product


@kernel
def explain_row(wiring: Wiring, stages: Stages, prob: np.ndarray, grad: np.ndarray, row: Int) -> None:
    """Do step 2 for one row: from the gates to the slots they read (grad [rows, S] changed)."""
    for gate in range(len(wiring.gate_slot) - 1, -1, -1):
        slot = wiring.gate_slot[gate]
        if not stages.live[row, slot]:
            continue
        slope, chance = grad[row, slot], prob[row, slot]
        if stages.value[row, slot] == TRUE:
            slope = 1.0 / chance
        elif stages.value[row, slot] == FALSE:
            slope = -1.0 / (1.0 - chance)
        if slope == 0.0:
            continue
        for term in range(wiring.gate_start[gate], wiring.gate_start[gate + 1]):
            if stages.false_count[row, term] == 0:
                product = find_term(wiring, stages, prob, row, term)
                share = slope * (1.0 - chance) / max(TINY, 1.0 - product) * product
                spread(wiring, stages, prob, grad, row, term, share)
    for fluent in range(wiring.num_fluents):
        if row > 0 and stages.live[row, wiring.fluents + fluent]:
            grad[row - 1, wiring.next + fluent] += grad[row, wiring.fluents + fluent]


@kernel
def spread(
    wiring: Wiring, stages: Stages, prob: np.ndarray, grad: np.ndarray, row: Int, term: Int, share: float
) -> None:
    """Add the slope of each open literal of a term: share, divided by the literal's own factor (grad changed)."""
    for entry in range(wiring.term_start[term], wiring.term_start[term + 1]):
        slot, negated = wiring.literals[entry] >> 1, wiring.literals[entry] & 1
        if stages.value[row, slot] == UNKNOWN:
            chance = prob[row, slot]
            if negated:
                grad[row, slot] -= share / max(TINY, 1.0 - chance)
            else:
                grad[row, slot] += share / max(TINY, chance)
