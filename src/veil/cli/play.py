"""`veil play`: play against the machine in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from veil.cli.match import AllowCheat, PlayClock, Players, StartClock, parse_seats
from veil.cli.options import (
    MAX_MEMORY,
    MAX_RULES,
    MAX_SECONDS,
    GameName,
    Json,
    MaxMemory,
    MaxRules,
    MaxSeconds,
    Seed,
    load_game,
)
from veil.cli.output import busy, labelled
from veil.cli.replay import explained
from veil.errors import fail

As = Annotated[str, typer.Option("--as", metavar="ROLE", help="The role you play.")]
Against = Annotated[str, typer.Option(metavar="SPEC", help="Who plays the roles that have no --player.")]
Explain = Annotated[bool, typer.Option("--explain", help="Afterwards, show what the others thought.")]


def play(
    game: GameName,
    as_role: As,
    against: Against = "hyperplay",
    player: Players = None,
    start_clock: StartClock = None,
    play_clock: PlayClock = None,
    allow_cheat: AllowCheat = False,
    explain: Explain = False,
    json: Json = False,
    seed: Seed = 0,
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Play a role yourself; you are told what the role is told, and nothing else."""
    if json:
        raise fail("bad-seat", what="a human cannot play where only JSON is printed; `veil match --json` can")
    seats = parse_seats(player or [])
    loaded = load_game(game, max_rules, max_seconds, max_memory)
    from veil.match.referee import MatchConfig, check_seats, derived_seed, run_match
    from veil.vocabulary import RANDOM

    own = loaded.rules.show(loaded.role_term(as_role))
    if own == RANDOM:
        raise fail("bad-seat", what="random is played by the referee")
    named = {loaded.rules.show(loaded.role_term(role)): spec for role, spec in seats.items()}
    if own in named:
        raise fail("bad-seat", what=f"{own} is you, and cannot have another player")
    others = dict.fromkeys((role for role in loaded.roles if role not in (RANDOM, own)), against)
    config = MatchConfig(start_seconds=start_clock, play_seconds=play_clock, allow_cheat=allow_cheat, reports=explain)
    checked = check_seats(loaded, others | named | {own: "human"}, config)
    with busy(f"preparing {loaded.name}"):
        _ = loaded.machine
    record = run_match(loaded, checked, derived_seed(seed, 0), config)
    last = record.rounds[-1].sees[own] if record.rounds else []
    if last:
        print(f"{own} sees {' '.join(last)}")
    print(f"the game is over: {', '.join(f'{role} {goal}' for role, goal in record.goals.items())}")
    if explain:
        for number, entry in enumerate(record.rounds, 1):
            for role in checked:
                if role != own and entry.reports.get(role):
                    print(labelled(f"{number}. {role}", f"played {entry.moves[role]}", 16))
                    print("\n".join(explained(entry.reports[role])))
