"""Bundled games in POGDDL played by the slow reader, in words."""

from __future__ import annotations

from pathlib import Path

from tests.reference.pogddl import Game, State, applicable, apply, initial, parse, read, show

GAMES = Path(__file__).parents[1] / "reference" / "pogddl_games"


def load_bundled(name: str) -> Game:
    return read((GAMES / f"{name}.pog").read_text(encoding="utf-8"))


def play(game: Game, *actions: str) -> tuple[State, list[dict[str, str]]]:
    """The state after these actions, and what each player was told by each of them."""
    state, told = initial(game), []
    for action in actions:
        [term] = parse(action)
        state, seen = apply(game, state, term)
        told.append({player: " ".join(map(show, what)) for player, what in seen.items()})
    return state, told


def choices(game: Game, state: State) -> dict[str, set[str]]:
    return {role: set(map(show, actions)) for role, actions in applicable(game, state).items()}


def atoms(state: State, name: str) -> set[str]:
    return {show(atom) for atom in state.atoms if atom[0] == name}
