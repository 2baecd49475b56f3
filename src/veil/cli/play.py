"""`veil play`: play against the machine in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.seats import Players, Terms, describe_failings, parse_seats
from veil.cli.terminal import TerminalPerson
from veil.cli.thoughts import describe_report, describe_substitute
from veil.errors import fail
from veil.report import find_column, label_text
from veil.vocabulary import RANDOM

if TYPE_CHECKING:
    from veil.engine import Game
    from veil.match import MatchLog

As = Annotated[str, typer.Option("--as", metavar="ROLE", help="The role you play.")]
Against = Annotated[str, typer.Option(metavar="SPEC", help="Who plays the roles that have no --player.")]
Explain = Annotated[bool, typer.Option("--explain", help="Afterwards, show what the others thought.")]
NoJson = Annotated[bool, typer.Option("--json", help="Refused: people do not play in JSON; `veil match` has it.")]


@command
def play(
    call: GameCall,
    *,
    as_role: As,
    against: Against = "hyperplay",
    player: Players = None,
    terms: Terms,
    explain: Explain = False,
    json: NoJson = False,
) -> None:
    """Play a role yourself; you are told what the role is told, and nothing else."""
    from veil.match import check_seats, run_match
    from veil.streams import match_seed

    if json:
        raise fail("person-needs-text")
    specs = parse_seats(player or [])
    game = call.game
    role = game.rules.show(game.role_term(as_role))
    config = terms.make_config(reports=explain)
    seats = check_seats(game, _fill_seats(game, role, specs, against), config)
    call.prepare()
    person = TerminalPerson()
    log = run_match(game, seats, match_seed(call.seed, 0), config, person=person)
    if log.rounds:
        person.show_percepts(role, frozenset(log.rounds[-1].sees[role]))
    print("\n".join([*_describe_end(log), *(_describe_thoughts(log, role) if explain else [])]))


def _fill_seats(game: Game, person: str, specs: dict[str, str], against: str) -> dict[str, str]:
    """A spec for every role: the person's, those that are given, and `against` for the others."""
    named = {game.rules.show(game.role_term(role)): spec for role, spec in specs.items()}
    if person in named:
        raise fail("seat-is-yours", role=person)
    return dict.fromkeys((role for role in game.roles if role != RANDOM), against) | named | {person: "human"}


def _describe_end(log: MatchLog) -> list[str]:
    """The goals, and what went wrong with players."""
    over = "the game is over" if log.finished else "the limit of rounds has ended the game; the goals as they stood"
    goals = ", ".join(f"{role} {goal}" for role, goal in log.goals.items())
    return [f"{over}: {goals}"] + [f"{role}: {text}" for role in log.players for text in describe_failings([log], role)]


def _describe_thoughts(log: MatchLog, person: str) -> list[str]:
    """What the others said about their moves, and where they erred."""
    moves = [
        (f"{number}. {role}", entry, role)
        for number, entry in enumerate(log.rounds, 1)
        for role in log.players
        if role != person and (entry.reports.get(role) or role in entry.errors)
    ]
    column = find_column(label for label, _, _ in moves)
    lines = []
    for label, entry, role in moves:
        lines.append(label_text(label, f"played {entry.moves[role]}{describe_substitute(entry, role)}", column))
        lines += [label_text("", text, column) for text in describe_report(entry.reports.get(role))]
    return lines
