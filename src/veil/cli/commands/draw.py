"""`veil draw`: the tree of a game as a picture."""

from __future__ import annotations

from typing import Annotated

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import limited_number
from veil.errors import fail
from veil.files import check_writable

NODES = 300

OutFile = Annotated[
    str | None, typer.Option("--out", metavar="FILE", help="Write this file, .svg or .tex; by default, print SVG.")
]
PolicyFile = Annotated[
    str | None, typer.Option("--policy", metavar="FILE", help="Weights of this policy; without it, of an equilibrium.")
]
Role = Annotated[str | None, typer.Option(help="Draw only what follows a record of this role.")]
Told = Annotated[
    str, typer.Option("--record", metavar="TEXT", help="Its record: `noop: (card king)`. Empty is the start.")
]
Nodes = Annotated[int, limited_number("nodes", help="Largest number of drawn nodes; the rest is folded.")]


@command
def draw(
    call: GameCall,
    out: OutFile = None,
    policy: PolicyFile = None,
    role: Role = None,
    told: Told = "",
    nodes: Nodes = NODES,
) -> None:
    """Draw the tree of a game: infosets as dashed lines, chances, payoffs, the weights of an equilibrium.

    A .tex file is a TikZ picture for LaTeX. A game of more than 20,000 nodes is drawn without weights.
    """
    from veil.boards import check_suffix, draw as draw_game  # help needs none of it
    from veil.equilibrium import Policy  # help needs none of it
    from veil.report import Progress, count_things  # help needs none of it

    if told and role is None:
        raise fail("bad-option", what="--record needs --role")
    if out is not None:
        check_suffix(out)
        check_writable(out)
        call.check_output(out, policy)
    read = None if policy is None else Policy.load(policy)
    with Progress(f"drawing {call.game.name}"):
        drawing = draw_game(call.game, read, role=role, record=told, max_nodes=nodes)
    if out is not None:
        drawing.save(out)
    drawn, whole = len(drawing.layout.nodes), drawing.tree.num_nodes
    summary = {"game": call.game.name, "drawn": drawn, "nodes": whole, "weights": drawing.policy, "file": out}
    done = f"{call.game.name}: {drawn:,} of {count_things(whole, 'node')} drawn in {out}"
    call.answer(lambda: summary | ({} if out else {"svg": drawing.svg}), lambda: done if out else drawing.svg)
