"""`veil replay`: show a recorded match round by round, as the referee or a role saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.call import Call, command
from veil.cli.options import limited_number
from veil.errors import did_you_mean, fail
from veil.players import describe_report, describe_substitute
from veil.report import find_column, label_text

if TYPE_CHECKING:
    from veil.match import MatchLog

RecordFile = Annotated[str, typer.Argument(metavar="RECORD", help="A file that `veil match --records` wrote.")]
View = Annotated[str | None, typer.Option("--as", metavar="ROLE", help="Only what this role was told.")]
Number = Annotated[int, limited_number("matches", "--match", help="Which match of the file.")]


@command
def replay(call: Call, record: RecordFile, role: View = None, number: Number = 1) -> None:
    """Show a recorded match from the referee's or a role's view."""
    from veil.match import read_logs  # help needs none of it

    logs = read_logs(record)
    if number > len(logs):
        matches = f"{len(logs)} match{'es' if len(logs) > 1 else ''}"
        raise fail("no-such-match", name=record, matches=matches, number=number)
    log = logs[number - 1]
    if role is not None and role not in log.players:
        raise fail("unknown-role", role=role, roles=", ".join(log.players), near=did_you_mean(role, log.players))
    call.answer(lambda: _as_json(log, role), lambda: _as_text(log, role))


def _as_json(log: MatchLog, role: str | None) -> dict[str, Any]:
    rounds = [entry.as_json() for entry in log.rounds]
    if role is not None:
        rounds = [
            {"move": entry.moves[role], "sees": entry.sees[role]}
            | ({"error": entry.errors[role]} if role in entry.errors else {})
            for entry in log.rounds
        ]
    views = [role] if role is not None else list(log.players)
    return {
        "game": log.game,
        "rules": log.rules,
        "players": log.players,
        "seed": log.seed,
        "rounds": rounds,
        "goals": {name: log.goals[name] for name in views},
        "errors": {name: log.errors[name] for name in views},
        "forfeited": [name for name in log.forfeited if name in views],
        "finished": log.finished,
    }


def _as_text(log: MatchLog, role: str | None) -> str:
    specs = ", ".join(f"{name} {spec}" for name, spec in log.players.items())
    views = [role] if role is not None else log.roles
    column = find_column([*views, "forfeited"])
    lines = [f"{log.game}, seed {log.seed}: {specs}"]
    for number, entry in enumerate(log.rounds, 1):
        lines.append(f"round {number}")
        for name in views:
            seen = entry.sees.get(name, [])
            note = f"; sees {' '.join(seen)}" if seen else ""
            lines.append(
                label_text(name, f"{entry.moves[name]}{note}{describe_substitute(entry.errors, name)}", column)
            )
            lines += [label_text("", text, column) for text in describe_report(entry.reports.get(name))]
    lines.append("end" if log.finished else "ended by the limit of rounds")
    goals = [f"{name} {goal}" for name, goal in log.goals.items() if name in views]
    stood = "" if log.finished else ", as they stood"
    lines.append(label_text("goals", ", ".join(goals) + stood, column))
    forfeited = [name for name in log.forfeited if name in views]
    if forfeited:
        lines.append(label_text("forfeited", ", ".join(forfeited), column))
    return "\n".join(lines)
