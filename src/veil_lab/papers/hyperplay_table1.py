"""Table 1 of the HyperPlay article: whether the sample is fair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from veil.belief import (
    Bag,
    ExactBelief,
    HyperPlayBelief,
    NoConsistentHistory,
    ParticleBelief,
    TooManyWorlds,
    counts_in,
    draw_systematic,
    fit,
)
from veil.intervals import find_holm_threshold
from veil.report import Report
from veil_lab.papers.article import ARTICLE, say_size
from veil_lab.papers.summaries import median_of
from veil_lab.views import RECORDED_BY, RECORDER, TESTED_GAMES, View

GAMES_PLAYED = 40, 6  # full, quick
MAX_INFOSET = 2000  # the sample must be larger than the infoset
MAX_EXACT = 200_000  # histories that are held exactly on the way
TABLE1 = {  # article's table 1: round; first quartile, median, third quartile
    "battleships_in_fog": (6, (0.030, 0.158, 0.454)),
    "blind_breakthrough": (6, (0.006, 0.156, 0.663)),
    "border_protection": (4, (0.005, 0.040, 0.262)),
    "guess_who": (5, (0.001, 0.001, 0.094)),
    "hidden_connect": (4, (0.001, 0.001, 0.001)),
    "simultaneous_krieg_tictactoe": (3, (0.001, 0.001, 0.001)),
    "mastermind": (3, (0.027, 0.211, 0.520)),
    "transit": (5, (0.001, 0.001, 0.116)),
}


class SampleTests(NamedTuple):
    """The probabilities of Pearson's test for the samples of one game after a round."""

    infoset: int  # histories
    probabilities: dict[str, float]  # sample -> probability


def bias(seed: int = 0, quick: bool = False) -> Report:
    """Return table 1: quartiles of the probability of Pearson's test for a uniform sample, mid-game."""
    games, tests = GAMES_PLAYED[quick], {}
    for name, role in TESTED_GAMES.items():
        view, (round_number, _) = View.of(name, role), TABLE1[name.split("(")[0]]
        tests[name] = [fits for number in range(games) if (fits := _fits(view, round_number, (seed, number)))]
    biased = judge_bias(tests)
    return Report(
        name="hyperplay-table1",
        title="probability that a sample is fair, mid-game: quartiles and median of Pearson's test",
        source=f"{ARTICLE}, section 5.6, table 1",
        settings={"games": games, "samples": "10 per history, 200 to 5,000", "seed": seed, "players": RECORDER},
        columns=(
            "game",
            "round",
            "theirs",
            "no remedy",
            "biased",
            "weight",
            "balance",
            "particle filter",
            "exact",
            "histories",
            "games",
        ),
        rows=[_row(name, found, biased[name], games) for name, found in tests.items()],
        remarks=[
            *say_size(quick, games=GAMES_PLAYED[::-1]),
            "Theirs, no remedy, weight and balance (sampler=hyperplay,reseed=false) are tested against uniform, the "
            "particle filter and draws from the exact belief against the posterior. The rounds are the article's; a "
            "game counts where it lasts that long and its infoset has from 2 to "
            f"{MAX_INFOSET:,} histories; `histories` is the median size of these infosets. {RECORDED_BY}",
            "biased: whether the probabilities without a remedy are smaller than those of fair samples, which are "
            "uniform from 0 to 1 (Kolmogorov and Smirnov's test, 5 % for all games together by Holm). With `weight` "
            "and `balance` the counts of all histories that were found are made equal: 1 is no measurement, and less "
            "than 1 means that histories are missing.",
            "Particles share ancestors after resampling, so they are no independent draws, and Pearson's test sees it; "
            "their means are unbiased all the same.",
        ],
        gaps=find_gaps(tests, biased),
    )


def judge_bias(tests: Mapping[str, Sequence[SampleTests]]) -> dict[str, str]:
    """Return `yes`, `not shown` or, without a game, `-` for the samples without a remedy of each game."""
    from scipy.stats import kstest  # takes long to import

    values = {name: [one.probabilities["none"] for one in found] for name, found in tests.items() if found}
    p_values = {name: float(kstest(some, "uniform", alternative="greater").pvalue) for name, some in values.items()}
    threshold = find_holm_threshold(list(p_values.values()))
    return {name: "-" if name not in p_values else _say(p_values[name] <= threshold) for name in tests}


