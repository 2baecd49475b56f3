"""Tests of a sample: Pearson's chi-squared test against uniform and against the posterior, effective sizes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veil.belief.bag import Bag, history_keys


@dataclass(frozen=True, slots=True)
class Fit:
    """The comparison of a sample with the expected counts."""

    statistic: float  # equation (19)
    probability: float  # of a fair sample to deviate at least as much
    missing: int  # histories that were never sampled


def fit(counts: np.ndarray, expected: np.ndarray) -> Fit:
    """Test counts [N] of all histories of the infoset against probabilities [N] of the sum 1 (equations 18, 19)."""
    from scipy.stats import chi2  # the import takes half a second

    total, missing = counts.sum(), int((counts == 0).sum())
    possible = expected > 0
    if counts[~possible].any():
        return Fit(float("inf"), 0.0, missing)
    counts, expected = counts[possible], expected[possible]
    if len(counts) < 2:
        return Fit(0.0, 1.0, missing)
    share = expected * total  # E_v
    statistic = float(((counts - share) ** 2 / share).sum())
    return Fit(statistic, float(chi2.sf(statistic, len(counts) - 1)), missing)


def counts_in(exact: Bag, histories: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Count how often each history [N] of the exact bag occurs in a sample: histories [n, T, R], times [n]."""
    keys, sampled = history_keys(exact.histories), history_keys(histories)
    order = np.argsort(keys)
    at = order[np.minimum(np.searchsorted(keys[order], sampled), len(order) - 1)]
    if (keys[at] != sampled).any():
        raise ValueError("the sample holds a history that is not in the infoset")
    counts = np.zeros(len(keys))
    np.add.at(counts, at, times)
    return counts
