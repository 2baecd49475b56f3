"""Drivers: they run the players of a match, give them what the match says, and bring back what they answer.

`LocalDriver` calls players one after the other, `ThreadDriver` all players of a round at the same time, `WireDriver`
those that are elsewhere at the same time as the others; `executors.IsolatedDriver` has them in processes of their own.
The moves do not depend on it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import Any, Protocol, TypeVar

from veil.errors import VeilError, fail
from veil.match.config import MatchConfig
from veil.match.seats import Lineup, check_needs
from veil.match.table import MAX_TEXT, Reply
from veil.players import (
    NETWORK,
    PERSON,
    PLAYERS,
    HearsRounds,
    IsElsewhere,
    MeetsPerson,
    Observation,
    Player,
    Request,
    Seat,
    SeesTrueState,
    TakesLegalMoves,
    find_needs,
    make_player,
    needs_of_spec,
)
from veil.signals import OutOfProcessorTime, interruptible

T = TypeVar("T")


class Driver(Protocol):
    """Whoever runs the players of a match."""

    @property
    def needs(self) -> Mapping[str, frozenset[str]]:
        """By role: what its player is given beyond its observations."""

    @property
    def players(self) -> Mapping[str, Player]:
        """By role: the players that are in this process."""

    def start(self, seats: Mapping[str, Seat]) -> dict[str, Reply]:
        """Let every player get ready. Raises `VeilError` where the user has to repair something first."""

    def ask(self, requests: Mapping[str, Request]) -> dict[str, Reply]:
        """One answer for every request."""

    def stop(self, observations: Mapping[str, Observation | None]) -> dict[str, Reply]:
        """Tell these players that the match is over."""

    def close(self) -> None:
        """End whatever was started for the match."""


class LocalDriver:
    """Players in this process, called one after the other."""

    def __init__(self, players: Mapping[str, Player], ready: Mapping[str, Player], config: MatchConfig) -> None:
        """`ready` are those of the players that came ready-made: when one cannot start, that is an error of the player,
        and nothing that the user has to repair.
        """
        self.players, self.ready, self.config = players, ready, config
        self.making: dict[str, float] = {}  # seconds that it took to make each of the others: they start with that
        self.needs: dict[str, frozenset[str]] = {role: find_needs(player) for role, player in players.items()}

    def start(self, seats: Mapping[str, Seat]) -> dict[str, Reply]:
        """Let every player get ready."""
        return self._for_each(self._start, seats)

    def ask(self, requests: Mapping[str, Request]) -> dict[str, Reply]:
        """One answer for every request."""
        return self._for_each(self._ask, requests)

    def tell(self, role: str, request: Request) -> None:
        """Let a player hear a round whose move is known already; one that cannot hear is asked, and not listened to."""
        player = self.players[role]
        try:
            if isinstance(player, HearsRounds):
                player.hear(request.observation)
            else:
                play_request(player, request)
        except BaseException as fault:
            pass_signals(fault)

    def stop(self, observations: Mapping[str, Observation | None]) -> dict[str, Reply]:
        """Tell these players that the match is over."""
        return self._for_each(self._stop, observations)

    def close(self) -> None:
        """Let players who are elsewhere know, if the match was not played to its end."""
        for player in self.players.values():
            if isinstance(player, IsElsewhere):
                player.close()

    def _for_each(self, call: Callable[[str, T], Reply], values: Mapping[str, T]) -> dict[str, Reply]:
        return {role: call(role, value) for role, value in values.items()}

    def _start(self, role: str, seat: Seat) -> Reply:
        clock, error = perf_counter() - self.making.get(role, 0.0), None
        try:
            self.players[role].start(seat)
        except VeilError:
            if role not in self.ready:
                raise  # the user can repair it: a policy for other rules, a tree that is too large
            error = "it could not start"
        except BaseException as fault:
            error = f"it could not start: {describe(pass_signals(fault))}"
        return Reply(error=error, seconds=perf_counter() - clock)

    def _ask(self, role: str, request: Request) -> Reply:
        player, clock = self.players[role], perf_counter()
        try:
            move = play_request(player, request)
        except BaseException as fault:
            pass_signals(fault)
            if self.needs[role] & {PERSON, NETWORK} and isinstance(fault, VeilError):
                raise  # nobody answers for the role any more
            return Reply(error=describe(fault), seconds=self._measure(role, clock))
        seconds = self._measure(role, clock)
        if not self.config.reports:
            return Reply(move, seconds=seconds)
        try:
            return Reply(move, seconds=seconds, report=plain_report(player.report()))
        except BaseException as fault:
            return Reply(error=f"report: {describe(pass_signals(fault))}", seconds=seconds)

    def _measure(self, role: str, clock: float) -> float:
        """The seconds since then; of a player elsewhere, those since the connection stood."""
        player = self.players[role]
        known = player.answer_seconds if isinstance(player, IsElsewhere) else None
        return perf_counter() - clock if known is None else known

    def _stop(self, role: str, observation: Observation | None) -> Reply:
        try:
            self.players[role].stop(observation)
        except BaseException as fault:
            return Reply(error=type(pass_signals(fault)).__name__)
        return Reply()


class ThreadDriver(LocalDriver):
    """Players in threads of this process: all that are asked in a round think at the same time."""

    def __init__(self, players: Mapping[str, Player], ready: Mapping[str, Player], config: MatchConfig) -> None:
        super().__init__(players, ready, config)
        self._pool = ThreadPoolExecutor(max(1, len(players)))

    def close(self) -> None:
        """Let the threads end, too."""
        super().close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _for_each(self, call: Callable[[str, T], Reply], values: Mapping[str, T]) -> dict[str, Reply]:
        """Persons are asked in this thread, so that Ctrl-C is heard while they think."""
        there = {role for role in values if PERSON in self.needs[role]}
        futures: dict[str, Future[Reply]] = {
            role: self._pool.submit(call, role, value) for role, value in values.items() if role not in there
        }
        here = {role: call(role, value) for role, value in values.items() if role in there}
        with interruptible():
            return {role: here[role] if role in there else futures[role].result() for role in values}


class WireDriver(LocalDriver):
    """Some players are elsewhere: they are asked first, in threads, and wait for nobody; then the others, here."""

    def _for_each(self, call: Callable[[str, T], Reply], values: Mapping[str, T]) -> dict[str, Reply]:
        """A thread does not outlive the command: Ctrl-C is heard, and ends it, while nobody answers."""
        futures: dict[str, Future[Reply]] = {
            role: _call_in_thread(call, role, value) for role, value in values.items() if NETWORK in self.needs[role]
        }
        here = {role: call(role, value) for role, value in values.items() if role not in futures}
        with interruptible():
            return {role: futures[role].result() if role in futures else here[role] for role in values}


def _call_in_thread(call: Callable[[str, T], Reply], role: str, value: T) -> Future[Reply]:
    future: Future[Reply] = Future()

    def run() -> None:
        try:
            future.set_result(call(role, value))
        except BaseException as fault:
            future.set_exception(fault)

    threading.Thread(target=run, name=f"asks {role}", daemon=True).start()
    return future


def make_local_driver(lineup: Lineup, config: MatchConfig) -> LocalDriver:
    """Make the players of a lineup that are not ready yet, and a driver for them in this process."""
    players: dict[str, Player] = {}
    making: dict[str, float] = {}
    for role, spec in lineup.specs.items():
        if role in lineup.ready:
            players[role] = lineup.ready[role]
            continue
        PLAYERS.row_of(spec).maker()  # imports its module, which is no time of the player
        clock = perf_counter()
        players[role] = make_player(spec, lineup.files)
        making[role] = perf_counter() - clock
    kind = ThreadDriver if config.threads else WireDriver if _is_elsewhere(players, lineup) else LocalDriver
    driver: LocalDriver = kind(players, lineup.ready, config)
    driver.making = making
    for role, player in players.items():
        if role not in lineup.ready:
            driver.needs[role] |= needs_of_spec(lineup.specs[role])
        check_needs(driver.needs[role], config)
        if PERSON in driver.needs[role]:
            introduce(player, role, lineup)
    return driver


def _is_elsewhere(players: Mapping[str, Player], lineup: Lineup) -> bool:
    """Whether one of these players is asked over the network."""
    specs = [spec for role, spec in lineup.specs.items() if role not in lineup.ready]
    needs = [*map(needs_of_spec, specs), *map(find_needs, players.values())]
    return any(NETWORK in need for need in needs)


def introduce(player: Player, role: str, lineup: Lineup) -> None:
    """Let a player that needs a person meet one. A ready-made player may have met somebody already."""
    if lineup.person is not None and isinstance(player, MeetsPerson):
        player.meet(lineup.person)
    elif role not in lineup.ready:
        raise fail("bad-seat", what=f"{lineup.specs[role]} needs a person, and nobody is there to play {role}")


def play_request(player: Player, request: Request) -> Any:
    """The answer of a player; before, it is given what the request holds beyond the observation."""
    if request.state is not None and isinstance(player, SeesTrueState):
        player.peek(request.state)
    if request.legal is not None and isinstance(player, TakesLegalMoves):
        player.offer(list(request.legal))
    return player.play(request.observation)


def plain_report(report: Any) -> dict[str, Any]:
    """What a player says about its move, if it can be written down and read again; numbers without a value are null."""
    if not isinstance(report, dict):
        raise TypeError(f"{type(report).__name__} is no dict")
    plain: dict[str, Any] = json.loads(json.dumps(report), parse_constant=lambda _: None)
    return plain


def pass_signals(fault: BaseException) -> BaseException:
    """What a player has raised, which may be anything; what ends the command is no fault of it, and is raised again."""
    if isinstance(fault, KeyboardInterrupt | OutOfProcessorTime):
        raise fault
    return fault


def describe(fault: BaseException) -> str:
    """What went wrong in a player, in one short line. An exception of a player's own may fail to say it."""
    try:
        what = str(fault)
    except Exception:
        what = "(it cannot be put into words)"
    return f"{type(fault).__name__}: {what}"[:MAX_TEXT]
