"""`veil match`: matches between players, with records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import limited_number
from veil.cli.output import print_event, print_text
from veil.cli.seats import Isolated, PersonSeed, Players, Terms, choose_seed, describe_failings, parse_seats
from veil.cli.terminal import TerminalPerson
from veil.errors import VeilError, fail, problem
from veil.intervals import show_half_width
from veil.report import Progress, count_things, find_column, label_text

if TYPE_CHECKING:
    from veil.engine import Game
    from veil.match import LogWriter, MatchConfig, MatchLog

LEAST_COLUMN = 16  # at which texts begin
MAX_MOVES = 8  # most moves that are shown per role

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
    seed: PersonSeed = None,
) -> None:
    """Play matches and print mean goals with intervals, the moves that were played most often, errors and forfeits."""
    from veil.match import check_seats, fit_game  # help needs none of it
    from veil.players import PERSON, file_of, needs_of_spec
    from veil.streams import match_seed

    specs = parse_seats(player or [])
    game = call.game
    config = terms.make_config(isolated=isolated, reports=explain)
    seats = check_seats(game, specs, config)
    call.game = fit_game(game, seats.values())
    if call.game is not game:
        call.warn(problem("gdl1-rules"))
    talks = any(PERSON in needs_of_spec(spec) for spec in seats.values())
    if call.json and talks:
        raise fail("person-needs-text")
    call.seed = choose_seed(seed, person=talks)
    if talks:
        print_text(f"seed {call.seed}")
    if records is not None:
        call.check_output(records, *map(file_of, seats.values()))
    played = _play_all(call, seats, config, [match_seed(call.seed, number) for number in range(games)], records)
    unfinished = sum(not log.finished for log in played)
    if unfinished:
        call.warn(problem("unfinished-matches", count=unfinished, total=len(played), rounds=config.max_rounds))
    records = None if call.failures else records
    call.answer(lambda: _as_json(game, call.seed, played, records), lambda: _as_text(game, call.seed, played, records))


def _play_all(
    call: GameCall, seats: dict[str, str], config: MatchConfig, seeds: Sequence[int], records: str | None
) -> list[MatchLog]:
    """Play a match per seed and return the logs.

    If an error ends the series, return the finished matches; raise `VeilError` if there are none. If Ctrl-C ends it,
    the records of the finished matches are kept.
    """
    from veil.match import LogWriter  # help needs none of it

    out = LogWriter(records) if records is not None else None
    played: list[MatchLog] = []
    try:
        if not call.attempt(lambda: _play_series(call, seats, config, seeds, out, played)) and not played:
            raise VeilError(*call.failures)
    except KeyboardInterrupt:
        if out is not None and out.matches:
            print_event("records-kept", name=records, count=out.matches)
        raise
    return played


def _play_series(
    call: GameCall,
    seats: dict[str, str],
    config: MatchConfig,
    seeds: Sequence[int],
    out: LogWriter | None,
    played: list[MatchLog],
) -> None:
    """Play a match per seed. Each finished match is added to `played` and written to `out`."""
    from veil.match import Lineup, play_lineup  # help needs none of it
    from veil.players import PERSON, needs_of_spec

    with out or nullcontext():
        call.prepare()
        talks = any(PERSON in needs_of_spec(spec) for spec in seats.values())
        with nullcontext() if talks else Progress("playing matches", len(seeds)) as progress:
            for seed in seeds:
                lineup = Lineup(specs=seats, person=TerminalPerson(game=call.game))
                played.append(play_lineup(call.game, lineup, seed, config))
                if out is not None:
                    out.add(played[-1])
                if progress is not None:
                    progress.count(len(played), len(seeds))


def _as_json(game: Game, seed: int, played: list[MatchLog], records: str | None) -> dict[str, Any]:
    from veil.match import mean_goal  # help needs none of it

    roles = list(played[0].players)
    means = {role: mean_goal(played, role) for role in roles}
    return {
        "game": game.name,
        "seed": seed,
        "players": played[0].players,
        "games": len(played),
        "unfinished": sum(not log.finished for log in played),
        "goals": {role: {"mean": mean.value, "ci95": mean.half} for role, mean in means.items()},
        "moves": {role: _count_moves(played, role) for role in roles},
        "errors": {role: sum(log.errors[role] for log in played) for role in roles},
        "reasons": {role: _count_reasons(played, role) for role in roles},
        "forfeits": {role: sum(role in log.forfeited for log in played) for role in roles},
        "walls": played[0].settings.get("walls", {}),
        "records": records,
    }


def _describe_goal(mean: float | None, ci95: float | None) -> str:
    """Return a text with the mean goal of a role, or that no match has ended."""
    return "no match has ended" if mean is None else f"mean goal {mean:.2f}{show_half_width(ci95, 2)}"


def _count_moves(played: list[MatchLog], role: str) -> dict[str, int]:
    """Count how often each move was played, most frequent first."""
    counts: dict[str, int] = {}
    for log in played:
        for entry in log.rounds:
            move = entry.moves[role]
            counts[move] = counts.get(move, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _count_reasons(played: list[MatchLog], role: str) -> dict[str, int]:
    """Count how often a role made each error, most frequent first."""
    reasons = Counter(entry.errors[role] for log in played for entry in log.rounds if role in entry.errors)
    return dict(reasons.most_common())


def _as_text(game: Game, seed: int, played: list[MatchLog], records: str | None) -> str:
    result = _as_json(game, seed, played, records)
    column = find_column([*result["goals"], "records"], LEAST_COLUMN)
    unfinished = f", {result['unfinished']:,} of them unfinished" if result["unfinished"] else ""
    unit = f" (in goals, {game.utility.in_words()})" if game.utility.is_told else ""
    lines = [f"{game.name}: {count_things(len(played), 'match', 'matches')}{unfinished}{unit}"]
    for role, spec in played[0].players.items():
        lines.append(label_text(role, f"{spec}: {_describe_goal(**result['goals'][role])}", column))
        moves = [f"{move} {count}" for move, count in list(result["moves"][role].items())[:MAX_MOVES]]
        more = len(result["moves"][role]) - len(moves)
        others = f", and {more} others" if more > 0 else ""
        lines.append(label_text("", f"played {', '.join(moves)}{others}", column))
        lines += [label_text("", text, column) for text in describe_failings(played, role)]
        if role in result["walls"]:
            lines.append(label_text("", f"walls around it: {', '.join(result['walls'][role])}", column))
    if records is not None:
        lines.append(label_text("records", f"written to {records}", column))
    return "\n".join(lines)
