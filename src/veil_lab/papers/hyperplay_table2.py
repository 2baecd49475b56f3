"""Table 2 of the HyperPlay article: Blind Breakthrough on the full board, 33 rounds."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.belief import BATCH, BUDGET, HyperPlayBelief, NoConsistentHistory, RejectionSampler
from veil.engine import observe_history
from veil.report import Report, pyplot, save
from veil_lab.papers.article import ARTICLE
from veil_lab.views import View
from veil_lab.weak_play import weak_game

TABLE2 = {  # round: probability of a valid history, upper bound, models on line
    1: ("100 %", "22", "100 %"),
    2: ("100 %", "22", "100 %"),
    16: ("1.19 %", "4.2e+11", "71.9 %"),
    17: ("0.73 %", "1.5e+13", "70.3 %"),
    32: ("< 0.01 %", "6.0e+23", "50.0 %"),
    33: ("< 0.01 %", "1.7e+25", "48.7 %"),
}
TIMED = 5  # games in which a bag of 1,000 models is followed as well
RANDOM_STATES = 1_000_000  # of random sampling in a game
LATE = 32  # the round that the text examines
COLUMNS = ("round", "valid", "ours", "bound", "ours", "on line", "plain", "re-seeded", "s, 1,000 models", "games")


class Course(NamedTuple):
    """The measurements. G games, T rounds; NaN if a game was over."""

    plain: np.ndarray  # [G, T] share of models on line, the article's algorithm
    reseeded: np.ndarray  # [G, T] the same if lost models restart from a healthy one
    seconds: np.ndarray  # [G, T] of an update of a bag of 1,000 models
    valid: np.ndarray  # [G, T] share of the joint moves that agree
    branching: np.ndarray  # [G, T] joint moves
    update: np.ndarray  # [G, T] mean states of a model on line for its update; the article's algorithm
    total: np.ndarray  # [G, T] states of all models
    by_chance: np.ndarray  # [G, T] states of random sampling in round LATE, NaN elsewhere
    successes: np.ndarray  # [G, T] histories that random sampling found with them


def case_study(seed: int = 0, quick: bool = False) -> Report:
    """Return table 2: Blind Breakthrough on the full board, 33 rounds."""
    games, models, rounds = 2 if quick else 20, 100, max(TABLE2)
    course = _measure(games, models, rounds, seed)
    chance = np.nancumprod(np.nanmean(course.valid, axis=0))
    bound = np.nancumprod(np.nanmean(course.branching, axis=0))
    return Report(
        name="hyperplay-table2",
        title="Blind Breakthrough 8x8: chance of a random history, size of the set, models on line",
        source=f"{ARTICLE}, section 5.7, table 2",
        settings={"games": games, "models": models, "budget": BUDGET, "seed": seed, "players": "weak"},
        columns=COLUMNS,
        rows=[_row(number, theirs, course, chance, bound) for number, theirs in TABLE2.items()],
        remarks=[
            "plain: the article's algorithm. re-seeded: models that are lost begin anew from a healthy one. The column "
            "of seconds is the slowest update of a bag of 1,000 models in that round; "
            f"over all rounds {np.nanmax(course.seconds):.2f} s.",
            "valid is the product of the rounds' shares of agreeing joint moves (equations 16 and 17), bound the "
            "product of their numbers. The shares depend on the players, who are not the article's.",
        ],
        series={
            "round": range(1, rounds + 1),
            "valid": chance,
            "bound": bound,
            "plain": np.nanmean(course.plain, axis=0),
            "re-seeded": np.nanmean(course.reseeded, axis=0),
            "seconds_of_1000": np.nanmax(course.seconds, axis=0),
        },
        figures={"hyperplay-table2.png": lambda path: _draw_on_line(path, course.plain, course.reseeded)},
        parts=[_count_states(course, models, float(chance[LATE - 1]))],
    )


def _sample_by_chance(view: View, joints: np.ndarray, seed: int) -> tuple[int, int]:
    """Return (states visited, histories found) of random sampling after round LATE of a game."""
    forward = RejectionSampler(view.game.machine, view.role, samples=BATCH, budget=RANDOM_STATES)
    for entry in observe_history(view.game.machine, joints, view.role)[:LATE]:
        forward.observe(*entry)
    with suppress(NoConsistentHistory):
        forward.worlds(None, np.random.default_rng(seed))
    return forward.states_visited, forward.successes


def _count_states(course: Course, models: int, valid: float) -> Report:
    """Return the figures of section 5.7 about the sample of round 32, computed in the same way."""
    before, after = (np.nanmean(course.plain[:, number]) for number in (LATE - 1, LATE))
    update, total = np.nanmean(course.update[:, LATE - 1]), np.nanmean(course.total[:, LATE - 1])
    sample = total / max(1.0, models * before)  # states of one sample of HyperPlay
    formula = LATE / 2 / max(valid, 1e-300)
    states, successes = np.nansum(course.by_chance), int(np.nansum(course.successes))
    more = "" if successes else "more than "
    return Report(
        name="hyperplay-table2-states",
        title=f"states of the sample of round {LATE}, the article's algorithm",
        source=f"{ARTICLE}, section 5.7",
        settings={"models": models, "budget": BUDGET},
        columns=("", "theirs", "ours"),
        rows=[
            ("states that a successful model takes for its update", "745", f"{update:,.0f}"),
            ("models lost in the next round, of a bag of 100", "1.3", f"{100 * (before - after):.2f}"),
            ("states to take the sample, in all", "166,000", f"{total:,.0f}"),
            ("states of a random sample, 32/2 over the bound (17) of its chance", "160,000", f"{formula:,.0f}"),
            ("states of a random sample, measured", "-", f"{more}{states / max(1, successes):,.0f}"),
            ("samples of HyperPlay for a random one, by the bound", "48", f"{formula / sample:,.3g}"),
            (
                "samples of HyperPlay for a random one, measured",
                "-",
                f"{more}{states / max(1, successes) / sample:,.3g}",
            ),
        ],
        remarks=[
            "The article computes with a chance of 0.01 %. Ours, the product of equation (17), depends on the players "
            "and is an upper bound: shares are measured where models stand that have survived, and dead ends are not "
            f"in it. So random sampling is run as well, {RANDOM_STATES:,} states in each game; where it finds nothing "
            "with all of them, the figure is a lower bound.",
        ],
    )


def _measure(games: int, models: int, rounds: int, seed: int) -> Course:
    """Measure games between weak players; three bags of models follow each."""
    view = View.of("blind_breakthrough(width=8, height=8)", "black")
    machine, role = view.game.machine, view.role
    course = Course(*(np.full((games, rounds), np.nan) for _ in Course._fields))
    for number in range(games):
        joints = weak_game(view.game, seed * 1000 + number, max_rounds=rounds)
        plain = HyperPlayBelief(machine, role, models=models, seed=number, reseed=False, remedy="none")
        reseeded = HyperPlayBelief(machine, role, models=models, seed=number)
        thousand = HyperPlayBelief(machine, role, models=1000, seed=number) if number < TIMED else None
        for round_index, entry in enumerate(observe_history(machine, joints, role)[:rounds]):
            place = number, round_index
            plain.observe(*entry)
            reseeded.observe(*entry)
            if thousand is not None:
                start = perf_counter()
                thousand.observe(*entry)
                course.seconds[place] = perf_counter() - start
            course.plain[place], course.reseeded[place] = plain.on_line.mean(), reseeded.on_line.mean()
            course.valid[place], course.branching[place] = plain.first_time, plain.branching
            course.update[place] = plain.visited[plain.on_line].mean() if plain.on_line.any() else np.nan
            course.total[place] = plain.visited.sum()
        if len(joints) > LATE:
            place = number, LATE - 1
            course.by_chance[place], course.successes[place] = _sample_by_chance(view, joints, number)
    return course


def _row(
    number: int, theirs: tuple[str, str, str], course: Course, chance: np.ndarray, bound: np.ndarray
) -> tuple[object, ...]:
    """Return one round of the table."""
    round_index = number - 1
    plain, reseeded = course.plain[:, round_index], course.reseeded[:, round_index]
    return (
        number,
        theirs[0],
        f"{100 * chance[round_index]:.2g} %",
        theirs[1],
        f"{bound[round_index]:.2g}",
        theirs[2],
        f"{100 * np.nanmean(plain):.1f} %",
        f"{100 * np.nanmean(reseeded):.1f} %",
        float(np.nanmax(course.seconds[:TIMED, round_index])),
        int((~np.isnan(plain)).sum()),
    )


def _draw_on_line(path: Path, plain: np.ndarray, ours: np.ndarray) -> None:
    plt = pyplot()
    figure, axis = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    rounds = np.arange(1, plain.shape[1] + 1)
    axis.plot(rounds, 100 * np.nanmean(ours, axis=0), label="ours, re-seeded")
    axis.plot(rounds, 100 * np.nanmean(plain, axis=0), label="ours, plain")
    theirs = {number: float(entry[2].split()[0]) for number, entry in TABLE2.items()}
    axis.plot(list(theirs), list(theirs.values()), marker="s", linestyle="--", label="the article")
    axis.set_ylim(0, 105)
    axis.set_xlabel("round")
    axis.set_ylabel("models on line (%)")
    axis.legend(fontsize=8)
    save(figure, path)
