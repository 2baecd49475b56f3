"""The stylesheet of boards: colours of pieces and cells, in light and in dark."""

from __future__ import annotations

TONES = {  # tone: (light, dark)
    "white": ("#fdfdfb", "#f4f4f0"),
    "black": ("#23282e", "#0c0e11"),
    "red": ("#cf3b2f", "#e2685d"),
    "blue": ("#2a6fb0", "#5b9bd6"),
    "green": ("#2f8f4e", "#58b878"),
    "yellow": ("#e2b91f", "#eccb51"),
    "orange": ("#e0802a", "#ee9d55"),
    "purple": ("#7d4aa8", "#a67bce"),
    "pink": ("#d9679f", "#e58fb9"),
    "teal": ("#1f9490", "#4cb9b5"),
    "brown": ("#8a5a33", "#b07e55"),
    "grey": ("#87909a", "#9aa4ae"),
    "first": ("#20639b", "#62a3dc"),
    "second": ("#d9482f", "#ee7c67"),
    "third": ("#3c8d5a", "#66ba86"),
    "fourth": ("#8454a8", "#ad83cc"),
    "fifth": ("#c78a1b", "#dcae54"),
    "sixth": ("#4f6272", "#8fa3b3"),
    "plain": ("#2b3a49", "#d8e0e8"),
}
GROUNDS = {"light": ("#f3ead9", "#39414b"), "dark": ("#e4d3b5", "#2f3640"), "void": ("#c9ced4", "#14181c")}


def _tones(which: int) -> str:
    return "".join(f".veil-board .tone-{tone}{{fill:{colours[which]}}}" for tone, colours in TONES.items())


def _grounds(which: int) -> str:
    return "".join(f".veil-board .{name} .ground{{fill:{colours[which]}}}" for name, colours in GROUNDS.items())


_BASE = """
.veil-board{font-family:system-ui,sans-serif;color:#1c2733}
.veil-board text{fill:currentColor;pointer-events:none}
.veil-board .title{font-size:13px;font-weight:600}
.veil-board .label{font-size:11px;opacity:.75}
.veil-board .label.column{text-anchor:middle}
.veil-board .label.row,.veil-board .chips-name{text-anchor:end}
.veil-board .ground{stroke:#a08c6a;stroke-width:1}
.veil-board .piece{stroke:#1c2733;stroke-width:1}
.veil-board .sign{text-anchor:middle;font-weight:600;stroke:none}
.veil-board .sign.tone-white{stroke:#1c2733;stroke-width:1}
.veil-board .sign.on-dark{fill:#fff}
.veil-board .sign.on-light{fill:#1c2733}
.veil-board .possible{stroke-dasharray:3 2}
.veil-board .chance{text-anchor:middle;font-size:9px;opacity:.85}
.veil-board .wall{stroke:#1c2733;stroke-width:4;stroke-linecap:round}
.veil-board .mark{stroke:#1c2733;stroke-width:.5}
.veil-board .chip rect{stroke:#5b6875;stroke-width:.8}
.veil-board .chip rect.tone-plain{fill:#e8eef3}
.veil-board .chip-text{text-anchor:middle;font-size:12px}
.veil-board .chip rect:not(.tone-plain):not(.tone-white)+.chip-text{fill:#fff}
.veil-board .chip.possible .chip-text{fill:currentColor!important}
.veil-board .can-move{cursor:pointer}
.veil-board .can-move .ground{stroke:#1f7a4d;stroke-width:2.5}
.veil-board .can-move:hover .ground,.veil-board .can-move:focus .ground{fill:#bfe3cd}
.veil-board .chosen .ground{fill:#8fd0a8}
""".replace("\n", "")
_DARK = """
.veil-board{color:#dfe6ec}
.veil-board .ground{stroke:#59636e}
.veil-board .mark{stroke:#dfe6ec}
.veil-board .wall{stroke:#dfe6ec}
.veil-board .chip rect.tone-plain{fill:#3a4550}
.veil-board .can-move .ground{stroke:#58b878}
.veil-board .can-move:hover .ground,.veil-board .can-move:focus .ground{fill:#2d5a41}
""".replace("\n", "")

# An element around a board with `data-theme="light"` or "dark" decides; otherwise the system does.
SVG_STYLE = f"{_BASE}{_tones(0)}{_grounds(0)}@media (prefers-color-scheme:dark){{{_DARK}{_tones(1)}{_grounds(1)}}}"
