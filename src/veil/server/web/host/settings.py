"""Settings of the studio: address, limits, and the folder of its games."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from veil.limits import check_limit

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8645


def data_folder() -> Path:
    """Return `VEIL_STUDIO`, or else the usual folder for data of the user."""
    return Path(os.environ["VEIL_STUDIO"]) if "VEIL_STUDIO" in os.environ else usual_folder()


def usual_folder() -> Path:
    """Return the usual folder of the studio of this user."""
    base = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(base) / "veil" / "studio"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudioConfig:
    """Settings of the studio. The numbers limit what a browser can make this machine do."""

    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    folder: Path = field(default_factory=data_folder)  # own games, games that are being played, the token
    file: Path | None = None  # a rules file of the command line; it can be opened and saved
    results: Path = field(default_factory=Path.cwd)  # a folder whose logs and stores can be shown
    is_class: bool = False  # several people, each with a name and a space of their own
    certificate: Path | None = None  # a PEM file with certificate and key, for TLS
    behind: str = ""  # the address at which a proxy serves the studio, for example https://veil.example.org
    most_questions: int = 240  # of one person per minute, in a class
    max_body: int = 1 << 20  # bytes of a request
    max_rules: int = 500_000  # ground rules of a game
    ground_seconds: float = 15.0  # seconds for grounding a game
    max_memory: float = 4.0  # GB of address space of a worker
    check_seconds: float = 30.0  # seconds of a check while the user types
    job_seconds: float = 600.0  # seconds of work that a page watches
    move_seconds: float = 120.0  # seconds of the opponents' answers to one move, whatever their clocks say
    max_jobs: int = 4  # number of jobs at the same time; the others wait
    max_waiting: int = 64  # number of waiting jobs; more are refused
    max_tables: int = 32  # processes of games that are being played; the one that is idle longest makes room
    idle_seconds: float = 900.0  # after which such a process ends; the game is on disk
    max_sessions: int = 2000  # games stored on disk; the oldest are deleted
    max_games: int = 500  # rules saved in the library

    def __post_init__(self) -> None:
        for name in ("ground_seconds", "check_seconds", "job_seconds", "move_seconds", "idle_seconds"):
            check_limit("seconds", getattr(self, name), name)
        check_limit("gigabytes", self.max_memory, "max_memory")
        check_limit("rules", self.max_rules, "max_rules")
        for name in ("max_jobs", "max_tables"):
            check_limit("processes", getattr(self, name), name)
