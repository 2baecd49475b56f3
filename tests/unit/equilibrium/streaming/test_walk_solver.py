"""The CFR family in games that are walked: iteration by iteration what it does on the tree."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import veil
from tests.support.refusals import refused
from tests.support.rule_sets import rule_sets
from veil.engine import load
from veil.equilibrium import SOLVERS, Budget, PreparedGame, Solver, Walk, prepare, prepare_walk, solve_prepared
from veil.equilibrium.array_file import map_arrays, write_arrays
from veil.equilibrium.histories import records_in_words, slot_moves
from veil.equilibrium.policy import bad_policy
from veil.equilibrium.solve_store import KeepsState
from veil.equilibrium.solver_run import WalkListener
from veil.equilibrium.streaming.walk_policy import index_records
from veil.errors import VeilError

METHODS = ["cfr+", "pcfr+", "dcfr", "cfr:alternating=false"]
GAMES = ["monty_hall", "kuhn_poker", "leduc_poker", "ii_goofspiel(4)", "dark_hex(2, abrupt)", "banker_and_thief"]


def match_slots(prepared: PreparedGame, walk: Walk) -> np.ndarray:
    """For every slot of the tree, its slot in the walk."""
    tree, places = prepared.tree, np.empty(prepared.tree.num_slots, np.int64)
    records, moves = records_in_words(tree), slot_moves(tree)
    for role in range(len(tree.roles)):
        index = index_records(walk, role)
        for infoset in tree.infosets_of(role):
            found = index.find(records[infoset])
            assert found is not None
            for slot in tree.slots_in(infoset):
                places[slot] = walk.form.role_slots[role] + found.slot + found.moves.index(moves[slot])
    return places


def state_of(solver: Solver) -> dict[str, np.ndarray]:
    assert isinstance(solver, KeepsState)
    return solver.state()


def check_iterations(game: veil.Game, method: str, iterations: int) -> None:
    """Compare the state after every iteration."""
    prepared, walk = prepare(game), prepare_walk(game, threads=1)
    places = match_slots(prepared, walk)
    ours, theirs = SOLVERS.make(method, walk, 0), SOLVERS.make(method, prepared, 0)
    scale = max(1.0, float(np.abs(prepared.tree.flat.utility).max()))
    for _ in range(iterations):
        ours.run(1)
        theirs.run(1)
        for name, expected in state_of(theirs).items():
            unit = scale if name == "regret" else 1.0
            assert state_of(ours)[name][places] == pytest.approx(expected, abs=1e-9 * unit), name
    assert ours.iterations == iterations
    assert ours.average()[places] == pytest.approx(theirs.average(), abs=1e-9)


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", GAMES)
def test_every_iteration_is_that_of_the_tree(name: str, method: str) -> None:
    check_iterations(load(name), method, 6)


@pytest.mark.nightly
@pytest.mark.parametrize("method", ["cfr", "cfr+", "dcfr"])
def test_every_iteration_of_a_larger_game_is_that_of_the_tree(method: str) -> None:
    check_iterations(load("liars_dice"), method, 5)


def check_first_regrets(game: veil.Game) -> None:
    """Compare regrets after the first iteration: with equally good moves, the sign of 1e-17 decides about policies."""
    prepared, walk = prepare(game), prepare_walk(game, threads=1)
    ours, theirs = (SOLVERS.make("cfr:alternating=false", form, 0) for form in (walk, prepared))
    ours.run(1)
    theirs.run(1)
    scale = max(1.0, float(np.abs(prepared.tree.flat.utility).max()))
    expected = state_of(theirs)["regret"]
    assert state_of(ours)["regret"][match_slots(prepared, walk)] == pytest.approx(expected, abs=1e-9 * scale)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["ii_goofspiel(5)", "simultaneous_krieg_tictactoe(2, 2)"])
def test_the_first_regrets_of_larger_games_with_equally_good_moves_are_those_of_the_tree(name: str) -> None:
    check_first_regrets(load(name))


@pytest.mark.nightly
@settings(max_examples=60)
@given(text=rule_sets())
def test_the_first_regrets_of_random_rule_sets_are_those_of_their_trees(text: str) -> None:
    try:
        game = load(text)
        prepare(game, max_nodes=3000)
    except VeilError:
        assume(False)
    check_first_regrets(game)


def test_the_state_does_not_depend_on_the_number_of_threads() -> None:
    states = []
    for threads in (1, 3):
        solver = SOLVERS.make("pcfr+", prepare_walk(load("leduc_poker"), threads=threads), 0)
        solver.run(5)
        states.append({name: values.tobytes() for name, values in state_of(solver).items()})
    assert states[0] == states[1]


def test_a_walk_is_solved_to_the_value_of_the_game() -> None:
    solution = solve_prepared(prepare_walk(load("kuhn_poker")), "pcfr+", Budget(iterations=200))
    assert solution.value["first"] == pytest.approx(-1 / 18, abs=1e-3)
    assert [point.iterations for point in solution.course] == [16, 32, 64, 128, 200]
    assert veil.evaluate("kuhn_poker", solution.policy).nash_conv == pytest.approx(solution.nash_conv, abs=1e-12)
    refused("no-tree", lambda: solution.tree)


def stop_at(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C in a pass over all histories, the `number`-th of all."""
    passes, walk_all = [0], Walk.add_payoffs

    def add_payoffs(self: Walk, *args: object, **more: object) -> None:
        passes[0] += 1
        if passes[0] == number:
            raise KeyboardInterrupt
        walk_all(self, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Walk, "add_payoffs", add_payoffs)


