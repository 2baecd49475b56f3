"""The settings of a match: clocks, tolerated errors, limits, and where players run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from veil.limits import check_limit

GRACE = 0.05  # seconds by which an answer may exceed the clock, by default
USUAL = {"grace": GRACE, "scramble": False, "strangers": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """The settings of a match."""

    start_seconds: float | None = None
    play_seconds: float | None = None
    max_errors: int = 3  # a player with more errors forfeits
    max_rounds: int = 10_000
    allow_cheat: bool = False
    isolated: bool = False  # each player runs in a process of its own
    max_memory: float = 4.0  # GB of such a process
    reports: bool = False  # keep the reports of players about their moves
    threads: bool = False  # players run in threads of this process; the moves are the same
    grace: float = GRACE  # seconds by which an answer may exceed the clock
    scramble: bool = False  # replace the words of the rules for players over the network
    strangers: bool = False  # guests are let in with all walls only, and whatever their code raises is their error

    def __post_init__(self) -> None:
        for name in ("start_seconds", "play_seconds"):
            value = getattr(self, name)
            if value is not None:
                check_limit("seconds", value, name)
        check_limit("errors", self.max_errors, "max_errors")
        check_limit("rounds", self.max_rounds, "max_rounds")
        check_limit("gigabytes", self.max_memory, "max_memory")
        check_limit("grace", self.grace, "grace")

    def settings(self) -> dict[str, Any]:
        """Return the settings that the log of a match contains."""
        return {
            "start_seconds": self.start_seconds,
            "play_seconds": self.play_seconds,
            "max_errors": self.max_errors,
            "isolated": self.isolated,
        }

    def identity(self) -> dict[str, Any]:
        """Return the settings that results depend on. A tournament combines only matches with equal ones."""
        identity = {name: value for name, value in asdict(self).items() if name != "threads"}
        # Usual values are left out, so that older stores, which do not have these settings, remain valid.
        return {name: value for name, value in identity.items() if USUAL.get(name) != value}
