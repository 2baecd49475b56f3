"""`veil players`, `veil samplers`, `veil opponents`, `veil solvers`: the names for specs, with all options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from veil.cli.call import Call, command
from veil.registry import Option, Registry, find_table
from veil.report import find_column, label_text

LEAST_COLUMN = 16  # at which meanings begin
Name = Annotated[str | None, typer.Argument(help="Show this one alone.")]


@command
def players(call: Call, name: Name = None) -> None:
    """List the players that --player, --players and --against can name, with their options."""
    show_registry(call, find_table("veil.players:PLAYERS"), name)


@command
def samplers(call: Call, name: Name = None) -> None:
    """List the samplers of beliefs that --sampler and the option `sampler` of players can name, with their options."""
    show_registry(call, find_table("veil.belief:SAMPLERS"), name)


@command
def opponents(call: Call, name: Name = None) -> None:
    """List the models of opponents that --opponents and the option `opponents` of players can name, with options."""
    show_registry(call, find_table("veil.search:OPPONENTS"), name)


@command
def solvers(call: Call, name: Name = None) -> None:
    """List the solvers that --method and the option `method` of players can name, with their options."""
    show_registry(call, find_table("veil.equilibrium:SOLVERS"), name)


def show_registry(call: Call, registry: Registry[Any], name: str | None = None) -> None:
    """Print all rows of a table, or only the row `name`."""
    if name is not None:
        _ = registry[name]  # refuses an unknown name
    names = [name] if name is not None else list(registry)
    call.answer(
        lambda: {f"{registry.kind}s": [row_as_json(registry, each) for each in names]},
        lambda: registry_as_text(registry, names),
    )


def row_as_json(registry: Registry[Any], name: str) -> dict[str, Any]:
    """Return one row with its options, as plain data."""
    return {
        "name": name,
        "summary": registry[name].summary,
        "needs": sorted(registry[name].needs),
        "usage": registry.usage(name),
        "options": [
            {"name": entry.name, "default": entry.default, "kind": entry.kind, "meaning": entry.about}
            for entry in registry.options(name)
        ],
    }


def registry_as_text(registry: Registry[Any], names: Iterable[str]) -> str:
    """Return a text with the summary of each of these rows, and a line per option with its default and meaning."""
    options = {name: registry.options(name) for name in names}
    column = find_column((_show_default(entry) for entries in options.values() for entry in entries), LEAST_COLUMN)
    lines = []
    for name, entries in options.items():
        lines += [name, label_text("", registry[name].summary, 4)]
        lines += [label_text(_show_default(entry), f"{entry.about} ({entry.kind})", column) for entry in entries]
    example = max(map(registry.usage, options), key=lambda usage: usage.count("="))
    return "\n".join([*lines, "", "A spec is a name, with options where there are any:", f"    {example}"])


def _show_default(entry: Option) -> str:
    """Return `name=default`, indented; three dots replace a missing default."""
    value = "..." if entry.default in (None, "") else entry.default
    return f"  {entry.name}={str(value).lower() if isinstance(value, bool) else value}"
