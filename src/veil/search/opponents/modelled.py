"""`opponents=hyperplay`: opponents that are read, as HyperPlayers who choose softly (Richards & Amir 2012).

"By considering the observations that the opponent would have had, one can generate its information set at that point,
and then analyse that decision from its perspective." How likely is its move along a plausible history? At that point:

1. Generate the opponent's own infoset: where it may stand after what *it* was told (`record_beliefs`).
2. Value its moves from its point of view: playouts from the worlds of its infoset, equations (12) and (13) of the
   HyperPlay article, with its own goals (`move_values`).
3. It takes move a with probability (1 - mix) * exp(v(a) / temperature) / sum + mix / number of moves, where values are
   measured by the span from its lowest to its highest goal, so that a temperature means the same in every game.

Steps 1 and 2 are those of the players inside HyperPlay-II (`nested`), who work out all records of a round together and
keep what they found. Records beyond the work or the time that is allowed play uniformly, and are asked about again next
time; so do those whose infoset was not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from veil.belief import RecordStep
from veil.clock import CAREFUL
from veil.engine import Machine
from veil.registry import check_options, option
from veil.search.hyperplay2.move_values import MoveValues
from veil.search.hyperplay2.nested import DECISION, NestedPlayers, OutOfTime, warm_up
from veil.search.opponents.cached import CachedOpponents
from veil.search.opponents.table import OpponentTask
from veil.search.playouts.style import PLAYOUT, Playout, PlayoutStyle

AT_ONCE = 1024  # records that are asked about at a time
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
    playout: Playout = option("uniform", PLAYOUT)
    work: int = option(
        WORK,
        f"states for a decision, at most; a record counts as {DECISION:,} more, and is uniform beyond",
        limit="states",
    )

    def __post_init__(self) -> None:
        check_options(self)


def make_read(config: ReadConfig, task: OpponentTask) -> ModelledOpponents:
    """The opponents of a row."""
    warm_up()  # now, not when the clock runs
    return ModelledOpponents(task.game.machine, config, task.seed)


class ModelledOpponents(CachedOpponents):
    """Every other role as a HyperPlayer with a soft choice."""

    def __init__(self, machine: Machine, config: ReadConfig, seed: int) -> None:
        super().__init__(machine, config.mix)
        self.config, self.seed = config, seed
        style = PlayoutStyle.of(config.playout)
        self.players = NestedPlayers(machine, models=config.models, playouts=config.playouts, seed=seed, style=style)
        self._seconds_each = 1e-6  # of a record, by the last ones
        self.allow(None)

    @property
    def states_visited(self) -> int:
        """By beliefs and playouts."""
        return self.players.states_visited

    @property
    def work(self) -> int:
        """The same with decisions and tests counted at what they cost."""
        return self.players.work

    def allow(self, deadline: float | None) -> None:
        """A decision begins: there is time until the deadline, and the work of the config."""
        self.players.deadline, self.players.max_work = deadline, self.players.work + self.config.work
        self._seconds_each /= 2  # whoever was slow once is asked again

    def hear(self, growth: RecordStep) -> None:
        """Records of a role have grown by a round; to hear of one again changes nothing."""
        if growth.role_id != self.machine.program.chance:
            self.players.hear(*growth)

    def work_out(self, role_id: int, keys: list[int]) -> dict[int, np.ndarray]:
        """key -> the soft choice [moves] after these records; none of those beyond the work or the time."""
        found: dict[int, np.ndarray] = {}
        for some in self._portions(keys):
            try:
                valued = self.players.values(role_id, some)
            except OutOfTime:
                break
            found |= {key: self._soften(role_id, values) for key, values in zip(some, valued, strict=True)}
        return found

    def _portions(self, keys: list[int]) -> Iterator[list[int]]:
        """The records in portions; with a deadline, as many as will be over by the pace of those before."""
        done, size = 0, AT_ONCE
        while done < len(keys):
            if self.players.deadline is not None:
                left = self.players.deadline - perf_counter()
                size = min(2 * size, int(CAREFUL * left / self._seconds_each)) if done else 1
                if left <= 0 or size * self._seconds_each > left or not size:
                    return
            begin = perf_counter()
            yield keys[done : done + size]
            taken = (perf_counter() - begin) / len(keys[done : done + size])
            self._seconds_each = max(taken, self._seconds_each / 2, 1e-6)
            done += size

    def _soften(self, role_id: int, values: MoveValues | None) -> np.ndarray:
        """[moves] the soft choice; all 0 where nothing explains the record within the budget of its belief."""
        chances = np.zeros(len(self.machine.program.moves[role_id]))
        if values is not None:
            goals = self.machine.program.goals[role_id]
            span = max(1, max(goals, default=0) - min(goals, default=0))
            chances[values.moves] = choose_softly(values.values, self.config.temperature * span)
        return chances


def choose_softly(values: np.ndarray, temperature: float) -> np.ndarray:
    """[K] probabilities proportional to exp(value / temperature)."""
    chances: np.ndarray = np.exp((values - values.max()) / temperature)
    chances /= chances.sum()
    return chances
