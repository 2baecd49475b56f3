"""How large the sizes of a player may be."""

from __future__ import annotations

from typing import Any

from veil.errors import fail

MAX_WORLDS, MAX_WORK, MAX_THREADS = 1_000_000, 1_000_000_000, 1024  # more is a slip of the hand


def check_sizes(config: Any, **highest: int) -> None:
    """Refuse what is less than one, or more than anybody can mean."""
    for name, most in highest.items():
        value = getattr(config, name)
        if value < 1:
            raise fail("bad-limit", name=name, value=value)
        if value > most:
            raise fail("bad-option", what=f"{name} can be {most:,} at most, not {value:,}")
