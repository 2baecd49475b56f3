"""Drivers run the players of a match: they pass on the requests of the match and return the answers of the players.

`LocalDriver` calls players one after the other. `ThreadDriver` calls all players of a round at the same time.
`WireDriver` asks remote players at the same time as the local ones. `executors.IsolatedDriver` runs each player in a
process of its own. The moves do not depend on the driver.
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
    IsElsewhere,
    MeetsPerson,
    Observation,
    ObservesRounds,
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
    """An object that runs the players of a match."""

    @property
    def needs(self) -> Mapping[str, frozenset[str]]:
        """Role -> what its player gets beyond its observations."""

    @property
    def players(self) -> Mapping[str, Player]:
        """Role -> player, for the players in this process."""

    @property
    def walls(self) -> Mapping[str, list[str]]:
        """Role -> walls around the process of its player, for guests in processes of their own."""

    def start(self, seats: Mapping[str, Seat]) -> dict[str, Reply]:
        """Start every player. Raises `VeilError` for an error that the user has to correct."""

    def ask(self, requests: Mapping[str, Request]) -> dict[str, Reply]:
        """Return one answer for every request."""

    def stop(self, observations: Mapping[str, Observation | None]) -> dict[str, Reply]:
        """Tell these players that the match is over."""

    def close(self) -> None:
        """Release what was started for the match."""


class LocalDriver:
    """Players in this process, called one after the other."""

    def __init__(self, players: Mapping[str, Player], instances: Mapping[str, Player], config: MatchConfig) -> None:
        """Take the players by role. `instances` are the ready-made ones among them.

        If a ready-made player cannot start, that is an error of the player, and not of the user.
        """
        self.players, self.instances, self.config = players, instances, config
        self.walls: dict[str, list[str]] = {}  # none in this process
        self.making: dict[str, float] = {}  # seconds for making each other player; counted on its start clock
        self.needs: dict[str, frozenset[str]] = {role: find_needs(player) for role, player in players.items()}

    def start(self, seats: Mapping[str, Seat]) -> dict[str, Reply]:
        """Start every player."""
        return self._for_each(self._start, seats)

    def ask(self, requests: Mapping[str, Request]) -> dict[str, Reply]:
        """Return one answer for every request."""
        return self._for_each(self._ask, requests)

    def tell(self, role: str, request: Request) -> None:
        """Let a player observe a round whose move is known. Without `observe` it is asked, and its answer ignored."""
        player = self.players[role]
        try:
            if isinstance(player, ObservesRounds):
                player.observe(request.observation)
            else:
                play_request(player, request)
        except BaseException as fault:
            pass_signals(fault)

    def stop(self, observations: Mapping[str, Observation | None]) -> dict[str, Reply]:
        """Tell these players that the match is over."""
        return self._for_each(self._stop, observations)

    def close(self) -> None:
        """Close the remote players. They send a message if the match was not played to its end."""
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
            if role not in self.instances:
                raise  # an error of the user: a policy for other rules, a tree that is too large
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
                raise  # there is no more answer for this role
            return Reply(error=describe(fault), seconds=self._measure(role, clock))
        seconds = self._measure(role, clock)
        if not self.config.reports:
            return Reply(move, seconds=seconds)
        try:
            return Reply(move, seconds=seconds, report=plain_report(player.report()))
        except BaseException as fault:
            return Reply(error=f"report: {describe(pass_signals(fault))}", seconds=seconds)

    def _measure(self, role: str, clock: float) -> float:
        """Return the seconds since `clock`. For a remote player, the time of connecting is not counted."""
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
    """Players in threads of this process. All players that are asked in a round think at the same time."""

    def __init__(self, players: Mapping[str, Player], instances: Mapping[str, Player], config: MatchConfig) -> None:
        super().__init__(players, instances, config)
        self._pool = ThreadPoolExecutor(max(1, len(players)))

    def close(self) -> None:
        """Close the remote players and the threads."""
        super().close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _for_each(self, call: Callable[[str, T], Reply], values: Mapping[str, T]) -> dict[str, Reply]:
        """Call persons in this thread, so that Ctrl-C works while they think, and other players in other threads."""
        there = {role for role in values if PERSON in self.needs[role]}
        futures: dict[str, Future[Reply]] = {
            role: self._pool.submit(call, role, value) for role, value in values.items() if role not in there
        }
        here = {role: call(role, value) for role, value in values.items() if role in there}
        with interruptible():
            return {role: here[role] if role in there else futures[role].result() for role in values}


class WireDriver(LocalDriver):
    """A driver for matches with remote players. They are asked first, in threads; then the others, in this thread."""

    def _for_each(self, call: Callable[[str, T], Reply], values: Mapping[str, T]) -> dict[str, Reply]:
        """Call remote players in daemon threads, so that Ctrl-C can end the command before they answer."""
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
    """Make the players of a lineup that are not ready-made, and a driver for all of them in this process."""
    players: dict[str, Player] = {}
    making: dict[str, float] = {}
    for role, spec in lineup.specs.items():
        if role in lineup.instances:
            players[role] = lineup.instances[role]
            continue
        PLAYERS.row_of(spec).maker()  # imports its module, which is not counted as time of the player
        clock = perf_counter()
        players[role] = make_player(spec, lineup.files)
        making[role] = perf_counter() - clock
    kind = ThreadDriver if config.threads else WireDriver if _is_elsewhere(players, lineup) else LocalDriver
    driver: LocalDriver = kind(players, lineup.instances, config)
    driver.making = making
    for role, player in players.items():
        if role not in lineup.instances:
            driver.needs[role] |= needs_of_spec(lineup.specs[role])
        check_needs(driver.needs[role], config)
        if PERSON in driver.needs[role]:
            introduce(player, role, lineup)
    return driver


def _is_elsewhere(players: Mapping[str, Player], lineup: Lineup) -> bool:
    """Return whether one of these players is asked over the network."""
    specs = [spec for role, spec in lineup.specs.items() if role not in lineup.instances]
    needs = [*map(needs_of_spec, specs), *map(find_needs, players.values())]
    return any(NETWORK in need for need in needs)


def introduce(player: Player, role: str, lineup: Lineup) -> None:
    """Give a player the person that it needs. Refuse if there is none, unless the player is ready-made."""
    if lineup.person is not None and isinstance(player, MeetsPerson):
        player.meet(lineup.person)
    elif role not in lineup.instances:
        raise fail("bad-seat", what=f"{lineup.specs[role]} needs a person, and nobody is there to play {role}")


def play_request(player: Player, request: Request) -> Any:
    """Return the answer of a player. First give it the true state and the legal moves, if the request holds them."""
    if request.state is not None and isinstance(player, SeesTrueState):
        player.peek(request.state)
    if request.legal is not None and isinstance(player, TakesLegalMoves):
        player.offer(list(request.legal))
    return player.play(request.observation)


def plain_report(report: Any) -> dict[str, Any]:
    """Return the report of a player as JSON data, with None for NaN and infinity.

    Raise an exception if it is not a dict, or not JSON.
    """
    if not isinstance(report, dict):
        raise TypeError(f"{type(report).__name__} is no dict")
    plain: dict[str, Any] = json.loads(json.dumps(report), parse_constant=lambda _: None)
    return plain


def pass_signals(fault: BaseException) -> BaseException:
    """Return an exception of a player. Raise it again if it ends the command (Ctrl-C, no processor time left)."""
    if isinstance(fault, KeyboardInterrupt | OutOfProcessorTime):
        raise fault
    return fault


def describe(fault: BaseException) -> str:
    """Return one short line about an exception of a player. `str` of such an exception may fail."""
    try:
        what = str(fault)
    except Exception:
        what = "(it cannot be put into words)"
    return f"{type(fault).__name__}: {what}"[:MAX_TEXT]
