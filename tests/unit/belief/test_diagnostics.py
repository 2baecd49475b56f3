"""Pearson's test, and counting a sample against the whole infoset."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.support.belief_games import KRIEG, everything, tell
from tests.support.games import game
from veil.belief.diagnostics import counts_in, fit
from veil.belief.exact import ExactBelief
from veil.belief.hyperplay.sampler import HyperPlayBelief


@pytest.mark.parametrize("seed", range(5))
def test_the_fit_is_that_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    expected = rng.dirichlet(np.ones(6))
    counts = rng.multinomial(200, rng.dirichlet(np.ones(6)) if seed else expected)
    theirs, ours = chisquare(counts, 200 * expected), fit(counts, expected)
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert ours.probability == pytest.approx(theirs.pvalue, abs=1e-12)
    assert ours.missing == (counts == 0).sum()


def test_the_statistic_and_its_probability_are_those_of_the_tables() -> None:
    """Mendel's peas of 1865, round and wrinkled, 3 : 1: chi squared 0.263."""
    peas = fit(np.array([5474, 1850]), np.array([0.75, 0.25]))
    assert peas.statistic == pytest.approx(0.263, abs=1e-3)
    assert peas.probability == pytest.approx(0.608, abs=1e-3)
    assert peas.missing == 0


def test_what_was_never_sampled_is_missing() -> None:
    found = fit(np.array([10, 0]), np.array([0.5, 0.5]))
    assert (found.statistic, found.missing) == (10.0, 1)
    assert found.probability == pytest.approx(0.00157, abs=1e-5)


def test_one_history_always_fits() -> None:
    assert fit(np.array([7]), np.array([1.0])) == fit(np.array([1]), np.array([1.0]))
    assert fit(np.array([7]), np.array([1.0])).probability == 1.0
    assert fit(np.array([0]), np.array([1.0])).missing == 1


@pytest.mark.filterwarnings("error")
def test_what_cannot_be_and_was_not_sampled_does_not_count() -> None:
    with_zero = fit(np.array([30, 70, 0]), np.array([0.25, 0.75, 0.0]))
    without = fit(np.array([30, 70]), np.array([0.25, 0.75]))
    assert with_zero.statistic == pytest.approx(without.statistic)
    assert with_zero.probability == pytest.approx(without.probability)


def test_what_cannot_be_and_was_sampled_fits_never() -> None:
    found = fit(np.array([30, 70, 1, 0]), np.array([0.25, 0.75, 0.0, 0.0]))
    assert (found.statistic, found.probability, found.missing) == (float("inf"), 0.0, 1)
    assert fit(np.array([0, 5]), np.array([0.0, 1.0])).probability == 1.0  # one possible history is left


def test_a_sample_is_counted_history_by_history() -> None:
    krieg = game("krieg_tictactoe")
    whole = everything(tell(ExactBelief(krieg.machine, 1), krieg, "oplayer", KRIEG))
    models = HyperPlayBelief(krieg.machine, 1, models=200)
    histories, times = tell(models, krieg, "oplayer", KRIEG).counts()
    counts = counts_in(whole, histories, times)
    assert counts.sum() == 200
    assert counts.shape == (14,)
    for history, number in zip(histories, times, strict=True):
        at = [world for world in range(14) if (whole.histories[world] == history).all()]
        assert counts[at].tolist() == [number]
    assert counts_in(whole, whole.histories[::-1], np.arange(14)).tolist() == list(range(13, -1, -1))
    assert counts_in(whole, np.concatenate([histories, histories]), np.ones(2 * len(times))).max() == 2


def strangers() -> tuple[ExactBelief, np.ndarray]:
    """A belief, and 60 histories that it does not have."""
    krieg = game("krieg_tictactoe")
    belief = tell(ExactBelief(krieg.machine, 1), krieg, "oplayer", KRIEG)
    histories = np.repeat(everything(belief).histories[:1], 60, axis=0)
    histories[:, 0, 0] = np.arange(100, 160)
    return belief, histories


def test_a_history_that_is_not_in_the_infoset_is_refused() -> None:
    belief, _ = strangers()
    members = everything(belief).histories
    with pytest.raises(ValueError, match="not in the infoset"):
        counts_in(everything(belief), np.concatenate([members, members[:1] + 100]), np.ones(len(members) + 1))


def test_every_history_that_is_not_in_the_infoset_is_refused() -> None:
    belief, histories = strangers()
    for history in histories:
        with pytest.raises(ValueError, match="not in the infoset"):
            counts_in(everything(belief), history[None], np.ones(1))
