"""`veil games`: the catalogue."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.options import Json, Seed
from veil.cli.output import labelled, print_json
from veil.games import FAMILIES, Family, find_family
from veil.vocabulary import RANDOM

if TYPE_CHECKING:
    from veil.engine import State

MAX_ROUNDS = 50  # in which a sample is looked for


def games(
    name: Annotated[str | None, typer.Argument(help="Show this family in full.")] = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """List the bundled games, or show one of them with a sample round."""
    families = [find_family(name)] if name else list(FAMILIES.values())
    if json:
        print_json({"games": [_as_json(family) for family in families]})
    elif name:
        print(_page(families[0]))
        print(_sample(families[0], seed))
    else:
        for family in families:
            print(family.usage())
            print(labelled("", family.summary, 4))
            print(labelled("", f"{family.players()}, {family.moves}; {family.size()}; {family.source}", 4))
        print(f"\n{len(families)} families. `veil games NAME` shows one in full, `veil check NAME` its ground size.")


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


def _page(family: Family) -> str:
    """How to write it, and the head of its rules file."""
    lines = [family.usage(), "", labelled("Roles", ", ".join(family.roles), 13)]
    lines += [labelled(p.name, f"{p.meaning} ({p.limits()}, default {p.default})", 13) for p in family.parameters]
    lines.append(labelled("Size", f"{family.size()} at the default; {family.moves}", 13))
    lines.append(labelled("Utility", family.utility.in_words(), 13))
    header = takewhile(lambda line: line.startswith(";;;"), family.rules_text().splitlines()[1:])
    return "\n".join([*lines, *(f"  {line[4:]}".rstrip() for line in header)])


def _sample(family: Family, seed: int) -> str:
    """The first round of a random game in which a player has a choice: what may be played, is played, and is seen."""
    import numpy as np

    from veil.engine import load

    rng = np.random.default_rng(seed)
    state = load(family.name).initial_state()
    number = 1
    while number < MAX_ROUNDS and not _choosers(state):
        state, _ = state.play(state.random_joint_move(rng))
        number += 1
    joint = state.random_joint_move(rng)
    _, percepts = state.play(joint)
    lines = ["", f"  A sample round, the {number}. of a random game (`veil trace {family.name}` plays it all)"]
    for role in state.game.roles:
        seen = f"; sees {' '.join(percepts[role])}" if percepts[role] else ""
        moves = state.legal(role)
        choice = f", one of {len(moves)}" if len(moves) > 1 else ""
        lines.append(labelled(role, f"plays {joint[role]}{choice}{seen}", 13))
    return "\n".join(lines)


def _choosers(state: State) -> list[str]:
    return [role for role in state.game.roles if role != RANDOM and len(state.legal(role)) > 1]
