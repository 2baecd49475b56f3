"""Rivals from the literature against `best` and `hyperplay`, and `norns` in games of one role, at equal processor time.

1. Two roles: every rival plays half of its matches in either seat, as in `strong-play`. A match is won by the role with
   the higher goal; equal goals are half a win. A cell is the mean in percent, with its 95 % interval.
2. One role: every player plays the same matches, by their seeds; a cell is the mean goal. `perfect` is the value of the
   game by exact planning, where its tree fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from veil.engine import load
from veil.equilibrium import find_best_response, prepare, uniform_policy
from veil.errors import VeilError
from veil.match import Task, mean_of
from veil.report import Report
from veil_lab.papers.strong_play import DuelTerms, make_row, play_all_timed, play_cells
from veil_lab.run_notes import note_matches
from veil_lab.series import make_series, open_workers

MATCHES, SECONDS = 20, 0.1  # per cell; for a move
QUICK_MATCHES, QUICK_SECONDS = 2, 0.02
RIVALS = ("presumed_payoff", "vector_minimax")
OPPONENTS = ("best", "hyperplay")
GAMES = (
    "krieg_tictactoe(size=3)",
    "hidden_connect(size=4, line=3)",
    "blind_breakthrough(width=5, height=5)",
    "liars_dice(dice1=2, dice2=2, faces=6)",
    "generic_poker(types=4, copies=6, raises=4, bets=4)",
)
QUICK_GAMES = ("hidden_connect(size=3, line=3)",)
PLAYERS = ("norns", "best", "hyperplay2", "hyperplay", "pimc")
ALONE = (
    "exploding_bomb",
    "monty_hall",
    "silos(ways=8)",
    "number_guessing(max=16, turns=10)",
    "mastermind(pegs=3, colours=4, guesses=4)",
)
QUICK_ALONE = ("exploding_bomb",)
MOST_NODES = 500_000  # of a game that is planned exactly


class Pair(NamedTuple):
    """A rival, and whom it plays against."""

    rival: str
    against: str


def compare_rivals(
    seed: int = 0, quick: bool = False, matches: int | None = None, seconds: float | None = None
) -> Report:
    """Return the wins of every rival against `best` and `hyperplay`, and mean goals of players in games of one role."""
    usual = (QUICK_MATCHES, QUICK_SECONDS) if quick else (MATCHES, SECONDS)
    with open_workers(alone=quick) as executor:
        terms = DuelTerms(matches or usual[0], seconds or usual[1], seed, executor)
        wins = play_pairs(QUICK_GAMES if quick else GAMES, terms)
        alone = play_alone(QUICK_ALONE if quick else ALONE, terms)
    pairs = [Pair(rival, against) for rival in RIVALS for against in OPPONENTS]
    games = QUICK_GAMES if quick else GAMES
    rows = [make_row(name, [wins[pair][name] for pair in pairs]) for name in games]
    every = [[score for name in games for score in wins[pair][name]] for pair in pairs]
    return Report(
        name="rivals",
        title="wins of rivals from the literature at equal processor time, %",
        source="ours; Wisser (2015, 2016), Frank & Basin (1998)",
        settings={"seconds of processor time per move": terms.seconds, "matches per cell": terms.matches, "seed": seed},
        columns=("game", *(f"{pair.rival} against {pair.against}" for pair in pairs), "all"),
        rows=[*rows, make_row("all games", every)],
        remarks=["A draw is half a win. The higher goal wins, also where goals do not add up to a constant."],
        parts=[alone],
    )


def play_pairs(games: Sequence[str], terms: DuelTerms) -> dict[Pair, dict[str, list[float]]]:
    """Return the scores of every rival against every opponent, by game, in percent."""
    wins: dict[Pair, dict[str, list[float]]] = {}
    for rival in RIVALS:
        cells = {(name, against): against for name in games for against in OPPONENTS}
        scores = play_cells(cells, terms._replace(player=rival))
        wins |= {Pair(rival, against): {name: scores[name, against] for name in games} for against in OPPONENTS}
    return wins


def play_alone(games: Sequence[str], terms: DuelTerms) -> Report:
    """Return the mean goals of players in games of one role."""
    planned = [(name, player, task) for name in games for player in PLAYERS for task in plan_alone(name, player, terms)]
    goals: dict[tuple[str, str], list[float]] = {}
    played = play_all_timed([task for _, _, task in planned], terms.executor)
    for (name, player, _), match in zip(planned, played, strict=True):
        (role,) = (role for role in match.log.goals if role != "random")
        goals.setdefault((name, player), []).append(float(match.log.goals[role]))
    rows: list[tuple[Any, ...]] = [
        (name, find_perfect(name), *(mean_of(goals[name, player]).show(digits=1) for player in PLAYERS))
        for name in games
    ]
    return Report(
        name="rivals-alone",
        title="mean goals in games of one role at equal processor time",
        source="ours; Geißer, Keller & Mattmüller (2014)",
        settings={"seconds of processor time per move": terms.seconds, "matches per cell": terms.matches},
        columns=("game", "perfect", *PLAYERS),
        rows=rows,
    )


def plan_alone(name: str, player: str, terms: DuelTerms) -> list[Task]:
    """Return the matches of a player in a game of one role."""
    game = load(name)
    (role,) = (role for role in game.roles if role != "random")
    note_matches(game.name, {role: player}, terms.matches, {})
    return list(make_series(game, {role: player}, terms.matches, terms.seed, terms.config()))


def find_perfect(name: str) -> str:
    """Return the value of a game of one role, or a dash where its tree does not fit."""
    try:
        prepared = prepare(name, max_nodes=MOST_NODES)
    except VeilError:
        return "-"
    value = find_best_response(prepared.form, uniform_policy(prepared.form), 0)[1]
    utility = prepared.game.utility
    return f"{value * utility.scale + utility.zero:.1f}"
