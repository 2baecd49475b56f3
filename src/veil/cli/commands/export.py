"""`veil export`: the whole game in the format of another tool."""

from __future__ import annotations

from typing import Annotated

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import MaxNodes, default_of, list_names
from veil.errors import fail
from veil.files import check_writable, write_text
from veil.interop.gambit import write_efg
from veil.report import Progress, count_things

FORMATS = {"efg": "a tree, as Gambit writes it"}
MAX_NODES: int = default_of(write_efg, "max_nodes")

Format = Annotated[
    str, typer.Option("--format", help=f"{list_names(f'{name}: {what}' for name, what in FORMATS.items())}.")
]
PolicyFile = Annotated[
    str | None,
    typer.Option("--policy", metavar="FILE", help="Also write this policy, as a profile in the comment of the tree."),
]
OutFile = Annotated[str | None, typer.Option("--out", metavar="FILE", help="Write to this file, not to the screen.")]


@command
def export(
    call: GameCall,
    format: Format = "efg",
    policy: PolicyFile = None,
    out: OutFile = None,
    max_nodes: MaxNodes = MAX_NODES,
) -> None:
    """Write the whole game as a tree that Gambit and OpenSpiel read: exact payoffs, infosets, probabilities of chance.

    `veil` reads such a file again: veil solve game.efg.
    """
    from veil.equilibrium import Policy  # help needs none of it

    if format not in FORMATS:
        raise fail("bad-option", what=f"--format must be {list_names(FORMATS)}, not {format}")
    if out is not None:
        check_writable(out)
        call.check_output(out, policy)
    read = None if policy is None else Policy.load(policy)
    with Progress(f"expanding {call.game.name}"):
        text = write_efg(call.game, read, max_nodes=max_nodes, option="--max-nodes", policy_name=policy or "the policy")
    if out is not None:
        write_text(out, text)
    nodes = text.count("\n") - (1 if policy is None else 2)
    summary = {"game": call.game.name, "format": format, "nodes": nodes, "file": out}
    told = f"{call.game.name}: {count_things(nodes, 'node')} written to {out}"
    call.answer(lambda: summary | ({} if out else {"text": text}), lambda: told if out else text.rstrip("\n"))
