"""`veil play`: play against the machine in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.match import AllowCheat, PlayClock, Players, StartClock, failings, parse_seats
from veil.cli.options import (
    MAX_MEMORY,
    MAX_RULES,
    MAX_SECONDS,
    GameName,
    MaxMemory,
    MaxRules,
    MaxSeconds,
    Seed,
    load_game,
)
from veil.cli.output import busy, column, labelled
from veil.cli.replay import explained, in_place_of
from veil.errors import fail

if TYPE_CHECKING:
    from veil.match import MatchLog

As = Annotated[str, typer.Option("--as", metavar="ROLE", help="The role you play.")]
Against = Annotated[str, typer.Option(metavar="SPEC", help="Who plays the roles that have no --player.")]
Explain = Annotated[bool, typer.Option("--explain", help="Afterwards, show what the others thought.")]
NoJson = Annotated[bool, typer.Option("--json", help="Refused: people do not play in JSON; `veil match` has it.")]


def play(
    game: GameName,
    as_role: As,
    against: Against = "hyperplay",
    player: Players = None,
    start_clock: StartClock = None,
    play_clock: PlayClock = None,
    allow_cheat: AllowCheat = False,
    explain: Explain = False,
    json: NoJson = False,
    seed: Seed = 0,
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Play a role yourself; you are told what the role is told, and nothing else."""
    if json:
        raise fail("bad-option", what="a human cannot play where only JSON is printed; `veil match --json` can")
    seats = parse_seats(player or [])
    loaded = load_game(game, max_rules, max_seconds, max_memory)
    from veil.cli.terminal import ask_person
    from veil.match import MatchConfig, check_seats, run_match
    from veil.streams import match_seed
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
    log = run_match(loaded, checked, match_seed(seed, 0), config, person=ask_person)
    last = log.rounds[-1].sees[own] if log.rounds else []
    if last:
        print(f"{own} sees {' '.join(last)}")
    over = "the game is over" if log.finished else "the game is ended by the limit of rounds"
    print(f"{over}: {', '.join(f'{role} {goal}' for role, goal in log.goals.items())}")
    for role in checked:
        for text in failings([log], role):
            print(f"{role}: {text}")
    if explain:
        for line in _thoughts(log, own):
            print(line)


def _thoughts(log: MatchLog, own: str) -> list[str]:
    """What the others said about their moves, and where they erred."""
    told = [
        (f"{number}. {role}", entry, role)
        for number, entry in enumerate(log.rounds, 1)
        for role in log.players
        if role != own and (entry.reports.get(role) or role in entry.errors)
    ]
    wide = column(label for label, _, _ in told)
    lines = []
    for label, entry, role in told:
        lines.append(labelled(label, f"played {entry.moves[role]}{in_place_of(entry, role)}", wide))
        lines += [labelled("", text, wide) for text in explained(entry.reports.get(role))]
    return lines
