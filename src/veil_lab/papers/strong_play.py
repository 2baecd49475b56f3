"""Strong play: `best` against every other searcher, in games that are too large to be solved, at equal processor time.

1. Every player has the same processor time for a move (`seconds`), and ten times as much before the match. Clocks count
   processor time, so that a busy machine changes nothing.
2. A cell is a game and a rival. `best` plays half of its matches in either seat, of an odd number one more in a seat
   that changes from cell to cell; matches of one number have the same seed in all cells of a game.
3. A match is won by the role with the higher goal; equal goals are half a win. A cell is the mean in percent. `best` is
   worse in it if all of the 95 % interval is below 50.

Every match is a piece of `--store`: a run that was ended goes on, and more `--matches` add to those that were played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

from veil.engine import Game, load
from veil.match import MatchConfig, Mean, PlayedMatch, Task, mean_of
from veil.report import Report
from veil_lab import result_cache
from veil_lab.papers.oos_beyond import STEADY
from veil_lab.papers.oos_settings import name_player
from veil_lab.processor_clock import play_on_processor_time
from veil_lab.run_notes import note_matches
from veil_lab.series import make_series, name_match, open_workers

PLAYER = "best"
MATCHES, SECONDS, START = 40, 0.3, 10  # per cell; for a move; start clock as a multiple of it
QUICK_MATCHES, QUICK_SECONDS = 2, 0.02
EVEN = 50.0  # % of wins between equal players
ALL_LOST = 6  # lost matches in a row, of which equal players lose all with 1.6 %
GAMES = (
    "krieg_tictactoe(size=3)",
    "simultaneous_krieg_tictactoe(size=4, line=3)",
    "phantom_tictactoe",
    "dark_hex(size=4)",
    "blind_breakthrough(width=5, height=5)",
    "blind_breakthrough(width=6, height=6)",
    "blind_breakthrough(width=8, height=8)",
    "battleships_in_fog(size=5)",
    "border_protection(size=5)",
    "transit(width=5, height=5)",
    "hidden_connect(size=4, line=3)",
    "ii_goofspiel(cards=13)",
    "liars_dice(dice1=2, dice2=2, faces=6)",
    "generic_poker(types=4, copies=6, raises=4, bets=4)",
    "battleship(size=6, ships=3)",
)
QUICK_GAMES = ("krieg_tictactoe(size=3)", "hidden_connect(size=3, line=3)")
RIVALS = {
    "HyperPlay": "hyperplay",
    "HyperPlay-II": "hyperplay2",
    "PIMC": "pimc",
    "MMD": "mmd",
    "vector minimax": "vector_minimax",
    "Presumed Payoff": "presumed_payoff",
    "ISMCTS": "ismcts",
    "Smooth UCT": "smooth_uct",
    "OOS": "oos",
    "steadier OOS": name_player("oos", **STEADY),
}
HYPERPLAYERS = ("HyperPlay", "HyperPlay-II")
QUICK_RIVALS = ("HyperPlay", "OOS")
CHEATS = {  # the fully resourced Cheat of the HyperPlay article, by game (see `hyperplay-cheat`)
    "blind_breakthrough(width=5, height=5)": "cheat:playouts=64",
    "krieg_tictactoe(size=3)": "cheat:playouts=128",
}


class DuelTerms(NamedTuple):
    """The size of a run, and who plays its matches."""

    matches: int  # per cell, half of them in either seat
    seconds: float
    seed: int
    executor: Executor | None
    player: str = PLAYER

    def config(self, *, allow_cheat: bool = False) -> MatchConfig:
        """Return the settings of its matches."""
        return MatchConfig(
            play_seconds=self.seconds, start_seconds=START * self.seconds, grace=self.seconds, allow_cheat=allow_cheat
        )


def compare_with_all(
    seed: int = 0, quick: bool = False, matches: int | None = None, seconds: float | None = None
) -> Report:
    """Return the wins of `best` against every rival in every game, and against the Cheat in two games."""
    games, rivals = (QUICK_GAMES, QUICK_RIVALS) if quick else (GAMES, tuple(RIVALS))
    with open_workers(alone=quick) as executor:
        usual = (QUICK_MATCHES, QUICK_SECONDS) if quick else (MATCHES, SECONDS)
        terms = DuelTerms(matches or usual[0], seconds or usual[1], seed, executor)
        cells = {(name, rival): RIVALS[rival] for name in games for rival in rivals}
        against = {(name, "Cheat"): spec for name, spec in CHEATS.items() if name in games}
        scores = play_cells(cells | against, terms)
    wins = {cell: scores[cell] for cell in cells}
    cheats = {name: scores[name, "Cheat"] for name, _ in against}
    rows = [make_row(name, [wins[name, rival] for rival in rivals]) for name in games]
    rows.append(make_row("all games", [_join(wins, rival=rival) for rival in rivals]))
    hyperplayers = [score for rival in HYPERPLAYERS if rival in rivals for score in _join(wins, rival=rival)]
    worse = [f"{name} against {rival}" for (name, rival), scores in wins.items() if _is_worse(mean_of(scores))]
    return Report(
        name="strong-play",
        title=f"wins of {PLAYER} at equal processor time, %",
        source="ours",
        settings={"seconds of processor time per move": terms.seconds, "matches per cell": terms.matches, "seed": seed}
        | {rival: RIVALS[rival] for rival in rivals},
        columns=("game", *rivals, "all"),
        rows=rows,
        remarks=[
            f"In the mean of all matches {_show(_join(wins))} %, against HyperPlayers {_show(hyperplayers)} %.",
            f"Worse, with 95 % confidence for each cell alone: {', '.join(worse) or 'in no cell'}.",
            "A draw is half a win. The higher goal wins, also where goals do not add up to a constant.",
            *_tell_size(terms),
        ],
        parts=[_tell_cheats(cheats, terms)] if cheats else [],
    )


def _tell_size(terms: DuelTerms) -> list[str]:
    """Return what a run that is smaller than a full one cannot say."""
    if terms.matches >= MATCHES and terms.seconds >= SECONDS:
        return []
    return [
        f"A small run: a full one has {MATCHES} matches per cell and {SECONDS:g} s a move. Here cells say little, and "
        "the means over all games are about short clocks.",
    ]


def play_cells(cells: Mapping[tuple[str, str], str], terms: DuelTerms) -> dict[tuple[str, str], list[float]]:
    """Return the score of the player in each match of each cell (game, name of a rival), in percent: 0, 50 or 100.

    The matches of all cells are one list, so that all workers have something to do however small a cell is.
    """
    games = {name: load(name) for name, _ in cells}
    planned = [
        (cell, duel)
        for place, (cell, rival) in enumerate(cells.items())
        for duel in plan_duels(games[cell[0]], rival, terms, odd_seat=place % 2)
    ]
    scores: dict[tuple[str, str], list[float]] = {cell: [] for cell in cells}
    played = play_all_timed([duel.task for _, duel in planned], terms.executor)
    for (cell, duel), match in zip(planned, played, strict=True):
        goals = match.log.goals
        scores[cell].append(score_match(goals[duel.role], goals[duel.other]))
    return scores


class PlannedDuel(NamedTuple):
    """A match of the player in one role against a rival in the other."""

    role: str
    other: str
    task: Task


def plan_duels(game: Game, rival: str, terms: DuelTerms, *, odd_seat: int = 0) -> Iterator[PlannedDuel]:
    """Yield the matches of a cell: first those in the first seat; of an odd number one more in one of the seats."""
    roles = [role for role in game.roles if role != "random"]
    config = terms.config(allow_cheat=rival.startswith("cheat"))
    for seat, role in enumerate(roles):
        other = roles[1 - seat]
        specs = {role: terms.player, other: rival}
        count = (terms.matches + (seat == odd_seat)) // 2
        if count:
            note_matches(game.name, specs, count, {})
        for task in make_series(game, specs, count, terms.seed, config):
            yield PlannedDuel(role, other, task)


def score_match(own: int, other: int) -> float:
    """Return the score of a match in percent."""
    return EVEN if own == other else 100.0 * (own > other)


def play_all_timed(tasks: Sequence[Task], executor: Executor | None) -> Iterator[PlayedMatch]:
    """Yield the matches of these tasks with clocks of processor time; stored ones are not played again."""
    names = [name_match(task) | {"clock": "processor"} for task in tasks]
    stored = [result_cache.get(name, PlayedMatch) for name in names]
    missing = [task for task, match in zip(tasks, stored, strict=True) if match is None]
    played = iter((executor.map if executor is not None else map)(play_on_processor_time, missing))
    for name, kept in zip(names, stored, strict=True):
        match = kept if kept is not None else next(played)
        if kept is None:
            result_cache.put(name, match)
        yield match


def _join(wins: Mapping[tuple[str, str], Sequence[float]], rival: str | None = None) -> list[float]:
    return [score for (_, against), scores in wins.items() if rival in (None, against) for score in scores]


def make_row(name: str, cells: Sequence[Sequence[float]]) -> tuple[Any, ...]:
    """Return a row of means with intervals: one per cell, and that of all of them."""
    return (name, *map(_show, cells), _show([score for scores in cells for score in scores]))


def _show(scores: Sequence[float]) -> str:
    return mean_of(scores).show(digits=1)


def _is_worse(mean: Mean) -> bool:
    """Return whether a mean is below an even score; of equal scores, six or more say so."""
    return mean.known < EVEN and (mean.matches >= ALL_LOST if mean.half is None else mean.known + mean.half < EVEN)


def _tell_cheats(cheats: Mapping[str, Sequence[float]], terms: DuelTerms) -> Report:
    return Report(
        name="strong-play-cheat",
        title=f"wins of {PLAYER} against the fully resourced Cheat, who sees the true state, %",
        source="HyperPlay article, section 6",
        settings={"seconds of processor time per move": terms.seconds, "matches per row": terms.matches} | CHEATS,
        columns=("game", "wins"),
        rows=[(name, _show(scores)) for name, scores in cheats.items()],
    )
