from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.reference.naive import NaiveGame
from veil import load
from veil.engine.grounding.grounder import ground
from veil.engine.lanes.machine import Machine, pack, unpack
from veil.games import instantiate
from veil.lang import read_rules
from veil.vocabulary import Term

FALSE_ALARM = 1e-6  # of every statistical test here; seeds are fixed, so a test that passes keeps passing


def number_in(move: Term) -> int:
    """The 7 of `(go 7)`."""
    assert isinstance(move, tuple)
    _, number = move
    return int(str(number))


def game(text: str, **options: Any) -> Machine:
    return Machine(ground(read_rules(text)), **options)


def one_choice(count: int) -> str:
    """One role, one round, `count` legal moves among more; the goal is the number of the move."""
    numbers = " ".join(f"(n {i})" for i in range(count + 5))
    dead = " ".join(f"(dead {i})" for i in range(5))  # five of the moves are never legal
    return f"""(role r) (init start) {numbers} {dead}
    (<= (legal r (pick ?i)) (n ?i) (true start) (not (blocked ?i))) (<= (legal r (pick 0)) (true over))
    (<= (blocked ?i) (dead ?i) (true start))
    (<= (next (picked ?i)) (does r (pick ?i))) (<= (next over) (true start))
    (<= terminal (true over)) (<= (goal r ?i) (true (picked ?i)))"""


@pytest.mark.gate_cases(4)
@pytest.mark.compiled("slow as Python", only=("300-",))
@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("count", [2, 3, 7, 64, 65, 300])
def test_moves_are_chosen_uniformly(count: int, native: bool) -> None:
    machine = game(one_choice(count), native=native)
    samples = 200 * count
    states = machine.initial_states(samples)
    found = machine.playouts(states, 1, seed=11)
    drawn = Counter(found.goal_sum[:, 0].tolist())
    legal = np.flatnonzero(unpack(machine.legal(states[:1])[0], len(machine.program.moves[0]))[0])
    goals = sorted(number_in(machine.program.moves[0][i]) for i in legal)
    assert len(goals) == count
    assert set(drawn) <= set(goals)
    assert stats.chisquare([drawn[goal] for goal in goals]).pvalue > FALSE_ALARM


@pytest.mark.compiled("slow as Python")
def test_three_million_choices_have_the_right_mean() -> None:
    machine = game(one_choice(3))
    found = machine.playouts(machine.initial_states(), 3_000_000, seed=5)
    assert abs(found.goal_sum[0, 0] - 3_000_000 * 6) < 5 * np.sqrt(3_000_000 * np.var([5, 6, 7]))


def plain_playouts(name: str, count: int, seed: int) -> tuple[np.ndarray, list[int]]:
    """Goals [count, R] and lengths of random games, by the one-state-at-a-time face."""
    loaded = load(name)
    rng = np.random.default_rng(seed)
    goals, lengths = [], []
    for _ in range(count):
        state, rounds = loaded.initial_state(), 0
        while not state.is_terminal:
            state, _ = state.play(state.random_joint_move(rng))
            rounds += 1
        goals.append(list(state.goals.values()))
        lengths.append(rounds)
    return np.array(goals), lengths


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic_tac_toe", "krieg_tictactoe", "blind_breakthrough(width=3, height=4)"])
def test_playouts_have_the_goals_and_lengths_of_plain_random_games(name: str) -> None:
    """Short games must not be counted more often than long ones: the whole distribution of lengths is compared."""
    goals, lengths = plain_playouts(name, 600, seed=8)
    machine = load(name).machine
    found = machine.playouts(machine.initial_states(), 20_000, seed=9)
    expected = found.length_count / found.length_count.sum()
    observed = np.bincount(lengths, minlength=len(expected))[: len(expected)]
    groups = np.minimum(np.cumsum(expected) * 6, 5).astype(int)  # six groups of lengths with many playouts each
    pooled = [np.bincount(groups, weights=part, minlength=6) for part in (observed, expected * len(lengths))]
    kept = pooled[1] > 0
    assert stats.chisquare(pooled[0][kept], pooled[1][kept]).pvalue > FALSE_ALARM
    error = goals.std(axis=0) / np.sqrt(len(goals))
    assert (np.abs(goals.mean(axis=0) - found.goal_sum[0] / found.playouts[0]) < 5 * error).all()


