"""Texts about moves: the reports of players, and notes on moves that the referee has drawn for a player."""

from __future__ import annotations

from collections.abc import Mapping
from json import dumps
from math import inf
from typing import Any, Literal, NamedTuple

MAX_VALUES = 6  # most moves that are shown with their values


class ReportedMove(NamedTuple):
    """A move with the value and the probability from a player's report; None if the report does not give them."""

    move: str
    value: float | None
    chance: float | None  # probability with which it is played


def list_reported(report: Any, first: Literal["value", "chance"]) -> list[ReportedMove]:
    """Return the moves to which a report gives a value or a chance, in descending order of what `first` names.

    A player that a user wrote may report anything: entries that are not numbers are left out.
    """
    if not isinstance(report, dict):
        return []
    values = _find_numbers(report.get("values"))
    chances = _find_numbers(report.get("strategy")) or _find_numbers(report.get("policy"))
    tables = (values, chances) if first == "value" else (chances, values)
    moves = sorted({*values, *chances}, key=lambda move: (*(-table.get(move, 0.0) for table in tables), move))
    return [ReportedMove(move, values.get(move), chances.get(move)) for move in moves]


def describe_substitute(errors: Mapping[str, str], role: str) -> str:
    """Return a note if the referee drew the move of this role because of an error; otherwise an empty text."""
    return f"  (in place of an error: {errors[role]})" if role in errors else ""


def describe_report(report: Any) -> list[str]:
    """Return one line about the report of a player, or none. Entries that are not numbers are shown unchanged."""
    if not isinstance(report, dict):
        return []
    if report.get("values"):
        sizes = [
            f"{_show(report[name], ',')} {name.rstrip('s') if report[name] == 1 else name}"
            for name in ("worlds", "playouts")
            if report.get(name)
        ]
        sizes = [_show(report["method"], ""), *sizes] if report.get("method") else sizes
        values = _list_numbers(_find_best(report["values"]), ".1f")
        return [f"thinks {values}" + (f" ({', '.join(sizes)})" if sizes else "")]
    if report.get("policy"):
        note = f" ({_show(report['note'], '')})" if report.get("note") else ""
        return [f"policy {_list_numbers(report['policy'], '.3f')}{note}"]
    return []


def describe_reasons(report: Any) -> list[str]:
    """Return one line about the report of a player and one about its mixed strategy, if the report has them."""
    lines = describe_report(report)
    strategy = report.get("strategy") if isinstance(report, dict) else None
    if not isinstance(strategy, dict):
        return lines
    mixed = {move: share for move, share in strategy.items() if isinstance(share, float) and 0.0 < share < 1.0}
    likeliest = sorted(mixed.items(), key=lambda entry: -entry[1])[:MAX_VALUES]
    shares = ", ".join(f"{move} {100 * share:.0f} %" for move, share in likeliest)
    return [*lines, f"mixes {shares}"] if shares else lines


def _find_numbers(table: Any) -> dict[str, float]:
    """Return the entries of a table that are numbers."""
    if not isinstance(table, dict):
        return {}
    return {str(key): float(value) for key, value in table.items() if isinstance(value, int | float)}


def _find_best(values: Any) -> Any:
    """Return the `MAX_VALUES` moves with the highest values. Entries that are not numbers come last."""
    if not isinstance(values, dict):
        return values
    rank = {move: -value if isinstance(value, int | float) else inf for move, value in values.items()}
    return {move: values[move] for move in sorted(values, key=rank.__getitem__)[:MAX_VALUES]}


def _list_numbers(numbers: Any, form: str) -> str:
    """Return the moves with their numbers as a text."""
    if not isinstance(numbers, dict):
        return _show(numbers, form)
    return ", ".join(f"{move} {_show(value, form)}" for move, value in numbers.items())


def _show(value: Any, form: str) -> str:
    """Format a number with `form`; return any other value as a plain text."""
    try:
        return format(value, form)
    except (TypeError, ValueError, OverflowError):
        return value if isinstance(value, str) else dumps(value, default=str)
