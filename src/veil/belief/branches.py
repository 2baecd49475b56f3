"""One round forward, for many worlds at once: the joint moves that agree with what a role did and saw.

A lane is a candidate: all joint moves of all worlds are tested in one pass of the machine. (Candidates that do not
agree are *bad* in Definition 5 of the HyperPlay article.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from veil.belief.contract import Opponents, ZeroLikelihood, tell_opponents
from veil.engine import Judged, Machine, replay_histories, uniform_log_probability
from veil.engine.lanes import MAX_CANDIDATES, unpack


class Branches(NamedTuple):
    """N candidates that agree. R roles."""

    row: np.ndarray  # [N] the world it comes from
    joint: np.ndarray  # [N, R]
    states: np.ndarray  # [N, words]
    log_prob: np.ndarray  # [N] of the other roles' moves
    tested: np.ndarray  # [B] candidates per world, agreeing or not
    percepts: tuple[np.ndarray, ...]  # [R][N, words]


def branch(
    machine: Machine,
    role: int,
    states: np.ndarray,
    judged: Judged,
    own_move: np.ndarray,
    percepts: np.ndarray,
    limit: int = MAX_CANDIDATES,
    rng: np.ndarray | None = None,
) -> Branches:
    """Return every way in which worlds [B] go on after own_move [B] and percepts [B, words]; ended worlds do not."""
    candidates = machine.candidates(judged.legal, ~judged.terminal, role, own_move, limit, rng)
    stepped = machine.step_from(states, candidates.rows, candidates.joints)
    agrees = np.flatnonzero((stepped.percepts[role] == percepts[candidates.rows]).all(axis=1))
    tested = np.bincount(candidates.rows, minlength=len(states))
    others = np.delete(candidates.counts, role, axis=1)
    row = candidates.rows[agrees]
    return Branches(
        row=row,
        joint=candidates.joints[agrees],
        states=stepped.states[agrees],
        log_prob=uniform_log_probability(others).sum(axis=1)[row],
        tested=tested,
        percepts=tuple(part[agrees] for part in stepped.percepts),
    )


def join_branches(parts: Sequence[Branches]) -> Branches:
    """Join the branches of several portions of worlds, as if they had been one portion."""
    first = np.cumsum([0] + [len(part.tested) for part in parts])
    return Branches(
        row=np.concatenate([part.row + begin for part, begin in zip(parts, first[:-1], strict=True)]),
        joint=np.concatenate([part.joint for part in parts]),
        states=np.concatenate([part.states for part in parts]),
        log_prob=np.concatenate([part.log_prob for part in parts]),
        tested=np.concatenate([part.tested for part in parts]),
        percepts=tuple(np.concatenate(seen) for seen in zip(*(part.percepts for part in parts), strict=True)),
    )


def policy_log_probs(
    role: int, judged: Judged, joint: np.ndarray, row: np.ndarray, keys: np.ndarray, moves: list[int], how: Opponents
) -> np.ndarray:
    """Return the log probabilities [N] of the other roles' moves by the policy `how`; keys [B, R] of their records."""
    total = np.zeros(len(row))
    for other, count in enumerate(moves):
        if other != role:
            chance = how(other, keys[:, other], unpack(judged.legal[other], count))
            with np.errstate(divide="ignore"):
                total += np.log(chance[row, joint[:, other]])
    return total


def log_weights(machine: Machine, role: int, histories: np.ndarray, how: Opponents | None = None) -> np.ndarray:
    """Return the log probabilities [N] of the other roles' moves in the histories [N, T, R], equations (5) and (6).

    The other roles play uniformly among their legal moves, or as `how` says.
    """
    total, row = np.zeros(len(histories)), np.arange(len(histories))
    sizes = [len(own) for own in machine.program.moves]
    for played in replay_histories(machine, histories):
        judged = machine.judge(played.states)
        if how is not None:
            total += policy_log_probs(role, judged, played.joint, row, played.keys, sizes, how)
            tell_opponents(how, played.keys, played.joint, played.percepts, played.next_keys)
            continue
        for other, bits in enumerate(machine.legal_bits(judged)):
            if other != role:
                total += uniform_log_probability(bits.sum(axis=1))
    return total


def weigh_by_opponents(
    machine: Machine, role: int, histories: np.ndarray, opponents: Opponents, *, proved: bool
) -> np.ndarray:
    """Return `log_weights` of the histories [N, T, R] with these opponents; one of them is above minus infinity.

    Raises `ZeroLikelihood` if none is; `proved` says whether there are no other histories.
    """
    logs = log_weights(machine, role, histories, opponents)
    if np.isfinite(logs).any():
        return logs
    rounds = range(1, histories.shape[1] + 1)
    first = (n for n in rounds if not np.isfinite(log_weights(machine, role, histories[:, :n], opponents)).any())
    raise ZeroLikelihood(next(first), proved)
