"""The bias of a HyperPlay sample to the end of a game (section 5.6 of the article).

After every round of a game a bag of models is tested by Pearson's test against the uniform distribution on the infoset,
if the infoset is small enough for the bag. An infoset of one history is certain: any sample of it is fair.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from veil.belief import ExactBelief, HyperPlayBelief, NoConsistentHistory, TooManyWorlds, counts_in, fit
from veil.report import Report, pyplot, save
from veil_lab.papers.article import ARTICLE, NO_APPENDIX, say_size
from veil_lab.views import RECORDED_BY, RECORDER, TESTED_GAMES, View

SIZES = (20, 2000), (3, 300)  # games and models: full, quick
FAIR_AGAIN = ("blind_breakthrough", "mastermind", "transit")  # the article: nearly certain in the end game
FAIR = 0.05  # median probability from which a sample counts as fair here
MAX_EXACT = 200_000  # histories that are held exactly on the way
PER_HISTORY = 5  # minimal number of models per history for a test
LEAST = 3  # minimal number of tests for a median
SHOWN = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20)  # rounds in the table


def trace_bias(seed: int = 0, quick: bool = False) -> Report:
    """Return the median probability of Pearson's test, round by round."""
    games, models = SIZES[quick]
    lines: dict[str, np.ndarray] = {}
    rows, ends = [], dict[str, float]()  # of each game: the median of its last test
    for name, role in TESTED_GAMES.items():
        view = View.of(name, role)
        courses = [trace_game(view, models, (seed, number)) for number in range(games)]
        line = _join_medians(courses, 1 if quick else LEAST)
        lines[name.split("(")[0]] = line
        last = [float(course[~np.isnan(course)][-1]) for course in courses if not np.isnan(course).all()]
        cells = [_show(line[number - 1]) if number <= len(line) else "-" for number in SHOWN]
        ends[name.split("(")[0]] = float(np.median(last)) if last else float("nan")
        rows.append((name, *cells, _show(ends[name.split("(")[0]]), len(last)))
    longest = max(map(len, lines.values()))
    filled = {name: np.append(line, np.full(longest - len(line), np.nan)) for name, line in lines.items()}
    return Report(
        name="hyperplay-bias",
        title="median probability that the sample is fair, after each round; last: before the end of each game",
        source=f"{ARTICLE}, section 5.6: three of the games become certain, or nearly so, towards their end",
        settings={
            "games": games,
            "models": models,
            "seed": seed,
            "players": RECORDER,
            "sampler": "no remedy, no reseed",
        },
        columns=("game", *(f"round {number}" for number in SHOWN), "last", "games with a test"),
        rows=rows,
        remarks=[
            *say_size(quick, games=(games, SIZES[0][0]), models=(models, SIZES[0][1])),
            "The article names blind_breakthrough, mastermind and transit as fair again in the end game. A dash: fewer "
            f"than {1 if quick else LEAST} games had an infoset small enough for the bag, {PER_HISTORY} models per "
            f"history. An infoset of one history counts as 1: it is certain. {RECORDED_BY}",
        ],
        gaps=find_gaps(ends),
        figures={"hyperplay-bias.png": lambda path: _draw(path, filled)},
        series={"round": range(1, longest + 1), **filled},
    )


def find_gaps(ends: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return what of section 5.6 this run does not show, by the median of the last test of each game."""
    unfair = [f"{name} {_show(ends[name])}" for name in FAIR_AGAIN if not ends[name] >= FAIR]
    gaps = (
        [("samples that are fair again in the end game", f"the last median is {', '.join(unfair)}")] if unfair else []
    )
    return [*gaps, ("the curves of appendix E", NO_APPENDIX)]


def trace_game(view: View, models: int, seed: tuple[int, int]) -> np.ndarray:
    """Return [T] the probability of Pearson's test after each round of one game; NaN if there is no test."""
    machine, number = view.game.machine, seed[0] * 100_003 + seed[1]
    record = view.make_record(number)
    exact = ExactBelief(machine, view.role, max_worlds=MAX_EXACT)
    bag = HyperPlayBelief(machine, view.role, models=models, seed=number, remedy="none", reseed=False)
    course = np.full(len(record) - 1, np.nan)
    for round_index, entry in enumerate(record[:-1]):  # after the game no sample is needed
        try:
            exact.observe(*entry)
            exact.drop_ended()
            bag.observe(*entry)
        except (TooManyWorlds, NoConsistentHistory):
            break
        if exact.size == 1:
            course[round_index] = 1.0
        elif exact.size * PER_HISTORY <= int(bag.on_line.sum()):
            infoset = exact.worlds(None, np.random.default_rng(seed))
            uniform = np.full(len(infoset), 1 / len(infoset))
            course[round_index] = fit(counts_in(infoset, *bag.counts()), uniform).probability
    return course


def _join_medians(courses: list[np.ndarray], least: int) -> np.ndarray:
    """Return [T] the median over games, round by round; NaN if fewer than `least` could be tested."""
    table = np.full((len(courses), max(map(len, courses))), np.nan)
    for row, course in zip(table, courses, strict=True):
        row[: len(course)] = course
    tested = (~np.isnan(table)).sum(axis=0)
    return np.array(
        [np.nanmedian(column) if count >= least else np.nan for column, count in zip(table.T, tested, strict=True)]
    )


def _show(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.3f}"


def _draw(path: Path, lines: Mapping[str, np.ndarray]) -> None:
    plt = pyplot()
    figure, axis = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
    for name, line in lines.items():
        axis.plot(np.arange(1, len(line) + 1), line, marker="o", markersize=3, label=name)
    axis.set_xlabel("round")
    axis.set_ylabel("median probability of a fair sample")
    axis.legend(fontsize=8, ncols=2)
    save(figure, path)
