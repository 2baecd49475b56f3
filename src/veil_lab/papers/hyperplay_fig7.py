"""Figure 7 of the HyperPlay article: the cost of a sample, beside random sampling, over the course of a game."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from veil.belief import BATCH, BUDGET, HyperPlayBelief, NoConsistentHistory, RejectionSampler
from veil.report import Report, pyplot, save
from veil_lab.papers.article import ARTICLE, say_size
from veil_lab.views import GAMES, RECORDED_BY, RECORDER, View

SIZES = (20, 100), (2, 50)  # games and models: full, quick
BINS = 10  # of the course of a game
RANDOM_STATES = 400_000  # maximal states for random sampling of one round


def sampling_cost(seed: int = 0, quick: bool = False) -> Report:
    """Return figure 7: states visited per sample, HyperPlay beside random sampling, over the course of the game."""
    (games, models) = SIZES[quick]
    lines: dict[str, np.ndarray] = {}
    rows: list[tuple[Any, ...]] = []
    for name, role in GAMES.items():
        view = View.of(name, role)
        costs = np.array([_costs(view, models, (seed, number)) for number in range(games)])  # [games, 2, BINS]
        line, counts = find_ratio(costs)
        lines[name.split("(")[0]] = line
        rows.append((name, *_summarise(line, counts)))
    dearer = [row[0] for row in rows if row[4] > 1]
    middle = (np.arange(BINS) + 0.5) / BINS
    return Report(
        name="hyperplay-fig7",
        title="cost of a HyperPlay sample over the cost of a random sample, in states visited",
        source=f"{ARTICLE}, section 5.5, figure 7",
        settings={"games": games, "models": models, "budget": BUDGET, "seed": seed, "players": RECORDER},
        columns=("game", "early", "halfway", "late", "highest", "games: early", "halfway", "late"),
        rows=rows,
        remarks=[
            *say_size(quick, games=(games, SIZES[0][0]), models=(models, SIZES[0][1])),
            "The article: HyperPlay is always cheaper, down to 2.2 % late in blind_breakthrough. "
            f"Here it is never dearer in {len(rows) - len(dearer)} of {len(rows)} games; a value of 0.02 is 2 %. A "
            "ratio of 1 is of the first rounds, in which nothing can be wrong yet. The last columns are the games that "
            "have a round in that tenth of their course.",
            "A ratio is of means over games. A random sample costs the states of all attempts per attempt that got "
            f"through; where none did within {RANDOM_STATES:,} states, all of them count as one sample, and the ratio "
            "is too high.",
            "A round in which the other player has no choice costs HyperPlay one state per model, random sampling "
            f"a whole game from the start. {RECORDED_BY}",
        ],
        gaps=[
            *([("HyperPlay cheaper in all rounds of all games", f"dearer in {', '.join(dearer)}")] if dearer else []),
            ("the curves of figure 7, point by point", "the text has the picture only, without figures"),
        ],
        figures={"hyperplay-fig7.png": lambda path: _draw_costs(path, middle, lines)},
        series={"completed": middle, **lines},
    )


def find_ratio(costs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (ratio of the mean costs [BINS], games that have a round in a bin [BINS]) of costs [games, 2, BINS]."""
    total, counts = np.nansum(costs, axis=0), (~np.isnan(costs[:, 1])).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total[1] > 0, total[0] / total[1], np.nan), counts


def _summarise(line: np.ndarray, counts: np.ndarray) -> tuple[float | int, ...]:
    """Return the ratio early, halfway, late and at its highest, and the games behind the first three."""
    bins = np.flatnonzero(~np.isnan(line))
    when = bins[[0, len(bins) // 2, -1]]
    return (*(float(line[bin_]) for bin_ in when), float(np.nanmax(line)), *(int(counts[bin_]) for bin_ in when))


def _costs(view: View, models: int, seed: tuple[int, int]) -> np.ndarray:
    """Return [2, BINS] states per sample over the course of one game, summed per bin: HyperPlay, random."""
    machine, number = view.game.machine, seed[0] * 100_003 + seed[1]
    record = view.make_record(number)
    hyper = HyperPlayBelief(machine, view.role, models=models, seed=number, reseed=False)
    rng, costs = np.random.default_rng(seed), np.full((2, BINS), np.nan)
    for at, entry in enumerate(record[:-1]):  # after the game no sample is needed
        hyper.observe(*entry)
        forward = RejectionSampler(machine, view.role, samples=BATCH, budget=RANDOM_STATES)
        for earlier in record[: at + 1]:
            forward.observe(*earlier)
        with suppress(NoConsistentHistory):
            forward.worlds(None, rng)
        place = min(BINS - 1, int(BINS * (at + 1) / len(record)))
        both = (
            hyper.visited.sum() / max(1, int(hyper.on_line.sum())),
            forward.states_visited / max(1, forward.successes),
        )
        costs[:, place] = np.nan_to_num(costs[:, place]) + np.array(both)
    return costs


def _draw_costs(path: Path, middle: np.ndarray, lines: Mapping[str, np.ndarray]) -> None:
    plt = pyplot()
    figure, axis = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
    for name, line in lines.items():
        axis.plot(100 * middle, 100 * line, marker="o", markersize=3, label=name)
    axis.axhline(100, color="black", linewidth=0.8, linestyle=":")
    axis.set_yscale("log")
    axis.set_xlabel("game completed (%)")
    axis.set_ylabel("states per HyperPlay sample,\n% of those per random sample")
    axis.legend(fontsize=8, ncols=2)
    save(figure, path)
