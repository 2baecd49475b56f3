"""Drivers: they run the players of a match, give them what the match says, and bring back what they answer.

`LocalDriver` calls players one after the other, `ThreadDriver` all players of a round at the same time;
`executors.IsolatedDriver` has them in processes of their own. The moves do not depend on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import Any, Protocol, TypeVar

from veil.errors import VeilError, fail
from veil.match.config import MatchConfig
from veil.match.seats import Lineup, check_needs
from veil.match.table import MAX_TEXT, Reply
from veil.players import PERSON, Observation, Player, Request, Seat, make_player, needs_of, needs_of_spec

T = TypeVar("T")
FAULTS = (Exception, SystemExit)  # of a player; Ctrl-C is none


class Driver(Protocol):
    """Whoever runs the players of a match."""

    @property
    def needs(self) -> Mapping[str, frozenset[str]]:
        """By role: what its player is given beyond its observations."""

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
        """Some of the `players` are `ready`-made: those of a user who is not at fault when one of them cannot start."""
        self.players, self.ready, self.config = players, ready, config
        self.needs: dict[str, frozenset[str]] = {role: needs_of(player) for role, player in players.items()}

    def start(self, seats: Mapping[str, Seat]) -> dict[str, Reply]:
        """Let every player get ready."""
        return self._for_each(self._start, seats)

    def ask(self, requests: Mapping[str, Request]) -> dict[str, Reply]:
        """One answer for every request."""
        return self._for_each(self._ask, requests)

    def stop(self, observations: Mapping[str, Observation | None]) -> dict[str, Reply]:
        """Tell these players that the match is over."""
        return self._for_each(self._stop, observations)

    def close(self) -> None:
        """Nothing was started."""

    def _for_each(self, call: Callable[[str, T], Reply], values: Mapping[str, T]) -> dict[str, Reply]:
        return {role: call(role, value) for role, value in values.items()}

    def _start(self, role: str, seat: Seat) -> Reply:
        clock, error = perf_counter(), None
        try:
            self.players[role].start(seat)
        except VeilError:
            if role not in self.ready:
                raise  # the user can repair it: a policy for other rules, a tree that is too large
            error = "it could not start"
        except FAULTS as fault:
            error = f"it could not start: {describe(fault)}"
        return Reply(error=error, seconds=perf_counter() - clock)

    def _ask(self, role: str, request: Request) -> Reply:
        player, clock = self.players[role], perf_counter()
        try:
            move = play_request(player, request)
        except FAULTS as fault:
            if PERSON in self.needs[role] and isinstance(fault, VeilError):
                raise  # nobody answers for the role any more
            return Reply(error=describe(fault), seconds=perf_counter() - clock)
        seconds = perf_counter() - clock
        if not self.config.reports:
            return Reply(move, seconds=seconds)
        try:
            return Reply(move, seconds=seconds, report=plain_report(player.report()))
        except FAULTS as fault:
            return Reply(error=f"report: {describe(fault)}", seconds=seconds)

    def _stop(self, role: str, observation: Observation | None) -> Reply:
        try:
            self.players[role].stop(observation)
        except FAULTS as fault:
            return Reply(error=type(fault).__name__)
        return Reply()


class ThreadDriver(LocalDriver):
    """Players in threads of this process: all that are asked in a round think at the same time."""

    def __init__(self, players: Mapping[str, Player], ready: Mapping[str, Player], config: MatchConfig) -> None:
        super().__init__(players, ready, config)
        self._pool = ThreadPoolExecutor(max(1, len(players)))

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _for_each(self, call: Callable[[str, T], Reply], values: Mapping[str, T]) -> dict[str, Reply]:
        """Persons are asked in this thread, so that Ctrl-C is heard while they think."""
        there = {role for role in values if PERSON in self.needs[role]}
        futures: dict[str, Future[Reply]] = {
            role: self._pool.submit(call, role, value) for role, value in values.items() if role not in there
        }
        here = {role: call(role, value) for role, value in values.items() if role in there}
        return {role: here[role] if role in there else futures[role].result() for role in values}


def make_local_driver(lineup: Lineup, config: MatchConfig) -> LocalDriver:
    """Make the players of a lineup that are not ready yet, and a driver for them in this process."""
    players = {
        role: lineup.ready[role] if role in lineup.ready else make_player(spec, lineup.files)
        for role, spec in lineup.specs.items()
    }
    driver = (ThreadDriver if config.threads else LocalDriver)(players, lineup.ready, config)
    for role, player in players.items():
        if role not in lineup.ready:
            driver.needs[role] |= needs_of_spec(lineup.specs[role])
        check_needs(driver.needs[role], config)
        if PERSON in driver.needs[role]:
            introduce(player, role, lineup)
    return driver


def introduce(player: Any, role: str, lineup: Lineup) -> None:
    """Let a player that needs a person meet one. A ready-made player may have met somebody already."""
    if lineup.person is not None:
        player.meet(lineup.person)
    elif role not in lineup.ready:
        raise fail("bad-seat", what=f"{lineup.specs[role]} needs a person, and nobody is there to play {role}")


def play_request(player: Any, request: Request) -> Any:
    """The answer of a player; before, it is given what the request holds beyond the observation."""
    if request.state is not None:
        player.peek(request.state)
    offer = getattr(player, "offer", None)  # a player from a file need not take the offer
    if request.legal is not None and offer is not None:
        offer(list(request.legal))
    return player.play(request.observation)


def plain_report(report: Any) -> dict[str, Any]:
    """What a player says about its move, if it can be written down and read again; numbers without a value are null."""
    if not isinstance(report, dict):
        raise TypeError(f"{type(report).__name__} is no dict")
    plain: dict[str, Any] = json.loads(json.dumps(report), parse_constant=lambda _: None)
    return plain


def describe(fault: BaseException) -> str:
    """What went wrong in a player, in one short line."""
    return f"{type(fault).__name__}: {fault}"[:MAX_TEXT]
