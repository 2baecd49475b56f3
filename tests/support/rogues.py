"""Players that misbehave, for processes of their own.

A process of an `IsolatedDriver` makes its player from the table `PLAYERS`. A `RogueSpec` is a text that travels there
and lets the rogues into the table when it arrives; in the process of the tests a fixture lets them in for one test.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veil.players.contract import Observation, Seat
from veil.players.roster import PLAYERS
from veil.players.simple import NoConfig as NoConfig
from veil.registry import Row


class RogueSpec(str):
    """The name of a rogue."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return arrive, (str(self),)


def arrive(text: str) -> RogueSpec:
    """The other end of a pickle."""
    for name, row in ROWS.items():
        PLAYERS.rows[name] = row
    return RogueSpec(text)


class Rogue:
    def __init__(self, config: NoConfig) -> None:
        del config

    def start(self, seat: Seat) -> None:
        del seat

    def play(self, observation: Observation | None) -> Any:
        raise NotImplementedError

    def stop(self, observation: Observation | None) -> None:
        del observation

    def report(self) -> dict[str, Any]:
        return {}


class Sleeper(Rogue):
    def play(self, observation: Observation | None) -> str:
        time.sleep(3600)
        return "noop"


class Thrower(Rogue):
    """A harmless one, for the game of dice."""

    def play(self, observation: Observation | None) -> str:
        return "(throw 3)"


class LateSleeper(Thrower):
    """Plays its first move in time."""

    def play(self, observation: Observation | None) -> str:
        if observation is not None:
            time.sleep(3600)
        return super().play(observation)


class StartSleeper(Rogue):
    def start(self, seat: Seat) -> None:
        time.sleep(3600)


class Leaver(Rogue):
    def play(self, observation: Observation | None) -> str:
        os._exit(0)


class StartLeaver(Rogue):
    def start(self, seat: Seat) -> None:
        os._exit(3)


class Exiter(Rogue):
    def play(self, observation: Observation | None) -> str:
        raise SystemExit


class Hoarder(Rogue):
    """Takes memory without end, and keeps it."""

    hoard: list[bytearray] = []  # noqa: RUF012

    def play(self, observation: Observation | None) -> str:
        while True:
            self.hoard.append(bytearray(64 << 20))


class StartRaiser(Rogue):
    def start(self, seat: Seat) -> None:
        raise ValueError("not today")


class Unspeakable(Rogue):
    """Answers what cannot be sent."""

    def play(self, observation: Observation | None) -> Any:
        return lambda: "noop"


class ReportSleeper(Rogue):
    def play(self, observation: Observation | None) -> str:
        return "noop"

    def report(self) -> dict[str, Any]:
        time.sleep(3600)
        return {}


@dataclass(frozen=True)
class MeetingConfig:
    folder: str = ""


class Meeting(Rogue):
    """Answers when the other one has been asked as well."""

    def __init__(self, config: MeetingConfig) -> None:
        self.folder, self.rounds = Path(config.folder), 0

    def start(self, seat: Seat) -> None:
        self.role = seat.role

    def play(self, observation: Observation | None) -> str:
        self.rounds += 1
        (self.folder / f"{self.role} {self.rounds}").touch()
        other = self.folder / f"{'bob' if self.role == 'ann' else 'ann'} {self.rounds}"
        end = time.monotonic() + 20
        while not other.exists():
            if time.monotonic() > end:
                return "nobody came"
            time.sleep(0.01)
        return "(throw 1)"


ROGUES = {
    "sleeper": Sleeper,
    "thrower": Thrower,
    "late_sleeper": LateSleeper,
    "start_sleeper": StartSleeper,
    "leaver": Leaver,
    "start_leaver": StartLeaver,
    "exiter": Exiter,
    "hoarder": Hoarder,
    "start_raiser": StartRaiser,
    "unspeakable": Unspeakable,
    "report_sleeper": ReportSleeper,
}
ROWS = {name: Row(__name__, "NoConfig", rogue.__name__, "misbehaves") for name, rogue in ROGUES.items()}
ROWS["meeting"] = Row(__name__, "MeetingConfig", "Meeting", "waits for the other one")
