"""Texts about the policy of a whole game: its value, its exploitability, its first decisions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING

from veil.report import count_things, label_text

if TYPE_CHECKING:
    import numpy as np

    from veil.equilibrium import Evaluation, GameTree, Policy, PreparedGame, Walk

COLUMN = 18  # at which texts begin
MAX_INFOSETS = 6  # shown per role
MAX_MOVES = 8  # shown of an infoset
LEAST_SHOWN = 0.0005  # moves with a lower probability are left out


def evaluation_lines(tree: GameTree | PreparedGame | Walk, judged: Evaluation) -> list[str]:
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
            lines += _show_row(record, {moves[slot]: policy[slot] for slot in tree.slots_in(infoset)})
        lines += _show_rest(left)
    return lines


def policy_lines(policy: Policy) -> list[str]:
    """Return lines with the decisions at the first infosets of every role of a policy with names."""
    lines = []
    for role, rows in policy.table.items():
        lines.append(f"  {role}")
        for record, row in islice(rows.items(), MAX_INFOSETS):
            lines += _show_row(record, row)
        lines += _show_rest(len(rows) - MAX_INFOSETS)
    return lines


def _show_row(record: str, row: Mapping[str, float]) -> list[str]:
    """Return two lines: the record of an infoset, and what is played there."""
    likely = sorted(row, key=lambda move: -row[move])[:MAX_MOVES]
    played = [f"{move} {row[move]:.3f}" for move in likely if row[move] >= LEAST_SHOWN]
    return [label_text("", record, 4), label_text("", ", ".join(played), 8)]


def _show_rest(left: int) -> list[str]:
    """Return a line about the infosets that are not shown, if there are any."""
    more = f"... and {count_things(left, 'more infoset')}; --policy-out writes all"
    return [label_text("", more, 4)] if left > 0 else []
