"""How players keep their clock: every searching player in every bundled game, with a tenth of a second a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from veil.engine import Game, load
from veil.errors import VeilError
from veil.games import FAMILIES
from veil.match import MatchConfig, run_match
from veil.players import list_searchers
from veil.report import Table
from veil.streams import match_seed
from veil_lab.bench.machine import about

CLOCK = 0.1
MAX_ROUNDS = 60  # of a match, so that long games do not take all the time


def list_players() -> list[str]:
    """Return the players that are measured: those that search, and `random` for comparison."""
    return [*list_searchers(), "random"]


def measure_all(
    seconds: float, say: Callable[[str], None] = lambda _: None, games: Sequence[str] = ()
) -> dict[str, Any]:
    """Measure every player in every game, or in these games, for about `seconds` seconds each."""
    rows = []
    for name in games or sorted(FAMILIES):
        say(f"measuring {name}")
        game = load(name)
        rows += [{"game": name, "player": spec} | measure(game, spec, seconds) for spec in list_players()]
    return {"clock": CLOCK, "moves": rows} | about()


def measure(game: Game, spec: str, seconds: float, clock: float = CLOCK) -> dict[str, Any]:
    """Play matches of a player against itself; the referee measures the time of every answer."""
    spent: list[float] = []
    errors, number, start = 0, 0, perf_counter()
    config = MatchConfig(play_seconds=clock, max_errors=1_000_000, max_rounds=MAX_ROUNDS)
    specs = {role: spec for role in game.roles if role != "random"}
    while specs and perf_counter() - start < seconds:
        try:
            log = run_match(game, specs, match_seed(0, number), config)
        except VeilError:
            break  # the player is not for games of this kind
        spent += [time for entry in log.rounds for time in entry.seconds.values()]
        errors += sum(log.errors.values())
        number += 1
    late = int((np.array(spent) > clock).sum())
    return {"answers": len(spent), "late": late, "errors": errors, "slowest_seconds": max(spent, default=0.0)}


def as_table(result: dict[str, Any]) -> str:
    """Return per player: all games together, and the games in which it was late."""
    rows = []
    for spec in dict.fromkeys(row["player"] for row in result["moves"]):
        games = [row for row in result["moves"] if row["player"] == spec]
        answers, late = sum(row["answers"] for row in games), sum(row["late"] for row in games)
        worst = max(games, key=lambda row: float(row["slowest_seconds"]))
        kept = f"{100 * (1 - late / max(1, answers)):.2f} %"
        rows.append((spec, answers, late, kept, round(1000 * worst["slowest_seconds"], 1), worst["game"]))
    columns = ("player", "answers", "late", "in time", "slowest ms", "in")
    lines = Table(columns, rows).as_lines()
    for row in result["moves"]:
        if row["late"] or row["errors"]:
            lines.append(
                f"{row['player']} in {row['game']}: {row['late']} of {row['answers']} late, {row['errors']} errors"
            )
    return "\n".join(lines)
