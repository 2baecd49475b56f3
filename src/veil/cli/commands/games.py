"""`veil games`: the catalogue of bundled games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import Call, command
from veil.games import FAMILIES, Family, find_family, write_pogddl
from veil.report import find_column, label_text, read_header
from veil.vocabulary import RANDOM

if TYPE_CHECKING:
    from veil.engine import State

COLUMN = 13  # at which texts begin
MAX_ROUNDS = 50  # most rounds in which a sample is searched

Name = Annotated[str | None, typer.Argument(help="Show this family in full.")]
Pogddl = Annotated[bool, typer.Option("--pogddl", help="Print the game NAME(parameter=value, ...) in POGDDL.")]


@command
def games(call: Call, name: Name = None, pogddl: Pogddl = False) -> None:
    """List the bundled games, or show one of them with a sample round."""
    if pogddl:
        _print_pogddl(call, name or "")
        return
    families = [find_family(name)] if name else list(FAMILIES.values())
    call.answer(
        lambda: {"games": [_as_json(family) for family in families]},
        lambda: _describe(families[0], call.seed) if name else _list(families),
    )


def _print_pogddl(call: Call, spec: str) -> None:
    """Print one game in POGDDL."""
    text = write_pogddl(spec)
    call.answer(lambda: {"pogddl": text}, lambda: text.rstrip())


def _list(families: list[Family]) -> str:
    """Return three lines per family: its usage, its summary, its size."""
    lines = []
    for family in families:
        size = f"{family.players()}, {family.moves}; {family.size()}; {family.source}"
        lines += [family.usage(), label_text("", family.summary, 4), label_text("", size, 4)]
    end = f"{len(families)} families. `veil games NAME` shows one in full, `veil check NAME` its ground size."
    return "\n".join([*lines, "", end])


def _as_json(family: Family) -> dict[str, object]:
    parameters = [
        {
            "name": entry.name,
            "default": entry.default,
            "low": None if entry.choices else entry.low,
            "high": None if entry.choices else entry.high,
            "choices": list(entry.choices),
            "meaning": entry.meaning,
        }
        for entry in family.parameters
    ]
    return {
        "name": family.name,
        "parameters": parameters,
        "roles": list(family.roles),
        "players": sum(role != RANDOM for role in family.roles),
        "chance": RANDOM in family.roles,
        "moves": family.moves,
        "nodes": family.nodes,
        "sizes": family.sizes(),
        "utility": {"unit": family.utility.unit, "zero": family.utility.zero, "scale": family.utility.scale},
        "summary": family.summary,
        "source": family.source,
    }


def _describe(family: Family, seed: int) -> str:
    """Return the usage of a family, the header of its rules file, and a sample round, as a text."""
    lines = [family.usage(), "", label_text("Roles", ", ".join(family.roles), COLUMN)]
    lines += [
        label_text(entry.name, f"{entry.meaning} ({entry.limits()}, default {entry.default})", COLUMN)
        for entry in family.parameters
    ]
    lines.append(label_text("Size", f"{family.size()} at the default; {family.moves}", COLUMN))
    lines.append(label_text("Utility", family.utility.in_words(), COLUMN))
    lines.append("")
    lines += [label_text(name, text, COLUMN) for name, text in read_header(family.rules_text())]
    return "\n".join([*lines, *_sample_lines(family, seed)])


def _sample_lines(family: Family, seed: int) -> list[str]:
    """Return lines about the first round of a random game in which a player has a choice: moves and percepts."""
    import numpy as np  # help needs none of it

    from veil.engine import load

    rng = np.random.default_rng(seed)
    state = load(family.name).initial_state()
    number = 1
    while number < MAX_ROUNDS and not _has_choice(state):
        state, _ = state.play(state.random_joint_move(rng))
        number += 1
    joint = state.random_joint_move(rng)
    _, percepts = state.play(joint)
    title = f"A sample round, the {number}. of a random game (`veil trace {family.name}` plays it all)"
    lines = ["", label_text("", title, 2)]
    column = find_column(state.game.roles, COLUMN)
    for role in state.game.roles:
        seen = f"; sees {' '.join(percepts[role])}" if percepts[role] else ""
        moves = state.legal(role)
        choice = f", one of {len(moves)}" if len(moves) > 1 else ""
        lines.append(label_text(role, f"plays {joint[role]}{choice}{seen}", column))
    return lines


def _has_choice(state: State) -> bool:
    """Return whether a player has more than one legal move."""
    return any(len(state.legal(role)) > 1 for role in state.game.roles if role != RANDOM)
