"""The players and clocks of matches: options of the commands that play matches, and texts about errors of players."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import randbelow
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import Options
from veil.cli.options import limited_number, list_names
from veil.errors import fail
from veil.match import GRACE
from veil.players import PLAYERS

if TYPE_CHECKING:
    from veil.match import MatchConfig, MatchLog

MAX_RANDOM_SEED = 10**6  # short enough to type
SPECS = f"{list_names(PLAYERS)}; `veil players` has their options"

Players = Annotated[list[str] | None, typer.Option("--player", metavar="ROLE=SPEC", help=f"Who plays a role: {SPECS}.")]
StartClock = Annotated[
    float | None, limited_number("seconds", help="Seconds to get ready; by default, as long as the budgets take.")
]
PlayClock = Annotated[
    float | None,
    limited_number(
        "seconds", help="Seconds per move; --grace more are no error. By default, as long as the budgets take."
    ),
]
Grace = Annotated[float, limited_number("grace", help="Seconds by which an answer may be late without an error.")]
Scramble = Annotated[
    bool, typer.Option("--scramble", help="Tell remote players other words for those of the rules, per match.")
]
AllowCheat = Annotated[bool, typer.Option("--allow-cheat", help="Let `cheat` see the true state.")]
PersonSeed = Annotated[
    int | None,
    limited_number(
        "seed", "--seed", help="Seed of every random choice; if a person plays, a random one, which is printed."
    ),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Every player in a process of its own.")]


@dataclass(kw_only=True)
class Terms(Options):
    """The options for clocks and for what players may do."""

    start_clock: StartClock = None
    play_clock: PlayClock = None
    allow_cheat: AllowCheat = False
    grace: Grace = GRACE
    scramble: Scramble = False

    def make_config(self, **more: bool) -> MatchConfig:
        """Return the options as a config of matches. `more` are further fields of the config."""
        from veil.match import MatchConfig  # help needs none of it

        return MatchConfig(
            start_seconds=self.start_clock,
            play_seconds=self.play_clock,
            allow_cheat=self.allow_cheat,
            grace=self.grace,
            scramble=self.scramble,
            **more,
        )


def choose_seed(seed: int | None, *, person: bool) -> int:
    """Return the given seed. Without one, return a random seed if a person plays, and 0 otherwise."""
    if seed is not None:
        return seed
    return randbelow(MAX_RANDOM_SEED) if person else 0


def parse_seats(texts: list[str]) -> dict[str, str]:
    """Return role -> spec, from texts such as `white=hyperplay:models=50`."""
    seats: dict[str, str] = {}
    for text in texts:
        role, equals, spec = (part.strip() for part in text.partition("="))
        if not equals or not role or not spec:
            raise fail("not-a-seat", text=text[:60])
        if role in seats:
            raise fail("seat-taken", role=role)
        seats[role] = spec
    return seats


def describe_failings(played: list[MatchLog], role: str) -> list[str]:
    """Return texts about the errors and forfeits of the player of a role."""
    errors = [entry.errors[role] for log in played for entry in log.rounds if role in entry.errors]
    forfeits = sum(role in log.forfeited for log in played)
    texts = []
    if errors:
        texts.append(f"{len(errors):,} errors, the first: {errors[0]}" if len(errors) > 1 else f"1 error: {errors[0]}")
    if forfeits:
        texts.append("forfeited" if len(played) == 1 else f"forfeited {forfeits:,} of {len(played):,} matches")
    return texts