def _say(is_biased: bool) -> str:
    return "yes" if is_biased else "not shown"


def find_gaps(tests: Mapping[str, Sequence[SampleTests]], biased: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return what of table 1 this run does not show: bias in every game, and medians beyond our intervals."""
    gaps, fair, other = [], [name for name, verdict in biased.items() if verdict != "yes"], []
    if fair:
        shown = ", ".join(f"{name} ({len(tests[name])} games, {_median_size(tests[name])} histories)" for name in fair)
        gaps.append(("that the sample became biased in every game", f"not shown in {shown}"))
    for name, found in tests.items():
        theirs = TABLE1[name.split("(")[0]][1][1]
        if not found:
            continue
        ours = median_of([one.probabilities["none"] for one in found])
        if not ours.low <= theirs <= ours.high:
            other.append(f"{name.split('(')[0]} {theirs:.3f}: ours {ours}")
    if other:
        gaps.append((f"{len(other)} of {len(tests)} medians of table 1", "; ".join(other)))
    return gaps


def _median_size(found: Sequence[SampleTests]) -> int:
    return round(float(np.median([one.infoset for one in found]))) if found else 0


def _row(name: str, found: Sequence[SampleTests], biased: str, games: int) -> tuple[Any, ...]:
    round_number, theirs = TABLE1[name.split("(")[0]]
    none, *others = _quartiles([one.probabilities for one in found])
    shown = " ".join(f"{value:.3f}" for value in theirs)
    return (name, round_number, shown, none, biased, *others, _median_size(found), f"{len(found)} of {games}")


def _fits(view: View, round_number: int, seed: tuple[int, int]) -> SampleTests | None:
    """Return the probabilities of Pearson's test for one game after a round; None if there is nothing to test."""
    machine, number = view.game.machine, seed[0] * 100_003 + seed[1]
    record = view.make_record(number)
    if len(record) <= round_number:  # the game is over by then
        return None
    exact, half = ExactBelief(machine, view.role, max_worlds=MAX_EXACT), round_number
    try:
        for entry in record[:half]:
            exact.observe(*entry)
    except TooManyWorlds:
        return None
    if not 2 <= exact.size <= MAX_INFOSET:
        return None
    rng = np.random.default_rng(seed)
    infoset = exact.worlds(None, rng)
    samples = int(np.clip(10 * len(infoset), 200, 5000))
    uniform = np.full(len(infoset), 1 / len(infoset))
    probabilities = {}
    for remedy in ("none", "balance"):
        bag = HyperPlayBelief(machine, view.role, models=samples, seed=number, remedy=remedy, reseed=False)
        for entry in record[:half]:
            bag.observe(*entry)
        counts = counts_in(infoset, *bag.counts())
        probabilities[remedy] = fit(counts, uniform).probability
        if remedy == "none":
            even = np.where(counts > 0, counts.sum() / (counts > 0).sum(), 0.0)
            probabilities["weight"] = fit(even, uniform).probability
    probabilities["particle"] = _particle_fit(view, record[:half], infoset, samples, number)
    draws = np.bincount(rng.choice(len(infoset), samples, p=infoset.weights), minlength=len(infoset))
    probabilities["exact"] = fit(draws.astype(float), infoset.weights).probability
    return SampleTests(len(infoset), probabilities)


def _particle_fit(view: View, record: list[Any], infoset: Bag, samples: int, seed: int) -> float:
    """Return Pearson's test of a particle filter against the posterior; 0 if its particles have died out."""
    filtered, rng = (
        ParticleBelief(view.game.machine, view.role, particles=samples, seed=seed),
        np.random.default_rng(seed),
    )
    try:
        for entry in record:
            filtered.observe(*entry)
        bag = filtered.worlds(None, rng)
    except NoConsistentHistory:
        return 0.0
    times = np.bincount(draw_systematic(bag.weights, samples, rng), minlength=len(bag))
    return fit(counts_in(infoset, bag.histories, times), infoset.weights).probability


def _quartiles(tests: list[dict[str, float]]) -> list[str]:
    columns = []
    for name in ("none", "weight", "balance", "particle", "exact"):
        values = [entry[name] for entry in tests]
        shown = np.quantile(values, (0.25, 0.5, 0.75)) if values else np.full(3, np.nan)
        columns.append(" ".join(f"{value:.3f}" for value in shown))
    return columns
