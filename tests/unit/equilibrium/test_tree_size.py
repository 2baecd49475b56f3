"""The size of a tree before it is expanded, and what an expansion may take."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from tests.support.refusals import refused
from veil.engine import load
from veil.equilibrium import TreeBounds, estimate_tree, expand, solve, solver_run, tree_size
from veil.equilibrium.tree_builder import TreeBuilder
from veil.equilibrium.tree_size import TreeEstimate, walk_down


@pytest.mark.parametrize("name", ["matching_pennies", "ii_goofspiel", "banker_and_thief"])
def test_a_tree_that_is_the_same_along_every_walk_is_counted_exactly(name: str) -> None:
    estimate = estimate_tree(load(name))
    assert (estimate.nodes, estimate.error) == (expand(load(name)).num_nodes, 0.0)


@pytest.mark.gate_cases(3)
@pytest.mark.compiled("slow as Python", only=("leduc_poker", "liars_dice"))
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "monty_hall", "liars_dice", "frank_basin"])
def test_the_estimate_is_right_on_average(name: str) -> None:
    """Within four standard errors of a fixed seed: a false alarm has a probability of less than 1 in 10,000."""
    estimate = estimate_tree(load(name), walks=20_000, seed=1)
    assert abs(estimate.nodes - expand(load(name)).num_nodes) < 4 * estimate.error + 1e-9


def test_the_same_seed_gives_the_same_estimate() -> None:
    one, other = (estimate_tree(load("leduc_poker"), seed=3) for _ in range(2))
    assert one == other
    assert one != estimate_tree(load("leduc_poker"), seed=4)


def test_walks_end_where_nobody_ever_will() -> None:
    endless = "(role a) (init s) (legal a x) (legal a y) (next s) (<= terminal (true t)) (goal a 0)"
    sizes = walk_down(load(endless).machine, 8, np.random.default_rng(0))
    assert (sizes >= 1e30).all()
    assert TreeEstimate(2e30, 0.0, 8).in_words() == "1e+30 or more"


def test_only_what_is_far_beyond_the_limit_is_refused_by_an_estimate() -> None:
    assert TreeEstimate(1000.0, 10.0, 512).exceeds(200)
    assert not TreeEstimate(1000.0, 10.0, 512).exceeds(300)
    assert not TreeEstimate(1000.0, 400.0, 512).exceeds(200)  # too uncertain


def test_a_tree_that_is_too_large_is_refused_before_it_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> None:
        raise AssertionError("nothing may be expanded")

    monkeypatch.setattr(TreeBuilder, "play_round", nothing)
    said = refused("tree-too-large", lambda: expand(load("krieg_tictactoe")))
    assert "more than 50,000,000 nodes: about 1.7e+10, as 512 random walks say" in said


def test_the_message_names_the_limit_as_its_user_does() -> None:
    said = refused("tree-too-large", lambda: expand(load("gops"), 10, bounds=TreeBounds(option="--max-nodes")))
    assert "raise --max-nodes if" in said
    assert "raise max_nodes if" in refused("tree-too-large", lambda: solve("gops", max_nodes=10))


def test_memory_ends_an_expansion() -> None:
    bounds = TreeBounds(max_bytes=2**20)
    said = refused("tree-too-many-bytes", lambda: expand(load("liars_dice"), bounds=bounds))
    assert "takes more than 0.00098 GB of memory" in said


@pytest.mark.compiled("slow as Python")
def test_the_bytes_that_are_foreseen_are_at_least_those_of_the_tree() -> None:
    tree = expand(load("liars_dice"))
    held = sum(array.nbytes for array in tree.flat)
    refused("tree-too-many-bytes", lambda: expand(load("liars_dice"), bounds=TreeBounds(max_bytes=held)))


@pytest.mark.compiled("slow as Python")
def test_the_memory_of_the_game_is_that_of_its_expansion_too() -> None:
    from veil.engine import GroundLimits

    game = load("liars_dice", GroundLimits(max_bytes=400 * 2**20))
    assert expand(game).num_nodes == 221_155
    game.limits = GroundLimits(max_bytes=2**20)
    refused("tree-too-many-bytes", lambda: expand(game))


def test_time_ends_an_expansion() -> None:
    said = refused("tree-too-slow", lambda: expand(load("liars_dice"), bounds=TreeBounds(seconds=1e-6)))
    assert "is not expanded within 1e-06 seconds" in said


def test_seconds_of_a_solver_bound_the_expansion_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve("kuhn_poker", seconds=1e-6).iterations == 1  # a small tree is expanded in any case
    monkeypatch.setattr(solver_run, "LEAST_EXPANDING", 1e-6)
    refused("tree-too-slow", lambda: solve("liars_dice", seconds=1e-6))


def test_an_expansion_that_would_be_late_by_its_pace_does_not_begin_its_next_round() -> None:
    builder = TreeBuilder(load("kuhn_poker"), 1000, TreeBounds(seconds=100.0))
    builder.stepped, builder.deadline = 1_000_000, perf_counter() + 50.0
    assert not builder._is_late(900_000)
    assert builder._is_late(1_100_000)


def test_what_the_tree_has_taken_is_no_time_of_the_solver() -> None:
    solution = solve("kuhn_poker", seconds=0.5)
    assert solution.seconds <= 0.5 + 0.3
    assert solution.iterations >= 1


def test_a_game_of_a_million_moves_has_fewer_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_size, "MAX_CELLS", 700)
    assert estimate_tree(load("leduc_poker")).walks == 100  # of seven moves
    monkeypatch.setattr(tree_size, "MAX_CELLS", 10)
    assert estimate_tree(load("leduc_poker")).walks == tree_size.FEW_WALKS
