"""Texts about the policy of a whole game: its value, its exploitability, its first decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.report import count_things, label_text

if TYPE_CHECKING:
    import numpy as np

    from veil.equilibrium import Evaluation, GameTree

COLUMN = 18  # at which texts begin
MAX_INFOSETS = 6  # shown per role
MAX_MOVES = 8  # shown of an infoset
LEAST_SHOWN = 0.0005  # moves with a lower probability are left out


def evaluation_lines(tree: GameTree, judged: Evaluation) -> list[str]:
    """Return lines with the value and the exploitability of a policy."""
    values = ", ".join(f"{role} {value:.6g}" for role, value in zip(tree.roles, judged.value, strict=True))
    exact = f"{judged.exploitability:.3g} (NashConv {judged.nash_conv:.3g})"
    return [
        label_text("value", f"{values} {tree.game.utility.unit}", COLUMN),
        label_text("exploitability", exact, COLUMN),
    ]


def strategy_lines(tree: GameTree, policy: np.ndarray) -> list[str]:
    """Return lines with the decisions at the first infosets of every role. `policy` [S] has a probability per slot."""
    import numpy as np  # help needs none of it

    from veil.equilibrium import records_in_words, slot_moves

    moves = slot_moves(tree)
    lines = []
    for number, role in enumerate(tree.roles):
        infosets = tree.infosets_of(number)
        shown, left = infosets[:MAX_INFOSETS], len(infosets) - MAX_INFOSETS
        lines.append(f"  {role}")
        for infoset, record in zip(shown, records_in_words(tree, np.array(shown, np.int64)), strict=True):
            likely = sorted(tree.slots_in(infoset), key=lambda slot: -policy[slot])[:MAX_MOVES]
            played = [f"{moves[slot]} {policy[slot]:.3f}" for slot in likely if policy[slot] >= LEAST_SHOWN]
            lines += [label_text("", record, 4), label_text("", ", ".join(played), 8)]
        if left > 0:
            lines.append(label_text("", f"... and {count_things(left, 'more infoset')}; --policy-out writes all", 4))
    return lines
