"""A player's report about its move as a table for a page: moves with values and chances."""

from __future__ import annotations

from typing import Any, Literal

from veil.boards import in_words


def tell_moves(report: Any, first: Literal["value", "chance"]) -> list[dict[str, Any]]:
    """Return the moves with a value or a chance in a report, highest value, or chance, first.

    A player from outside may report anything: entries that are no numbers are left out.
    """
    if not isinstance(report, dict):
        return []
    values = _numbers(report.get("values"))
    chances = _numbers(report.get("strategy")) or _numbers(report.get("policy"))
    tables = (values, chances) if first == "value" else (chances, values)
    moves = sorted({*values, *chances}, key=lambda move: (*(-table.get(move, 0.0) for table in tables), move))
    return [
        {"move": move, "words": in_words(move), "value": values.get(move), "chance": chances.get(move)}
        for move in moves
    ]


def _numbers(table: Any) -> dict[str, float]:
    """Return the entries of a table that are numbers."""
    if not isinstance(table, dict):
        return {}
    return {str(key): float(value) for key, value in table.items() if isinstance(value, int | float)}
