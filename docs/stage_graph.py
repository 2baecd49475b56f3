"""The picture of docs/understand/information-sets.md: a stage graph before and after a late percept.

Racko with two slots and seven cards, seen by the first player. `python docs/stage_graph.py` draws it anew: the first
random game, by seed, in which a card that leaves the other rack is one that was dealt face down.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import numpy as np

import veil
from veil.belief.csp.stage_graph import StageGraph
from veil.engine import Game, observe_history

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

PICTURE = Path(__file__).parent / "images" / "stage_graph.png"
GAME, ROLE, CARDS, SLOTS = "racko(slots=2, cards=7)", 1, 7, 2
HIDDEN = (1, 3)  # rounds in which the other player is dealt a card
DARK, TRUE, FALSE, UNKNOWN, RED = "#22303c", "#20639b", "#e8eef3", "#f6c667", "#ed553b"


class Story(NamedTuple):
    """A history, T rounds and R roles, and how many rounds were heard before the percept that tells most."""

    history: np.ndarray  # [T, R]
    before: int


def find_story(game: Game) -> Story:
    """The first random game in which one percept leaves a single plausible deal of an early round."""
    for seed in count():
        history = play_at_random(game, seed)
        graph, last = StageGraph(game.machine, ROLE), [CARDS, CARDS]
        for number, told in enumerate(observe_history(game.machine, history, ROLE)):
            graph.observe(*told)
            now = [int(graph.plausible(row, 0).sum()) for row in HIDDEN if row < graph.rounds]
            if len(now) == len(HIDDEN) and any(old >= 4 and new == 1 for old, new in zip(last, now, strict=True)):
                return Story(history[: number + 1], number)
            last = now + last[len(now) :]
    raise AssertionError("there is no end of seeds")


def play_at_random(game: Game, seed: int) -> np.ndarray:
    """[T, R] a random game."""
    rng, machine, history = np.random.default_rng(seed), game.machine, list[list[int]]()
    state = machine.initial_states()
    while not machine.terminal(state)[0]:
        legal = machine.legal_bits(machine.judge(state))
        history.append([int(rng.choice(np.flatnonzero(bits[0]))) for bits in legal])
        state = machine.step(state, np.array(history[-1:])).states
    return np.array(history)


def draw_graph(axis: Axes, game: Game, story: Story, rounds: int) -> None:
    """The stages after so many rounds, the moves that are plausible between them, and what was told."""
    graph = StageGraph(game.machine, ROLE)
    for told in observe_history(game.machine, story.history[:rounds], ROLE):
        graph.observe(*told)
    for stage in range(rounds + 1):
        draw_stage(axis, game, graph, stage)
    for number in range(rounds):
        draw_round(axis, game, graph, story, number)
    axis.set_xlim(-1.1, len(story.history) + 0.5)
    axis.set_ylim(SLOTS * (CARDS + 1) + 4.2, -1.4)
    axis.axis("off")


def draw_stage(axis: Axes, game: Game, graph: StageGraph, stage: int) -> None:
    """A column of fluents: which card lies in which slot of the other rack."""
    true, false = graph.stage(stage)
    for slot in range(SLOTS):
        for card in range(CARDS):
            fluent = game.names.fluents.index(f"(rack second {slot + 1} {card + 1})")
            colour = TRUE if true[fluent] else FALSE if false[fluent] else UNKNOWN
            place = (stage - 0.17, slot * (CARDS + 1) + card)
            axis.add_patch(Rectangle(place, 0.34, 0.86, facecolor=colour, edgecolor="white"))
            if stage == 0:
                axis.text(-0.3, place[1] + 0.43, str(card + 1), ha="right", va="center", fontsize=6, color=DARK)
        if stage == 0:
            middle = slot * (CARDS + 1) + CARDS / 2
            axis.text(-0.85, middle, f"slot {slot + 1}", rotation=90, ha="center", va="center", fontsize=7, color=DARK)
    axis.text(stage, -0.5, f"stage {stage}", ha="center", fontsize=6.5, color=DARK)


def draw_round(axis: Axes, game: Game, graph: StageGraph, story: Story, number: int) -> None:
    """What may have been dealt, and what the first player did and saw, between two stages."""
    moves = [game.names.moves[0][move] for move in np.flatnonzero(graph.plausible(number, 0))]
    dealt = [move.strip("()").split()[1] for move in moves if move.startswith("(deal")]
    own_move, percepts, _ = observe_history(game.machine, story.history, ROLE)[number]
    told = [game.names.moves[ROLE][own_move], *sorted(game.names.percept_words(ROLE, percepts))]
    bottom = SLOTS * (CARDS + 1)
    axis.annotate("", (number + 0.8, bottom), (number + 0.2, bottom), arrowprops={"arrowstyle": "->", "color": DARK})
    text, colour = "deal " + " ".join(dealt) if dealt else "no deal", RED if len(dealt) > 1 else DARK
    axis.text(number + 0.5, bottom + 0.4, text, ha="center", va="top", fontsize=7, color=colour)
    axis.text(number + 0.5, bottom + 1.3, "\n".join(told), ha="center", va="top", fontsize=6, color="#6b7a88")


def main() -> None:
    """Draw both."""
    game = veil.load(GAME)
    story = find_story(game)
    figure, axes = plt.subplots(2, 1, figsize=(11, 7.6), layout="constrained")
    for axis, rounds, title in zip(axes, (story.before, story.before + 1), ("before", "after"), strict=True):
        draw_graph(axis, game, story, rounds)
        axis.set_title(f"{title} round {story.before + 1}", loc="left", fontsize=10, fontweight="bold", color=DARK)
    names = {"true": TRUE, "false": FALSE, "unknown": UNKNOWN}
    patches = [Patch(facecolor=colour, edgecolor="#b8c4ce", label=name) for name, colour in names.items()]
    axes[0].legend(handles=patches, loc="center right", fontsize=7, title="second holds it", title_fontsize=7)
    figure.savefig(PICTURE, dpi=150)
    print(f"written to {PICTURE}")


if __name__ == "__main__":
    main()