def test_every_lane_has_its_quota() -> None:
    machine = load("krieg_tictactoe").machine
    found = machine.playouts(machine.initial_states(3), 1001, seed=1)
    assert found.playouts.tolist() == [1001, 1001, 1001]
    assert found.length_count.sum() == 3003
    assert found.length_sum.sum() == found.steps


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("native", [True, False])
def test_results_depend_on_the_seed_alone(native: bool) -> None:
    program = load("krieg_tictactoe").program
    machine = Machine(program, native=native)
    states = machine.initial_states()
    results = [
        machine.playouts(states, 5000, seed, threads=threads) for seed, threads in [(1, 1), (1, 2), (1, 5), (2, 1)]
    ]
    sums = [found.goal_sum.tolist() for found in results]
    assert sums[0] == sums[1] == sums[2] != sums[3]


def test_compiled_code_and_arrays_play_the_same_games() -> None:
    program = load("blind_breakthrough(width=4, height=5)").program
    found = [
        Machine(program, native).playouts(pack(program.initial[None, :]), 3000, seed=4) for native in (True, False)
    ]
    assert (found[0].length_count == found[1].length_count).all()
    assert (found[0].goal_sum == found[1].goal_sum).all()


def test_a_first_move_can_be_given() -> None:
    machine = load("exploding_bomb").machine
    start = machine.initial_states()
    _, joints = machine.joint_moves(start)
    found = machine.playouts(np.repeat(start, len(joints), axis=0), 200, seed=3, first_moves=joints)
    whole = machine.playouts(start, 200, seed=3)
    assert found.length_sum.tolist() == [int(whole.length_sum[0])] * len(joints)
    assert found.length_count.sum() == 200 * len(joints)


def test_playouts_without_end_are_cut_and_counted() -> None:
    machine = game(
        "(role r) (init p) (legal r go) (legal r stay) (<= (next p) (true p)) (<= terminal (true q)) (goal r 1)"
    )
    found = machine.playouts(machine.initial_states(), 300, seed=1, max_rounds=17)
    assert (found.cut, found.stuck, int(found.playouts[0])) == (300, 0, 300)
    assert found.length_count[17] == 300


def test_playouts_that_get_stuck_end_and_are_counted() -> None:
    machine = game(
        "(role r) (init p) (<= (legal r go) (true p)) (<= (next q) (true p)) (<= terminal (true z)) (goal r 1)"
    )
    found = machine.playouts(machine.initial_states(), 300, seed=1)
    assert (found.cut, found.stuck) == (0, 300)
    assert found.length_count[1] == 300


def perft(machine: Machine, depth: int) -> list[int]:
    """Histories per depth: expand every state by every joint move, ended ones not at all."""
    states, counts = machine.initial_states(), []
    for _ in range(depth):
        states = states[~machine.terminal(states)]
        rows, joints = machine.joint_moves(states)
        states = machine.step(states[rows], joints).states
        counts.append(len(states))
    return counts


def naive_perft(name: str, depth: int) -> list[int]:
    naive = NaiveGame(instantiate(name).text)
    states, counts = [naive.initial()], []
    for _ in range(depth):
        joints = [
            (state, dict(zip(naive.roles, joint, strict=True)))
            for state in states
            if not naive.terminal(state)
            for joint in product(*(sorted(naive.legal(state)[role]) for role in naive.roles))
        ]
        states = [naive.next(state, joint) for state, joint in joints]
        counts.append(len(states))
    return counts


@pytest.mark.compiled("slow as Python")
def test_the_tree_of_tic_tac_toe_has_the_known_number_of_nodes_per_depth() -> None:
    known = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
    assert perft(load("tic_tac_toe").machine, 10) == known


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "depth"),
    [("monty_hall", 4), ("exploding_bomb", 4), ("krieg_tictactoe", 3), ("blind_breakthrough(width=2, height=4)", 5)],
)
def test_trees_have_as_many_nodes_per_depth_as_the_naive_evaluator_finds(name: str, depth: int) -> None:
    assert perft(load(name).machine, depth) == naive_perft(name, depth)


