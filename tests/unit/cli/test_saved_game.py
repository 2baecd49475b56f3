"""Saved games: what is written is read again; what is none is refused, and nothing else is written over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import veil
from tests.support.refusals import refused
from veil.cli.saved_game import AdjournedGame, read_saved, seal, unseal, write_saved

MOVES = [{"even": "heads", "odd": "tails"}]


def saved_game(**changes: object) -> AdjournedGame:
    game = veil.load("matching_pennies")
    players = {"even": "human", "odd": "first"}
    fields: dict[str, Any] = {"game": game.name, "rules": game.fingerprint, "role": "even", "players": players}
    return AdjournedGame(**(fields | {"seed": 1, "own_moves": ["heads"], "sealed": seal(MOVES)} | changes))


def test_a_game_is_read_as_it_was_written(tmp_path: Path) -> None:
    name = str(tmp_path / "game.json")
    write_saved(name, saved_game())
    write_saved(name, saved_game(seed=2))  # its own kind is written over
    assert read_saved(name, veil.load("matching_pennies")) == saved_game(seed=2)
    assert unseal(name, saved_game().sealed) == MOVES


def test_moves_of_others_are_not_read_by_chance(tmp_path: Path) -> None:
    name = tmp_path / "game.json"
    write_saved(str(name), saved_game())
    assert "tails" not in name.read_text()
    assert "heads" in name.read_text()


@pytest.mark.parametrize("text", ["", "[]", '{"game": 1}', "not json", '{"game": "x", "more": 1}'])
def test_what_is_no_saved_game_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    refused("bad-saved-game", lambda: read_saved(str(path), veil.load("matching_pennies")))


@pytest.mark.parametrize("sealed", ["", "!", "aGVsbG8=", seal([{"even": "heads"}])[:-4]])
def test_moves_that_cannot_be_unpacked_are_refused(sealed: str) -> None:
    refused("bad-saved-game", lambda: unseal("game.json", sealed))


def test_a_file_that_holds_something_else_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "rules.kif"
    path.write_text("(role a)")
    refused("bad-saved-game", lambda: write_saved(str(path), saved_game()))
    assert path.read_text() == "(role a)"
