"""HyperPlay-II beside HyperPlay at equal resources (section 6.5 of the article): equal resources are equal states.

1. HyperPlay-II plays with a fixed budget. A few matches show how many states both visit per decision, all counted.
2. The playouts of HyperPlay are multiplied by the ratio of the two, several times: with the final number it visits as
   many states as HyperPlay-II.
3. Both play with these budgets: against each other in both seats, or one after the other if there is no opponent.
4. HyperPlay-II with the memo plays against HyperPlay-II as printed, and against the default inside, again at equal
   states: the memo saves states, and the budget of its simulations and of the players inside grows until it visits as
   many.

A verdict is of the differences match by match, which share their seeds; all verdicts of a table hold together (Holm).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from veil.engine import load
from veil.match import mean_of
from veil.report import Report
from veil_lab.papers.article import (
    APPENDIX,
    ARTICLE,
    HP,
    HP2,
    MEMO,
    MEMO_INSIDE,
    NO_APPENDIX,
    PRINTED,
    PRINTED_INSIDE,
    SMALL_KRIEG,
    VARIANT_OF,
    VARIANTS_REMARK,
    Variant,
    say_fewer,
    say_size,
)
from veil_lab.papers.contests import AGAINST, ITS, Contest, Side, compare
from veil_lab.papers.summaries import explain_verdicts, judge
from veil_lab.series import play_series

STEPS = 3  # number of steps to the playouts of equal states
BETTER = "HP-II better"
SIZES = (100, 10, 6, 6), (2, 1, 2, 2)  # matches, pilots, models, runs: full, quick
VARIANT_MATCHES = 4  # factor of the number of matches between variants of HyperPlay-II
RIVALS = {PRINTED: PRINTED_INSIDE, "merged states inside": ",nested_sampler=states,memo=false"}
GROWTH = 0.45  # of the budget of simulations and of the players inside together: states grow with about its square


CONTESTS = (
    Contest("exploding_bomb", ("agent",), "alone", BETTER),
    Contest("number_guessing(max=16, turns=10)", ("guesser",), "alone", BETTER),
    Contest("monty_hall", ("contestant",), "alone", "as good"),
    Contest("mastermind(pegs=2, colours=4, guesses=4)", ("breaker",), "alone", "as good"),
    Contest("battleships_in_fog(size=3)", ("red", "blue"), "against each other", BETTER),
    Contest("hidden_connect(size=3, line=3)", ("red", "blue"), "against each other", BETTER),
    Contest(SMALL_KRIEG, ("xplayer", "oplayer"), "against each other", BETTER),
    Contest("blind_breakthrough(width=4, height=4)", ("white", "black"), "against each other", BETTER),
    Contest("border_protection(size=4)", ("intruder", "defender"), "against each other", BETTER),
    Contest("guess_who(characters=8, attributes=4)", ("first", "second"), "against each other", BETTER),
    Contest("transit(width=4, height=4)", ("evader", "patrol"), "against each other", BETTER),
    Contest("cutting_wire", ("teller", "cutter"), "as a team", "HP fails, HP-II solves it"),
    Contest("extended_cutting_wire", ("teller", "cutter"), "as a team", "HP-II tells at once: 80"),
    Contest("cooperative_spies", ("spy1", "spy2"), "as a team", "chance level"),
    Contest("banker_and_thief(banks=2, notes=10)", ("banker",), "against ITS", "HP-II 40-60, 24"),
)
QUICK = ("exploding_bomb", SMALL_KRIEG, "cutting_wire")
ITS_GAMES = (
    ("cutting_wire", ("teller", "cutter"), 1000, "-"),
    ("extended_cutting_wire", ("teller", "cutter"), 1000, "waits: 90"),
    ("cooperative_spies", ("spy1", "spy2"), 1000, "-"),
    ("banker_and_thief(banks=2, notes=10)", ("banker", "thief"), 20_000, "50-50, 25"),
)


class Resources(NamedTuple):
    """Models and playouts, simulations per model; additions to every spec."""

    models: int
    runs: int
    variant: Variant

    def hyperplay(self, playouts: int | None = None) -> str:
        """Return the spec of HyperPlay with `playouts` playouts."""
        return HP.format(self.models, self.runs if playouts is None else playouts) + self.variant.sampler

    def hyperplay2(self) -> str:
        """Return the spec of HyperPlay-II."""
        return HP2.format(self.models, self.runs) + self.variant.sampler + self.variant.inside


class Played(NamedTuple):
    """Two players compared in a contest: the second is judged."""

    contest: Contest
    setting: str
    budget: int  # with which both visit as many states: of the player that is named in the column
    plain: Side
    lifted: Side

    @property
    def differences(self) -> np.ndarray:
        """[matches] goals of the second less those of the first."""
        differences: np.ndarray = self.lifted.goals - self.plain.goals
        return differences

    @property
    def times(self) -> float:
        """States of the second per state of the first."""
        return round(self.lifted.states / max(1.0, self.plain.states), 2)


def lifted_games(seed: int = 0, quick: bool = False, matches: int | None = None) -> Report:
    """Return HyperPlay-II against HyperPlay at equal states visited, in all games of the text; ITS besides."""
    usual, pilots, models, runs = SIZES[quick]
    matches = matches or usual
    played = []
    for contest in CONTESTS:
        if quick and contest.game not in QUICK:
            continue
        for setting, variant in VARIANT_OF.items():
            resources = Resources(models, runs, variant)
            playouts = find_equal_playouts(contest, resources, pilots, seed)
            sides = compare(contest, resources.hyperplay(playouts), resources.hyperplay2(), matches, seed + 1)
            played.append(Played(contest, setting, playouts, *sides))
    verdicts = judge([one.differences for one in played])
    return Report(
        name="hyperplay2-games",
        title="HyperPlay-II beside HyperPlay at equal states visited",
        source=f"{ARTICLE}, section 6.5; ITS paper, sections 4.1 and 4.4",
        settings={"matches": matches, "models": models, "simulations of HP-II": runs, "seed": seed},
        columns=(
            "game",
            "how",
            "setting",
            "theirs",
            "HP",
            "HP-II",
            "HP-II is",
            "HP playouts",
            "states HP-II/HP",
            "worlds from",
        ),
        rows=[
            (one.contest.game, one.contest.how, one.setting, one.contest.theirs, *_means(one), verdict, one.budget,
             one.times, one.lifted.samplers)
            for one, verdict in zip(played, verdicts, strict=True)
        ],
        remarks=[
            *say_size(quick, matches=(matches, SIZES[0][0]), models=(models, SIZES[0][2]), games=(len(QUICK), 15)),
            *say_fewer(quick, matches, SIZES[0][0]),
            "Theirs: HyperPlay-II outperformed an equally resourced HyperPlayer in all experiments, and "
            f"cooperative_spies is beyond it; {APPENDIX}. Equal resources are equal states here: HyperPlay has as many "
            "playouts as make it visit as many states per decision as HyperPlay-II, found by a few matches before.",
            VARIANTS_REMARK,
            explain_verdicts(len(played)),
        ],
        gaps=_find_gaps(played, verdicts),
        parts=[_compare_variants(matches, seed, quick), _beside_its(matches, seed, quick)],
    )  # fmt: skip


def count_full_run() -> tuple[int, int]:
    """Return (matches of a full run with those that find equal budgets, number of models of its players)."""
    usual, pilots, models, _ = SIZES[False]
    compared = [contest.how == AGAINST for contest in CONTESTS]
    games = sum((STEPS * pilots + usual) * (1 if against else 2) for against in compared) * len(VARIANT_OF)
    variants = sum(compared) * (STEPS * pilots + VARIANT_MATCHES * usual) * len(RIVALS)
    return games + variants + len(ITS_GAMES) * usual, models


def _means(one: Played) -> tuple[str, str]:
    return str(one.plain.mean), str(one.lifted.mean)


def _find_gaps(played: Sequence[Played], verdicts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the games in which HyperPlay-II is not shown to be better, where the article says it is, as printed."""
    other: dict[str, list[str]] = {"worse": [], "unclear": []}
    for one, verdict in zip(played, verdicts, strict=True):
        if one.setting == PRINTED and one.contest.theirs == BETTER and verdict in other:
            other[verdict].append(one.contest.game)
    found = "; ".join(f"{verdict} in {', '.join(games)}" for verdict, games in other.items() if games)
    gaps = [("HyperPlay-II better in all experiments", f"at equal states, as printed: {found}")] if found else []
    return [*gaps, ("mean goals of appendices F and H", NO_APPENDIX)]


