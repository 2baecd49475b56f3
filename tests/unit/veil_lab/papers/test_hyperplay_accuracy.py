"""Models beside the truth: the measures by hand, and the experiment run small."""

from __future__ import annotations

import numpy as np
import pytest

from veil.belief import Bag
from veil.engine import load
from veil_lab.papers.hyperplay_accuracy import SPECS, WHEN, accuracy, compare_with_truth


def first(cell: str) -> float:
    return float(cell.split()[0])


def test_a_bag_is_compared_with_the_truth_history_by_history_and_fluent_by_fluent() -> None:
    """Three first moves of tic-tac-toe; the second is the true one. Two fluents hold after it: the mark, and whose turn
    it is. A model with another mark shares one of three.
    """
    machine = load("tic_tac_toe").machine
    joints = machine.joint_moves(machine.initial_states())[1][:3]
    states = machine.step(machine.initial_states(3), joints).states
    bag = Bag(histories=joints[:, None, :], states=states, weights=np.array([0.2, 0.5, 0.3]), sampler="test")
    found = compare_with_truth(machine, bag, joints[1:2], states[1:2])
    assert found == pytest.approx((1.0, 1 / 3, 0.5, 0.5 + 0.5 / 3))
    lost = compare_with_truth(machine, bag, machine.joint_moves(machine.initial_states())[1][5:6], states[1:2])
    assert lost[:3] == (0.0, 0.0, 0.0)


@pytest.mark.compiled("slow as Python")
def test_late_in_mastermind_the_truth_has_become_much_likelier() -> None:
    report = accuracy(seed=0, quick=True)
    assert report.columns == ("game", "setting", "when", "found", "share", "weight", "fluents")
    assert len(report.rows) == 2 * len(SPECS) * len(WHEN)
    assert len({len(list(column)) for column in report.series.values()}) == 1
    rows = {(row[0].split("(")[0], row[1], row[2]): [first(cell) for cell in row[3:]] for row in report.rows}
    for setting in SPECS:
        early, late = (rows["mastermind", setting, when] for when in ("early", "late"))
        assert late[2] > 2 * early[2] > 0
        assert late[3] > early[3]
        assert rows["simultaneous_krieg_tictactoe", setting, "late"][3] > 50.0