@pytest.mark.parametrize("number", [6, 7, 35])  # in the pass of the first role, of the second; in an evaluation
def test_a_run_that_was_interrupted_goes_on_to_the_same_bytes(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk, store = prepare_walk(load("kuhn_poker"), threads=1), tmp_path / "run.store"
    budget = Budget(iterations=40)
    whole = solve_prepared(walk, "pcfr+", budget)
    with monkeypatch.context() as patched:
        stop_at(number, patched)
        broken = solve_prepared(walk, "pcfr+", budget, store=store)
    assert broken.stopped_by == "interrupted"
    assert broken.nash_conv == pytest.approx(veil.evaluate("kuhn_poker", broken.policy).nash_conv, abs=1e-12)
    after = solve_prepared(walk, "pcfr+", budget, store=store)
    assert after.stopped_by == "iterations"
    assert after.policy_slots.tobytes() == whole.policy_slots.tobytes()
    assert after.last_slots.tobytes() == whole.last_slots.tobytes()
    assert [point[::2] for point in after.course] == [point[::2] for point in whole.course]
    again = solve_prepared(walk, "pcfr+", budget, store=store)  # nothing is left to do
    assert (again.iterations, again.nash_conv, len(again.course)) == (40, whole.nash_conv, len(whole.course))


def test_a_store_keeps_runs_on_trees_too_and_refuses_those_of_others(tmp_path: Path) -> None:
    def run(game: str, method: str, iterations: int, store: Path | None = tmp_path / "run.store") -> veil.Solution:
        return veil.solve(game, method, iterations=iterations, store=store)

    first = run("kuhn_poker", "cfr+", 20)
    assert (
        run("kuhn_poker", "cfr+", 50).last_slots.tobytes() == run("kuhn_poker", "cfr+", 50, None).last_slots.tobytes()
    )
    assert first.iterations == 20
    assert "method is cfr+, not dcfr" in refused("bad-store", lambda: run("kuhn_poker", "dcfr", 50))
    assert "game is" in refused("bad-store", lambda: run("leduc_poker", "cfr+", 50))
    refused("no-solver-state", lambda: run("kuhn_poker", "lp", 1))
    other = tmp_path / "other.store"
    other.write_bytes(b"something else")
    assert "it is no file of arrays" in refused("bad-store", lambda: run("kuhn_poker", "cfr+", 50, other))


POISON: dict[str, Callable[[dict[str, Any], dict[str, Any]], object]] = {
    "regrets of another game": lambda about, arrays: arrays.update({"solver regret": arrays["solver regret"][:3]}),
    "a policy of another game": lambda about, arrays: arrays.update({"solver policy": arrays["solver policy"][:3]}),
    "whole numbers": lambda about, arrays: arrays.update({"solver regret": arrays["solver regret"].astype(np.int32)}),
    "no numbers": lambda about, arrays: arrays.update({"solver regret": arrays["solver regret"] * np.nan}),
    "no regrets": lambda about, arrays: arrays.pop("solver regret"),
    "more than a solver has": lambda about, arrays: arrays.update({"solver more": np.zeros(3)}),
    "a course of one column": lambda about, arrays: arrays.update(course=arrays["course"][:, :1]),
    "the worth of one role": lambda about, arrays: arrays.update(value=arrays["value"][:1]),
    "a best policy that is none": lambda about, arrays: arrays.update(policy=arrays["policy"] - 1),
    "iterations without end": lambda about, arrays: about.update(iterations=1e300),
    "no iterations": lambda about, arrays: about.pop("iterations"),
    "a time that is none": lambda about, arrays: about.update(seconds="long"),
}


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("poison", POISON)
def test_a_store_whose_arrays_a_kernel_could_not_take_is_refused(poison: str, tmp_path: Path) -> None:
    """Kernels do not look at sizes: with fewer regrets they would write beyond their end."""
    store = tmp_path / "run.store"
    veil.solve("kuhn_poker", "cfr+", iterations=5, store=store)
    about, arrays = map_arrays(store, bad_policy)
    changed = dict(arrays)
    POISON[poison](about, changed)
    write_arrays(store, about, changed)
    refused("bad-store", lambda: veil.solve("kuhn_poker", "cfr+", iterations=9, store=store))


def test_a_pipe_is_no_store_and_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    said = refused("bad-store", lambda: veil.solve("kuhn_poker", iterations=2, store=pipe))
    assert "it is a device or a pipe, not a regular file" in said


def test_solvers_that_need_a_tree_and_limits_that_are_too_short_are_refused_before_the_work() -> None:
    walk = prepare_walk(load("leduc_poker"), threads=1)
    assert "lp needs it" in refused("method-needs-tree", lambda: solve_prepared(walk, "lp", Budget()))
    text = refused("walk-too-long", lambda: solve_prepared(walk, "cfr+", Budget(seconds=1e-6)))
    assert "a walk takes about 0 s (limit: 1e-06 s)" in text


def test_a_listener_is_told_how_long_a_walk_takes_and_how_far_it_is() -> None:
    told: list[object] = []
    shares: list[tuple[float, float]] = []
    listener = WalkListener(told.append, lambda *share: shares.append(share))
    solve_prepared(prepare_walk(load("kuhn_poker")), "cfr+", Budget(iterations=3), walking=listener)
    assert len(told) == 1
    done = [iterations for iterations, judged in shares if not judged]
    assert done == sorted(done)
    assert max(done) == pytest.approx(3.0)
    assert shares[-1] == pytest.approx((3.0, 1.0))


def test_without_a_limit_of_nodes_a_game_without_a_tree_is_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    solve: Callable[..., veil.Solution] = veil.solve
    monkeypatch.setattr("veil.equilibrium.solver_run.MAX_NODES", 10)
    assert isinstance(solve("kuhn_poker", iterations=20).prepared, Walk)
    refused("tree-too-large", lambda: solve("kuhn_poker", iterations=20, max_nodes=10))
