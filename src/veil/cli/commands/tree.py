"""`veil tree`: the size of the whole game."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import MaxNodes, default_of, limited_number
from veil.equilibrium import TreeBounds, expand
from veil.report import Progress, count_things, find_column, label_text

MAX_NODES: int = default_of(expand, "max_nodes")
Seconds = Annotated[float | None, limited_number("seconds", help="Give up when it takes longer.")]
Levels = Annotated[bool, typer.Option("--levels", help="Also count the nodes of every depth.")]


@command
def tree(call: GameCall, max_nodes: MaxNodes = MAX_NODES, seconds: Seconds = None, levels: Levels = False) -> None:
    """Expand the whole game and count: nodes, terminals, infosets and slots per role, depth."""
    from veil.equilibrium import count_levels  # help needs none of it

    with Progress(f"expanding {call.game.name}"):
        expanded = expand(call.game, max_nodes, bounds=TreeBounds(seconds=seconds, option="--max-nodes"))
    counts = {"game": call.game.name} | expanded.counts()
    if levels:
        counts["levels"] = count_levels(expanded.flat)
    call.answer(lambda: counts, lambda: _as_text(call.game.name, counts))


def _as_text(name: str, counts: dict[str, Any]) -> str:
    inner = counts["nodes"] - counts["terminals"] - counts["chance_nodes"]
    sizes = {"terminal": counts["terminals"], "chance node": counts["chance_nodes"], "decision": inner}
    kinds = ", ".join(count_things(size, kind) for kind, size in sizes.items())
    column = find_column([*counts["infosets"], "nodes per depth"])
    lines = [
        f"{name}: the whole game has {count_things(counts['nodes'], 'node')}",
        label_text("of these", kinds, column),
    ]
    for role, infosets in counts["infosets"].items():
        slots = counts["slots"][role]
        lines.append(
            label_text(role, f"{count_things(infosets, 'infoset')} with {count_things(slots, 'move')} in all", column)
        )
    lines.append(label_text("depth", f"{count_things(counts['depth'], 'move')}, forced ones not counted", column))
    if "levels" in counts:
        lines.append(label_text("nodes per depth", " ".join(f"{size:,}" for size in counts["levels"]), column))
    speed = counts["nodes"] / max(counts["seconds"], 1e-9)
    spent = f"{counts['bytes'] / 2**20:,.1f} MB, expanded in {counts['seconds']:.3f} s"
    lines.append(label_text("memory, time", f"{spent} ({speed / 1e6:.2f} million nodes per second)", column))
    return "\n".join(lines)
