"""Section 4.4.3 of the OOS paper: the few cells that its text gives for other times per move than figure 4 has.

1. II-GS(13) with 5 s: OOS wins 35 % against UCT; the text does not say from which seat.
2. LD(2,2) with 1 s: OOS wins 45 and 40 % from the first seat, and loses 69 and 66 % from the second.
3. GP(3,3,2,2) with 5 s: OOS in the first seat against UCT loses 0.22 chips.

Cells are as in `oos_matches`. A match takes up to two minutes, so the table says by the moves of a match how many hours
a cell takes with the paper's matches and time, whatever was played here.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, NamedTuple

from veil.engine import load
from veil.report import Report
from veil_lab.luck import LuckGauge
from veil_lab.papers.oos_matches import Arena, play_cell
from veil_lab.papers.oos_settings import (
    LARGE_DICE,
    LARGE_GOOFSPIEL,
    MATCHES,
    OOS_IST,
    OOS_PST,
    PAPER,
    POKER,
    POKER_VALUE,
    SMALLER,
    Extent,
    choose_games,
    count_hours,
    name_player,
)
from veil_lab.series import open_workers


class TimedCell(NamedTuple):
    """A cell of a game with another time per move."""

    arena: Arena
    seconds: float
    first: str
    second: str
    theirs: float  # as the cell of a table: of the role in the first seat

    @property
    def game(self) -> str:
        """The paper's name of the game."""
        return self.arena.game


_GOOFSPIEL = Arena(LARGE_GOOFSPIEL, OOS_IST)
_DICE = Arena(LARGE_DICE, OOS_PST)
_POKER = Arena(POKER, OOS_PST, POKER_VALUE, has_tree=True)
CELLS = (
    TimedCell(_GOOFSPIEL, 5.0, "OOS", "UCT", 35.0),
    TimedCell(_GOOFSPIEL, 5.0, "UCT", "OOS", 65.0),
    TimedCell(_DICE, 1.0, "OOS", "UCT", 45.0),
    TimedCell(_DICE, 1.0, "OOS", "RM", 40.0),
    TimedCell(_DICE, 1.0, "UCT", "OOS", 69.0),
    TimedCell(_DICE, 1.0, "RM", "OOS", 66.0),
    TimedCell(_POKER, 5.0, "OOS", "UCT", -0.22),
)


def play_other_times(
    seed: int = 0, quick: bool = False, matches: int | None = None, seconds: float | None = None
) -> Report:
    """Return the cells; a move has the work of the text's time, or of `seconds`."""
    extent = Extent.choose(seed, quick, matches, seconds)
    with open_workers(alone=quick) as executor:
        rows = [_fill_row(cell, extent, executor) for cell in CELLS]
    return Report(
        name="oos-fig4-times",
        title="cells of figure 4 with other times per move: wins of the row in %, or chips above the value of the game",
        source=f"{PAPER}, section 4.4.3",
        settings={"matches per cell": extent.matches, "seed": seed},
        columns=("game", "first", "second", "seconds", "theirs", "ours", "moves per match", "hours in full"),
        rows=rows,
        remarks=[
            "II-GS and LD in percent of wins of the first mover, draws are halves; GP in chips, without what was luck.",
            "The text does not say in which seat OOS wins 35 % in II-GS(13): both seats are played.",
            f"seconds: of a move, in the text. hours in full: {MATCHES} matches with as many moves of both players, "
            "each of the text's time, on one core.",
            *([SMALLER] if quick else []),
            *([f"Here a move has the work of {seconds:g} s."] if seconds and not quick else []),
        ],
    )


def _fill_row(cell: TimedCell, extent: Extent, executor: Executor | None) -> tuple[Any, ...]:
    """Return a cell beside theirs, and what it costs."""
    game = load(choose_games(extent.quick)[cell.game])
    timed = extent._replace(seconds=extent.seconds or cell.seconds)
    states = timed.choose_states(cell.game)
    seats = {
        seat: name_player(cell.arena.searchers[name], states=states[name])
        for seat, name in (("first", cell.first), ("second", cell.second))
    }
    gauge = LuckGauge(game) if cell.arena.has_tree else None
    mean, series = play_cell(cell.arena, game, seats, timed, gauge, executor)
    moves = series.decisions()
    hours = count_hours(moves, cell.seconds)
    shown = mean.show(digits=1 if cell.arena.value is None else 2)
    return (cell.game, cell.first, cell.second, cell.seconds, cell.theirs, shown, round(moves, 1), round(hours, 1))
