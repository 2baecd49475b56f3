"""Players that play a policy: one from a file, or one that is worked out before the match.

A config says where the policy comes from: `config.policy(seat)`. The player is the same for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from veil.equilibrium import Budget, Policy, SolveOrder, check_rules, solve_cached
from veil.errors import fail
from veil.files import decode_text
from veil.players.contract import Observation, Seat
from veil.players.files import FileContents
from veil.players.seat_belief import make_belief
from veil.registry import check_options, option
from veil.streams import policy_of_player

MAX_NODES = 5_000_000
START_SHARE = 0.8  # of the start clock is what a solver may take
WORLDS = 16  # of the belief that tells the legal moves


class PolicySource(Protocol):
    """Where a policy comes from."""

    def policy(self, seat: Seat) -> Policy:
        """The policy to play in this seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyConfig:
    """A file that `veil solve --policy-out` wrote."""

    file: str = option("", "a policy that `veil solve --policy-out` wrote")

    def __post_init__(self) -> None:
        if not self.file:
            raise fail("bad-option", what="policy needs a file: policy:file=FILE")


class PolicyFromFile(NamedTuple):
    """A policy that was saved."""

    content: FileContents

    def policy(self, seat: Seat) -> Policy:
        """The policy of the file; one for other rules is refused."""
        policy = _parse_policy(self.content)
        check_rules(seat.game, policy, self.content.name)
        return policy


@lru_cache(maxsize=16)
def _parse_policy(content: FileContents) -> Policy:
    """Read once per process: every match of a tournament begins with it."""
    return Policy.parse(decode_text(content.data, content.name), content.name)


def make_file_player(config: PolicyConfig, content: FileContents) -> PolicyPlayer:
    """A player that plays the policy of a file."""
    del config  # it only names the file
    return PolicyPlayer(PolicyFromFile(content))


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveConfig:
    """How the game is solved before the match; the start clock ends it as well."""

    method: str = option("cfr+", "a row of `veil solvers`", table="veil.equilibrium:SOLVERS")
    iterations: int = option(1000, "of the solver", limit="iterations")
    max_nodes: int = option(MAX_NODES, "of the whole game; a larger one is refused", limit="nodes")
    seed: int | None = option(None, "of the solver; that of the seat where none is given", limit="seed")
    checkpoint: Literal["best", "last"] = option("best", "the least exploitable average on the way, or the last one")

    def __post_init__(self) -> None:
        check_options(self)

    def policy(self, seat: Seat) -> Policy:
        """The policy that the solver finds."""
        seconds = seat.start_seconds and START_SHARE * seat.start_seconds
        order = SolveOrder(
            method=self.method,
            budget=Budget(iterations=self.iterations, seconds=seconds),
            seed=seat.seed if self.seed is None else self.seed,
            max_nodes=self.max_nodes,
            limit_name="max_nodes in the spec of the player (solve:max_nodes=...)",
        )
        return solve_cached(seat.game, order, self.checkpoint)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItsConfig:
    """Iterative Tree Search."""

    iterations: int = option(1000, "of Iterative Tree Search", limit="iterations")
    max_nodes: int = option(MAX_NODES, "of the whole game; a larger one is refused", limit="nodes")
    seed: int | None = option(None, "of its ties; that of the seat where none is given", limit="seed")
    checkpoint: Literal["last", "best"] = option("last", "the last mu of Algorithm 1, or the least exploitable one")

    def __post_init__(self) -> None:
        check_options(self)

    def policy(self, seat: Seat) -> Policy:
        """The policy that Iterative Tree Search finds."""
        config = SolveConfig(
            method="its",
            iterations=self.iterations,
            max_nodes=self.max_nodes,
            seed=self.seed,
            checkpoint=self.checkpoint,
        )
        return config.policy(seat)


class PolicyPlayer:
    """Plays a policy; uniformly, with a note, where it says nothing."""

    def __init__(self, config: PolicySource) -> None:
        self.config = config
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        """Read or work out the policy."""
        self.seat, self.rng = seat, policy_of_player(seat.seed)
        self.belief = make_belief(seat, worlds=WORLDS)
        self.policy = self.config.policy(seat)

    def hear(self, observation: Observation | None) -> None:
        """Catch up with a round in which nobody asks for a move."""
        self.belief.observe(observation)

    def play(self, observation: Observation | None) -> str:
        """A move drawn from the policy."""
        self.belief.observe(observation, self.seat.deadline())
        legal = self.belief.legal()
        strategy, note = self.policy.at(self.seat.role, str(self.belief.record)), None
        if strategy is None or not set(strategy) <= set(legal):
            note = None if len(legal) == 1 else "the policy says nothing here: a random move"
            strategy = {move: 1 / len(legal) for move in legal}
        self._report = {"policy": strategy} | ({"note": note} if note else {})
        chances = np.maximum(list(strategy.values()), 0.0)
        return list(strategy)[int(self.rng.choice(len(chances), p=chances / chances.sum()))]

    def stop(self, observation: Observation | None) -> None:
        """The match is over."""

    def report(self) -> dict[str, Any]:
        """The strategy that the last move was drawn from."""
        return self._report
