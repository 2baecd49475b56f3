"""`ShardCrew`: the shards of a pass on an executor, such as the workers of a cluster.

1. Shards go out in groups of about equal work, several per worker. A group is the numbers of its shards.
2. A worker prepares the game once, while the caller does. Once per pass it needs the game's rules and the probabilities
   of all moves that the other roles play: the first groups carry them, and a worker that has another group, but not
   these, says so and is sent both. An iteration of CFR plays few moves, so they are a small part of the policy.
3. What comes back is what the role's moves in the shards win, a part of the slots that no other shard changes.

So nothing depends on who walks which shard, and a worker that dies costs the group it was at: the executor gives it to
another one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from uuid import uuid4

import numpy as np

from veil.caches import BoundedCache
from veil.engine import Game
from veil.equilibrium.sequence_kernels import realize
from veil.equilibrium.streaming.walk import PATIENCE, ShardPass, Walk, prepare_walk
from veil.equilibrium.streaming.walk_kernels import Histories
from veil.parts import OptionalPart
from veil.signals import check_signals

GROUPS = 16  # per worker
MOST_GROUPS = 512
EARLY = 8  # workers, at least, that are asked to prepare a game before it is known how many there are


class PassStart(NamedTuple):
    """What a worker needs once per pass."""

    game: Game
    is_played: np.ndarray  # [S / 8] a bit for every move that the others may play, packed
    chances: np.ndarray  # the probabilities of these moves

    @property
    def nbytes(self) -> int:
        """The bytes of the policy."""
        return self.is_played.nbytes + self.chances.nbytes


class ShardOrder(NamedTuple):
    """A group of shards for a worker."""

    role: int
    run: str  # names the pass
    shards: np.ndarray  # [.] their numbers
    start: PassStart | None  # None: the worker may have it


class ShardAnswer(NamedTuple):
    """What a group of shards has found."""

    paid: np.ndarray  # [.] what each shard pays before the role's first move in it
    won: np.ndarray  # the slots of the shards, one after the other


class _KeptPass(NamedTuple):
    """A pass as a worker keeps it."""

    walk: Walk
    policy: np.ndarray  # [S]
    shards: np.ndarray  # [N, 5]
    held: Histories


_walks = BoundedCache[tuple[str, str], Walk](1)
_passes = BoundedCache[tuple[str, int], _KeptPass](1)


class ChangesWorkers(OptionalPart):
    """An executor that knows how many workers it has now."""

    @abstractmethod
    def count_workers(self) -> int:
        """Return that number, at least 1."""


@dataclass(slots=True)
class ShardCrew:
    """Workers that walk shards, and what was sent to them and back."""

    executor: Executor
    sent: int = 0  # bytes of policies
    received: int = 0  # bytes of results
    _names: str = field(default_factory=lambda: uuid4().hex)
    _passes: int = 0

    def count_workers(self, default: int) -> int:
        """Return the number of workers, `default` if the executor does not tell."""
        return self.executor.count_workers() if isinstance(self.executor, ChangesWorkers) else default

    def run(self, walk: Walk, given: ShardPass, sizes: np.ndarray) -> Iterator[tuple[np.ndarray, ShardAnswer]]:
        """Yield every group of shards with its answer; sizes [shards] are their steps."""
        self._passes += 1
        start = pack_policy(walk, given)
        name = f"{self._names} {self._passes}"
        workers = self.count_workers(walk.threads)
        groups = divide(given.walked, sizes, min(MOST_GROUPS, GROUPS * workers))
        waiting = dict[Future[ShardAnswer | None], np.ndarray]()

        def send(group: np.ndarray, *, is_first: bool) -> None:
            order = ShardOrder(given.role, name, group, start if is_first else None)
            self.sent += start.nbytes if is_first else 0
            waiting[self.executor.submit(walk_group, order)] = group

        try:
            for place, group in enumerate(groups):
                send(group, is_first=place < workers)
            while waiting:
                check_signals()
                done, _ = wait(waiting, PATIENCE, FIRST_COMPLETED)
                for future in done:
                    group, answer = waiting.pop(future), future.result()
                    if answer is None:
                        send(group, is_first=True)
                        continue
                    self.received += answer.paid.nbytes + answer.won.nbytes
                    yield group, answer
        finally:
            for future in waiting:
                future.cancel()


def prepare_on(executor: Executor | None, game: Game, progress: Callable[[int], None] = lambda _: None) -> Walk:
    """Return a game ready to be walked, by the workers of an executor if there is one; they prepare it meanwhile."""
    if executor is None:
        return prepare_walk(game, progress)
    crew = ShardCrew(executor)
    for _ in range(max(EARLY, crew.count_workers(1))):  # a worker that is asked twice has prepared it already
        executor.submit(prepare_here, game)
    return replace(prepare_walk(game, progress), crew=crew)


def prepare_here(game: Game) -> None:
    """Prepare a game on the worker on which this runs, if it is another one than before."""
    _find_walk(game)


def _find_walk(game: Game) -> Walk:
    """Return a prepared game."""
    key = (game.fingerprint, str(game.utility))
    return _walks.find(key) or _walks.keep(key, prepare_walk(game, threads=1, symmetries=False))


def divide(numbers: np.ndarray, sizes: np.ndarray, count: int) -> list[np.ndarray]:
    """Divide shards into at most `count` groups of about equal size, the largest first; sizes [shards]."""
    members: list[list[int]] = [[] for _ in range(min(count, len(numbers)))]
    loads = np.zeros(len(members))
    for number in numbers[np.argsort(-sizes[numbers], kind="stable")].tolist():
        place = int(loads.argmin())
        members[place].append(number)
        loads[place] += sizes[number]
    order = np.argsort(-loads, kind="stable").tolist()
    return [np.array(members[place], np.int64) for place in order]


def pack_policy(walk: Walk, given: ShardPass) -> PassStart:
    """Return the moves that the other roles may play, from the start on, with their probabilities."""
    form, reach = walk.form, np.zeros(walk.form.num_slots + len(walk.roles))
    reach[form.num_slots :] = 1.0
    for role in range(len(walk.roles)):
        if role != given.role:
            realize(form, role, given.policy, reach)
    is_played = reach[: form.num_slots] > 0.0
    return PassStart(walk.game, np.packbits(is_played), given.policy[is_played])


def walk_group(order: ShardOrder) -> ShardAnswer | None:
    """Walk a group of shards; None if the worker, on which this runs, lacks the start of the pass."""
    known = _passes.find((order.run, order.role))
    if known is None:
        if order.start is None:
            return None
        known = _passes.keep((order.run, order.role), _begin_pass(order.start, order.role))
    q = np.zeros(known.walk.form.num_slots + len(known.walk.roles))
    paid, won = np.zeros(len(order.shards)), [np.zeros(0)]
    for place, number in enumerate(order.shards.tolist()):
        check_signals()
        paid[place] = known.walk.walk_shard(order.role, known.policy, q, known.shards[number], known.held)
        won.append(q[known.walk.shard_range(order.role, known.shards[number])])
    return ShardAnswer(paid, np.concatenate(won))


def _begin_pass(start: PassStart, role: int) -> _KeptPass:
    """Return a pass with its shards; the game is prepared if it is another one than before."""
    walk = _find_walk(start.game)
    policy = np.zeros(walk.form.num_slots)
    policy[np.unpackbits(start.is_played, count=len(policy)).view(np.bool_)] = start.chances
    return _KeptPass(walk, policy, *walk.list_shards(role, policy))
