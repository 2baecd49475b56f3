"""The picture of README: one rules file, and what Veil says about it. `python docs/picture.py` draws it anew.

Krieg-TicTacToe: nobody sees the other's marks. From the rules alone: what o believes about the board, how random play
and search fare against each other, and, for a smaller game with hidden cards, the way to the exact equilibrium.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import matplotlib as mpl
import numpy as np

import veil

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

PICTURE = Path(__file__).parent / "images" / "veil.png"
PLAYERS = ("random", "hyperplay:models=20,playouts=20", "cheat:playouts=50")
DARK, BLUE, RED, PALE = "#22303c", "#20639b", "#ed553b", "#e8eef3"


def draw_rules(axis: Axes) -> None:
    """Three of the rules, as they are written."""
    text = veil.load("krieg_tictactoe").rules.source.text
    starts = ("(<= (legal ?p (mark", "(<= (sees", "(<= (next (cell")
    blocks = [block for block in text.split("\n\n") if block.startswith(starts)]
    lines = [
        part
        for line in "\n...\n".join(blocks).splitlines()
        for part in textwrap.wrap(line, 44, subsequent_indent="    ")
    ]
    axis.text(0, 1, "\n".join(lines[:18]), va="top", family="monospace", fontsize=6.6, color=DARK, linespacing=1.45)
    axis.set_title("rules in", loc="left", fontsize=10, fontweight="bold", color=DARK)
    axis.axis("off")


def draw_belief(axis: Axes) -> None:
    """What o can know after its mark in the middle and a failed try in a corner."""
    game = veil.load("krieg_tictactoe")
    told = game.record("oplayer").then("noop", ["your_turn"]).then("(mark 2 2)", ["marked"])
    told = told.then("noop", ["your_turn"]).then("(mark 1 1)", ["taken"])
    bag = veil.believe(game, told)
    chance = bag.marginals()
    board = np.zeros((3, 3))
    for row in range(3):
        for column in range(3):
            board[row, column] = chance.get(f"(cell {row + 1} {column + 1} xplayer)", 0.0)
            mine = f"(cell {row + 1} {column + 1} oplayer)" in chance
            text = "o" if mine else f"{100 * board[row, column]:.0f} %"
            axis.text(
                column,
                row,
                text,
                ha="center",
                va="center",
                fontsize=11,
                color="white" if board[row, column] > 0.6 else DARK,
            )
    axis.imshow(board, cmap="Blues", vmin=0, vmax=1)
    axis.set_xticks([])
    axis.set_yticks([])
    axis.set_title(f"what o can know: x is where?\n{bag.size} histories, exact", loc="left", fontsize=9, color=DARK)


def draw_equilibrium(axis: Axes) -> None:
    """How exploitable the average policy is, over seconds."""
    for name, colour in (("leduc_poker", BLUE), ("liars_dice", RED)):
        solution = veil.solve(name, method="dcfr", seconds=3, target=1e-4)
        points = [point for point in solution.course if point.exploitability > 0]
        axis.loglog([p.seconds for p in points], [p.exploitability for p in points], color=colour, label=name)
    axis.set_xlabel("seconds", fontsize=8)
    axis.tick_params(labelsize=7)
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(alpha=0.25)
    axis.legend(fontsize=7, frameon=False)
    axis.set_title("how far from equilibrium\n(exact exploitability)", loc="left", fontsize=9, color=DARK)


def draw_matches(axis: Axes) -> None:
    """Mean goals of three players against each other."""
    from veil.match import MatchConfig

    result = veil.run_tournament(["krieg_tictactoe"], PLAYERS, matches=40, seed=1, match=MatchConfig(allow_cheat=True))
    table = result.standings[0]
    names = [spec.partition(":")[0] for spec in PLAYERS]
    values = np.full((3, 3), np.nan)
    for row, one in enumerate(PLAYERS):
        for column, other in enumerate(PLAYERS):
            mean = table.cross.get((one, other))
            if mean is not None:
                values[row, column] = mean.value
                axis.text(column, row, f"{mean.value:.0f}", ha="center", va="center", fontsize=10, color=DARK)
    axis.imshow(values, cmap="RdYlGn", vmin=0, vmax=100)
    axis.set_xticks(range(3), names, fontsize=7)
    axis.set_yticks(range(3), names, fontsize=7)
    axis.set_title("who plays it best\n(mean goal, row against column)", loc="left", fontsize=9, color=DARK)


def main() -> None:
    """Draw all four."""
    figure, axes = plt.subplots(1, 4, figsize=(12.5, 3.1), width_ratios=(1.25, 1, 1.15, 1), layout="constrained")
    for axis, draw in zip(axes, (draw_rules, draw_belief, draw_equilibrium, draw_matches), strict=True):
        draw(axis)
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, dpi=160)
    print(f"written to {PICTURE}")


if __name__ == "__main__":
    main()
