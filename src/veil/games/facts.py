"""Facts for rules files: lines that many families need."""

from __future__ import annotations


def no_facts() -> list[str]:
    """Return no facts, for a family without parameters."""
    return []


def number_facts(name: str, low: int, high: int) -> list[str]:
    """Return `(name low)` to `(name high)`."""
    return [f"({name} {i})" for i in range(low, high + 1)]


def successor_facts(name: str, last: int) -> list[str]:
    """Return `(name 1 2)`, `(name 2 3)` and so on up to `last`."""
    return [f"({name} {i} {i + 1})" for i in range(1, last)]
