"""`opponents=hyperplay`: opponents that are modelled as HyperPlayers with a soft choice (Richards & Amir 2012).

"By considering the observations that the opponent would have had, one can generate its information set at that point,
and then analyse that decision from its perspective." The probability of its move along a plausible history follows
from these steps:

1. Generate the opponent's own infoset: the states it may be in after what *it* was told (`state_beliefs`).
2. Value its moves from its point of view: playouts from the worlds of its infoset, equations (12) and (13) of the
   HyperPlay article, with its own goals (`move_values`).
3. It takes move a with probability (1 - mix) * exp(v(a) / temperature) / sum + mix / number of moves, where values are
   measured by the span from its lowest to its highest goal, so that a temperature means the same in every game.

Steps 1 and 2 are those of the players inside HyperPlay-II (`nested`), which compute all records of a round together
and cache the results. For records beyond the allowed work or time, and records whose infoset was not found, the
opponents play uniformly. Records beyond the work or time are asked about again next time.
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
    """Options of the model of opponents."""

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
    """Return the opponents of a row of `OPPONENTS`."""
    warm_up()  # now, before the clock runs
    return ModelledOpponents(task.game.machine, config, task.seed)


class ModelledOpponents(CachedOpponents):
    """Every other role as a HyperPlayer with a soft choice."""

    def __init__(self, machine: Machine, config: ReadConfig, seed: int) -> None:
        super().__init__(machine, config.mix)
        self.config, self.seed = config, seed
        style = PlayoutStyle.of(config.playout)
        self.players = NestedPlayers(machine, models=config.models, playouts=config.playouts, seed=seed, style=style)
        self._seconds_each = 1e-6  # seconds per record, measured by the last ones
        self.allow(None)

    @property
    def states_visited(self) -> int:
        """The number of states visited by beliefs and playouts."""
        return self.players.states_visited

    @property
    def work(self) -> int:
        """The work so far, in states; decisions and tests count at their cost."""
        return self.players.work

    def allow(self, deadline: float | None) -> None:
        """Begin a decision with the time until the deadline and the work of the config."""
        self.players.deadline, self.players.max_work = deadline, self.players.work + self.config.work
        self._seconds_each /= 2  # records that were slow once are tried again

    def observe(self, growth: RecordStep) -> None:
        """Observe that records of a role have grown by a round; observing a record again changes nothing."""
        if growth.role_id != self.machine.program.chance:
            self.players.observe(*growth)

    def work_out(self, role_id: int, keys: list[int]) -> dict[int, np.ndarray]:
        """Return key -> the soft choice [moves] after these records; records beyond the work or time are left out."""
        found: dict[int, np.ndarray] = {}
        for some in self._portions(keys):
            try:
                valued = self.players.values(role_id, some)
            except OutOfTime:
                break
            found |= {key: self._soften(role_id, values) for key, values in zip(some, valued, strict=True)}
        return found

    def _portions(self, keys: list[int]) -> Iterator[list[int]]:
        """Yield the records in portions; with a deadline, as many as there is time for at the pace of those before."""
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
        """Return the soft choice [moves]; all 0 if nothing explains the record within the budget of its belief."""
        chances = np.zeros(len(self.machine.program.moves[role_id]))
        if values is not None:
            goals = self.machine.program.goals[role_id]
            span = max(1, max(goals, default=0) - min(goals, default=0))
            chances[values.moves] = choose_softly(values.values, self.config.temperature * span)
        return chances


def choose_softly(values: np.ndarray, temperature: float) -> np.ndarray:
    """Return probabilities [K] proportional to exp(value / temperature)."""
    chances: np.ndarray = np.exp((values - values.max()) / temperature)
    chances /= chances.sum()
    return chances
