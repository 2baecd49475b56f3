"""Random positions of a game, and the number of histories that a sampler finds there, for `isg_table1`.

1. A position is one of the decisions of a random game; the role that decides has been told a record.
2. A sampler is asked for 30 histories, then for twice as many, and so on, until its time (of the processor) is up or
   it has found all of them. A sampler that can continue from its results does so, also after a deadline that came too
   early; any other starts again with another seed.
3. Distinct histories are counted, and so are the states visited and the seconds until the first 30 of them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

from veil.belief import (
    SAMPLERS,
    NoConsistentHistory,
    Sampler,
    SamplerContext,
    SearchesOn,
    TooManyWorlds,
    history_keys,
    warm_up,
)
from veil.engine import Game, observe_history

CAP = 30  # histories that the article asks for
MOST = 100_000  # maximal number of histories of one position, because of memory
COUNTED = 1000  # infosets up to this size are counted
NO_LIMIT = 1_000_000_000_000
SPIN = 0.02  # seconds of the processor that measure how loaded the machine is


class Contender(NamedTuple):
    """A sampler of the table."""

    spec: str
    grows: bool  # whether it can continue from its results


CONTENDERS = {
    "DFS": Contender(f"dfs:budget={NO_LIMIT}", False),
    "CSP": Contender(f"csp:budget={NO_LIMIT}", True),
    "figure 5": Contender(f"csp:order=random,draw=uniform,lanes=none,listing=false,budget={NO_LIMIT}", True),
    "ASP": Contender(f"asp:budget={NO_LIMIT}", True),
    "HyperPlay": Contender(f"hyperplay:budget={NO_LIMIT}", False),
    "particle": Contender("particle", False),
}


@dataclass(frozen=True, slots=True)
class Position:
    """What a role was told before one of its decisions."""

    game: Game
    role: int
    told: list[tuple[int, np.ndarray, bool]]  # own move, percepts, over
    size: int | None  # of the infoset, if it is at most COUNTED

    @property
    def wanted(self) -> int:
        """The number of histories to find: `CAP`, or all if there are fewer."""
        return CAP if self.size is None else min(CAP, self.size)


class Yield(NamedTuple):
    """The results of a sampler in one position."""

    capped: int  # distinct histories, at most 30
    every: int  # as many as the time allowed
    capped_states: int  # visited until there were 30, or all
    every_states: int
    seconds: float | None  # of the processor, until then; None if it never found them


def draw_position(game: Game, rng: np.random.Generator, most: int | None = None) -> Position:
    """Return one of the decisions of a random game, all equally likely; a game without any is played again.

    With `most`, it is a decision after at most `most` rounds.
    """
    decisions: list[tuple[int, int]] = []
    while not decisions:
        history, decisions = _play_at_random(game, rng, most)
    rounds, role = decisions[rng.integers(len(decisions))]
    told = observe_history(game.machine, history[:rounds], role)
    return Position(game, role, told, _count_infoset(game, role, told))


def prepare(position: Position) -> None:
    """Do the one-time work of samplers for a game, before any clock starts."""
    warm_up()
    for contender in CONTENDERS.values():
        sampler = SAMPLERS.make(contender.spec, SamplerContext(position.game.machine, position.role, 1))
        sampler.observe(*position.told[0][:2])
        with suppress(TooManyWorlds):
            sampler.worlds(1, np.random.default_rng(0))


class ProcessorClock:
    """A time limit in seconds of the processor, so that other programs on the machine take little away.

    Samplers are given deadlines by the wall clock. Each lies as far ahead as the seconds that are left take at the
    moment: a short loop measures that before the clock starts, and the time that has passed since then tells it better.
    A sampler whose deadline came too early, because the machine was busier than that, is asked again.
    """

    def __init__(self, seconds: float) -> None:
        self._slowness = measure_slowness() if seconds else 1.0
        self.seconds, self._begin, self._start = seconds, process_time(), perf_counter()

    @property
    def used(self) -> float:
        """Seconds of the processor since the start."""
        return process_time() - self._begin

    @property
    def is_over(self) -> bool:
        """Whether the seconds are used up."""
        return self.used >= self.seconds

    @property
    def deadline(self) -> float:
        """The moment of the wall clock at which the seconds will probably be used up."""
        slowness = max(self._slowness, (perf_counter() - self._start) / max(self.used, SPIN))
        return perf_counter() + max(0.0, self.seconds - self.used) * slowness


def measure_slowness() -> float:
    """Return how many seconds a second of the processor takes at the moment, at least 1."""
    wall, cpu = perf_counter(), process_time()
    while process_time() - cpu < SPIN:
        pass
    return max(1.0, (perf_counter() - wall) / SPIN)


def run_contender(position: Position, contender: Contender, seconds: float, *, stop_at_cap: bool = False) -> Yield:
    """Run a sampler in a position (steps 2 and 3); `seconds` are those of the processor."""
    clock = ProcessorClock(seconds)
    found, states, capped, attempt = set[int](), 0, None, 0
    sampler: Sampler | None = None
    while not clock.is_over and len(found) < (position.size or MOST):
        count = min(CAP << attempt, MOST)
        if sampler is None:
            in_time = True
            asked = MOST if contender.grows else count
            sampler = SAMPLERS.make(
                contender.spec, SamplerContext(position.game.machine, position.role, asked, attempt)
            )
            before = states
        deadline = clock.deadline
        with suppress(TooManyWorlds):
            found.update(_ask(sampler, position, count if in_time else None, deadline))
        in_time = perf_counter() < deadline
        states = before + sampler.cost.states_visited
        if capped is None and len(found) >= position.wanted:
            capped = states, clock.used
            if stop_at_cap:
                break
        attempt += 1
        sampler = sampler if contender.grows else None
    return Yield(
        min(len(found), position.wanted),
        len(found),
        states if capped is None else capped[0],
        states,
        None if capped is None else capped[1],
    )


def _play_at_random(game: Game, rng: np.random.Generator, most: int | None) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Return [T, R] a game, at most `most` rounds of it, and its decisions after the first: (earlier rounds, role)."""
    machine, state = game.machine, game.machine.initial_states()
    history, decisions = list[list[int]](), list[tuple[int, int]]()
    while not machine.terminal(state)[0] and (most is None or len(history) <= most):
        legal = [np.flatnonzero(bits[0]) for bits in machine.legal_bits(machine.judge(state))]
        for role, moves in enumerate(legal):
            if history and len(moves) > 1 and game.roles[role] != "random":
                decisions.append((len(history), role))
        history.append([int(rng.choice(moves)) for moves in legal])
        state = machine.step(state, np.array(history[-1:])).states
    return np.array(history), decisions


def _ask(sampler: Sampler, position: Position, count: int | None, deadline: float) -> list[int]:
    """Return keys of the histories that a sampler finds; it first observes the rounds that are new.

    Without a count, an earlier deadline has ended its search: it searches on, and all that it has found are returned.
    """
    try:
        for entry in position.told[sampler.rounds :]:
            if perf_counter() >= deadline:
                return []
            sampler.observe(*entry, deadline)
        if count is None and isinstance(sampler, SearchesOn):
            sampler.search_on(deadline)
        keys: list[int] = history_keys(sampler.worlds(count, np.random.default_rng(0)).histories).tolist()
        return keys
    except NoConsistentHistory as nothing:
        if nothing.proved:  # the true history is possible
            raise
        return []


def _count_infoset(game: Game, role: int, told: list[tuple[int, np.ndarray, bool]]) -> int | None:
    sampler = SAMPLERS.make(f"asp:models=list,samples={COUNTED}", SamplerContext(game.machine, role))
    for entry in told:
        sampler.observe(*entry)
    return sampler.worlds(None, np.random.default_rng(0)).size
