"""How a match is held: clocks, errors that are forgiven, limits, where players run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from veil.limits import check_limit

GRACE = 0.05  # seconds that an answer may be late without being so, unless more are forgiven
USUAL = {"grace": GRACE, "scramble": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """How a match is held."""

    start_seconds: float | None = None
    play_seconds: float | None = None
    max_errors: int = 3  # more, and the player forfeits
    max_rounds: int = 10_000
    allow_cheat: bool = False
    isolated: bool = False  # players in processes of their own
    max_memory: float = 4.0  # GB of such a process
    reports: bool = False  # keep what players say about their moves
    threads: bool = False  # players in threads of this process; the moves are the same
    grace: float = GRACE  # seconds that an answer may be late without being so
    scramble: bool = False  # other words for those of the rules, to players over the network

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
        """What is written into the log of a match."""
        return {
            "start_seconds": self.start_seconds,
            "play_seconds": self.play_seconds,
            "max_errors": self.max_errors,
            "isolated": self.isolated,
        }

    def identity(self) -> dict[str, Any]:
        """What the results of a tournament depend on: matches that differ in it are not counted together."""
        identity = {name: value for name, value in asdict(self).items() if name != "threads"}
        # Results that were kept before these could be set are the same results.
        return {name: value for name, value in identity.items() if USUAL.get(name) != value}
