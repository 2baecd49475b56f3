"""The drawn tree of a game under analysis, with the weights of the session's policy."""

from __future__ import annotations

from typing import Any

from veil.boards import draw_tree, find_roots, render_tree_svg
from veil.server.web.host.workers import Say
from veil.server.web.jobs.analysis import find_session

MOST_DRAWN = 1500  # nodes of a picture


def draw(
    say: Say, source: dict[str, Any], role: str, record: str, max_nodes: int, folded: list[int], form: str
) -> dict[str, Any]:
    """Return the tree as SVG for a page, or as a file `svg` or `tex`; with a role, what follows a record."""
    session = find_session(source)
    prepared = session.expanded()
    roots = find_roots(prepared.tree, role, record) if role else (0,)
    drawing = draw_tree(
        prepared.tree,
        session.slots(),
        policy=session.policy_name,
        roots=roots,
        max_nodes=min(max_nodes, MOST_DRAWN),
        folded=folded,
    )
    shown = len(drawing.layout.nodes)
    told = {"drawn": shown, "nodes": prepared.tree.num_nodes, "name": session.game.name}
    if form == "tex":
        return told | {"text": drawing.tikz}
    return told | {"text": drawing.svg if form == "svg" else render_tree_svg(drawing, style=False)}