def test_a_relation_over_a_long_chain_is_a_fixpoint_in_every_lane() -> None:
    chain = " ".join(f"(edge {i} {i + 1})" for i in range(30))
    text = f"""(role r) (init (at 0)) {chain} (<= (node ?x) (edge ?x ?y)) (<= (node ?y) (edge ?x ?y))
    (<= (legal r (cut ?x)) (node ?x)) (<= (next (at 0)) (true (at 0)))
    (<= (next (wall ?x)) (does r (cut ?x))) (<= (next (wall ?x)) (true (wall ?x)))
    (<= (open ?x ?y) (edge ?x ?y) (not (true (wall ?y))))
    (<= (open ?y ?x) (edge ?x ?y) (not (true (wall ?x))))
    (<= (reach 0) (true (at 0))) (<= (reach ?y) (reach ?x) (open ?x ?y))
    (<= terminal (not (reach 30))) (<= (goal r 100) (not (reach 15))) (<= (goal r 0) (reach 15))"""
    for native in (True, False):
        machine = game(text, native=native)
        assert any(block.recursive for block in machine.circuit.static)
        after = machine.step(machine.initial_states(31), np.arange(31)[:, None])
        walls = [number_in(move) for move in machine.program.moves[0][:31]]
        judged = machine.judge(after.states)
        assert judged.terminal.tolist() == [wall > 0 for wall in walls]
        assert judged.goals[:, 0].tolist() == [100 if 0 < wall <= 15 else 0 for wall in walls]


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python")
def test_a_role_may_have_thousands_of_moves() -> None:
    text = one_choice(4000)
    machine = game(text)
    found = machine.playouts(machine.initial_states(), 2000, seed=1)
    assert found.stuck == 0
    assert abs(found.goal_sum[0, 0] / 2000 - 2004.5) < 6 * 4000 / np.sqrt(12 * 2000)


@pytest.mark.nightly
@pytest.mark.slow
def test_a_very_wide_game_is_evaluated_from_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.engine.lanes.machine.MAX_NATIVE_LITERALS", 50_000)
    numbers = " ".join(f"(n {i})" for i in range(260))
    text = f"""(role r) (init (on 0)) {numbers} (<= (legal r (flip ?x)) (n ?x))
    (<= (next (on ?x)) (true (on ?x)) (not (does r (flip ?x))))
    (<= (next (on ?x)) (does r (flip ?x)) (not (true (on ?x))))
    (<= (pair ?x ?y) (true (on ?x)) (true (on ?y)) (distinct ?x ?y))
    (<= (sees r (both ?x ?y)) (pair ?x ?y)) (<= terminal (true (on 1)) (true (on 2))) (goal r 0)"""
    machine = game(text)
    assert not machine.is_native
    assert machine.circuit.num_literals > 100_000
    state = machine.initial_states()
    stepped = machine.step(state, np.array([[machine.program.moves[0].index(("flip", "7"))]]))
    again = machine.step(stepped.states, np.array([[0]]))
    assert unpack(stepped.percepts[0], len(machine.program.percepts[0])).sum() == 0
    assert unpack(again.percepts[0], len(machine.program.percepts[0])).sum() == 2


def test_wrong_shapes_are_refused() -> None:
    machine = load("tic_tac_toe").machine
    with pytest.raises(ValueError, match="states must be"):
        machine.judge(np.zeros((3, 9), np.uint64))
    with pytest.raises(ValueError, match="joint moves must be"):
        machine.step(machine.initial_states(), np.array([[0, 99]]))


@pytest.mark.parametrize("size", [1, 63, 64, 65, 130])
def test_packing_and_unpacking_are_inverse(size: int) -> None:
    bits = np.random.default_rng(size).random((17, size)) < 0.5
    assert (unpack(pack(bits), size) == bits).all()


def test_the_layout_of_rows_has_a_column_for_every_64_moves_and_percepts_of_a_role() -> None:
    machine = game(one_choice(100))
    layout = machine.row_layout(limit=7)
    assert (layout.width, layout.limit) == (machine.width, 7)
    assert layout.legal.tolist() == [0, 2]  # 105 moves
    assert layout.percepts.tolist() == [0, 1]  # none, and no array is empty
