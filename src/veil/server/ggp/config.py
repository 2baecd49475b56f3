"""Settings of a served player: which player, where, in how many matches, with which clocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal

from veil.errors import fail
from veil.limits import LIMITS, beyond, check_limit
from veil.players import NO_FILES, PERSON, PLAYERS, TRUE_STATE, Files, needs_of_spec

AUTO: Literal["auto"] = "auto"
NAME = "Veil"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """Settings of a served player."""

    player: str  # its spec
    host: str = "127.0.0.1"
    port: int = 9147  # 0: any free port
    dialect: Literal["auto", "A", "B", "C"] = AUTO
    matches: int = 1  # at the same time
    margin: float = 0.5  # seconds of every clock that are reserved for the network; at most half of the clock
    patience: float = 60.0  # seconds beyond the clocks after which a silent manager is lost
    isolated: bool = False  # whether players run in their own processes
    name: str = ""  # the answer to INFO
    cors: bool = False  # whether pages of any site may command the player
    seed: int = 0
    files: Files = field(default_factory=lambda: NO_FILES)  # files that the player is made from

    def __post_init__(self) -> None:
        needs = needs_of_spec(self.player)
        PLAYERS.parse(self.player)
        if TRUE_STATE in needs:
            raise fail("no-cheating")
        if PERSON in needs:
            raise fail("bad-option", what="a person cannot be served to game managers")
        check_limit("port", self.port, "port")
        if self.dialect not in (AUTO, "A", "B", "C"):
            raise fail("bad-option", what=f"dialect must be auto, A, B or C, not {self.dialect}")
        check_limit("processes", self.matches, "matches")
        check_limit("seconds", self.patience, "patience")
        check_limit("seed", self.seed, "seed")
        if not LIMITS["grace"].holds(self.margin):
            raise beyond(LIMITS["grace"], self.margin, "margin")

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can connect."""
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def shown_name(self) -> str:
        """One word for INFO."""
        name = self.name or f"{NAME}-{self.player.partition(':')[0]}"
        return "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "_" for char in name)[:60]

    def think(self, clock: float) -> float:
        """Return the seconds that a player may use of a clock."""
        return clock - min(self.margin, clock / 2)
