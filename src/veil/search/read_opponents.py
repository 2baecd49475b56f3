"""`opponents=hyperplay`: opponents that are read, as HyperPlayers who choose softly (Richards & Amir 2012).

How likely is an opponent's move along a plausible history? At that point of the history:

1. Generate the opponent's own infoset: the histories that explain what *it* was told (`opponent_beliefs`).
2. Value its moves from its point of view: playouts from the worlds of its infoset, equations (12) and (13) of the
   HyperPlay article, with its own goals.
3. It takes move a with probability (1 - mix) * exp(v(a) / temperature) / sum + mix / number of moves, where values are
   measured by the span from its lowest to its highest goal, so that a temperature means the same in every game.

All records of a round are worked out together: one pass of the machine for their worlds, one call of playouts for all
their moves. What an opponent does depends on its record alone; it is worked out once and kept. Records beyond the work
or the time that is allowed play uniformly, and are asked about again next time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veil.clock import has_passed, split_portions
from veil.engine import Machine, draw_rows_uniformly
from veil.registry import check_options, option
from veil.search.opponent_beliefs import OpponentBeliefs, RecordWorlds
from veil.search.opponents import OpponentTask
from veil.search.record_book import RecordedOpponents

AT_ONCE = 128  # records that are worked out together
MAX_ROWS = 1 << 18  # playouts at a time
WORK = 20_000_000  # states: below a second


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadConfig:
    """How closely opponents are read, and how sure one is of it."""

    temperature: float = option(
        0.05, "of the soft choice, as a share of the span of goals: the lower, the surer", limit="temperature"
    )
    mix: float = option(0.1, "share of uniform play, so that nothing becomes impossible", limit="share")
    models: int = option(20, "worlds of an opponent's infoset", limit="worlds")
    playouts: int = option(10, "per world and move of an opponent", limit="playouts")
    work: int = option(WORK, "states for a decision, at most; records beyond play uniformly", limit="states")

    def __post_init__(self) -> None:
        check_options(self)


def make_read(config: ReadConfig, task: OpponentTask) -> ReadOpponents:
    """The opponents of a row."""
    return ReadOpponents(task.game.machine, config, task.seed)


class ReadOpponents(RecordedOpponents):
    """Every other role as a HyperPlayer with a soft choice."""

    def __init__(self, machine: Machine, config: ReadConfig, seed: int) -> None:
        super().__init__(machine, config.mix)
        self.config, self.seed = config, seed
        self.beliefs = OpponentBeliefs(machine, self.book, models=config.models, seed=seed)
        self.decisions = 0  # records that were valued
        self._played = self._calls = 0  # states of playouts; calls, each with random numbers of its own
        self._deadline: float | None = None
        self._max_work = config.work

    @property
    def states_visited(self) -> int:
        """By beliefs and playouts."""
        return self.beliefs.states_visited + self._played

    def allow(self, deadline: float | None) -> None:
        """A decision begins: there is time until the deadline, and the work of the config."""
        self._deadline, self._max_work = deadline, self.states_visited + self.config.work

    def work_out(self, role_id: int, keys: list[int]) -> dict[int, np.ndarray]:
        """key -> the soft choice [moves] after these records; none of those beyond the work or the time."""
        found: dict[int, np.ndarray] = {}
        goals = self.machine.program.goals[role_id]
        temperature = self.config.temperature * max(1, max(goals, default=0) - min(goals, default=0))
        if has_passed(self._deadline):
            return found
        for part in split_portions(len(keys), AT_ONCE, self._deadline):
            if self.states_visited >= self._max_work:
                break
            some = keys[part]
            values = self.value(role_id, self.beliefs.find(role_id, some))
            found |= {key: choose_softly(row, temperature) for key, row in zip(some, values, strict=True)}
        self.decisions += len(found)
        return found

    def value(self, role_id: int, infosets: list[RecordWorlds | None]) -> np.ndarray:
        """[K, moves] what a role's moves are worth to it in each infoset; NaN where they cannot be played.

        An infoset of which nothing is known has NaN everywhere.
        """
        values = np.full((len(infosets), len(self.machine.program.moves[role_id])), np.nan)
        known = [(number, worlds) for number, worlds in enumerate(infosets) if worlds is not None]
        if not known:
            return values
        states = np.concatenate([worlds.states for _, worlds in known])
        weights = np.concatenate([worlds.weights for _, worlds in known])
        sizes = np.array([len(worlds.weights) for _, worlds in known])
        infoset = np.repeat([number for number, _ in known], sizes)
        times = np.repeat(-(-self.config.models * self.config.playouts // sizes), sizes)  # playouts of each world
        world, move, means = self._play(role_id, states, times)
        slot = infoset[world] * values.shape[1] + move
        total = np.bincount(slot, weights[world] * means, minlength=values.size)
        share = np.bincount(slot, weights[world], minlength=values.size)
        tried = np.flatnonzero(share)
        values.reshape(-1)[tried] = total[tried] / share[tried]
        return values

    def _play(self, role_id: int, states: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(world [P], move [P], mean goal [P]) of all moves of the role in these worlds, `times` [B] playouts each."""
        legal = self.machine.legal_bits(self.machine.judge(states))
        world, move = np.nonzero(legal[role_id])
        sums, self._calls = np.zeros(len(world)), self._calls + 1
        pieces = max(1, -(-int(times[world].sum()) // MAX_ROWS))
        for piece, pairs in enumerate(np.array_split(np.arange(len(world)), pieces)):
            pair = np.repeat(pairs, times[world[pairs]])
            seed = (self.seed, role_id, self._calls, piece)
            rng = np.random.default_rng(seed)
            first = np.stack([draw_rows_uniformly(bits[world[pair]], rng) for bits in legal], axis=1)
            first[:, role_id] = move[pair]
            played = self.machine.playouts(states[world[pair]], 1, seed, first_moves=first)
            sums += np.bincount(pair, played.goal_sum[:, role_id], minlength=len(world))
            self._played += played.steps + len(pair)
        return world, move, sums / times[world]


def choose_softly(values: np.ndarray, temperature: float) -> np.ndarray:
    """[moves] probabilities proportional to exp(value / temperature); 0 where a value is NaN, as at illegal moves."""
    known = ~np.isnan(values)
    chances = np.zeros(len(values))
    if known.any():
        chances[known] = np.exp((values[known] - values[known].max()) / temperature)
        chances /= chances.sum()
    return chances
