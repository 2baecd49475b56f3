"""`veil games`: the catalogue."""

from __future__ import annotations

from itertools import takewhile
from typing import Annotated

import typer

from veil.cli.options import Json
from veil.cli.output import labelled, print_json
from veil.games import FAMILIES, Family
from veil.games.catalogue import find_family


def games(
    name: Annotated[str | None, typer.Argument(help="Show this family in full.")] = None,
    json: Json = False,
) -> None:
    """List the bundled games, or show one of them."""
    families = [find_family(name)] if name else list(FAMILIES.values())
    if json:
        print_json({"games": [_as_json(family) for family in families]})
    elif name:
        print(_page(families[0]))
    else:
        for family in families:
            print(family.usage())
            print(labelled("", family.summary, 4))
        print("\n`veil games NAME` shows one in full, `veil check NAME` its size.")


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
        "summary": family.summary,
        "source": family.source,
    }


def _page(family: Family) -> str:
    """How to write it, and the head of its rules file."""
    lines = [family.usage(), "", labelled("Roles", ", ".join(family.roles), 13)]
    lines += [labelled(p.name, f"{p.meaning} ({p.limits()}, default {p.default})", 13) for p in family.parameters]
    header = takewhile(lambda line: line.startswith(";;;"), family.rules_text().splitlines()[1:])
    return "\n".join([*lines, *(f"  {line[4:]}".rstrip() for line in header)])
