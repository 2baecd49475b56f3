"""Players that play a policy, which is read from a file or computed before the match.

All of them are a `PolicyPlayer`. It gets its policy from its config: `config.policy(seat)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from veil.equilibrium import Budget, Policy, SolveOrder, check_rules, solve_cached
from veil.errors import fail
from veil.players.contract import Observation, Seat
from veil.players.files import FileContents
from veil.players.seat_belief import make_belief
from veil.registry import check_options, option
from veil.streams import policy_of_player

MAX_NODES = 5_000_000
START_SHARE = 0.8  # of the start clock that a solver may use
WORLDS = 16  # of the belief that finds the legal moves


class PolicySource(Protocol):
    """A source of a policy."""

    def policy(self, seat: Seat) -> Policy:
        """Return the policy to play in this seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyConfig:
    """The name of a file that `veil solve --policy-out` wrote."""

    file: str = option("", "a policy that `veil solve --policy-out` wrote", is_main=True)

    def __post_init__(self) -> None:
        if not self.file:
            raise fail("bad-option", what="policy needs a file: policy:FILE")


class PolicyFromFile(NamedTuple):
    """A policy from the content of a file."""

    content: FileContents

    def policy(self, seat: Seat) -> Policy:
        """Return the policy of the file. A policy for other rules is refused."""
        policy = _parse_policy(self.content)
        check_rules(seat.game, policy, self.content.name)
        return policy


@lru_cache(maxsize=16)
def _parse_policy(content: FileContents) -> Policy:
    """Parse a policy. The result is cached, because every match of a tournament needs it."""
    return Policy.parse_bytes(content.data, content.name)


def make_file_player(config: PolicyConfig, content: FileContents) -> PolicyPlayer:
    """Make a player that plays the policy of a file."""
    del config  # it contains only the name of the file
    return PolicyPlayer(PolicyFromFile(content))


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveConfig:
    """Options for solving the game before the match. The start clock limits the solver too."""

    method: str = option("cfr+", "a row of `veil solvers`", table="veil.equilibrium:SOLVERS")
    iterations: int = option(1000, "of the solver", limit="iterations")
    max_nodes: int = option(MAX_NODES, "of the whole game; a larger one is refused", limit="nodes")
    seed: int | None = option(None, "of the solver; that of the seat where none is given", limit="seed")
    checkpoint: Literal["best", "last"] = option("best", "the least exploitable average on the way, or the last one")

    def __post_init__(self) -> None:
        check_options(self)

    def policy(self, seat: Seat) -> Policy:
        """Solve the game and return the policy."""
        seconds = seat.start_seconds and START_SHARE * seat.start_seconds
        order = SolveOrder(
            method=self.method,
            budget=Budget(iterations=self.iterations, seconds=seconds),
            seed=seat.seed if self.seed is None else self.seed,
            max_nodes=self.max_nodes,
            by_legal=True,
            limit_name="max_nodes in the spec of the player (solve:max_nodes=...)",
        )
        return solve_cached(seat.game, order, self.checkpoint)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItsConfig:
    """Options of Iterative Tree Search."""

    iterations: int = option(1000, "of Iterative Tree Search", limit="iterations")
    max_nodes: int = option(MAX_NODES, "of the whole game; a larger one is refused", limit="nodes")
    seed: int | None = option(None, "of its ties; that of the seat where none is given", limit="seed")
    checkpoint: Literal["last", "best"] = option("last", "the last mu of Algorithm 1, or the least exploitable one")

    def __post_init__(self) -> None:
        check_options(self)

    def policy(self, seat: Seat) -> Policy:
        """Run Iterative Tree Search and return its policy."""
        config = SolveConfig(
            method="its",
            iterations=self.iterations,
            max_nodes=self.max_nodes,
            seed=self.seed,
            checkpoint=self.checkpoint,
        )
        return config.policy(seat)


class PolicyPlayer:
    """A player of a policy. Where the policy has no entry, it plays uniformly and its report says so."""

    def __init__(self, config: PolicySource) -> None:
        self.config = config
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        """Get the policy from the config, and make the belief."""
        self.seat, self.rng = seat, policy_of_player(seat.seed)
        self.belief = make_belief(seat, worlds=WORLDS)
        self.policy = self.config.policy(seat)

    def observe(self, observation: Observation | None) -> None:
        """Update the belief with a round without choosing a move."""
        self.belief.observe(observation)

    def play(self, observation: Observation | None) -> str:
        """Return a move drawn from the policy."""
        self.belief.observe(observation, self.seat.deadline())
        legal = self.belief.legal()
        strategy, note = self.policy.get(self.seat.role, str(self.belief.record)), None
        if strategy is not None and not set(strategy) <= set(legal):  # the record does not determine what is legal
            kept = {move: strategy[move] for move in legal if strategy.get(move, 0.0) > 0.0}
            strategy = {move: chance / sum(kept.values()) for move, chance in kept.items()} or None
            note = "the policy names moves that are not legal here: it is followed without them"
        if strategy is None:
            note = None if len(legal) == 1 else "the policy says nothing here: a random move"
            strategy = {move: 1 / len(legal) for move in legal}
        self._report = {"policy": strategy} | ({"note": note} if note else {})
        chances = np.maximum(list(strategy.values()), 0.0)
        return list(strategy)[int(self.rng.choice(len(chances), p=chances / chances.sum()))]

    def stop(self, observation: Observation | None) -> None:
        """Do nothing at the end of the match."""

    def report(self) -> dict[str, Any]:
        """Return the strategy that the last move was drawn from."""
        return self._report
