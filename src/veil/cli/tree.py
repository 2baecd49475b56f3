"""`veil tree`: the size of the whole game."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from veil.cli.options import (
    MAX_MEMORY,
    MAX_RULES,
    MAX_SECONDS,
    GameName,
    Json,
    MaxMemory,
    MaxNodes,
    MaxRules,
    MaxSeconds,
    Seed,
    load_game,
)
from veil.cli.output import busy, labelled, print_json, print_problems

MAX_NODES = 50_000_000
WIDE = 18
Levels = Annotated[bool, typer.Option("--levels", help="Also count the nodes of every depth.")]


def tree(
    game: GameName,
    max_nodes: MaxNodes = MAX_NODES,
    levels: Levels = False,
    json: Json = False,
    seed: Seed = 0,  # nothing is random here; every command takes it
    max_rules: MaxRules = MAX_RULES,
    max_seconds: MaxSeconds = MAX_SECONDS,
    max_memory: MaxMemory = MAX_MEMORY,
) -> None:
    """Expand the whole game and count: nodes, terminals, infosets and slots per role, depth."""
    loaded = load_game(game, max_rules, max_seconds, max_memory)
    with busy(f"expanding {loaded.name}"):
        from veil.equilibrium import count_levels, expand

        found = expand(loaded, max_nodes)
    print_problems(loaded.warnings)
    counts = found.counts()
    if levels:
        counts["levels"] = count_levels(found.flat)
    if json:
        print_json(counts)
    else:
        print(_as_text(loaded.name, counts))


def _as_text(name: str, counts: dict[str, Any]) -> str:
    inner = counts["nodes"] - counts["terminals"] - counts["chance_nodes"]
    what = f"{counts['terminals']:,} terminals, {counts['chance_nodes']:,} chance nodes, {inner:,} decisions"
    lines = [f"{name}: the whole game has {counts['nodes']:,} nodes", labelled("of these", what, WIDE)]
    for role, infosets in counts["infosets"].items():
        slots = counts["slots"][role]
        lines.append(labelled(role, f"{infosets:,} infosets with {slots:,} moves in all", WIDE))
    lines.append(labelled("depth", f"{counts['depth']} moves, forced ones not counted", WIDE))
    if "levels" in counts:
        lines.append(labelled("nodes per depth", " ".join(f"{size:,}" for size in counts["levels"]), WIDE))
    speed = counts["nodes"] / max(counts["seconds"], 1e-9)
    spent = f"{counts['bytes'] / 2**20:,.1f} MB, expanded in {counts['seconds']:.3f} s"
    lines.append(labelled("memory, time", f"{spent} ({speed / 1e6:.2f} million nodes per second)", WIDE))
    return "\n".join(lines)
