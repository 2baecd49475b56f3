"""`veil match`: games between players, with records."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import limited_number
from veil.cli.output import print_event
from veil.cli.seats import Isolated, Players, Terms, describe_failings, parse_seats
from veil.cli.terminal import TerminalPerson
from veil.errors import fail
from veil.report import find_column, label_text

if TYPE_CHECKING:
    from veil.engine import Game
    from veil.match import MatchConfig, MatchLog

LEAST_COLUMN = 16  # where texts begin
MAX_MOVES = 8  # shown per role

Games = Annotated[int, limited_number("matches", "--games", help="How many matches.")]
Records = Annotated[str | None, typer.Option(metavar="FILE", help="Write the matches down, as JSON Lines.")]
Explain = Annotated[bool, typer.Option("--explain", help="Keep what players say about their moves.")]


@command
def match(
    call: GameCall,
    *,
    player: Players = None,
    games: Games = 1,
    terms: Terms,
    isolated: Isolated = False,
    records: Records = None,
    explain: Explain = False,
) -> None:
    """Play matches and print mean goals with intervals, the moves that were played most often, errors and forfeits."""
    from veil.match import check_seats
    from veil.players import PERSON, needs_of_spec
    from veil.streams import match_seed

    specs = parse_seats(player or [])
    game = call.game
    config = terms.make_config(isolated=isolated, reports=explain)
    seats = check_seats(game, specs, config)
    if call.json and any(PERSON in needs_of_spec(spec) for spec in seats.values()):
        raise fail("person-needs-text")
    if records is not None:
        _check_records(records, call.game_name, game, seats)
    seeds = (match_seed(call.seed, number) for number in range(games))
    played = _play_all(call, seats, config, seeds, records)
    call.answer(lambda: _as_json(played, records), lambda: _as_text(game, played, records))


def _check_records(records: str, game_name: str, game: Game, seats: dict[str, str]) -> None:
    """Refuse to write the records over the rules, or over the file of a player."""
    from veil.players import PLAYERS

    files = [PLAYERS.split(spec)[1].get("file") for spec in seats.values()]
    if game.rules.source.name == Path(game_name).name:  # otherwise the rules are not from a file
        files.append(game_name)
    for file in files:
        if file and os.path.exists(file) and os.path.exists(records) and os.path.samefile(file, records):
            raise fail("records-over-input", name=records)


def _play_all(
    call: GameCall, seats: dict[str, str], config: MatchConfig, seeds: Iterable[int], records: str | None
) -> list[MatchLog]:
    """A match per seed. When Ctrl-C ends it, the records of those that are over are kept."""
    from veil.match import LogWriter, run_match

    out = LogWriter(records) if records is not None else None
    played = []
    try:
        with out or nullcontext():
            call.prepare()
            for seed in seeds:
                played.append(run_match(call.game, seats, seed, config, person=TerminalPerson()))
                if out is not None:
                    out.add(played[-1])
    except KeyboardInterrupt:
        if out is not None and out.matches:
            print_event("records-kept", name=records, count=out.matches)
        raise
    return played


def _as_json(played: list[MatchLog], records: str | None) -> dict[str, Any]:
    from veil.match import mean_of

    roles = list(played[0].players)
    means = {role: mean_of([log.goals[role] for log in played]) for role in roles}
    return {
        "games": len(played),
        "goals": {role: {"mean": mean.value, "ci95": mean.half} for role, mean in means.items()},
        "moves": {role: _count_moves(played, role) for role in roles},
        "errors": {role: sum(log.errors[role] for log in played) for role in roles},
        "forfeits": {role: sum(role in log.forfeited for log in played) for role in roles},
        "records": records,
    }


def _count_moves(played: list[MatchLog], role: str) -> dict[str, int]:
    """How often each move was played, most often first."""
    counts: dict[str, int] = {}
    for log in played:
        for entry in log.rounds:
            move = entry.moves[role]
            counts[move] = counts.get(move, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _as_text(game: Game, played: list[MatchLog], records: str | None) -> str:
    result = _as_json(played, records)
    column = find_column([*result["goals"], "records"], LEAST_COLUMN)
    lines = [f"{game.name}: {len(played):,} match{'es' if len(played) > 1 else ''}"]
    for role, spec in played[0].players.items():
        goal = result["goals"][role]
        half = "" if goal["ci95"] is None else f" ± {goal['ci95']:.2f}"
        lines.append(label_text(role, f"{spec}: mean goal {goal['mean']:.2f}{half}", column))
        moves = [f"{move} {count}" for move, count in list(result["moves"][role].items())[:MAX_MOVES]]
        more = len(result["moves"][role]) - len(moves)
        others = f", and {more} others" if more > 0 else ""
        lines.append(label_text("", f"played {', '.join(moves)}{others}", column))
        lines += [label_text("", text, column) for text in describe_failings(played, role)]
    if records is not None:
        lines.append(label_text("records", f"written to {records}", column))
    return "\n".join(lines)
