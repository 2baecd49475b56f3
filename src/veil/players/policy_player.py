"""Players that play a policy: one from a file, or one that they work out before the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from veil.equilibrium import SOLVERS, Policy, check_rules, solve
from veil.errors import fail
from veil.players.knowledge import Knowledge
from veil.players.limits import MAX_WORK, check_sizes
from veil.players.protocol import Seat, Told

MAX_NODES = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyConfig:
    """A file that `veil solve --policy-out` wrote."""

    file: str = ""

    def __post_init__(self) -> None:
        if not self.file:
            raise fail("bad-option", what="policy needs a file: policy:file=FILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveConfig:
    """How the game is solved before the match; the start clock ends it as well."""

    method: str = "cfr+"
    iterations: int = 1000

    def __post_init__(self) -> None:
        SOLVERS.parse(self.method)
        check_sizes(self, iterations=MAX_WORK)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItsConfig:
    """Iterations of Iterative Tree Search."""

    iterations: int = 1000

    def __post_init__(self) -> None:
        check_sizes(self, iterations=MAX_WORK)


class PolicyPlayer:
    """Plays a policy; uniformly, with a note, where it says nothing."""

    def __init__(self, config: PolicyConfig) -> None:
        self.config = config
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        self.knowledge = Knowledge(seat, worlds=16)
        self.rng = np.random.default_rng((seat.seed, 2))
        self.seat = seat
        self.policy = self._make()

    def play(self, told: Told | None) -> str:
        self.knowledge.hear(told, self.seat.deadline())
        legal = self.knowledge.legal()
        found = self.policy.at(self.seat.role, str(self.knowledge.record))
        note = None
        if found is None or not set(found) <= set(legal):
            note = None if len(legal) == 1 else "the policy says nothing here: a random move"
            found = {move: 1 / len(legal) for move in legal}
        self._report = {"policy": found} | ({"note": note} if note else {})
        chances = np.maximum(list(found.values()), 0.0)
        return list(found)[int(self.rng.choice(len(chances), p=chances / chances.sum()))]

    def stop(self, told: Told | None) -> None:
        del told

    def report(self) -> dict[str, Any]:
        return self._report

    def _make(self) -> Policy:
        policy = Policy.load(self.config.file)
        check_rules(self.seat.game, policy, self.config.file)
        return policy


_solved: dict[tuple[str, str, int, float | None], Policy] = {}  # one solution serves all matches of a process


class SolvePlayer(PolicyPlayer):
    """Solves the whole game before the match."""

    def __init__(self, config: SolveConfig) -> None:
        super().__init__(PolicyConfig(file="-"))
        self.how = config

    def _make(self) -> Policy:
        seat = self.seat
        name = (seat.game.fingerprint, self.how.method, self.how.iterations, seat.start_seconds)
        if name not in _solved:
            found = solve(
                seat.game,
                self.how.method,
                iterations=self.how.iterations,
                seconds=seat.start_seconds and 0.8 * seat.start_seconds,
                max_nodes=MAX_NODES,
            )
            _solved[name] = found.policy
        return _solved[name]


class ItsPlayer(SolvePlayer):
    """Iterative Tree Search before the match."""

    def __init__(self, config: ItsConfig) -> None:
        super().__init__(SolveConfig(method="its", iterations=config.iterations))
