"""`opponents=best`: the other roles play what `best` finds for them.

1. A game whose tree fits (`whole`) is solved once, and all roles play its solution at every record.
2. In a larger game the player `best` searches after each record of another role, with small trees. The records that
   occur most in the rows of a question come first. Records beyond `searches`, or beyond the time, are uniform until
   they are asked about again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from veil.belief import SAMPLERS, NoConsistentHistory, RecordStep, Sampler, SamplerContext, TooManyWorlds
from veil.clock import has_passed
from veil.engine import Game, Record
from veil.engine.lanes import START_KEY
from veil.registry import check_options, option
from veil.search.contract import SearchBudget, SearchQuestion, SearchTask
from veil.search.opponents.cached import CachedOpponents
from veil.search.opponents.table import OpponentTask
from veil.search.resolve.best import BestConfig, choose_search
from veil.search.resolve.search import ResolveSearch

WORLDS = 100  # of the belief behind a search


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOpponentsConfig:
    """The size of a game that is solved as a whole, and the work in larger ones."""

    whole: int = option(100_000, "nodes of a game that is solved", limit="nodes")
    nodes: int = option(2000, "of the tree of a decision in a larger game", limit="nodes")
    iterations: int = option(500, "of PCFR+ for a decision or the whole game", limit="iterations")
    searches: int = option(20, "records that are searched per round, the most frequent first", limit="worlds")
    mix: float = option(0.01, "share of uniform play, so that nothing becomes impossible", limit="share")

    def __post_init__(self) -> None:
        check_options(self)


class RecordPart(NamedTuple):
    """The last round of a record, and the key of what was before it."""

    before: int
    own_move: int
    percepts: np.ndarray  # [words]


def make_best(config: BestOpponentsConfig, task: OpponentTask) -> BestOpponents:
    """Return the opponents of a row of `OPPONENTS`."""
    return BestOpponents(task.game, config, task.seed)


class BestOpponents(CachedOpponents):
    """Other roles that play like `best`."""

    heaviest_first = True

    def __init__(self, game: Game, config: BestOpponentsConfig, seed: int) -> None:
        super().__init__(game.machine, config.mix)
        self.game, self.config, self.seed = game, config, seed
        program = game.program
        self._best = BestConfig(whole=config.whole, nodes=config.nodes, iterations=config.iterations, worlds=WORLDS)
        first = next(role for role in program.serial_order if role != program.chance)
        self.method, searcher = choose_search(SearchTask(game, first, seed), self._best)
        self.past = searcher.past if isinstance(searcher, ResolveSearch) and searcher.subgame.is_complete else None
        self._parts: dict[tuple[int, int], RecordPart] = {}
        self.states_visited = 0
        self.allow(None)

    def allow(self, deadline: float | None) -> None:
        """Begin a question with the time until the deadline and the searches of the config."""
        self.deadline, self.left = deadline, self.config.searches

    def observe(self, growth: RecordStep) -> None:
        """Observe that records of a role have grown by a round; observing a record again changes nothing."""
        if self.past is not None or growth.role_id == self.machine.program.chance:
            return
        after, first = np.unique(growth.after, return_index=True)
        for key, row in zip(after.tolist(), first.tolist(), strict=True):
            part = RecordPart(int(growth.before[row]), int(growth.own_moves[row]), growth.percepts[row])
            self._parts.setdefault((growth.role_id, key), part)

    def work_out(self, role_id: int, keys: list[int]) -> dict[int, np.ndarray]:
        """Return key -> the strategy [moves] after these records; those beyond the work or the time are left out."""
        found: dict[int, np.ndarray] = {}
        for key in keys:
            strategy = self.past.find_strategy(role_id, key) if self.past is not None else self._search(role_id, key)
            if strategy is None and self.past is None:
                break
            found[key] = self._spread(role_id, strategy)
        return found

    def _spread(self, role_id: int, strategy: tuple[np.ndarray, np.ndarray] | None) -> np.ndarray:
        weights = np.zeros(len(self.machine.program.moves[role_id]))
        if strategy is not None:
            weights[strategy[0]] = strategy[1]
        return weights

    def _search(self, role_id: int, key: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the moves and their probabilities that `best` finds after a record; None beyond the work or time."""
        if not self.left or has_passed(self.deadline):
            return None
        self.left -= 1
        rng = np.random.default_rng(self.seed)
        _, searcher = choose_search(SearchTask(self.game, role_id, self.seed), self._best)
        try:
            sampler, record = self._follow(role_id, key)
            answer = searcher.search(SearchQuestion(record, sampler, (self.seed, 0)), SearchBudget(), rng)
        except (NoConsistentHistory, TooManyWorlds):
            return np.zeros(0, np.int64), np.zeros(0)
        self.states_visited += answer.states_visited + sampler.cost.states_visited
        return answer.moves, answer.strategy

    def _follow(self, role_id: int, key: int) -> tuple[Sampler, Record]:
        """Return the belief of a role after its record with this key, and the record."""
        parts: list[RecordPart] = []
        while key != int(START_KEY):
            parts.append(self._parts[(role_id, key)])
            key = parts[-1].before
        names = self.game.names
        sampler = SAMPLERS.make("auto", SamplerContext(self.machine, role_id, WORLDS, self.seed))
        rounds = []
        for part in reversed(parts):
            sampler.observe(part.own_move, part.percepts)
            rounds.append((names.moves[role_id][part.own_move], names.percept_words(role_id, part.percepts)))
        return sampler, Record(self.game.roles[role_id], tuple(rounds))
