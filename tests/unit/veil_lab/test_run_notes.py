"""Notes of what ran: entries by game and players, and nothing outside the block."""

from __future__ import annotations

from pathlib import Path

from veil_lab.result_cache import get_or_compute, keep_pieces
from veil_lab.run_notes import note_all, note_matches, note_player


def test_matches_of_the_same_players_are_one_entry_and_nothing_is_noted_outside() -> None:
    note_matches("kuhn", {"first": "random"}, 5, {})
    with note_all() as notes:
        for worlds in ("-", "exact 100 %"):
            note_matches("kuhn", {"first": "random"}, 5, {"first": worlds})
        note_player("kuhn", "first", method="brute")
    assert list(notes.entries.values()) == [
        {"game": "kuhn", "players": "first random", "matches": 10, "worlds": "first: exact 100 %"},
        {"game": "kuhn", "players": "first", "matches": 1, "method": "brute"},
    ]


def test_pieces_from_a_store_are_counted(tmp_path: Path) -> None:
    counts = []
    for _ in range(2):
        with note_all() as notes, keep_pieces(str(tmp_path / "pieces.db")):
            get_or_compute({"point": 1}, int, lambda: 5)
        counts.append(notes.reused)
    assert counts == [0, 1]
