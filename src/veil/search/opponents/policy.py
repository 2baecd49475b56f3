"""`opponents=policy:FILE` and `opponents=solve:METHOD`: the other roles play a policy that is given or found.

A policy is a table from the text of a record to probabilities. It says nothing about some records, and may give 0 to
moves that are played nevertheless; in these cases only the share of uniform play (`mix`) is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veil.belief import RecordStep
from veil.engine import EMPTY_RECORD, Game, round_in_words
from veil.engine.lanes import START_KEY
from veil.equilibrium import Budget, Policy, SolveOrder, check_rules, solve_cached
from veil.errors import fail
from veil.registry import check_options, option
from veil.search.opponents.cached import CachedOpponents
from veil.search.opponents.table import OpponentTask

MIX = 0.01
MAX_NODES = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FileConfig:
    """A file that `veil solve --policy-out` wrote."""

    file: str = option("", "a policy that `veil solve --policy-out` wrote", is_main=True)
    mix: float = option(MIX, "share of uniform play, so that nothing becomes impossible", limit="share")

    def __post_init__(self) -> None:
        check_options(self)
        if not self.file:
            raise fail("bad-option", what="these opponents need a file: opponents=policy:FILE")


def make_from_file(config: FileConfig, task: OpponentTask) -> PolicyOpponents:
    """Return the opponents of a row. Raises an error if the policy is for other rules."""
    policy = Policy.parse_bytes(task.read(config.file), config.file)
    check_rules(task.game, policy, config.file)
    return PolicyOpponents(task.game, policy, config.mix)


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedConfig:
    """Options of the solver that solves the whole game before the first decision."""

    method: str = option("cfr+", "a row of `veil solvers`", table="veil.equilibrium:SOLVERS", is_main=True)
    iterations: int = option(1000, "of the solver", limit="iterations")
    max_nodes: int = option(MAX_NODES, "of the whole game; a larger one is refused", limit="nodes")
    mix: float = option(MIX, "share of uniform play, so that nothing becomes impossible", limit="share")

    def __post_init__(self) -> None:
        check_options(self)


def make_solved(config: SolvedConfig, task: OpponentTask) -> PolicyOpponents:
    """Return the opponents of a row of `OPPONENTS`."""
    order = SolveOrder(
        method=config.method,
        budget=Budget(iterations=config.iterations),
        seed=task.seed,
        max_nodes=config.max_nodes,
        limit_name="max_nodes in the spec of the opponents (opponents=solve,opponents.max_nodes=...)",
    )
    return PolicyOpponents(task.game, solve_cached(task.game, order), config.mix)


class PolicyOpponents(CachedOpponents):
    """Other roles that play a policy."""

    def __init__(self, game: Game, policy: Policy, mix: float) -> None:
        super().__init__(game.machine, mix)
        self.game, self.policy = game, policy
        start = {(role_id, int(START_KEY)): EMPTY_RECORD for role_id in range(len(game.roles))}
        self._records: dict[tuple[int, int], str] = start  # in words

    def observe(self, growth: RecordStep) -> None:
        """Observe that records of a role have grown by a round; observing a record again changes nothing."""
        role_id, names = growth.role_id, self.game.names
        if role_id == self.machine.program.chance:
            return
        after, first = np.unique(growth.after, return_index=True)
        for key, row in zip(after.tolist(), first.tolist(), strict=True):
            if (role_id, key) not in self._records:
                before = self._records[(role_id, int(growth.before[row]))]
                seen = names.percept_words(role_id, growth.percepts[row])
                told = round_in_words(names.moves[role_id][int(growth.own_moves[row])], seen)
                self._records[(role_id, key)] = told if before == EMPTY_RECORD else f"{before}; {told}"

    def work_out(self, role_id: int, keys: list[int]) -> dict[int, np.ndarray]:
        """Return key -> the probabilities [moves] of the policy; all 0 if the policy says nothing."""
        return {key: self._find(role_id, key) for key in keys}

    def _find(self, role_id: int, key: int) -> np.ndarray:
        names, record = self.game.names, self._records[(role_id, key)]
        weights = np.zeros(len(names.moves[role_id]))
        for move, chance in (self.policy.get(names.roles[role_id], record) or {}).items():
            move_id = names.move_id(role_id, move)
            if move_id is not None:
                weights[move_id] = max(0.0, chance)
        return weights
