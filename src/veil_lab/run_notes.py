"""What really ran in an experiment: the games, the players as they were specified, the samplers that answered.

`note_all` opens a list. `play_series` and `judge_player` add to it whatever they play or evaluate, so that the data of
a run say which players took part, also where its tables name them in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class RanNotes:
    """What has run so far, and how many pieces came from a store."""

    entries: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)  # by game and players
    reused: int = 0

    def add(self, game: str, players: str, matches: int, **more: Any) -> None:
        """Add matches or searches; those of the same players in the same game are one entry."""
        entry = self.entries.setdefault((game, players), {"game": game, "players": players, "matches": 0})
        entry["matches"] += matches
        entry.update({name: value for name, value in more.items() if value})


_notes: ContextVar[RanNotes | None] = ContextVar("what ran in this experiment", default=None)


@contextmanager
def note_all() -> Iterator[RanNotes]:
    """Note what runs in the block."""
    notes = RanNotes()
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)


def note_matches(game: str, specs: Mapping[str, str], matches: int, worlds: Mapping[str, str]) -> None:
    """Note a series: its players by role, and the samplers of their worlds."""
    notes = _notes.get()
    if notes is not None:
        shown = ", ".join(f"{role} {spec}" for role, spec in specs.items())
        told = "; ".join(f"{role}: {samplers}" for role, samplers in worlds.items() if samplers != "-")
        notes.add(game, shown, matches, worlds=told)


def note_player(game: str, spec: str, **how: Any) -> None:
    """Note a player that was evaluated alone, and how."""
    notes = _notes.get()
    if notes is not None:
        notes.add(game, spec, 1, **how)


def note_reused(pieces: int) -> None:
    """Note pieces that came from a store."""
    notes = _notes.get()
    if notes is not None:
        notes.reused += pieces
