"""Table 2 of the HyperPlay article: Blind Breakthrough on the full board, 33 rounds."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.belief import BATCH, BUDGET, HyperPlayBelief, NoConsistentHistory, RejectionSampler
from veil.engine import observe_history
from veil.match import mean_of
from veil.report import Report, pyplot, save
from veil_lab.papers.article import ARTICLE, say_size
from veil_lab.papers.summaries import median_of
from veil_lab.views import RECORDED_BY, RECORDER, View

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
GAMES = 20, 2  # full, quick
COLUMNS = (
    "round",
    "valid, theirs",
    "valid, ours",
    "bound, theirs",
    "bound, ours",
    "on line, theirs",
    "on line, plain",
    "on line, re-seeded",
    "s, 1,000 models",
    "games",
)
NEAR = 10.0  # factor up to which two figures have the same order of magnitude


class Course(NamedTuple):
    """The measurements. G games, T rounds; NaN if a game was over."""

    plain: np.ndarray  # [G, T] share of models on line, the article's algorithm
    reseeded: np.ndarray  # [G, T] the same if lost models restart from a healthy one
    seconds: np.ndarray  # [G, T] of an update of a bag of 1,000 models
    valid: np.ndarray  # [G, T] share of the joint moves that agree
    branching: np.ndarray  # [G, T] joint moves
    update: np.ndarray  # [G, T] mean states of a model on line for its update; the article's algorithm
    total: np.ndarray  # [G, T] states of all models
    on_line: np.ndarray  # [G, T] models on line, the article's algorithm
    by_chance: np.ndarray  # [G, T] states of random sampling in round LATE, NaN elsewhere
    successes: np.ndarray  # [G, T] histories that random sampling found with them


class LateCosts(NamedTuple):
    """The cost in states of one sample of round LATE, in each of the G games that last so long."""

    game: np.ndarray  # [G] its number
    random: np.ndarray  # [G] of random sampling; all its states if it found nothing, so that it is a lower bound
    successes: np.ndarray  # [G] histories that random sampling found
    hyperplay: np.ndarray  # [G] of HyperPlay: states of all models over models on line

    @property
    def more(self) -> str:
        """`more than ` if random sampling found nothing in some game."""
        return "" if self.successes.all() else "more than "

    @property
    def ratio(self) -> float:
        """The samples of HyperPlay for a random one: the ratio of the mean costs."""
        return float(self.random.mean() / self.hyperplay.mean())


def case_study(seed: int = 0, quick: bool = False) -> Report:
    """Return table 2: Blind Breakthrough on the full board, 33 rounds."""
    games, models, rounds = GAMES[quick], 100, max(TABLE2)
    course = _measure(games, models, rounds, seed)
    chance = np.nancumprod(np.nanmean(course.valid, axis=0))
    bound = np.nancumprod(np.nanmean(course.branching, axis=0))
    costs = find_late_costs(course)
    return Report(
        name="hyperplay-table2",
        title="Blind Breakthrough 8x8: chance of a random history, size of the set, models on line",
        source=f"{ARTICLE}, section 5.7, table 2",
        settings={"games": games, "models": models, "budget": BUDGET, "seed": seed, "players": RECORDER},
        columns=COLUMNS,
        rows=[_row(number, theirs, course, chance, bound) for number, theirs in TABLE2.items()],
        remarks=[
            *say_size(quick, games=GAMES[::-1]),
            "plain: the article's algorithm. re-seeded: models that are lost begin anew from a healthy one. The column "
            "of seconds is the slowest update of a bag of 1,000 models in that round; "
            f"over all rounds {np.nanmax(course.seconds):.2f} s.",
            "valid is the product of the rounds' shares of agreeing joint moves (equations 16 and 17), bound the "
            f"product of their numbers. {RECORDED_BY}",
        ],
        gaps=_find_gaps(course, costs, float(chance[LATE - 1]), float(bound[LATE - 1])),
        series={
            "round": range(1, rounds + 1),
            "valid": chance,
            "bound": bound,
            "plain": np.nanmean(course.plain, axis=0),
            "re-seeded": np.nanmean(course.reseeded, axis=0),
            "seconds_of_1000": np.nanmax(course.seconds, axis=0),
        },
        figures={"hyperplay-table2.png": lambda path: _draw_on_line(path, course.plain, course.reseeded)},
        parts=[]
        if not len(costs.game)
        else [_count_states(course, costs, models, float(chance[LATE - 1])), _list_games(costs)],
    )


def _find_gaps(course: Course, costs: LateCosts, chance: float, bound: float) -> list[tuple[str, str]]:
    """Return the figures of the article that this run does not meet."""
    gaps, on_line = [], float(np.nanmean(course.plain[:, LATE - 1]))
    if abs(on_line - 0.5) > 0.1:
        gaps.append((f"half of the models off line in round {LATE}", f"{100 * on_line:.1f} % of ours are on line"))
    if chance >= 1e-4:
        what = f"a chance of less than 0.01 % of a valid history in round {LATE}"
        gaps.append((what, f"{100 * chance:.2g} % here; it depends on how the players play"))
    if not 1 / NEAR <= bound / float(TABLE2[LATE][1]) <= NEAR:
        gaps.append((f"an upper bound of 6.0e+23 histories in round {LATE}", f"{bound:.2g} here: more joint moves"))
    if not len(costs.game):
        gaps.append(("48 samples of HyperPlay for a random one", f"no game lasted longer than round {LATE}"))
    elif not 48 / NEAR <= costs.ratio <= 48 * NEAR:
        gaps.append(
            ("48 samples of HyperPlay for a random one", f"{costs.more}{costs.ratio:.3g} here, mean over games")
        )
    return gaps


def _sample_by_chance(view: View, joints: np.ndarray, seed: int) -> tuple[int, int]:
    """Return (states visited, histories found) of random sampling after round LATE of a game."""
    forward = RejectionSampler(view.game.machine, view.role, samples=BATCH, budget=RANDOM_STATES)
    for entry in observe_history(view.game.machine, joints, view.role)[:LATE]:
        forward.observe(*entry)
    with suppress(NoConsistentHistory):
        forward.worlds(None, np.random.default_rng(seed))
    return forward.states_visited, forward.successes


def find_late_costs(course: Course) -> LateCosts:
    """Return the cost of one sample in round LATE, game by game."""
    late = LATE - 1
    game = np.flatnonzero(~np.isnan(course.by_chance[:, late]))
    found = course.successes[game, late].astype(int)
    models = np.maximum(1.0, course.on_line[game, late])
    return LateCosts(
        game, course.by_chance[game, late] / np.maximum(1, found), found, course.total[game, late] / models
    )


def _count_states(course: Course, costs: LateCosts, models: int, valid: float) -> Report:
    """Return the figures of section 5.7 about the sample of round 32: costs per game, summed up over games."""
    before, after = (np.nanmean(course.plain[costs.game, number]) for number in (LATE - 1, LATE))
    update, total = np.nanmean(course.update[costs.game, LATE - 1]), np.nanmean(course.total[costs.game, LATE - 1])
    formula, games = LATE / 2 / max(valid, 1e-300), len(costs.game)
    fewest = costs.more if 2 * int((costs.successes == 0).sum()) >= games else ""
    dearer = int((costs.random > costs.hyperplay).sum())
    logs = mean_of(np.log(costs.random / costs.hyperplay).tolist())
    middle = f"{costs.more}{np.exp(logs.known):,.3g}"
    if logs.half is not None:
        middle += f" ({np.exp(logs.known - logs.half):,.3g} to {np.exp(logs.known + logs.half):,.3g})"
    return Report(
        name="hyperplay-table2-states",
        title=f"states of the sample of round {LATE}, the article's algorithm, over {games} games",
        source=f"{ARTICLE}, section 5.7",
        settings={"models": models, "budget": BUDGET, "games": games},
        columns=("", "theirs", "ours"),
        rows=[
            ("states that a successful model takes for its update", "745", f"{update:,.0f}"),
            ("models lost in the next round, of a bag of 100", "1.3", f"{100 * (before - after):.2f}"),
            ("states to take the sample, in all", "166,000", f"{total:,.0f}"),
            ("a random sample: 32/2 over the bound (17) of its chance", "160,000", f"{formula:,.0f}"),
            ("a random sample, measured: mean over games", "-", costs.more + _mean(costs.random)),
            ("a sample of HyperPlay: mean over games", "-", _mean(costs.hyperplay)),
            ("a random sample, measured: median", "-", fewest + str(median_of(costs.random.tolist()))),
            ("a sample of HyperPlay: median", "-", str(median_of(costs.hyperplay.tolist()))),
            ("samples of HyperPlay for a random one, by the means", "48", f"{costs.more}{costs.ratio:,.3g}"),
            ("samples of HyperPlay for a random one, geometric mean of games", "-", middle),
            ("games in which a random sample is dearer", "-", f"{dearer} of {games}"),
            ("games without any random success", "-", f"{(costs.successes == 0).sum()} of {games}"),
        ],
        remarks=[
            "The article computes with a chance of 0.01 %. Ours, the product of equation (17), is an upper bound: "
            "shares are measured where models stand that have survived, and dead ends are not in it. So random "
            f"sampling is run as well, {RANDOM_STATES:,} states in each game. Its cost in a game is its states per "
            "history that it found; where it found none, all its states, and the figures are lower bounds.",
            "Intervals in brackets are 95 %: of a median by order statistics, of the geometric mean by Student's.",
        ],
    )


def _list_games(costs: LateCosts) -> Report:
    """Return the costs game by game."""
    return Report(
        name="hyperplay-table2-games",
        title=f"states of one sample of round {LATE}, game by game",
        source="ours",
        settings={"states of random sampling": RANDOM_STATES},
        columns=("game", "random found", "random sample", "HyperPlay's sample", "ratio"),
        rows=[
            (int(game), int(found), round(float(one)), round(float(other)), float(f"{one / other:.3g}"))
            for game, one, found, other in zip(*costs, strict=True)
        ],
    )


def _mean(values: np.ndarray) -> str:
    """Return the mean with its interval, in whole states."""
    mean = mean_of(values.tolist())
    return f"{mean.known:,.0f}" + ("" if mean.half is None else f" ± {mean.half:,.0f}")


def _measure(games: int, models: int, rounds: int, seed: int) -> Course:
    """Measure games between HyperPlayers; three bags of models follow each."""
    view = View.of("blind_breakthrough(width=8, height=8)", "black")
    machine, role = view.game.machine, view.role
    course = Course(*(np.full((games, rounds), np.nan) for _ in Course._fields))
    for number in range(games):
        joints = view.play(seed * 1000 + number)
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
            course.total[place], course.on_line[place] = plain.visited.sum(), plain.on_line.sum()
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
