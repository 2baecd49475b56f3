"""Claims of the slides of HyperPlay (after Schofield, Cerexhe & Thielscher 2012)."""

from __future__ import annotations

from veil_lab.results.claims.hyperplay import SETTINGS, name_short
from veil_lab.results.claims.verdicts import (
    INCOMPARABLE,
    NOT,
    PARTLY,
    REPRODUCED,
    Verdict,
    beyond_comparison,
    by_run,
    by_test,
    judge,
    show,
    temper,
)
from veil_lab.results.run import ExperimentRun

CHEAT = "hyperplay-cheat"
EVEN = 50.0  # mean goal of a player who is as good as the Cheat


def _switches(run: ExperimentRun) -> Verdict:
    row = run.table().at("weights")
    shares = [row.number(f"switches, {one}") for one in SETTINGS]
    return judge(min(shares) > 99, f"it switches in {' and '.join(f'{share:g}' for share in shares)} % of matches")


def _accurate(run: ExperimentRun) -> Verdict:
    rows = [row for row in run.table().records() if row["when"] == "late" and row["setting"] == SETTINGS[0]]
    shown = ", ".join(f"{name_short(row)} {row.number('fluents'):.0f}" for row in rows)
    return Verdict(
        INCOMPARABLE, f"the slides have no figures; late in the game this much of what holds is right, %: {shown}"
    )


def _competitive(run: ExperimentRun) -> Verdict:
    settings = [column for column in run.table().columns if column.startswith("mean goal")]
    best: dict[str, tuple[float, float | None, str]] = {}
    for row in run.table().records():
        for column in settings:
            cell = row.number(column), row.half(column), column.removeprefix("mean goal, ")
            best[name_short(row)] = max(best.get(name_short(row), cell), cell)
    reached = [game for game, (value, half, _) in best.items() if value + (half or 0.0) >= EVEN]
    shown = "; ".join(f"{game} at most {show(value, half)} ({how})" for game, (value, half, how) in best.items())
    return temper(_judge_games(len(reached), len(best), f"{shown}; {EVEN:g} is as good as the Cheat"), run)


def _resourced(run: ExperimentRun) -> Verdict:
    last = {name_short(row): row for row in run.table("hyperplay-cheat-resources").records()}
    found = {game: (row.number("mean goal"), row.half("mean goal")) for game, row in last.items()}
    reached = [game for game, (value, half) in found.items() if value - (half or 0.0) <= EVEN]
    shown = "; ".join(
        f"{game}: {last[game].number('playouts'):g} against {last[game].number('against'):g} playouts get {show(*cell)}"
        for game, cell in found.items()
    )
    return temper(_judge_games(len(reached), len(found), f"{shown}; {EVEN:g} is no better"), run)


def _judge_games(reached: int, games: int, reason: str) -> Verdict:
    """Return whether a claim holds in all games, in some or in none."""
    return Verdict(REPRODUCED if reached == games else PARTLY if reached else NOT, reason)


CLAIMS = (
    by_test(
        "The listing of Monty Hall is a game of GDL-II",
        "Monty Hall",
        "tests/unit/lang/test_infix.py::test_infix_reads_as_the_prefix_text_that_says_the_same",
    ),
    by_test(
        "forward and backtrack find a consistent model",
        "The Algorithm",
        "tests/differential/test_belief.py::"
        "test_models_visit_as_many_states_and_find_the_same_histories_as_those_of_the_oracle",
    ),
    by_test(
        "P(HG) is 1 / ChoiceFactor, normalised",
        "Move Selection",
        "tests/differential/test_belief.py::test_hyperplay_reaches_every_history_and_weighs_them_as_the_oracle_does",
    ),
    by_run("Moves are chosen by expected value over weighted models", "Move Selection", "hyperplay-monty", _switches),
    by_run("A Cheat is fully resourced when more would not make it better", "Experiments", CHEAT, _resourced),
    by_run("The models can be very accurate", "Results", "hyperplay-accuracy", _accurate),
    beyond_comparison(
        "The models are a credible substitute for perfect information",
        "Results",
        "the slides give no measure; the next row and the accuracy above are ours",
    ),
    by_run("HyperPlay can be competitive even against a Cheat", "Results", CHEAT, _competitive),
)
