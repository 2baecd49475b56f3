"""`veil tree`: the size of the whole game."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import TreeNodes, limited_number
from veil.report import Progress, count_things, find_column, label_text

if TYPE_CHECKING:
    from veil.equilibrium import EstimatedNumber

Seconds = Annotated[float | None, limited_number("seconds", help="Give up when the tree takes longer.")]
Levels = Annotated[bool, typer.Option("--levels", help="Also count the nodes of every depth.")]
Estimate = Annotated[
    bool, typer.Option("--estimate", help="Do not count: estimate the sizes by random walks, and what a pass needs.")
]


@command
def tree(
    call: GameCall,
    max_nodes: TreeNodes = None,
    seconds: Seconds = None,
    levels: Levels = False,
    estimate: Estimate = False,
) -> None:
    """Count the whole game: nodes, terminals, infosets and slots per role, depth.

    A game whose tree is too large is counted without it, from its distinct states. One that is too large even for that
    can be estimated: --estimate.
    """
    if estimate:
        _estimate(call)
        return
    from veil.equilibrium import TreeBounds, count_whole_game  # help needs none of it

    with Progress(f"expanding {call.game.name}"):
        bounds = TreeBounds(seconds=seconds, option="--max-nodes")
        counted = count_whole_game(call.game, max_nodes, bounds=bounds, levels=levels)
    counts = {"game": call.game.name} | counted
    call.answer(lambda: counts, lambda: _as_text(call.game.name, counts))


def _estimate(call: GameCall) -> None:
    """Print the estimated sizes of a game."""
    from veil.equilibrium import estimate_size  # help needs none of it

    with Progress(f"estimating {call.game.name}"):
        found = estimate_size(call.game, call.seed)
    call.answer(lambda: {"game": call.game.name} | _as_plain(found), lambda: _estimate_as_text(call.game.name, found))


def _as_plain(value: Any) -> Any:
    """Return estimates as plain data."""
    if isinstance(value, dict):
        return {name: _as_plain(part) for name, part in value.items()}
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def _estimate_as_text(name: str, found: dict[str, Any]) -> str:
    column = find_column([*found["infosets"], "numbers of a solver"])
    walks = f"{found['walks']} random walks, and {found['record_walks']} per role; ± is the standard error"
    lines = [f"{name}: sizes estimated by {walks}", label_text("nodes", _show_mean(found["nodes"]), column)]
    for role, infosets in found["infosets"].items():
        slots = _show_mean(found["slots"][role])
        lines.append(label_text(role, f"{_show_mean(infosets)} infosets with {slots} moves in all", column))
    lines.append(label_text("numbers of a solver", f"{found['solver_bytes'] / 1e9:,.3g} GB", column))
    speed = f"{found['node_nanoseconds']:g} ns for a node"
    hours = f"{found['pass_seconds'] / 3600:.2g} processor hours for all roles, at {speed}"
    return "\n".join([*lines, label_text("one pass", hours, column)])


def _show_mean(mean: EstimatedNumber) -> str:
    return f"{mean.value:.3g} ± {mean.error:.2g}"


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
    if "states" in counts:
        spent = f"{count_things(counts['states'], 'distinct state')}, counted in {counts['seconds']:.2f} s"
        return "\n".join([*lines, label_text("no tree kept", spent, column)])
    speed = counts["nodes"] / max(counts["seconds"], 1e-9)
    spent = f"{counts['bytes'] / 2**20:,.1f} MB, expanded in {counts['seconds']:.3f} s"
    lines.append(label_text("memory, time", f"{spent} ({speed / 1e6:.2f} million nodes per second)", column))
    return "\n".join(lines)
