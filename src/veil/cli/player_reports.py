"""What players said about their moves, and where the referee moved for them, in words."""

from __future__ import annotations

from json import dumps
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veil.match import Round

MAX_VALUES = 6  # moves shown of a player's values


def describe_substitute(entry: Round, role: str) -> str:
    """A note beside a move that the referee has drawn in place of an error; nothing beside other moves."""
    return f"  (in place of an error: {entry.errors[role]})" if role in entry.errors else ""


def describe_report(report: Any) -> list[str]:
    """What a player said about its move: a line, or none. A player that a user wrote may say anything."""
    if not isinstance(report, dict):
        return []
    if report.get("values"):
        sizes = [
            f"{_show(report[name], ',')} {name.rstrip('s') if report[name] == 1 else name}"
            for name in ("worlds", "playouts")
            if report.get(name)
        ]
        values = _list_numbers(_find_best(report["values"]), ".1f")
        return [f"thinks {values}" + (f" ({', '.join(sizes)})" if sizes else "")]
    if report.get("policy"):
        note = f" ({_show(report['note'], '')})" if report.get("note") else ""
        return [f"policy {_list_numbers(report['policy'], '.3f')}{note}"]
    return []


def _find_best(values: Any) -> Any:
    """The moves of the highest value; what is no number comes last."""
    if not isinstance(values, dict):
        return values
    rank = {move: -value if isinstance(value, int | float) else inf for move, value in values.items()}
    return {move: values[move] for move in sorted(values, key=rank.__getitem__)[:MAX_VALUES]}


def _list_numbers(numbers: Any, form: str) -> str:
    """Moves with their numbers."""
    if not isinstance(numbers, dict):
        return _show(numbers, form)
    return ", ".join(f"{move} {_show(value, form)}" for move, value in numbers.items())


def _show(value: Any, form: str) -> str:
    """A number in this form, and everything else as it is."""
    try:
        return format(value, form)
    except (TypeError, ValueError, OverflowError):
        return value if isinstance(value, str) else dumps(value, default=str)
