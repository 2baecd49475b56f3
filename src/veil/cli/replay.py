"""`veil replay`: a recorded match, round by round, as the referee or a role saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.options import Json, Seed
from veil.cli.output import labelled, print_json
from veil.errors import fail

if TYPE_CHECKING:
    from veil.match.record import MatchRecord

WIDE = 12

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
    from veil.match.record import read_records

    records = read_records(record)
    if number > len(records):
        raise fail("bad-match", name=record, what=f"it holds {len(records)} matches, not {number}")
    chosen = records[number - 1]
    if role is not None and role not in chosen.players:
        raise fail("unknown-role", role=role, roles=", ".join(chosen.players))
    if json:
        print_json(_as_json(chosen, role))
    else:
        print(_as_text(chosen, role))


def _as_json(chosen: MatchRecord, role: str | None) -> dict[str, Any]:
    rounds = [entry.as_json() for entry in chosen.rounds]
    if role is not None:
        rounds = [{"move": entry.moves[role], "sees": entry.sees[role]} for entry in chosen.rounds]
    goals = chosen.goals if role is None else {role: chosen.goals[role]}
    return {"game": chosen.game, "players": chosen.players, "seed": chosen.seed, "rounds": rounds, "goals": goals}


def _as_text(chosen: MatchRecord, role: str | None) -> str:
    who = ", ".join(f"{name} {spec}" for name, spec in chosen.players.items())
    lines = [f"{chosen.game}, seed {chosen.seed}: {who}"]
    for number, entry in enumerate(chosen.rounds, 1):
        lines.append(f"round {number}")
        for name, move in entry.moves.items():
            if role in (None, name):
                seen = entry.sees.get(name, [])
                note = f"; sees {' '.join(seen)}" if seen else ""
                wrong = f"  (in place of an error: {entry.errors[name]})" if name in entry.errors else ""
                lines.append(labelled(name, f"{move}{note}{wrong}", WIDE))
                lines += explained(entry.reports.get(name, {}))
    goals = {name: goal for name, goal in chosen.goals.items() if role in (None, name)}
    lines.append("end" if chosen.finished else "ended by the limit of rounds")
    lines.append(labelled("goals", ", ".join(f"{name} {goal}" for name, goal in goals.items()), WIDE))
    if chosen.forfeited:
        lines.append(labelled("forfeited", ", ".join(chosen.forfeited), WIDE))
    return "\n".join(lines)


def explained(report: dict[str, Any]) -> list[str]:
    """What a player said about its move."""
    if "values" in report:
        best = sorted(report["values"].items(), key=lambda item: -item[1])[:6]
        text = ", ".join(f"{move} {value:.1f}" for move, value in best)
        return [labelled("", f"thinks {text} ({report['worlds']} worlds, {report['playouts']:,} playouts)", WIDE)]
    if "policy" in report:
        text = ", ".join(f"{move} {chance:.3f}" for move, chance in report["policy"].items())
        return [labelled("", f"policy {text}" + (f" ({report['note']})" if "note" in report else ""), WIDE)]
    return []
