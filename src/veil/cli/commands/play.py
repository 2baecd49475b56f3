"""`veil play`: play against the machine in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.output import print_event, print_text
from veil.cli.seats import PersonSeed, Players, Terms, choose_seed, describe_failings, parse_seats
from veil.cli.terminal import ANSWERS
from veil.errors import VeilError, fail
from veil.games import FAMILIES, Utility
from veil.players import describe_report, describe_substitute, is_guest
from veil.report import find_column, label_text, read_header
from veil.vocabulary import RANDOM

if TYPE_CHECKING:
    from veil.engine import Game
    from veil.match import MatchLog

COLUMN = 11  # at which texts begin
OPPONENT = "best"
COMMANDS = "`hint`, `belief`, `belief random|best|equilibrium`, `undo`, `save FILE`, `resume FILE`, `help`"
SECTIONS = ("Rules", "Hidden")  # sections of the header of a rules file that a person should know
MAX_PARAGRAPHS = 4  # most that are shown of a header without these sections

As = Annotated[str, typer.Option("--as", metavar="ROLE", help="The role you play.")]
Against = Annotated[
    str | None, typer.Option(metavar="SPEC", help=f"Who plays the roles that have no --player; {OPPONENT} by default.")
]
Resume = Annotated[
    str | None, typer.Option(metavar="FILE", help="Go on with a game that `save FILE` wrote while it was played.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Afterwards, show what the others thought.")]
NoJson = Annotated[bool, typer.Option("--json", help="Refused: people do not play in JSON; `veil match` has it.")]


@command
def play(
    call: GameCall,
    *,
    as_role: As,
    against: Against = None,
    player: Players = None,
    resume: Resume = None,
    terms: Terms,
    explain: Explain = False,
    json: NoJson = False,
    seed: PersonSeed = None,
) -> None:
    """Play a role yourself. You see only what the role is told and what it can conclude.

    While it is your turn, `hint` asks a player for advice, `belief` lists what you can conclude (`belief random`: if
    the others move at random; also `best` and `equilibrium`), `undo` takes a move back, `save FILE` and `resume FILE`
    leave a game and go on with it.
    """
    from veil.cli.play_session import PlaySession  # help needs none of it
    from veil.match import check_seats
    from veil.streams import match_seed

    if json:
        raise fail("person-needs-text")
    specs = parse_seats(player or [])
    if resume is not None and (against is not None or seed is not None or not all(map(is_guest, specs.values()))):
        raise fail("resume-has-seats")
    game = call.game
    role = game.rules.show(game.role_term(as_role))
    config = terms.make_config(reports=explain)
    seats = check_seats(game, _fill_seats(game, role, specs, against or OPPONENT), config)
    call.prepare()
    seed = choose_seed(seed, person=True)
    session = PlaySession(game, role, seats, match_seed(seed, 0), config, call.words())
    if resume is not None:
        session.take_up(resume)
    print_text("\n".join(introduce(game, role, session.seats, seed if resume is None else None)))
    try:
        log = session.run()
    except VeilError as error:
        if error.problems[0].code != "person-left":
            raise
        print_event("person-left", role=role)
        return
    session.show_truth(log)
    print_text("\n".join([*_describe_end(log, game.utility), *(_describe_thoughts(log, role) if explain else [])]))


def introduce(game: Game, role: str, seats: dict[str, str], seed: int | None) -> list[str]:
    """Return the introduction for a person: the game, the role, the other players, how to answer."""
    family = FAMILIES.get(game.name.split("(")[0])
    header = read_header(family.rules_text() if family is not None else game.rules.source.text)
    column = find_column(["you are", *(section.name for section in header)], COLUMN)
    lines = [game.name if family is None else f"{game.name}: {family.summary}"]
    told = [section for section in header if section.name in SECTIONS] or header[:MAX_PARAGRAPHS]
    lines += [label_text(section.name.lower(), section.text, column) for section in told]
    others = [f"{name} is played by {spec}" for name, spec in seats.items() if name != role]
    if RANDOM in game.roles:
        others.append(f"{RANDOM} is chance")
    goals = sorted(set(game.program.goals[game.roles.index(role)]))
    lines.append(label_text("you are", f"{role}; {', '.join(others) or 'alone'}", column))
    if goals:
        ends = f"from {game.utility.tell(goals[0])} to {game.utility.tell(goals[-1])}"
        lines.append(label_text("goal", f"{ends}, as high as you can", column))
    lines.append(label_text("answer", ANSWERS, column))
    lines.append(label_text("also", COMMANDS, column))
    if seed is not None:
        lines.append(label_text("seed", f"{seed}; --seed {seed} deals the same again", column))
    return lines


def _fill_seats(game: Game, person: str, specs: dict[str, str], against: str) -> dict[str, str]:
    """Return a spec for every role: `human` for the person, the given specs, and `against` for all others."""
    named = {game.rules.show(game.role_term(role)): spec for role, spec in specs.items()}
    if person in named:
        raise fail("seat-is-yours", role=person)
    return dict.fromkeys((role for role in game.roles if role != RANDOM), against) | named | {person: "human"}


def _describe_end(log: MatchLog, utility: Utility) -> list[str]:
    """Return lines with the goals, and the errors of players."""
    over = "the game is over" if log.finished else "the limit of rounds has ended the game; the goals as they stood"
    goals = ", ".join(f"{role} {utility.tell(goal)}" for role, goal in log.goals.items())
    return [f"{over}: {goals}"] + [f"{role}: {text}" for role in log.players for text in describe_failings([log], role)]


def _describe_thoughts(log: MatchLog, person: str) -> list[str]:
    """Return lines with the reports and errors of the other players."""
    moves = [
        (f"{number}. {role}", entry, role)
        for number, entry in enumerate(log.rounds, 1)
        for role in log.players
        if role != person and (entry.reports.get(role) or role in entry.errors)
    ]
    column = find_column(label for label, _, _ in moves)
    lines = []
    for label, entry, role in moves:
        lines.append(label_text(label, f"played {entry.moves[role]}{describe_substitute(entry.errors, role)}", column))
        lines += [label_text("", text, column) for text in describe_report(entry.reports.get(role))]
    return lines