def find_equal_playouts(contest: Contest, resources: Resources, matches: int, seed: int) -> int:
    """Return the playouts with which HyperPlay visits as many states per decision as HyperPlay-II."""
    return find_equal_budget(contest, resources.hyperplay, resources.hyperplay2(), resources.runs, (matches, seed, 1.0))


def find_equal_budget(
    contest: Contest, plain: Callable[[int], str], lifted: str, begin: int, how: tuple[int, int, float]
) -> int:
    """Return the budget with which the player `plain(budget)` visits as many states per decision as `lifted`.

    `how` is (matches, seed, power): the budget grows with this power of the ratio of states, in several steps.
    """
    (matches, seed, power), budget = how, begin
    for _ in range(STEPS):
        one, other = compare(contest, plain(budget), lifted, matches, seed)
        budget = max(1, round(budget * (other.states / max(1.0, one.states)) ** power))
    return budget


def _compare_variants(matches: int, seed: int, quick: bool) -> Report:
    """Return HyperPlay-II without the memo against HyperPlay-II with it, at equal states (step 4)."""
    _, pilots, models, runs = SIZES[quick]
    matches *= 1 if quick else VARIANT_MATCHES
    sampler = VARIANT_OF[MEMO].sampler

    def with_memo(budget: int) -> str:
        spec = "hyperplay2:models={0},simulations={1},nested_models={1},nested_playouts={1},work=1000000000000"
        return spec.format(models, budget) + sampler + MEMO_INSIDE

    played = []
    for contest in CONTESTS:
        if contest.how != AGAINST or (quick and contest.game not in QUICK):
            continue
        for name, inside in RIVALS.items():
            rival = Resources(models, runs, Variant(sampler, inside)).hyperplay2()
            budget = find_equal_budget(contest, with_memo, rival, runs, (pilots, seed, GROWTH))
            sides = compare(contest, with_memo(budget), rival, matches, seed + 1)
            played.append(Played(contest, name, budget, *sides))
    verdicts = judge([one.differences for one in played])
    means = {name: mean_of([one.lifted.mean.known for one in played if one.setting == name]) for name in RIVALS}
    return Report(
        name="hyperplay2-variants",
        title="HyperPlay-II without the memo against HyperPlay-II with it, at equal states visited",
        source="ours",
        settings={"matches": matches, "models": models, "simulations without": runs, "seed": seed},
        columns=("game", "without the memo", "memo", "without", "without is", "budget of the memo", "states, times"),
        rows=[
            (one.contest.game, one.setting, *_means(one), verdict, one.budget, one.times)
            for one, verdict in zip(played, verdicts, strict=True)
        ],
        remarks=[
            "All have the article's sampler outside and as many models. The budget of the memo is that of its "
            f"simulations and of models and playouts inside; without, these are {runs}. Means over the games: "
            + ", ".join(f"{name} {mean}" for name, mean in means.items()) + ".",
            explain_verdicts(len(played)),
        ],
    )  # fmt: skip


def _beside_its(matches: int, seed: int, quick: bool) -> Report:
    """Return the results of Iterative Tree Search in the games in which it was compared."""
    rows = []
    for name, roles, iterations, theirs in ITS_GAMES[:1] if quick else ITS_GAMES:
        series = play_series(load(name), dict.fromkeys(roles, ITS.format(iterations)), matches, seed)
        split = series.favourite(roles[0], "(split")
        rows.append((name, iterations, theirs, str(series.mean(roles[0])), split))
    return Report(
        name="hyperplay2-its",
        title="Iterative Tree Search in the same games, playing with itself",
        source="ITS paper, sections 4.1 and 4.4",
        settings={"matches": matches, "seed": seed},
        columns=("game", "iterations", "theirs", "ITS", "favourite split"),
        rows=rows,
        remarks=[
            "ITS solves the whole game before the match; two ITS players with the same seed share a convention, so a "
            "team of them is better than chance at cooperative_spies, and gets 95 at extended_cutting_wire.",
        ],
    )
