"""CFR with entries against the slow one (`tests.reference.entered_cfr`), and what its limits are worth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from tests.reference.entered_cfr import average_moves
from veil.equilibrium import STOPPED, EnteredCfrSolver, Entries, PcfrPlusConfig, fold_tree
from veil.equilibrium.tree_records import CHANCE, Tree


def make_tree(utility: np.ndarray, mass: np.ndarray, role: int) -> Tree:
    """Chance draws a record k, its role enters by its slot k, and the other role has one infoset."""
    records, moves = utility.shape
    chance, entered, ends = np.arange(records), np.arange(records), np.arange(records * moves)
    first_entry, first_move = (0, records) if role == 0 else (moves, 0)
    parent = np.concatenate(([0], np.zeros(records), 1 + chance, 1 + records + ends // moves)).astype(np.int32)
    slot = np.concatenate(([CHANCE], np.full(records, CHANCE), first_entry + entered, first_move + ends % moves))
    own = np.zeros((len(parent), 2))
    own[1 + 2 * records :, role], own[1 + 2 * records :, 1 - role] = utility.ravel(), -utility.ravel()
    sizes = [*np.ones(records, int), moves] if role == 0 else [moves, *np.ones(records, int)]
    enters, answers = 1 + chance, [1 + records]
    return Tree(
        parent=parent,
        slot=slot.astype(np.int32),
        move=np.zeros(len(parent), np.int32),
        chance_prob=np.concatenate(([1.0], mass, np.ones(records + records * moves))),
        utility=own,
        slot_start=np.concatenate(([0], np.cumsum(sizes))),
        role_start=np.array([0, records, records + 1] if role == 0 else [0, 1, records + 1]),
        infoset_node=np.array([*enters, *answers] if role == 0 else [*answers, *enters]),
        infoset_round=np.zeros(records + 1, np.int32),
        infoset_key=np.arange(records + 1, dtype=np.uint64),
    )


def solve(seed: int, share: float, role: int, iterations: int) -> tuple[np.ndarray, ...]:
    """A random game: utilities, masses, alternative values, the average of the moves, and that of the entries."""
    rng = np.random.default_rng(seed)
    utility, mass, alternative = rng.normal(size=(3, 4)), rng.dirichlet(np.ones(3)), rng.normal(size=3)
    solver = EnteredCfrSolver(
        fold_tree(make_tree(utility, mass, role)), PcfrPlusConfig(), Entries(role, mass, alternative, share)
    )
    solver.run(iterations)
    average = solver.average()
    entries, moves = (average[:3], average[3:]) if role == 0 else (average[4:], average[:4])
    return utility, mass, alternative, moves, entries


@pytest.mark.parametrize("role", [0, 1])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0, STOPPED])
def test_averages_are_those_of_the_slow_one(share: float, role: int) -> None:
    for seed in range(3):
        utility, mass, alternative, moves, entries = solve(seed, share, role, 30)
        of_share = None if share == STOPPED else share
        terms = (utility.tolist(), mass.tolist(), alternative.tolist(), of_share, 30)
        slow_moves, slow_entries = average_moves(*terms, enters_first=role == 0)
        assert moves == pytest.approx(slow_moves)
        assert entries == pytest.approx(slow_entries)


def find_margins(utility: np.ndarray, alternative: np.ndarray) -> float:
    """The least largest gain over the alternative values, by a linear program."""
    records, moves = utility.shape
    rows = np.hstack((utility, -np.ones((records, 1))))
    cost, one = np.append(np.zeros(moves), 1.0), np.append(np.ones(moves), 0.0)[None, :]
    bounds = [(0, 1)] * moves + [(None, None)]
    return float(linprog(cost, A_ub=rows, b_ub=alternative, A_eq=one, b_eq=[1.0], bounds=bounds).fun)


def test_where_nothing_can_be_gained_the_blend_is_maxmargin() -> None:
    """With alternative values so high that the role stops everywhere, all weight goes to the choice of a record."""
    rng = np.random.default_rng(1)
    for _ in range(3):
        utility, mass = rng.normal(size=(3, 4)), rng.dirichlet(np.ones(3))
        alternative = utility.max(axis=1) + rng.random(3)
        entries = Entries(0, mass, alternative, STOPPED)
        solver = EnteredCfrSolver(fold_tree(make_tree(utility, mass, 0)), PcfrPlusConfig(), entries)
        solver.run(2000)
        margins = utility @ solver.average()[3:] - alternative
        assert margins.max() == pytest.approx(find_margins(utility, alternative), abs=2e-3)
