"""A drawn tree as a TikZ picture for LaTeX: `\\usepackage{tikz}`, then `\\input{tree.tex}`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.boards.tree_layout import IS_CHANCE, IS_END, IS_FOLDED, IS_KNOWN, ROW, DrawnNode, show_payoff

if TYPE_CHECKING:
    from veil.boards.tree_drawing import TreeDrawing

WIDE, TALL = 0.0175, 0.42 / ROW  # centimetres per pixel
COLOURS = ("blue!70!black", "orange!85!black", "teal!80!black", "purple!75!black", "olive", "gray")
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
}
SPECIAL |= {
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "×": r"$\times$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def render_tree_tikz(drawing: TreeDrawing) -> str:
    """Return the drawing as a `tikzpicture`."""
    nodes = drawing.layout.nodes
    lines = [
        f"% The tree of {drawing.game.name}; payoffs in {drawing.game.utility.unit}"
        + (f"; weights: {drawing.policy}" if drawing.policy else ""),
        r"\begin{tikzpicture}[x=1cm, y=1cm, font=\scriptsize,",
        r"  decision/.style={circle, fill, inner sep=0pt, minimum size=4.5pt},",
        r"  chance/.style={rectangle, draw, fill=white, inner sep=0pt, minimum size=4.5pt},",
        r"  end/.style={circle, fill=gray, inner sep=0pt, minimum size=2pt},",
        r"  folded/.style={circle, draw, fill=white, inner sep=0pt, minimum size=4.5pt},",
        r"  infoset/.style={dashed, thick}]",
    ]
    for places in drawing.layout.lines:
        owner = next((nodes[place].owner for place in places if nodes[place].owner >= 0), nodes[places[0]].below)
        path = " -- ".join(_place(nodes[place]) for place in places)
        lines.append(rf"\draw[infoset, {_colour(owner)}] {path};")
    lines += [_draw_edge(drawing, place) for place, node in enumerate(nodes) if node.parent >= 0]
    lines += [_draw_node(drawing, place) for place in range(len(nodes))]
    for number, role in enumerate(drawing.tree.roles):
        lines.append(
            rf"\node[decision, {_colour(number)}, label=right:{{{_clean(role)}}}] at ({number * 2.2:.2f}, 0.9) {{}};"
        )
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


def _draw_edge(drawing: TreeDrawing, place: int) -> str:
    node, chance = drawing.layout.nodes[place], drawing.chances[place]
    above = drawing.layout.nodes[node.parent]
    label = _clean(drawing.moves[place]) + ("" if chance is None else rf" \textcolor{{gray}}{{{_show_chance(chance)}}}")
    pale = ", opacity=0.35" if chance is not None and chance < 5e-4 else ""
    wide = 0.3 if chance is None else 0.3 + 0.9 * chance
    corner = f"({WIDE * node.bend:.3f}, {-TALL * node.y:.3f})"
    return (
        rf"\draw[line width={wide:.2f}pt{pale}] {_place(above)} -- {corner} -- {_place(node)} "
        rf"node[pos=0, above right, inner sep=1pt{pale}] {{{label}}};"
    )


def _draw_node(drawing: TreeDrawing, place: int) -> str:
    node, values = drawing.layout.nodes[place], drawing.values[place]
    style = {IS_CHANCE: "chance", IS_KNOWN: "chance", IS_END: "end", IS_FOLDED: "folded"}.get(
        node.owner, f"decision, {_colour(node.owner)}"
    )
    label = ""
    if node.owner == IS_END and values is not None:
        label = f", label=right:{{{', '.join(map(show_payoff, values))}}}"
    elif node.owner == IS_FOLDED:
        label = f", label=right:{{+ {node.hidden:,}}}"
    return rf"\node[{style}{label}] at {_place(node)} {{}};"


def _place(node: DrawnNode) -> str:
    return f"({WIDE * node.x:.3f}, {-TALL * node.y:.3f})"


def _colour(owner: int) -> str:
    return COLOURS[max(0, owner) % len(COLOURS)]


def _show_chance(chance: float) -> str:
    percent = 100 * chance
    return rf"{percent:.0f}\,\%" if percent >= 9.95 or percent < 0.05 else rf"{percent:.1f}\,\%"


def _clean(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text)
