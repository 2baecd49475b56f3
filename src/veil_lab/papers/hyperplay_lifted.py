"""HyperPlay-II beside HyperPlay at equal resources (section 6.5 of the article): equal resources are equal states.

1. HyperPlay-II plays with a fixed budget. A few matches show how many states both visit per decision, all counted.
2. The playouts of HyperPlay are multiplied by the ratio of the two, several times: with the final number it visits as
   many states as HyperPlay-II.
3. Both play with these budgets: against each other in both seats, or one after the other if there is no opponent.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from veil.engine import load
from veil.report import Report
from veil_lab.papers.article import APPENDIX, ARTICLE, HP, HP2, SAMPLER_OF, SETTINGS_REMARK
from veil_lab.papers.contests import ITS, Contest, Side, compare
from veil_lab.series import play_series

STEPS = 3  # number of steps to the playouts of equal states
BETTER = "HP-II better"


CONTESTS = (
    Contest("exploding_bomb", ("agent",), "alone", BETTER),
    Contest("number_guessing(max=16, turns=10)", ("guesser",), "alone", BETTER),
    Contest("monty_hall", ("contestant",), "alone", "as good"),
    Contest("mastermind(pegs=2, colours=4, guesses=4)", ("breaker",), "alone", "as good"),
    Contest("battleships_in_fog(size=3)", ("red", "blue"), "against each other", BETTER),
    Contest("hidden_connect(size=3, line=3)", ("red", "blue"), "against each other", BETTER),
    Contest("krieg_tictactoe(size=3)", ("xplayer", "oplayer"), "against each other", BETTER),
    Contest("blind_breakthrough(width=4, height=4)", ("white", "black"), "against each other", BETTER),
    Contest("border_protection(size=4)", ("intruder", "defender"), "against each other", BETTER),
    Contest("guess_who(characters=8, attributes=4)", ("first", "second"), "against each other", BETTER),
    Contest("transit(width=4, height=4)", ("evader", "patrol"), "against each other", BETTER),
    Contest("cutting_wire", ("teller", "cutter"), "as a team", "HP fails, HP-II solves it"),
    Contest("extended_cutting_wire", ("teller", "cutter"), "as a team", "HP-II tells at once: 80"),
    Contest("cooperative_spies", ("spy1", "spy2"), "as a team", "chance level"),
    Contest("banker_and_thief(banks=2, notes=10)", ("banker",), "against ITS", "HP-II 40-60, 24"),
)
QUICK = ("exploding_bomb", "krieg_tictactoe(size=3)", "cutting_wire")
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
    more: str
    lifted: str = ""  # addition to the spec of HyperPlay-II only

    def hyperplay(self, playouts: int | None = None) -> str:
        """Return the spec of HyperPlay with `playouts` playouts."""
        return HP.format(self.models, self.runs if playouts is None else playouts) + self.more

    def hyperplay2(self) -> str:
        """Return the spec of HyperPlay-II."""
        return HP2.format(self.models, self.runs) + self.more + self.lifted


def lifted_games(seed: int = 0, quick: bool = False) -> Report:
    """Return HyperPlay-II against HyperPlay at equal states visited, in all games of the text; ITS besides."""
    matches, pilots, models, runs = (2, 1, 3, 3) if quick else (100, 10, 6, 6)
    rows: list[tuple[Any, ...]] = []
    for contest in CONTESTS:
        if quick and contest.game not in QUICK:
            continue
        for setting, more in SAMPLER_OF.items():
            resources = Resources(models, runs, more)
            playouts = find_equal_playouts(contest, resources, pilots, seed)
            plain, lifted = compare(contest, resources.hyperplay(playouts), resources.hyperplay2(), matches, seed + 1)
            rows.append(_row(contest, setting, playouts, plain, lifted))
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
        rows=rows,
        remarks=[
            "Theirs: HyperPlay-II outperformed an equally resourced HyperPlayer in all experiments, and "
            f"cooperative_spies is beyond it; {APPENDIX}. Equal resources are equal states here: HyperPlay has as many "
            "playouts as make it visit as many states per decision as HyperPlay-II, found by a few matches before.",
            SETTINGS_REMARK,
            "HP-II is better or worse where the 95 % intervals of both do not meet, otherwise unclear.",
        ],
        parts=[_beside_its(matches, seed, quick)],
    )


def find_equal_playouts(contest: Contest, resources: Resources, matches: int, seed: int) -> int:
    """Return the playouts with which HyperPlay visits as many states per decision as HyperPlay-II."""
    playouts = resources.runs
    for _ in range(STEPS):
        plain, lifted = compare(contest, resources.hyperplay(playouts), resources.hyperplay2(), matches, seed)
        playouts = max(1, round(playouts * lifted.states / max(1.0, plain.states)))
    return playouts


def _row(contest: Contest, setting: str, playouts: int, plain: Side, lifted: Side) -> tuple[Any, ...]:
    gap = lifted.mean.known - plain.mean.known
    noise = (lifted.mean.half or 0.0) + (plain.mean.half or 0.0)
    verdict = "unclear" if abs(gap) <= noise or lifted.mean.matches < 2 else ("better" if gap > 0 else "worse")
    times = round(lifted.states / max(1.0, plain.states), 2)
    means = str(plain.mean), str(lifted.mean)
    return (contest.game, contest.how, setting, contest.theirs, *means, verdict, playouts, times, lifted.samplers)


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
