"""`veil match`: games between players, with records."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
from veil.cli.output import busy, column, labelled, print_json, print_problems
from veil.errors import fail

if TYPE_CHECKING:
    from veil.engine import Game
    from veil.match import MatchConfig, MatchLog

WIDE = 16  # at least
MAX_MOVES = 8  # shown per role

Players = Annotated[
    list[str] | None,
    typer.Option("--player", metavar="ROLE=SPEC", help="Who plays a role, like white=hyperplay:models=50."),
]
Games = Annotated[int, typer.Option("--games", min=1, help="How many matches.")]
StartClock = Annotated[float | None, typer.Option(help="Seconds to get ready; none: as long as the budgets take.")]
PlayClock = Annotated[float | None, typer.Option(help="Seconds per move; none: as long as the budgets take.")]
AllowCheat = Annotated[bool, typer.Option("--allow-cheat", help="Let `cheat` see the true state.")]
Isolated = Annotated[bool, typer.Option("--isolated", help="Every player in a process of its own.")]
Records = Annotated[str | None, typer.Option(metavar="FILE", help="Write the matches down, as JSON Lines.")]
Explain = Annotated[bool, typer.Option("--explain", help="Keep what players say about their moves.")]


def match(
    game: GameName,
    player: Players = None,
    games: Games = 1,
    start_clock: StartClock = None,
    play_clock: PlayClock = None,
    allow_cheat: AllowCheat = False,
    isolated: Isolated = False,
    records: Records = None,
    explain: Explain = False,
    json: Json = False,
    seed: Seed = 0,
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Play matches and print mean goals with intervals, the moves that were played most often, errors and forfeits."""
    specs = parse_seats(player or [])
    loaded = load_game(game, max_rules, max_seconds, max_memory)
    from veil.match import MatchConfig, check_seats
    from veil.players import PERSON, needs_of_spec
    from veil.streams import match_seed

    config = MatchConfig(
        start_seconds=start_clock,
        play_seconds=play_clock,
        allow_cheat=allow_cheat,
        isolated=isolated,
        reports=explain,
    )
    seats = check_seats(loaded, specs, config)
    if json and any(PERSON in needs_of_spec(spec) for spec in seats.values()):
        raise fail("bad-seat", what="a human cannot play where only JSON is printed")
    if records is not None:
        _keep_what_is_read(records, game, loaded, seats)
    seeds = (match_seed(seed, number) for number in range(games))
    played = _play_all(loaded, seats, config, seeds, records)
    print_problems(loaded.warnings)
    if json:
        print_json(_as_json(played, records))
    else:
        print(_as_text(loaded, played, records))


def parse_seats(texts: list[str]) -> dict[str, str]:
    """`white=hyperplay:models=50` for every role."""
    seats: dict[str, str] = {}
    for text in texts:
        role, equals, spec = text.partition("=")
        if not equals or not role.strip() or not spec.strip():
            raise fail("bad-seat", what=f"`{text[:60]}` is not ROLE=SPEC")
        if role.strip() in seats:
            raise fail("bad-seat", what=f"{role.strip()} has two players")
        seats[role.strip()] = spec.strip()
    return seats


def _keep_what_is_read(records: str, game: str, loaded: Game, seats: dict[str, str]) -> None:
    """Refuse to write the records over the rules, or over the file of a player."""
    from veil.players import PLAYERS

    files = [PLAYERS.split(spec)[1].get("file") for spec in seats.values()]
    if loaded.rules.source.name == Path(game).name:  # otherwise the rules are not from a file
        files.append(game)
    for file in files:
        if file and os.path.exists(file) and os.path.exists(records) and os.path.samefile(file, records):
            raise fail("unwritable-file", name=records, reason="the match reads this file")


def _play_all(
    loaded: Game, seats: dict[str, str], config: MatchConfig, seeds: Iterable[int], records: str | None
) -> list[MatchLog]:
    """A match per seed. When Ctrl-C ends it, the records of those that are over are kept."""
    from veil.cli.terminal import ask_person
    from veil.match import LogWriter, run_match

    out = LogWriter(records) if records is not None else None
    played = []
    try:
        with out or nullcontext():
            with busy(f"preparing {loaded.name}"):
                _ = loaded.machine
            for seed in seeds:
                played.append(run_match(loaded, seats, seed, config, person=ask_person))
                if out is not None:
                    out.add(played[-1])
    except KeyboardInterrupt:
        if out is not None and out.matches:
            print(f"matches finished and written to {records}: {out.matches:,}", file=sys.stderr)
        raise
    return played


def _as_json(played: list[MatchLog], records: str | None) -> dict[str, Any]:
    from veil.match import mean_of

    roles = list(played[0].players)
    means = {role: mean_of([log.goals[role] for log in played]) for role in roles}
    return {
        "games": len(played),
        "goals": {role: {"mean": mean.value, "ci95": mean.half} for role, mean in means.items()},
        "moves": {role: _moves(played, role) for role in roles},
        "errors": {role: sum(log.errors[role] for log in played) for role in roles},
        "forfeits": {role: sum(role in log.forfeited for log in played) for role in roles},
        "records": records,
    }


def _moves(played: list[MatchLog], role: str) -> dict[str, int]:
    """How often each move was played, most often first."""
    counts: dict[str, int] = {}
    for log in played:
        for entry in log.rounds:
            move = entry.moves[role]
            counts[move] = counts.get(move, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _as_text(loaded: Game, played: list[MatchLog], records: str | None) -> str:
    whole = _as_json(played, records)
    wide = column([*whole["goals"], "records"], WIDE)
    lines = [f"{loaded.name}: {len(played):,} match{'es' if len(played) > 1 else ''}"]
    for role, spec in played[0].players.items():
        goal = whole["goals"][role]
        half = "" if goal["ci95"] is None else f" ± {goal['ci95']:.2f}"
        lines.append(labelled(role, f"{spec}: mean goal {goal['mean']:.2f}{half}", wide))
        moves = [f"{move} {count}" for move, count in list(whole["moves"][role].items())[:MAX_MOVES]]
        more = len(whole["moves"][role]) - len(moves)
        lines.append(labelled("", "played " + ", ".join(moves) + (f", and {more} others" if more > 0 else ""), wide))
        lines += [labelled("", text, wide) for text in failings(played, role)]
    if records is not None:
        lines.append(labelled("records", f"written to {records}", wide))
    return "\n".join(lines)


def failings(played: list[MatchLog], role: str) -> list[str]:
    """What went wrong with a player, in words: its errors, and what it forfeited by them."""
    errors = [entry.errors[role] for log in played for entry in log.rounds if role in entry.errors]
    forfeits = sum(role in log.forfeited for log in played)
    texts = []
    if errors:
        texts.append(f"{len(errors):,} errors, the first: {errors[0]}" if len(errors) > 1 else f"1 error: {errors[0]}")
    if forfeits:
        texts.append("forfeited" if len(played) == 1 else f"forfeited {forfeits:,} of {len(played):,} matches")
    return texts
