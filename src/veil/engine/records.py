"""Records in words: what a role was told, its own move and percepts round by round, as one line of text.

A round is the move and, after a colon, what was seen; rounds are separated by semicolons: `noop: (card king); bet`.
The same record always has the same text, whoever writes it; policy files are keyed by it.
"""

from __future__ import annotations

from collections.abc import Iterable

START = "start"  # nothing has been told


def round_in_words(own_move: str, percepts: Iterable[str]) -> str:
    """One round."""
    seen = " ".join(sorted(percepts))
    return f"{own_move}: {seen}" if seen else own_move


def record_in_words(rounds: Iterable[tuple[str, Iterable[str]]]) -> str:
    """All rounds: (own move, percepts) each."""
    return "; ".join(round_in_words(*entry) for entry in rounds) or START
