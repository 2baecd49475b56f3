"""A drawn tree as SVG: escaped, readable for screen readers, in light and dark, with numbers of nodes for clicks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from veil.boards.tree_layout import IS_CHANCE, IS_END, IS_FOLDED, IS_KNOWN, DrawnNode, show_payoff
from veil.sanitize import make_visible

if TYPE_CHECKING:
    from veil.boards.tree_drawing import TreeDrawing

EDGE, HEAD = 22.0, 40.0  # pixels around the drawing, and above it
END_ROOM, CHARACTER = 24.0, 6.6  # room for payoffs to the right: at least, and per character
LONGEST = 26  # characters of a move
RADIUS = 6.0
NEVER = 5e-4  # moves that are played less often are pale
ROLES = (
    ("#0a66ad", "#6db3ee"),
    ("#bb4a00", "#f0935a"),
    ("#00805f", "#5cc7a5"),
    ("#a8457c", "#e08fbb"),
    ("#8a6a00", "#d9b84a"),
    ("#4f6272", "#9fb3c2"),
)
LIGHT = "--ink:#1e2328;--soft:#5a626c;--line:#8b939c;--paper:#ffffff;"
DARK = "--ink:#e7e9ec;--soft:#a3abb4;--line:#7a848e;--paper:#1c2025;"
LIGHT += "".join(f"--r{n}:{light};" for n, (light, _) in enumerate(ROLES))
DARK += "".join(f"--r{n}:{dark};" for n, (_, dark) in enumerate(ROLES))
TREE_STYLE = (
    f".veil-tree{{{LIGHT}color:var(--ink);font-family:system-ui,sans-serif}}"
    f"@media (prefers-color-scheme:dark){{.veil-tree{{{DARK}}}}}"
    ".veil-tree text{fill:var(--ink);font-size:11px}.veil-tree .soft{fill:var(--soft)}"
    ".veil-tree .edge{stroke:var(--line);fill:none}.veil-tree .never{opacity:.35}"
    ".veil-tree .edge.used{stroke:var(--ink)}"
    ".veil-tree .set{fill:none;stroke-width:2;stroke-dasharray:2 5;stroke-linecap:round}"
    ".veil-tree .chance{fill:var(--paper);stroke:var(--soft);stroke-width:1.6}"
    ".veil-tree .end{fill:var(--soft)}.veil-tree .pays{font-variant-numeric:tabular-nums}"
    ".veil-tree .folded{fill:var(--paper);stroke-width:1.6}"
    ".veil-tree .halo{stroke:var(--paper);stroke-width:3px;paint-order:stroke}.veil-tree .can-fold{cursor:pointer}"
    + "".join(
        f".veil-tree .role{n}{{fill:var(--r{n})}}.veil-tree .set{n}{{stroke:var(--r{n})}}" for n in range(len(ROLES))
    )
)


def render_tree_svg(drawing: TreeDrawing, *, style: bool = True) -> str:
    """Return the drawing as an SVG element; `style` puts the stylesheet into it."""
    layout = drawing.layout
    words = max((len(_show_pays(drawing, place)) for place in range(len(layout.nodes))), default=0)
    width = layout.width + 2 * EDGE + END_ROOM + CHARACTER * words
    height = layout.height + 2 * EDGE + HEAD
    title = f"The tree of {drawing.game.name}"
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="veil-tree" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" aria-label="{_clean(title)}">',
        f"<style>{TREE_STYLE}</style>" if style else "",
        f"<title>{_clean(title)}</title>",
        _draw_head(drawing),
        f'<g transform="translate({EDGE:.0f} {EDGE + HEAD:.0f})">',
    ]
    parts += [_draw_set(drawing, places) for places in layout.lines]
    parts += [_draw_edge(drawing, place) for place, node in enumerate(layout.nodes) if node.parent >= 0]
    parts += [_draw_node(drawing, place) for place in range(len(layout.nodes))]
    return "".join([*parts, "</g></svg>"])


def _draw_head(drawing: TreeDrawing) -> str:
    """Return the legend: the colours of the roles, and what the numbers are."""
    x, parts = EDGE, []
    for number, role in enumerate(drawing.tree.roles):
        parts.append(f'<circle class="role{number % len(ROLES)}" cx="{x:.0f}" cy="20" r="{RADIUS}"/>')
        parts.append(f'<text x="{x + 11:.0f}" y="24">{_clean(role)}</text>')
        x += 26 + CHARACTER * len(role)
    parts.append(f'<rect class="chance" x="{x - 5:.0f}" y="15" width="10" height="10"/>')
    parts.append(f'<text x="{x + 11:.0f}" y="24">chance</text>')
    unit = f"payoffs in {drawing.game.utility.unit}" + (f"; weights: {drawing.policy}" if drawing.policy else "")
    parts.append(f'<text class="soft" x="{EDGE - 6:.0f}" y="42">{_clean(unit)}</text>')
    return "".join(parts)


def _draw_set(drawing: TreeDrawing, places: tuple[int, ...]) -> str:
    """Return the dashed line through the nodes of an infoset, in the colour of its role."""
    nodes = [drawing.layout.nodes[place] for place in places]
    path = "L".join(f"{node.x:.1f} {node.y:.1f}" for node in nodes)
    owner = next((node.owner for node in nodes if node.owner >= 0), nodes[0].below)
    told = _clean(drawing.records[places[0]])
    return f'<path class="set set{max(0, owner) % len(ROLES)}" d="M{path}"><title>{told}</title></path>'


def _draw_edge(drawing: TreeDrawing, place: int) -> str:
    """Return the line from the node above, with the move and how likely it is."""
    node = drawing.layout.nodes[place]
    above, chance = drawing.layout.nodes[node.parent], drawing.chances[place]
    wide = 1.0 if chance is None else 0.8 + 2.6 * chance
    kind = " never" if chance is not None and chance < NEVER else " used" if chance is not None else ""
    move = drawing.moves[place]
    label = move if len(move) <= LONGEST else move[: LONGEST - 1] + "…"
    shown = "" if chance is None else f'<tspan class="soft"> {_show_chance(chance)}</tspan>'
    return (
        f'<g class="{kind.strip() if kind == " never" else "move"}"><path class="edge{kind}" stroke-width="{wide:.1f}" '
        f'd="M{above.x:.1f} {above.y:.1f}L{node.bend:.1f} {node.y:.1f}L{node.x:.1f} {node.y:.1f}"/>'
        f'<text class="halo" x="{node.bend + 4:.1f}" y="{node.y - 4:.1f}">{_clean(label)}{shown}'
        f"<title>{_clean(move)}</title></text></g>"
    )


def _draw_node(drawing: TreeDrawing, place: int) -> str:
    node = drawing.layout.nodes[place]
    about = _describe(drawing, place)
    body = _draw_sign(node)
    pays = _show_pays(drawing, place)
    text = f'<text class="pays" x="{node.x + 10:.1f}" y="{node.y + 4:.1f}">{_clean(pays)}</text>' if pays else ""
    fold = f' class="can-fold" data-node="{node.node}"' if node.node >= 0 and node.owner != IS_END else ""
    return f"<g{fold}><title>{_clean(about)}</title>{body}{text}</g>"


def _draw_sign(node: DrawnNode) -> str:
    if node.owner == IS_END:
        return f'<circle class="end" cx="{node.x:.1f}" cy="{node.y:.1f}" r="2.5"/>'
    if node.owner in (IS_CHANCE, IS_KNOWN):
        return f'<rect class="chance" x="{node.x - 5:.1f}" y="{node.y - 5:.1f}" width="10" height="10"/>'
    if node.owner == IS_FOLDED:
        colour = f" set{node.below % len(ROLES)}" if node.below >= 0 else ""
        return f'<circle class="folded{colour or " chance"}" cx="{node.x:.1f}" cy="{node.y:.1f}" r="{RADIUS}"/>'
    return f'<circle class="role{node.owner % len(ROLES)}" cx="{node.x:.1f}" cy="{node.y:.1f}" r="{RADIUS}"/>'


def _describe(drawing: TreeDrawing, place: int) -> str:
    """Return a node in words: who decides, what it was told, what the roles get from here."""
    node, values = drawing.layout.nodes[place], drawing.values[place]
    who = {IS_CHANCE: "chance", IS_END: "the end", IS_FOLDED: f"{node.hidden:,} nodes", IS_KNOWN: "one of these"}
    told = [who.get(node.owner) or drawing.tree.roles[node.owner]]
    if drawing.records[place]:
        told.append(f"told: {drawing.records[place]}")
    if values is not None:
        told.append(
            ", ".join(f"{role} {show_payoff(value)}" for role, value in zip(drawing.tree.roles, values, strict=True))
        )
    return "; ".join(told)


def _show_pays(drawing: TreeDrawing, place: int) -> str:
    node, values = drawing.layout.nodes[place], drawing.values[place]
    if node.owner == IS_FOLDED:
        return f"+ {node.hidden:,}"
    return ", ".join(map(show_payoff, values)) if node.owner == IS_END and values is not None else ""


def _show_chance(chance: float) -> str:
    percent = 100 * chance
    return f"{percent:.0f} %" if percent >= 9.95 or percent < 0.05 else f"{percent:.1f} %"


def _clean(text: str) -> str:
    return escape(make_visible(text), quote=True)
