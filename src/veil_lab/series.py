"""Series of matches for experiments: mean goals, moves, costs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from veil.engine import Game
from veil.match import (
    Effort,
    MatchConfig,
    MatchLog,
    Mean,
    PlayedMatch,
    Pool,
    Task,
    check_seats,
    mean_goal,
    play_all,
)
from veil.streams import match_seed
from veil_lab import result_cache
from veil_lab.run_notes import note_matches

_given: ContextVar[Executor | None] = ContextVar("workers of this command", default=None)
_jobs: ContextVar[int | None] = ContextVar("processes of this command", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Matches with the same players in the same seats, in the order of their numbers."""

    logs: tuple[MatchLog, ...]
    efforts: tuple[dict[str, Effort], ...]  # of each match, by role

    def mean(self, role: str) -> Mean:
        """Return the mean goal of a role."""
        return mean_goal(self.logs, role)

    def share(self, role: str, move: str) -> float:
        """Return the share of matches in which the role played this move, from 0 to 1."""
        return float(np.mean([any(entry.moves[role] == move for entry in log.rounds) for log in self.logs]))

    def favourite(self, role: str, prefix: str) -> str:
        """Return the most frequent move with this beginning."""
        moves = (entry.moves[role] for log in self.logs for entry in log.rounds)
        counts = Counter(move for move in moves if move.startswith(prefix))
        return counts.most_common(1)[0][0] if counts else "-"

    def states(self, role: str) -> float:
        """Return the states visited per decision by the role's player, if it counts them."""
        return self._per_decision(role, sum(effort[role].states_visited for effort in self.efforts))

    def belief_states(self, role: str) -> float:
        """Return the states visited per decision by the belief of the role's player alone."""
        return self._per_decision(role, sum(effort[role].belief_states for effort in self.efforts))

    def walks(self, role: str) -> float:
        """Return the walks or playouts per decision of the role's player, if it counts them."""
        return self._per_decision(role, sum(effort[role].playouts for effort in self.efforts))

    def states_per_match(self, role: str) -> float:
        """Return the states visited per match by the role's player, if it counts them."""
        return float(np.mean([effort[role].states_visited for effort in self.efforts]))

    def samplers(self, role: str) -> str:
        """Return the samplers of the worlds of the role's decisions, for people: `exact 80 %, particle 20 %`."""
        counts: Counter[str] = Counter()
        for effort in self.efforts:
            counts.update(dict(effort[role].samplers))
        total = max(1, counts.total())
        return ", ".join(f"{name} {100 * count / total:.0f} %" for name, count in counts.most_common()) or "-"

    def decisions(self) -> float:
        """Return the decisions per match of all players that count them."""
        return float(np.mean([sum(effort.decisions for effort in match.values()) for match in self.efforts]))

    def branching(self, role: str) -> float:
        """Return the moves per decision that the role's player could choose from, if it counts them."""
        return self._per_decision(role, sum(effort[role].moves_valued for effort in self.efforts))

    def rounds(self) -> float:
        """Return the mean number of rounds of a match."""
        return float(np.mean([len(log.rounds) for log in self.logs]))

    def _per_decision(self, role: str, total: int) -> float:
        return total / max(1, sum(effort[role].decisions for effort in self.efforts))


def play_series(
    game: Game,
    specs: Mapping[str, str],
    matches: int,
    seed: int,
    config: MatchConfig | None = None,
    executor: Executor | None = None,
) -> Series:
    """Play `matches` matches; the number of a match gives its seed, so that series can be compared match by match.

    The workers of an executor play them, or those that the command was given, or this process.
    """
    tasks = list(make_series(game, specs, matches, seed, config or MatchConfig()))
    played = {
        task.number: match for task in tasks if (match := result_cache.get(name_match(task), PlayedMatch)) is not None
    }
    missing = [task for task in tasks if task.number not in played]
    for task, match in play_all(missing, executor or _given.get()):
        if not match.log.finished:
            raise ValueError(f"a match of {game.name} has not ended; experiments are made of games that do")
        result_cache.put(name_match(task), match)
        played[task.number] = match
    results = [played[task.number] for task in tasks]
    series = Series(logs=tuple(match.log for match in results), efforts=tuple(match.efforts for match in results))
    note_matches(
        game.name, specs, matches, {role: series.samplers(role) for role in specs if role in results[0].efforts}
    )
    return series


def name_match(task: Task) -> dict[str, Any]:
    """Return everything that a match depends on."""
    return {
        "game": task.name,
        "rules": task.game.fingerprint,
        "players": dict(task.specs),
        "seed": task.seed,
        "held": task.config.identity(),
    }


@contextmanager
def give_workers(executor: Executor | None) -> Iterator[None]:
    """Give these workers to the experiments of the block; None: each experiment decides."""
    token = _given.set(executor)
    try:
        yield
    finally:
        _given.reset(token)


@contextmanager
def limit_jobs(jobs: int | None) -> Iterator[None]:
    """Let the experiments of the block use this many processes; None: one per processor."""
    token = _jobs.set(jobs)
    try:
        yield
    finally:
        _jobs.reset(token)


@contextmanager
def open_workers(*, alone: bool) -> Iterator[Executor | None]:
    """Open workers for all series of an experiment: those that the command was given, or a process per processor.

    None, which is this process, if it works `alone` and was given none.
    """
    jobs = _jobs.get() or os.cpu_count() or 1
    if _given.get() is not None or alone or jobs == 1:
        yield _given.get()
        return
    with Pool(jobs) as pool:
        yield pool


def make_series(game: Game, specs: Mapping[str, str], matches: int, seed: int, config: MatchConfig) -> Iterator[Task]:
    """Yield the tasks of a series."""
    seats = check_seats(game, specs, config)
    for number in range(matches):
        yield Task(game=game, name=game.name, specs=seats, number=number, seed=match_seed(seed, number), config=config)
