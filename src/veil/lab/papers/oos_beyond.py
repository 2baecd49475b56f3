"""Beyond figure 4 of the OOS paper: is Online Outcome Sampling worse than ISMCTS, from either seat, in the small games?

1. Online Outcome Sampling plays against UCT and regret matching in II-GS(6), LD(1,1) and GP(3,3,2,2), from both seats:
   as it is; without unlikely moves (`prune`); and with a table that begins with some full iterations before the match
   (`warm`), which take no time of its moves.
2. Nobody has a clock: a move takes as many states as the player visits in 0.1 s on one quiet core, so that the matches
   are the same on any machine, busy or not. `veil bench search` has the speeds.
3. A cell is the mean of Online Outcome Sampling minus the value of the game for its seat: in percent of wins with draws
   as halves, in poker in chips. It is worse where all of the 95 % interval is below 0. What was luck is subtracted
   (`lab.luck`): means stay the same, and intervals become smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

from veil.engine import load
from veil.lab.luck import LuckGauge
from veil.lab.papers.oos_settings import (
    DICE,
    GOOFSPIEL,
    PAPER,
    POKER,
    POKER_VALUE,
    RM,
    SMALLER,
    UCT,
    choose_games,
    name_player,
)
from veil.lab.series import open_workers, play_series
from veil.match import MatchConfig, mean_of
from veil.report import Report

MATCHES, QUICK_MATCHES = 500, 4  # per cell
QUICK_STATES = 2000
PRUNE, WARM = 0.3, 50
OPPONENTS = {"UCT": UCT, "RM": RM}
SEATS = ("first", "second")


class DuelExtent(NamedTuple):
    """How much is played."""

    seed: int
    matches: int
    quick: bool


class Duel(NamedTuple):
    """A small game, its value, and what players visit in 0.1 s."""

    game: str  # the paper's name
    oos: str
    value: float  # of the game for the first seat: wins in percent above 50, or chips
    states: dict[str, int]  # of OOS, UCT, RM


DUELS = (
    Duel(GOOFSPIEL, "oos:target=ist", 0.0, {"OOS": 1_600_000, "UCT": 1_270_000, "RM": 1_180_000}),
    Duel(DICE, "oos:target=pst", -50 * 0.0271318, {"OOS": 1_700_000, "UCT": 1_100_000, "RM": 1_400_000}),
    Duel(POKER, "oos:target=pst", POKER_VALUE, {"OOS": 2_100_000, "UCT": 1_000_000, "RM": 1_700_000}),
)


def compare_with_ismcts(seed: int = 0, quick: bool = False, matches: int | None = None) -> Report:
    """Every duel from both seats."""
    matches = matches or (QUICK_MATCHES if quick else MATCHES)
    rows: list[Sequence[Any]] = []
    with open_workers(alone=quick) as executor:
        for duel in DUELS:
            gauge = LuckGauge(load(choose_games(quick)[duel.game]))
            rows += [
                (
                    duel.game,
                    name,
                    seat,
                    opponent,
                    *_play(duel._replace(oos=spec), opponent, seat, DuelExtent(seed, matches, quick), gauge, executor),
                )
                for name, spec in _name_kinds(duel).items()
                for opponent in OPPONENTS
                for seat in SEATS
            ]
    return Report(
        name="oos-beyond",
        title="Online Outcome Sampling against ISMCTS: its mean minus the value of the game for its seat",
        source=f"{PAPER}, section 4.4.3, with as many states per move as 0.1 s on one core",
        settings={"matches per row": matches, "seed": seed}
        | {f"OOS in {duel.game}": ", ".join(_name_kinds(duel).values()) for duel in DUELS}
        | {f"states in {duel.game}": _count_states(duel, quick) for duel in DUELS},
        columns=("game", "player", "its seat", "opponent", "above the value", "verdict"),
        rows=rows,
        remarks=["II-GS and LD in percent of wins, draws are halves; GP in chips.", *([SMALLER] if quick else [])],
    )


def _name_kinds(duel: Duel) -> dict[str, str]:
    """The paper's player, the one that leaves out unlikely moves, and the one that begins with a policy."""
    return {
        "OOS": duel.oos,
        "pruned OOS": name_player(duel.oos, prune=PRUNE),
        "warm OOS": name_player(duel.oos, warm=WARM),
    }


def _count_states(duel: Duel, quick: bool) -> dict[str, int]:
    """What each player visits for a move."""
    return dict.fromkeys(duel.states, QUICK_STATES) if quick else duel.states


def _play(
    duel: Duel, opponent: str, seat: str, extent: DuelExtent, gauge: LuckGauge, executor: Executor | None
) -> tuple[str, str]:
    """(mean with its interval, verdict) of Online Outcome Sampling in a seat."""
    game, states = gauge.game, _count_states(duel, extent.quick)
    players = [name_player(duel.oos, states=states["OOS"]), name_player(OPPONENTS[opponent], states=states[opponent])]
    seats = dict(zip(SEATS if seat == "first" else SEATS[::-1], players, strict=True))
    series = play_series(game, seats, extent.matches, extent.seed, MatchConfig(reports=True), executor)
    sign = 1 if seat == "first" else -1  # payoffs around this goal add up to 0
    even = game.utility.zero if duel.game == POKER else 50
    mean = mean_of([log.goals[seat] - gauge.measure(log, seat) - even - sign * duel.value for log in series.logs])
    half = mean.half or 0.0
    return f"{mean.known:+.2f} ± {half:.2f}", "worse" if mean.known + half < 0 else "not worse"
