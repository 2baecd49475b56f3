"""Beyond figure 4 of the OOS paper: is Online Outcome Sampling worse than ISMCTS, from either seat, in the small games?

1. Online Outcome Sampling plays against UCT and regret matching in II-GS(6), LD(1,1) and GP(3,3,2,2), from both seats:
   as it is; without unlikely moves (`prune`); and with a table that starts with some full iterations before the match
   (`prior_iterations`), which take no time of its moves.
2. Players have no clock: a move takes as many states as the player visits in 0.1 s on one core
   (`oos_settings.BUDGETS`), so that the matches are the same on any machine, busy or not. Those of the paper's player
   are those of figure 4.
3. A cell is the mean of Online Outcome Sampling minus the value of the game for its seat: in percent of wins with draws
   as halves, in poker in chips. It is worse if all of the 95 % interval is below 0. Luck is subtracted
   (`veil_lab.luck`): means stay the same, and intervals become smaller.

`compare_in_large_goofspiel` does the same in II-GS(13), against UCT, with as many states as 1 s on one core; the game
is too large to compute luck. Regret matching is nearly pure at an infoset that few walks have passed, so that targeted
walks lead to a few of the opponent's histories, with different weights. The steadier player mixes more uniform play
into its strategy (`gamma`), leaves that out of what it plays (`prune`), and targets more histories.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

from veil.engine import Game, load
from veil.match import MatchConfig, MatchLog, mean_of
from veil.report import Report
from veil_lab.luck import LuckGauge
from veil_lab.papers.oos_settings import (
    DICE,
    GOOFSPIEL,
    LARGE_GOOFSPIEL,
    OOS_IST,
    OOS_PST,
    PAPER,
    POKER,
    POKER_VALUE,
    RM,
    UCT,
    Extent,
    choose_games,
    name_player,
    read_printed,
)
from veil_lab.series import open_workers, play_series

LARGE_MATCHES = 200  # per cell
PRUNE, PRIOR_ITERATIONS = 0.3, 50
STEADY = {"gamma": 0.4, "prune": 0.4, "worlds": 2000}
OPPONENTS = {"UCT": UCT, "RM": RM}
SEATS = ("first", "second")


class Meeting(NamedTuple):
    """The players of a match, and the gauge of luck."""

    game: Game
    seat: str  # of OOS
    opponent: str
    gauge: LuckGauge | None  # None if the game is too large

    def find_luck(self, log: MatchLog) -> float:
        """Return the luck of OOS in a match, in goals; 0 if it is unknown."""
        return 0.0 if self.gauge is None else self.gauge.measure(log, self.seat)


class Duel(NamedTuple):
    """A game, its player, and its value."""

    game: str  # the paper's name
    oos: str
    value: float  # of the game for the first seat: wins in percent above 50, or chips


DUELS = (
    Duel(GOOFSPIEL, OOS_IST, 0.0),
    Duel(DICE, OOS_PST, -50 * 0.0271318),
    Duel(POKER, OOS_PST, POKER_VALUE),
)
LARGE_DUEL = Duel(LARGE_GOOFSPIEL, OOS_IST, 0.0)


def compare_with_ismcts(
    seed: int = 0, quick: bool = False, matches: int | None = None, seconds: float | None = None
) -> Report:
    """Return every duel from both seats."""
    extent = Extent.choose(seed, quick, matches, seconds)
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
                    *_play(duel, spec, Meeting(gauge.game, seat, opponent, gauge), extent, executor),
                )
                for name, spec in _name_kinds(duel).items()
                for opponent in OPPONENTS
                for seat in SEATS
            ]
    return Report(
        name="oos-beyond",
        title="Online Outcome Sampling against ISMCTS: its mean minus the value of the game for its seat",
        source=f"{PAPER}, section 4.4.3",
        settings={"matches per row": extent.matches, "seed": seed}
        | {f"OOS in {duel.game}": ", ".join(_name_kinds(duel).values()) for duel in DUELS}
        | {f"states in {duel.game}": extent.choose_states(duel.game) for duel in DUELS},
        columns=("game", "player", "its seat", "opponent", "above the value", "verdict"),
        rows=rows,
        remarks=["II-GS and LD in percent of wins, draws are halves; GP in chips.", *extent.tell_work(GOOFSPIEL)],
    )


def compare_in_large_goofspiel(
    seed: int = 0, quick: bool = False, matches: int | None = None, seconds: float | None = None
) -> Report:
    """Return II-GS(13) against UCT, from both seats."""
    extent = Extent.choose(seed, quick, matches, seconds, usual=LARGE_MATCHES)
    duel, game = LARGE_DUEL, load(choose_games(quick)[LARGE_GOOFSPIEL])
    kinds = {"OOS": duel.oos, "steadier OOS": name_player(duel.oos, **STEADY)}
    with open_workers(alone=quick) as executor:
        rows = [
            (
                duel.game,
                name,
                seat,
                "UCT",
                _tell_theirs(seat) if spec == duel.oos else "",
                *_play(duel, spec, Meeting(game, seat, "UCT", None), extent, executor),
            )
            for name, spec in kinds.items()
            for seat in SEATS
        ]
    return Report(
        name="oos-beyond-large",
        title="Online Outcome Sampling against UCT in a large game: its wins above 50 %, draws are halves",
        source=f"{PAPER}, section 4.4.3",
        settings={"matches per row": extent.matches, "seed": seed, "states": extent.choose_states(duel.game)} | kinds,
        columns=("game", "player", "its seat", "opponent", "theirs", "above the value", "verdict"),
        rows=rows,
        remarks=extent.tell_work(LARGE_GOOFSPIEL),
    )


def _tell_theirs(seat: str) -> str:
    """Return the wins of OOS above 50 % against UCT in the paper's II-GS(13)."""
    printed = read_printed(LARGE_GOOFSPIEL)
    mean = printed["OOS", "UCT"].mean - 50 if seat == "first" else 50 - printed["UCT", "OOS"].mean
    return f"{mean:+.1f}"


def _name_kinds(duel: Duel) -> dict[str, str]:
    """Return the paper's player, the one without unlikely moves, and the one that starts with a policy."""
    return {
        "OOS": duel.oos,
        "pruned OOS": name_player(duel.oos, prune=PRUNE),
        "warm OOS": name_player(duel.oos, prior_iterations=PRIOR_ITERATIONS),
    }


def _play(duel: Duel, spec: str, meeting: Meeting, extent: Extent, executor: Executor | None) -> tuple[str, str]:
    """Return (mean with its interval, verdict) of a kind of Online Outcome Sampling in a seat."""
    game, seat, states = meeting.game, meeting.seat, extent.choose_states(duel.game)
    players = [
        name_player(spec, states=states["OOS"]),
        name_player(OPPONENTS[meeting.opponent], states=states[meeting.opponent]),
    ]
    seats = dict(zip(SEATS if seat == "first" else SEATS[::-1], players, strict=True))
    config = MatchConfig(reports=meeting.gauge is not None)
    series = play_series(game, seats, extent.matches, extent.seed, config, executor)
    sign = 1 if seat == "first" else -1  # payoffs around this goal add up to 0
    even = game.utility.zero if duel.game == POKER else 50
    mean = mean_of([log.goals[seat] - meeting.find_luck(log) - even - sign * duel.value for log in series.logs])
    worse = mean.known + (mean.half or 0.0) < 0
    return mean.show(digits=2, sign="+"), "worse" if worse else "not worse"
