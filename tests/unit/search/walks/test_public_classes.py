"""Public classes from rules alone: the definition holds on whole trees, and classes are as fine as those of trees."""

from __future__ import annotations

from time import perf_counter
from unittest.mock import patch

import numpy as np
import pytest

from tests.reference.online_search import is_public
from tests.support.games import game
from tests.support.lane_walkers import reference_tree
from tests.support.public_games import HEADS_MAY_RAISE, LOW_OR_HIGH, OPEN_SIDES, class_of_edges
from veil.caches import BoundedCache
from veil.engine import GroundProgram
from veil.search.walks import public_classes
from veil.search.walks.public_classes import TwinRounds, find_classes, find_classes_of
from veil.search.walks.public_moves import find_public_classes
from veil.search.walks.tree.search_tree import expand_for_search

# Everybody sees whose turn it is, and nothing else.
IN_TURN = """
(role ann) (role bob) (init (turn ann)) (side left) (side right)
(<= (legal ?p ?s) (side ?s) (true (turn ?p))) (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (sees ?q moved) (role ?q) (does ?p ?s) (side ?s) (distinct ?p ?q))
(<= (next (turn bob)) (true (turn ann))) (<= (next (side_of ?p ?s)) (does ?p ?s) (side ?s))
(<= (next (side_of ?p ?s)) (true (side_of ?p ?s)))
(<= over (true (side_of bob ?s))) (<= terminal over)
(<= same (true (side_of ann ?s)) (true (side_of bob ?s)))
(<= (goal ann 100) same) (<= (goal ann 0) (not same)) (<= (goal bob 0) same) (<= (goal bob 100) (not same))
"""
SMALL = ["kuhn_poker", LOW_OR_HIGH, HEADS_MAY_RAISE, "liars_dice(dice1=1, dice2=1, faces=2)"]
GAMES = [
    *SMALL,
    OPEN_SIDES,
    "leduc_poker",
    "non_locality",
    "ii_goofspiel(cards=3)",
    "extended_cutting_wire",
    "monty_hall",
]


def by_rules(spec: str) -> list[np.ndarray]:
    return [classes_of(spec, role) for role in range(len(game(spec).roles))]


def classes_of(spec: str, role: int) -> np.ndarray:
    """Without a clock, which decides everything."""
    classes = find_classes_of(game(spec).program, role)
    assert classes is not None
    return classes


@pytest.fixture
def nothing_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """No classes have been looked for yet."""
    monkeypatch.setattr(public_classes, "_kept", BoundedCache(2))


@pytest.mark.parametrize("spec", SMALL, ids=lambda spec: spec.strip()[:20])
def test_every_role_knows_the_classes_of_all_moves(spec: str) -> None:
    """The definition of the paper on the whole tree: one sequence of classes for all histories of an infoset."""
    of, tree = game(spec), reference_tree(spec)
    classes = find_classes(of.program, of.fingerprint)
    assert classes is not None
    assert is_public(tree, class_of_edges(tree, of, classes))


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.strip()[:20])
def test_moves_that_look_alike_on_the_tree_are_of_one_class(spec: str) -> None:
    tree = expand_for_search(game(spec), 1_000_000, None)
    for role, on_tree in enumerate(find_public_classes(tree.rounds, tree.role_ids)):
        classes = by_rules(spec)[role]
        for number in np.unique(on_tree).tolist():
            assert len(set(classes[np.flatnonzero(on_tree == number)].tolist())) == 1


@pytest.mark.gate_cases(3)
@pytest.mark.compiled("slow as Python", only=("liars_dice", "generic_poker"))
@pytest.mark.parametrize("spec", ["kuhn_poker", "liars_dice", "generic_poker", OPEN_SIDES, LOW_OR_HIGH])
def test_what_is_told_of_a_move_is_all_that_matters_in_these_games(spec: str) -> None:
    """The rules find as many classes of the players' moves as the whole tree does."""
    tree = expand_for_search(game(spec), 1_000_000, None)
    on_tree = find_public_classes(tree.rounds, tree.role_ids)
    for role in tree.role_ids:
        assert len(set(by_rules(spec)[role].tolist())) == len(set(on_tree[role].tolist()))


def test_nothing_is_public_where_nobody_sees_moves() -> None:
    for spec in ("ii_goofspiel(cards=13)", "krieg_tictactoe"):
        assert find_classes(game(spec).program, game(spec).fingerprint) is None


def test_a_class_that_only_tells_whose_turn_it_is_is_not_public() -> None:
    """Ann and bob move in turn, unseen: `noop` is a class of its own, and nobody ever chooses it."""
    of = game(IN_TURN)
    assert by_rules(IN_TURN)[0].tolist().count(0) < 3
    assert find_classes(of.program, of.fingerprint) is None


def test_what_is_not_decided_by_the_deadline_or_by_the_conflicts_is_told_apart() -> None:
    assert len(set(classes_of("kuhn_poker", 1).tolist())) == 3
    assert find_classes_of(game("kuhn_poker").program, 1, deadline=perf_counter() - 1.0) is None
    with patch.object(TwinRounds, "find_alike", return_value=public_classes.UNDECIDED):
        assert not classes_of("kuhn_poker", 1).any()


def count_searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The movers whose classes were looked for; they still are."""
    movers: list[int] = []

    def counted(program: GroundProgram, mover: int, deadline: float | None = None) -> np.ndarray | None:
        movers.append(mover)
        return find_classes_of(program, mover, deadline)

    monkeypatch.setattr(public_classes, "find_classes_of", counted)
    return movers


@pytest.mark.usefixtures("nothing_found")
def test_what_a_clock_cut_short_is_not_kept_for_a_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    of, movers = game("kuhn_poker"), count_searches(monkeypatch)
    assert find_classes(of.program, of.fingerprint, start_seconds=1e-9) is None
    for seconds in (1000.0, None, 1e-9):  # decided within the first of these clocks, and kept for all
        classes = find_classes(of.program, of.fingerprint, seconds)
        assert classes is not None
        assert len(set(classes[1].tolist())) == 3
    assert movers == 2 * [0, 1, 2]


@pytest.mark.usefixtures("nothing_found")
def test_what_is_not_decided_within_the_conflicts_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    of, movers = game("kuhn_poker"), count_searches(monkeypatch)
    with patch.object(TwinRounds, "find_alike", return_value=public_classes.UNDECIDED):
        assert find_classes(of.program, of.fingerprint) is None
    assert find_classes(of.program, of.fingerprint) is None
    assert movers == [0, 1, 2]
