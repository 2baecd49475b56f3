"""What players said about their moves, and where the referee moved for them, in words."""

from __future__ import annotations

from collections.abc import Mapping
from json import dumps
from math import inf
from typing import Any, Literal, NamedTuple

MAX_VALUES = 6  # moves shown of a player's values


class ReportedMove(NamedTuple):
    """A move, and what a player says about it; None where it says nothing."""

    move: str
    value: float | None
    chance: float | None  # with which it was played


def list_reported(report: Any, first: Literal["value", "chance"]) -> list[ReportedMove]:
    """The moves that a report gives a value or a chance, those with the highest value, or chance, first.

    A player that a user wrote may report anything: what is no number is left out.
    """
    if not isinstance(report, dict):
        return []
    values = _find_numbers(report.get("values"))
    chances = _find_numbers(report.get("strategy")) or _find_numbers(report.get("policy"))
    tables = (values, chances) if first == "value" else (chances, values)
    moves = sorted({*values, *chances}, key=lambda move: (*(-table.get(move, 0.0) for table in tables), move))
    return [ReportedMove(move, values.get(move), chances.get(move)) for move in moves]


def describe_substitute(errors: Mapping[str, str], role: str) -> str:
    """A note beside a move that the referee has drawn in place of an error, by role; nothing beside other moves."""
    return f"  (in place of an error: {errors[role]})" if role in errors else ""


def describe_report(report: Any) -> list[str]:
    """What a player said about its move: a line, or none. What is no number is shown as it is."""
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


def describe_reasons(report: Any) -> list[str]:
    """What a player said about its move and, where it was drawn from a mixed strategy, that: a line each."""
    lines = describe_report(report)
    strategy = report.get("strategy") if isinstance(report, dict) else None
    if not isinstance(strategy, dict):
        return lines
    mixed = {move: share for move, share in strategy.items() if isinstance(share, float) and 0.0 < share < 1.0}
    likeliest = sorted(mixed.items(), key=lambda entry: -entry[1])[:MAX_VALUES]
    shares = ", ".join(f"{move} {100 * share:.0f} %" for move, share in likeliest)
    return [*lines, f"mixes {shares}"] if shares else lines


def _find_numbers(table: Any) -> dict[str, float]:
    """The entries of a table that are numbers."""
    if not isinstance(table, dict):
        return {}
    return {str(key): float(value) for key, value in table.items() if isinstance(value, int | float)}


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
