"""`veil replay`: a recorded match, round by round, as the referee or a role saw it."""

from __future__ import annotations

from json import dumps
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.options import Json, Seed
from veil.cli.output import column, labelled, print_json
from veil.errors import fail

if TYPE_CHECKING:
    from veil.match import MatchLog, Round

MAX_VALUES = 6  # shown of a player's thoughts

RecordFile = Annotated[str, typer.Argument(metavar="RECORD", help="A file that `veil match --records` wrote.")]
View = Annotated[str | None, typer.Option("--as", metavar="ROLE", help="Only what this role was told.")]
Number = Annotated[int, typer.Option("--match", min=1, help="Which match of the file.")]


def replay(
    record: RecordFile,
    role: View = None,
    number: Number = 1,
    json: Json = False,
    seed: Seed = 0,  # nothing is random here; every command takes it
) -> None:
    """Show a recorded match from the referee's or a role's view."""
    from veil.match import read_logs

    logs = read_logs(record)
    if number > len(logs):
        raise fail(
            "bad-match",
            name=record,
            what=f"it holds {len(logs)} match{'es' if len(logs) > 1 else ''}, not {number}",
        )
    chosen = logs[number - 1]
    if role is not None and role not in chosen.players:
        raise fail("unknown-role", role=role, roles=", ".join(chosen.players))
    if json:
        print_json(_as_json(chosen, role))
    else:
        print(_as_text(chosen, role))


def _as_json(chosen: MatchLog, role: str | None) -> dict[str, Any]:
    rounds = [entry.as_json() for entry in chosen.rounds]
    if role is not None:
        rounds = [
            {"move": entry.moves[role], "sees": entry.sees[role]}
            | ({"error": entry.errors[role]} if role in entry.errors else {})
            for entry in chosen.rounds
        ]
    views = [role] if role is not None else list(chosen.players)
    return {
        "game": chosen.game,
        "rules": chosen.rules,
        "players": chosen.players,
        "seed": chosen.seed,
        "rounds": rounds,
        "goals": {name: chosen.goals[name] for name in views},
        "errors": {name: chosen.errors[name] for name in views},
        "forfeited": [name for name in chosen.forfeited if name in views],
        "finished": chosen.finished,
    }


def _as_text(chosen: MatchLog, role: str | None) -> str:
    who = ", ".join(f"{name} {spec}" for name, spec in chosen.players.items())
    views = [role] if role is not None else chosen.roles
    wide = column([*views, "forfeited"])
    lines = [f"{chosen.game}, seed {chosen.seed}: {who}"]
    for number, entry in enumerate(chosen.rounds, 1):
        lines.append(f"round {number}")
        for name in views:
            seen = entry.sees.get(name, [])
            note = f"; sees {' '.join(seen)}" if seen else ""
            lines.append(labelled(name, f"{entry.moves[name]}{note}{in_place_of(entry, name)}", wide))
            lines += [labelled("", text, wide) for text in explained(entry.reports.get(name))]
    lines.append("end" if chosen.finished else "ended by the limit of rounds")
    goals = [f"{name} {goal}" for name, goal in chosen.goals.items() if name in views]
    lines.append(labelled("goals", ", ".join(goals), wide))
    forfeited = [name for name in chosen.forfeited if name in views]
    if forfeited:
        lines.append(labelled("forfeited", ", ".join(forfeited), wide))
    return "\n".join(lines)


def in_place_of(entry: Round, role: str) -> str:
    """A note beside a move that the referee has drawn."""
    return f"  (in place of an error: {entry.errors[role]})" if role in entry.errors else ""


def explained(report: Any) -> list[str]:
    """What a player said about its move: a line, or none. A player of the user's own may say anything."""
    if not isinstance(report, dict):
        return []
    if report.get("values"):
        sizes = [
            f"{_shown(report[name], ',')} {name.rstrip('s') if report[name] == 1 else name}"
            for name in ("worlds", "playouts")
            if report.get(name)
        ]
        return [f"thinks {_listed(_best(report['values']), '.1f')}" + (f" ({', '.join(sizes)})" if sizes else "")]
    if report.get("policy"):
        note = f" ({_shown(report['note'], '')})" if report.get("note") else ""
        return [f"policy {_listed(report['policy'], '.3f')}{note}"]
    return []


def _best(values: Any) -> Any:
    """The moves of the highest value; what is no number comes last."""
    if not isinstance(values, dict):
        return values
    rank = {move: -value if isinstance(value, int | float) else inf for move, value in values.items()}
    return {move: values[move] for move in sorted(values, key=rank.__getitem__)[:MAX_VALUES]}


def _listed(numbers: Any, form: str) -> str:
    if not isinstance(numbers, dict):
        return _shown(numbers, form)
    return ", ".join(f"{move} {_shown(value, form)}" for move, value in numbers.items())


def _shown(value: Any, form: str) -> str:
    """A number in this form, and everything else as it is."""
    try:
        return format(value, form)
    except (TypeError, ValueError, OverflowError):
        return value if isinstance(value, str) else dumps(value, default=str)
