"""Figure 3 (a, d, h) of the OOS paper: the exploitability of a search from the start of the game over its time.

1. A searcher of each kind searches at the start of the game, in pieces; its table grows from one to the next.
2. After every piece whose number is a power of two, all its knowledge of all roles becomes a policy. Infosets that are
   not in the table play one fixed random move, the same for all kinds.
3. The policy is evaluated by exact best responses. The paper's exploitability is NashConv.

A second part is about figure 1: the strategy of Min at the infoset that its opponent's other leaf decides about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from veil.engine import Record
from veil.equilibrium import (
    PreparedGame,
    SearchedInfosets,
    SlotWeights,
    make_strategy_table,
    prepare,
)
from veil.match import exploit
from veil.players import PLAYERS, Seat, make_belief
from veil.report import Report, pyplot, save
from veil.search import InfosetView, SearchBudget, SearchQuestion, SearchTask
from veil.streams import derive_seed, search_of_player
from veil_lab.papers.oos_settings import PAPER, RM, SMALL, SMALLER, UCT, choose_games, name_player

KINDS = {"OOS": "oos:epsilon=0.6", "UCT": UCT, "RM": RM}
PIECE = 1000  # iterations between two evaluations of the table


class RootPoint(NamedTuple):
    """The progress of a search from the start."""

    walks: int
    seconds: float  # of processor time, searching
    nash_conv: float


class RootSearch:
    """A search at the start of a game, and the evaluation of its table as a policy."""

    def __init__(self, prepared: PreparedGame, spec: str, seed: int) -> None:
        game = prepared.game
        config: Any = PLAYERS.parse(spec).config
        role_id = prepared.tree.role_ids[0]
        self.searched, self.rng = SearchedInfosets(prepared), search_of_player(seed)
        self.fallback = self.searched.fallback("fixed", 0)
        self.searcher = config.searcher(SearchTask(game, role_id, seed))
        seat = Seat(game=game, role=game.roles[role_id], seed=seed)
        belief = make_belief(seat, worlds=config.worlds, sampler=config.sampler)
        self.question = SearchQuestion(Record(seat.role), belief, (seed, 0))
        self.walks, self.seconds = 0, 0.0

    def run(self) -> None:
        """Run one more piece."""
        clock = process_time()
        answer = self.searcher.search(self.question, SearchBudget(), self.rng)
        self.seconds += process_time() - clock
        self.walks += answer.playouts

    def judge(self) -> RootPoint:
        """Evaluate the policy of all knowledge."""
        total = np.zeros(self.searched.prepared.form.num_slots)
        for part in self._place_all():
            total[part.slots] += part.weights
        nash_conv = self.searched.judge_sum(total, self.fallback).evaluation.nash_conv
        return RootPoint(self.walks, self.seconds, nash_conv)

    def _place_all(self) -> list[SlotWeights]:
        """Return the knowledge of every role; every infoset is below the start."""
        views: dict[int, list[InfosetView]] = defaultdict(list)
        for view in self.searcher.known():
            views[view.role_id].append(view)
        return [
            self.searched.place_all(
                place, make_strategy_table((view.key, view.moves, view.mean) for view in views[role_id])
            )
            for place, role_id in enumerate(self.searched.prepared.role_ids)
        ]


def converge_at_root(seed: int = 0, quick: bool = False) -> Report:
    """Return figures 3(a, d, h): exploitability of searches from the root."""
    doublings, runs = (4, 1) if quick else (12, 3)
    rows: list[Sequence[Any]] = []
    curves: dict[str, dict[str, list[list[RootPoint]]]] = {}
    for name in SMALL:
        prepared = prepare(choose_games(quick)[name])
        curves[name] = {
            kind: [_follow(prepared, spec, derive_seed(seed, run), doublings) for run in range(runs)]
            for kind, spec in KINDS.items()
        }
        rows += [_describe(name, kind, courses) for kind, courses in curves[name].items()]
    return Report(
        name="oos-fig3-root",
        title="NashConv of a search from the root over its time (the paper's exploitability)",
        source=f"{PAPER}, section 4.4.1, figures 3(a), 3(d), 3(h)",
        settings={"iterations": f"{PIECE} to {PIECE << (doublings - 1):,}", "runs": runs, "seed": seed}
        | {name: choose_games(quick)[name] for name in SMALL},
        columns=("game", "search", "theirs", "ours: at first", "lowest", "at the end", "seconds at the end"),
        rows=rows,
        remarks=[
            "OOS with epsilon 0.6; infosets that are not in the table play one fixed random move, the same for all.",
            "Theirs are curves without numbers; what the text says about them stands beside ours.",
            *([SMALLER] if quick else []),
        ],
        figures={"oos-fig3-root.png": lambda path: _draw(path, curves)},
        series=_list_points(curves),
        parts=[non_locality(seed, quick)],
    )


THEIRS = {"OOS": "to 0, fastest", "UCT": "falls, then rises", "RM": "falls slowly"}


def _follow(prepared: PreparedGame, spec: str, seed: int, doublings: int) -> list[RootPoint]:
    """Return the course of one search: a point whenever its length has doubled."""
    search = RootSearch(prepared, name_player(spec, iterations=PIECE), seed)
    points = []
    done = 0
    for doubling in range(doublings):
        while done < 1 << doubling:
            search.run()
            done += 1
        points.append(search.judge())
    return points


def average_course(courses: Sequence[Sequence[RootPoint]]) -> list[RootPoint]:
    """Return the mean of several runs, point by point."""
    return [
        RootPoint(points[0].walks, *(float(np.mean(column)) for column in list(zip(*points, strict=True))[1:]))
        for points in zip(*courses, strict=True)
    ]


def _describe(name: str, kind: str, courses: Sequence[Sequence[RootPoint]]) -> Sequence[Any]:
    course = average_course(courses)
    lowest = min(course, key=lambda point: point.nash_conv)
    shown = f"{lowest.nash_conv:.4g} after {lowest.seconds:.2g} s"
    return name, kind, THEIRS[kind], course[0].nash_conv, shown, course[-1].nash_conv, f"{course[-1].seconds:.2g}"


def _list_points(curves: Mapping[str, Mapping[str, list[list[RootPoint]]]]) -> dict[str, list[Any]]:
    """Return all points of all runs as columns."""
    points = [
        (name, kind, run, *point)
        for name, kinds in curves.items()
        for kind, courses in kinds.items()
        for run, course in enumerate(courses)
        for point in course
    ]
    names = ("game", "search", "run", "walks", "seconds", "nash_conv")
    return dict(zip(names, map(list, zip(*points, strict=True)), strict=True))


def _draw(path: Path, curves: Mapping[str, Mapping[str, list[list[RootPoint]]]]) -> None:
    plt = pyplot()
    figure, axes = plt.subplots(1, len(curves), figsize=(4.4 * len(curves), 3.6), layout="constrained")
    for axis, (name, kinds) in zip(axes, curves.items(), strict=True):
        for kind, courses in kinds.items():
            mean = average_course(courses)
            axis.loglog([point.seconds for point in mean], [point.nash_conv for point in mean], marker=".", label=kind)
        axis.set_title(name, fontsize=10)
        axis.set_xlabel("seconds of processor time")
    axes[0].set_ylabel("NashConv")
    axes[0].legend(fontsize=8)
    save(figure, path)


# Figure 1


def non_locality(seed: int, quick: bool) -> Report:
    """Return what Min plays at its infoset, which depends on the value of a leaf that it cannot reach."""
    iterations = 2000 if quick else 50_000
    kinds = {"OOS": "oos:target=ist,delta=0.5", "UCT": f"{UCT},play=mean", "RM": RM}
    rows: list[Sequence[Any]] = []
    for leaf, best in ((1, 1 / 3), (2, 1 / 6)):
        for kind, spec in kinds.items():
            judged = exploit(f"non_locality(leaf={leaf})", name_player(spec, iterations=iterations), seed=seed)
            (row,) = judged.policy.table["min"].values()
            rows.append((leaf, kind, best, row["left"], judged.nash_conv))
    return Report(
        name="oos-fig1-non-locality",
        title="how often Min plays left at its infoset, beside the equilibrium",
        source=f"{PAPER}, section 2.2, figure 1",
        settings={"iterations": iterations, "seed": seed},
        columns=("leaf", "search", "equilibrium", "ours", "NashConv"),
        rows=rows,
        remarks=["Who searches below the infoset alone has no way to know the leaf: ISMCTS plays the same for both."],
    )
