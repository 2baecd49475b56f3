"""The solvers of `equilibrium` against slow ones (`tests.reference.solvers`), on random trees and on bundled games.

Random trees have nodes of one infoset at different depths, unequal probabilities of chance and roles without a choice;
`break_ties` makes their payoffs distinct where two implementations could otherwise part at a tie.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from types import ModuleType

import numpy as np
import pytest

from tests.reference import gametree, solvers
from tests.reference.gametree import build_tree, kuhn_poker, literal_tree, random_tree
from tests.reference.naive import NaiveGame
from tests.support.archetypes import nightly_but
from tests.support.flat_trees import Flat, break_ties, flatten
from veil import load
from veil.engine.record import record_in_words
from veil.equilibrium import (
    cfr as _cfr_solver,
    expand_kernels as _expand,
    full_width_kernels as _cfr,
    its as _its_solver,
    mccfr as _mccfr_solver,
    sampling_kernels as _sampling,
    sequence_kernels as _sequences,
    support_search as _support_search,
    xfp as _xfp_solver,
)
from veil.equilibrium.cfr import CfrSolver
from veil.equilibrium.configs import (
    CfrConfig,
    CfrPlusConfig,
    DcfrConfig,
    HsPcfrPlusConfig,
    PcfrPlusConfig,
    PdcfrPlusConfig,
)
from veil.equilibrium.form import fold_tree
from veil.equilibrium.histories import records_in_words, slot_moves
from veil.equilibrium.its import ItsSolver
from veil.equilibrium.lp import solve_lp
from veil.equilibrium.mccfr import McCfrSolver
from veil.equilibrium.response import evaluate_profile, find_best_response, uniform_policy
from veil.equilibrium.solvers import Solver
from veil.equilibrium.support_search import search_support
from veil.equilibrium.threaded_cfr import share_rows
from veil.equilibrium.tree import GameTree, expand, find_constant_sum
from veil.equilibrium.tree_records import CHANCE
from veil.equilibrium.xfp import XfpSolver
from veil.games import instantiate

ITERATIONS = 12
CFR, CFR_PLUS, DCFR, PCFR_PLUS = CfrConfig(), CfrPlusConfig(), DcfrConfig(), PcfrPlusConfig()
SHAPES = [(roles, seed) for roles in (1, 2, 3) for seed in range(8)]


def a_tree(roles: int, seed: int, zero_sum: bool = False, ties: bool = False, depth: int = 5) -> Flat:
    """The random tree of this number; the same number gives the same tree."""
    rng = random.Random(1000 * roles + seed)
    tree = random_tree(rng, roles, depth, zero_sum)
    return flatten(tree if ties else break_ties(tree, rng, zero_sum))


# Values and best responses


@pytest.mark.parametrize(("roles", "seed"), SHAPES)
def test_values_and_best_responses_are_those_of_the_slow_way(roles: int, seed: int) -> None:
    flat = a_tree(roles, seed, ties=True)
    policy = flat.random_policy(seed)
    profile, judged = flat.profile(policy), evaluate_profile(flat.form, policy)
    names = flat.reference.roles
    slow = solvers.expected_values(flat.reference, profile)
    assert judged.value == pytest.approx([slow[role] for role in names], abs=1e-9)
    slow_best = [solvers.best_response(flat.reference, profile, role)[0] for role in names]
    assert judged.best_value == pytest.approx(slow_best, abs=1e-9)
    assert judged.nash_conv == pytest.approx(solvers.nash_conv(flat.reference, profile), abs=1e-9)
    assert judged.exploitability == pytest.approx(solvers.exploitability(flat.reference, profile), abs=1e-9)


@pytest.mark.parametrize(("roles", "seed"), SHAPES)
def test_a_best_response_is_pure_and_worth_what_it_says(roles: int, seed: int) -> None:
    flat = a_tree(roles, seed)
    policy = flat.random_policy(seed)
    profile = flat.profile(policy)
    for number, role in enumerate(flat.reference.roles):
        response, value = find_best_response(flat.form, policy, number)
        own = {infoset: row for infoset, row in flat.profile(response).items() if infoset[0] == role}
        assert all(sorted(row.values())[-2:] == [0.0, 1.0] for row in own.values())
        assert response.sum() == len(own)  # and nothing for the others
        assert solvers.expected_values(flat.reference, profile | own)[role] == pytest.approx(value, abs=1e-9)
        slow_value, slow = solvers.best_response(flat.reference, profile, role)
        assert value == pytest.approx(slow_value, abs=1e-9)
        reached = {node.infoset for node, (_, other) in _reached(flat, profile, role).items() if other > 0}
        assert all(own[infoset][slow[infoset]] == 1.0 for infoset in reached)  # no ties, where it matters


def _reached(flat: Flat, profile: solvers.Profile, role: str) -> dict[gametree.Decision, tuple[float, float]]:
    reach = solvers.reaches(flat.reference, profile, role)
    return {h: pair for h, pair in reach.items() if isinstance(h, gametree.Decision) and h.role == role}


# Algorithms, iteration by iteration

FAMILY: dict[str, tuple[CfrConfig, Callable[[gametree.Tree], Iterator[solvers.CfrStep]]]] = {
    "cfr": (CFR, lambda tree: solvers.cfr_steps(tree, alternating=True)),
    "cfr, all at once": (replace(CFR, alternating=False), solvers.cfr_steps),
    "cfr+": (CFR_PLUS, solvers.cfr_plus_steps),
    "dcfr": (DCFR, solvers.dcfr_steps),
    "dcfr, all at once": (replace(DCFR, alternating=False), lambda tree: solvers.dcfr_steps(tree, alternating=False)),
    "dcfr with other numbers": (
        replace(DCFR, alpha=2.0, beta=-1.0, average_power=1.0),
        lambda tree: solvers.dcfr_steps(tree, 2.0, -1.0, 1.0),
    ),
    "pcfr+": (PCFR_PLUS, solvers.pcfr_plus_steps),
    "pcfr+, all at once": (
        replace(PCFR_PLUS, alternating=False),
        lambda tree: solvers.pcfr_plus_steps(tree, alternating=False),
    ),
    "pdcfr+": (PdcfrPlusConfig(), solvers.pdcfr_plus_steps),
    "pdcfr+ with other numbers": (
        PdcfrPlusConfig(alpha=1.5, average_power=2.0),
        lambda tree: solvers.pdcfr_plus_steps(tree, 1.5, 2.0),
    ),
    "hs-pcfr+": (HsPcfrPlusConfig(), solvers.hs_pcfr_plus_steps),
    "hs-pcfr+ with a horizon that passes": (
        HsPcfrPlusConfig(average_power=7.0, horizon=8),
        lambda tree: solvers.hs_pcfr_plus_steps(tree, 7.0, 8),
    ),
}


@pytest.mark.gate_cases(12)
@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("roles", [1, 2, 3])
def test_every_iteration_of_the_cfr_family_is_that_of_the_slow_way(name: str, roles: int) -> None:
    config, steps = FAMILY[name]
    for seed in range(4):
        flat = a_tree(roles, seed)
        fast = CfrSolver(flat.form, config)
        for step in islice(steps(flat.reference), ITERATIONS):
            fast.run(1)
            assert fast._memory.policy == pytest.approx(flat.policy(step.current), abs=1e-9)
            assert fast.average() == pytest.approx(flat.policy(step.average), abs=1e-9)
            if not config.scheme.discounted:  # discounted regrets are kept at another moment
                assert fast._memory.regret == pytest.approx(flat.policy(step.regret), abs=1e-9)
        assert fast.iterations == ITERATIONS


@pytest.mark.parametrize(("roles", "seed"), SHAPES)
def test_every_iteration_of_fictitious_play_is_that_of_the_slow_way(roles: int, seed: int) -> None:
    flat = a_tree(roles, seed)
    fast = XfpSolver(flat.form)
    for profile in islice(solvers.xfp_steps(flat.reference), ITERATIONS):
        fast.run(1)
        assert fast.average() == pytest.approx(flat.policy(profile), abs=1e-9)


@pytest.mark.parametrize(("roles", "seed"), SHAPES)
def test_every_iteration_of_tree_search_is_that_of_the_slow_way(roles: int, seed: int) -> None:
    flat = a_tree(roles, seed)
    fast = ItsSolver(flat.form, seed)
    for profile in islice(solvers.its_steps(flat.reference), ITERATIONS):
        fast.run(1)
        assert fast.average() == pytest.approx(flat.policy(profile), abs=1e-9)


@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr", "pcfr+", "pdcfr+", "hs-pcfr+", "its", "xfp"])
def test_so_many_iterations_at_once_are_as_many_single_ones(name: str) -> None:
    form = a_tree(2, 3).form
    makers: dict[str, Callable[[], Solver]] = {
        "its": lambda: ItsSolver(form, 7),
        "xfp": lambda: XfpSolver(form),
    }
    make = makers.get(name) or (lambda: CfrSolver(form, FAMILY[name][0]))
    at_once, in_parts = make(), make()
    at_once.run(9)
    for part in (1, 5, 3):
        in_parts.run(part)
    assert in_parts.iterations == at_once.iterations == 9
    assert np.array_equal(at_once.average(), in_parts.average())


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("name", FAMILY)
def test_threads_share_the_work_and_change_no_byte(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(3):
        form, results = a_tree(2, seed, depth=6).form, []
        for threads in (1, 2, 3):
            monkeypatch.setattr(_cfr_solver, "count_threads", lambda form, threads=threads: threads)
            solver = CfrSolver(form, FAMILY[name][0])
            solver.run(5)
            solver.run(4)
            results.append((solver.average().tobytes(), solver._memory.regret.tobytes()))
        assert len(set(results)) == 1


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_every_row_belongs_to_one_thread(threads: int) -> None:
    form = a_tree(2, 3).form
    for role in (0, 1):
        own = form.role_range(role)
        rows = [row for begin, end in share_rows(form, role, threads) for row in range(begin, end)]
        assert rows == list(range(own.stop - own.start + 1))


def test_tree_search_chooses_uniformly_among_the_best_and_nothing_else() -> None:
    """False alarm: chi-square of 2 degrees of freedom above 27.6, one in a million. The seed is fixed."""
    tree = literal_tree(["solo"], ("solo", "only", {"a": (3,), "b": (1,), "c": (3,), "d": (3,)}))
    flat, rounds = flatten(tree), 3000
    fast = ItsSolver(flat.form, seed=5)
    fast.run(rounds)
    chosen = fast.average() * (rounds + 1) - 0.25  # equations (8) and (9): the average of uniform and what was chosen
    assert chosen == pytest.approx(np.round(chosen), abs=1e-6)
    assert chosen[1] == pytest.approx(0, abs=1e-6)
    best = chosen[[0, 2, 3]]
    assert ((best - rounds / 3) ** 2 / (rounds / 3)).sum() < 27.6


def test_tree_search_sees_a_tie_that_rounding_hides() -> None:
    """0.1 + 0.2 and 0.3 are equal but for rounding. A choice that never falls on one of them: one in 2^99."""
    halves = {"x": gametree.Fraction(1, 2), "y": gametree.Fraction(1, 2)}
    sums = {"a": ("random", {"x": (0.1,), "y": (0.2,)}, halves), "b": ("random", {"x": (0.3,), "y": (0.0,)}, halves)}
    flat = flatten(literal_tree(["solo"], ("solo", "only", sums)))
    assert (
        evaluate_profile(flat.form, np.array([1.0, 0.0])).value
        != evaluate_profile(flat.form, np.array([0.0, 1.0])).value
    )
    fast = ItsSolver(flat.form, seed=1)
    fast.run(100)
    assert (fast.average() > 1 / 101).all()


# Linear programming


@pytest.mark.parametrize("seed", range(24))
def test_the_linear_program_finds_the_value_and_an_equilibrium(seed: int) -> None:
    flat = a_tree(2, seed, zero_sum=True, ties=seed % 2 == 0)
    policy = solve_lp(flat.form, find_constant_sum(flat.tree))
    judged = evaluate_profile(flat.form, policy)
    assert judged.value[0] == pytest.approx(solvers.zero_sum_value(flat.reference), abs=1e-8)
    assert judged.exploitability < 1e-8
    assert solvers.exploitability(flat.reference, flat.profile(policy)) < 1e-8


@pytest.mark.parametrize("seed", range(24))
def test_programs_over_few_moves_find_an_equilibrium_of_the_whole_game(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guess is a bad one, so that moves are missing: only the likeliest of each infoset after three iterations."""
    monkeypatch.setattr(_support_search, "GUESS", 3)
    monkeypatch.setattr(_support_search, "RARE", 2.0)
    flat = a_tree(2, seed, zero_sum=True, ties=seed % 2 == 0, depth=6)
    policy = search_support(flat.form)
    assert policy is not None
    assert solvers.nash_conv(flat.reference, flat.profile(policy)) < 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_a_refined_equilibrium_earns_the_most_that_an_equilibrium_can_against_uniform_play(seed: int) -> None:
    flat = a_tree(2, seed, zero_sum=True, ties=True, depth=3)
    profile = flat.profile(solve_lp(flat.form, 0.0, "mistakes"))
    assert solvers.nash_conv(flat.reference, profile) < 1e-7
    for role, other in (flat.reference.roles, flat.reference.roles[::-1]):
        own = {infoset: row for infoset, row in profile.items() if infoset[0] == role}
        against = solvers.expected_values(flat.reference, solvers.uniform_profile(flat.reference) | own)[role]
        most = solvers.most_against_uniform_play(flat.reference, role, other)
        assert against == pytest.approx(most, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_a_sum_other_than_zero_is_as_good(seed: int) -> None:
    flat = a_tree(2, seed, zero_sum=True)
    shifted = flat.tree._replace(utility=flat.tree.utility + (flat.tree.num_children == 0)[:, None] * [[10.0, 90.0]])
    total = find_constant_sum(shifted)
    assert total == pytest.approx(100)
    form = fold_tree(shifted)
    judged = evaluate_profile(form, solve_lp(form, total))
    assert judged.exploitability < 1e-7
    assert judged.value == pytest.approx([judged.value[0], 100 - judged.value[0]])
    assert judged.value[0] - 10 == pytest.approx(solvers.zero_sum_value(flat.reference), abs=1e-7)


@pytest.mark.parametrize("seed", range(8))
def test_cfr_plus_arrives_where_the_linear_program_is(seed: int) -> None:
    flat = a_tree(2, seed, zero_sum=True)
    fast = CfrSolver(flat.form, CFR_PLUS)
    fast.run(5000)
    judged = evaluate_profile(flat.form, fast.average())
    value = evaluate_profile(flat.form, solve_lp(flat.form, 0.0)).value[0]
    assert judged.exploitability < 1e-3
    assert abs(judged.value[0] - value) <= judged.nash_conv + 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_one_role_alone_gets_the_exact_optimum(seed: int) -> None:
    flat = a_tree(1, seed)
    policy = solve_lp(flat.form, find_constant_sum(flat.tree))
    best, _ = solvers.best_response(flat.reference, flat.profile(uniform_policy(flat.form)), "r0")
    assert evaluate_profile(flat.form, policy).value[0] == pytest.approx(best, abs=1e-9)
    assert evaluate_profile(flat.form, policy).exploitability == pytest.approx(0, abs=1e-12)


# Sampling

FAR = 5.5  # standard errors: 4e-8 for one number, below 1e-4 for all the numbers that are compared here


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("start", ["uniform", "uneven"])
@pytest.mark.parametrize("sampling", ["external", "outcome"])
@pytest.mark.parametrize(("roles", "walker"), [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_sampled_regrets_are_unbiased(start: str, sampling: str, roles: int, walker: int) -> None:
    """The mean of what single iterations add is the instant regret. False alarm: see FAR; the seed is fixed.

    Roles learn one after the other, so only the first of them meets the policies of the start: whoever is tested goes
    first.
    """
    tree = break_ties(random_tree(random.Random(40 + roles), roles, 4), random.Random(1))
    tree.roles.insert(0, tree.roles.pop(walker))
    flat = flatten(tree)
    tables = np.zeros(len(flat.slots)) if start == "uniform" else np.random.default_rng(9).random(len(flat.slots))
    profile = {infoset: solvers.normalised(row) for infoset, row in flat.profile(tables).items()}
    expected = flat.policy(solvers.instant_regrets(tree, profile, tree.roles[0]))
    own = flat.form.role_range(0)
    mean, error = _mean_increments(flat, sampling, "regret", tables)
    assert own.stop > own.start
    assert (np.abs(mean - expected)[own] <= FAR * error[own] + 1e-9).all()
    assert (error[own] < 0.2 * max(1.0, np.abs(expected).max())).all()  # else it says nothing


@pytest.mark.parametrize("start", ["uniform", "uneven"])
@pytest.mark.parametrize(("sampling", "roles", "counted"), [("external", 2, 1), ("external", 1, 0), ("outcome", 3, 0)])
def test_sampled_average_policies_are_weighted_by_own_reach_and_chance_alone(
    start: str, sampling: str, roles: int, counted: int
) -> None:
    """What an infoset's average gains does not depend on what the others do now. False alarm: see FAR; fixed seed.

    External sampling counts a role's policy while the role before it walks.
    """
    tree = break_ties(random_tree(random.Random(40 + roles), roles, 4), random.Random(1))
    flat = flatten(tree)
    tables = np.zeros(len(flat.slots)) if start == "uniform" else np.random.default_rng(9).random(len(flat.slots))
    profile = {infoset: solvers.normalised(row) for infoset, row in flat.profile(tables).items()}
    expected = np.zeros(flat.form.num_slots)
    plan = solvers.realization_plan(tree, profile, tree.roles[counted])
    by_chance = solvers.reaches(tree, {i: dict.fromkeys(row, 1.0) for i, row in profile.items()}, tree.roles[counted])
    for infoset, members in gametree.infosets(tree).items():
        for move, x in plan.get(infoset, {}).items():
            expected[flat.slots[infoset, move]] = x * sum(float(by_chance[h][1]) for h in members)
    own = flat.form.role_range(counted)
    mean, error = _mean_increments(flat, sampling, "policy_sum", tables)
    assert own.stop > own.start
    assert (np.abs(mean - expected)[own] <= FAR * error[own] + 1e-9).all()


def _mean_increments(
    flat: Flat, sampling: str, field: str, regret: np.ndarray, count: int = 6000
) -> tuple[np.ndarray, np.ndarray]:
    """What one iteration from these regrets [S] adds to a table: its mean [S] and the mean's standard error [S]."""
    solver = McCfrSolver(flat.tree, flat.form, find_constant_sum(flat.tree), sampling, seed=3)
    drawn = np.zeros((count, flat.form.num_slots))
    for row in drawn:
        solver._tables.regret[:] = regret
        solver._tables.policy_sum[:] = 0.0
        solver.run(1)
        row[:] = getattr(solver._tables, field)
    start = regret if field == "regret" else 0.0
    return drawn.mean(axis=0) - start, drawn.std(axis=0) / count**0.5


@pytest.mark.parametrize(("sampling", "iterations"), [("external", 20_000), ("outcome", 200_000)])
def test_long_sampled_runs_come_near_the_equilibrium_of_kuhn_poker(sampling: str, iterations: int) -> None:
    flat = flatten(kuhn_poker())
    assert evaluate_profile(flat.form, uniform_policy(flat.form)).exploitability > 0.4
    solver = McCfrSolver(flat.tree, flat.form, 0.0, sampling, seed=1)
    solver.run(iterations)
    assert solver.iterations == iterations
    judged = evaluate_profile(flat.form, solver.average())
    assert judged.exploitability < 0.03
    assert judged.value[0] == pytest.approx(-1 / 18, abs=0.06)


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_sampled_runs_of_one_role_find_the_optimum(sampling: str) -> None:
    flat = a_tree(1, 2, depth=4)
    solver = McCfrSolver(flat.tree, flat.form, None, sampling, seed=1)
    solver.run(100_000)
    judged = evaluate_profile(flat.form, solver.average())
    assert evaluate_profile(flat.form, uniform_policy(flat.form)).exploitability > 1.0
    assert judged.exploitability < 0.05


# Kernels

KERNELS = [
    (module, name)
    for module in (_expand, _sequences, _cfr, _sampling)
    for name, function in vars(module).items()
    if hasattr(function, "py_func") and function.py_func.__module__ == module.__name__
]


def _run_everything() -> dict[str, np.ndarray]:
    """Something from every kernel: a game of each kind expanded, folded, judged and solved by every algorithm."""
    results: dict[str, np.ndarray] = {}
    trees = {name: expand(load(name)).flat for name in ("exploding_bomb", "kuhn_poker", "ii_goofspiel(cards=3)")}
    trees |= {f"random, {roles} roles": a_tree(roles, 5, depth=4).tree for roles in (1, 2, 3)}
    for name, tree in trees.items():
        form = fold_tree(tree)
        results |= {f"{name} {field}": array for field, array in (tree._asdict() | form._asdict()).items()}
        for role in range(form.num_roles):
            results[f"{name} response {role}"] = find_best_response(form, uniform_policy(form), role)[0]
        makers: dict[str, Callable[[], Solver]] = {"its": partial(ItsSolver, form, 3), "xfp": partial(XfpSolver, form)}
        for key, (config, _) in FAMILY.items():
            makers[key] = partial(CfrSolver, form, config)
        for key in ("external", "outcome"):
            makers[key] = partial(McCfrSolver, tree, form, find_constant_sum(tree), key, 3)
        for key, make in makers.items():
            solver = make()
            solver.run(4)
            results[f"{name} {key}"] = average = solver.average()
            judged = evaluate_profile(form, average)
            results[f"{name} {key} judged"] = np.concatenate((judged.value, judged.best_value))
    return results


def test_every_kernel_does_the_same_compiled_and_as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = _run_everything()
    called: set[tuple[str, str]] = set()

    def noting(module: ModuleType, name: str, function: Callable) -> Callable:
        def call(*arguments: object) -> object:
            called.add((module.__name__, name))
            return function(*arguments)

        return call

    plain = {name: noting(module, name, getattr(module, name).py_func) for module, name in KERNELS}
    solvers_of_kernels = _cfr_solver, _its_solver, _mccfr_solver, _xfp_solver  # they import kernels by name
    for module in (_expand, _sequences, _cfr, _sampling, *solvers_of_kernels):
        for name in plain:
            if hasattr(module, name):
                monkeypatch.setattr(module, name, plain[name])
    as_python = _run_everything()
    assert called == {(module.__name__, name) for module, name in KERNELS}
    assert compiled.keys() == as_python.keys()
    for name, array in compiled.items():
        assert array == pytest.approx(as_python[name], abs=1e-9), name


def test_no_kernel_calls_itself() -> None:
    """Numba's cache cannot keep recursive functions: the second process crashes (numba issues 6061 and 6713)."""
    assert len(KERNELS) > 20
    assert [name for module, name in KERNELS if name in getattr(module, name).py_func.__code__.co_names] == []


# From rules to a tree

THREE_VOTE = """
(role ann) (role random) (role bob) (role cid) (init (round 1))
(<= (next (round 2)) (true (round 1))) (<= (next (round 3)) (true (round 2)))
(colour red) (colour blue) (voter ann) (voter bob) (voter cid)
(<= (legal random ?c) (colour ?c) (true (round 1)))
(<= (legal random noop) (true (round 2)))
(<= (legal ?p ?c) (voter ?p) (colour ?c) (true (round 2)))
(<= (legal ann ?c) (colour ?c) (true (round 1)))
(<= (legal bob noop) (true (round 1)))
(<= (legal cid noop) (true (round 1)))
(<= (sees bob (hint ?c)) (does random ?c) (true (round 1)))
(<= (sees cid (said ?c)) (does ann ?c) (true (round 1)))
(<= (next (hidden ?c)) (does random ?c) (true (round 1)))
(<= (next (hidden ?c)) (true (hidden ?c)))
(<= (next (voted ?p ?c)) (does ?p ?c) (voter ?p) (true (round 2)))
(<= terminal (true (round 3)))
(<= (right ?p) (true (voted ?p ?c)) (true (hidden ?c)))
(<= (goal ?p 100) (right ?p))
(<= (goal ?p 30) (voter ?p) (not (right ?p)) (right bob))
(<= (goal ?p 0) (voter ?p) (not (right ?p)) (not (right bob)))
"""
GAMES = {
    name: instantiate(name).text
    for name in (
        "matching_pennies",
        "prisoners_dilemma",
        "non_locality(leaf=1)",
        "frank_basin",
        "cutting_wire",
        "extended_cutting_wire",
        "banker_and_thief(banks=2, notes=4)",
        "monty_hall",
        "exploding_bomb",
        "cooperative_spies",
        "number_guessing(max=4, turns=3)",
        "breakthrough(width=2, height=4)",
        "dark_hex(size=2)",
        "hidden_connect(size=2, line=2)",
        "guess_who(characters=4, attributes=2)",
        "ii_goofspiel(cards=3)",
        "kuhn_poker",
        "simple_poker",
        "liars_dice(dice1=1, dice2=1, faces=2)",
    )
} | {THREE_VOTE: THREE_VOTE}


SLOWEST = (
    "breakthrough(width=2, height=4)",
    "dark_hex(size=2)",
    "hidden_connect(size=2, line=2)",
    "guess_who(characters=4, attributes=2)",
)


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize(
    "name",
    nightly_but(GAMES.keys() - SLOWEST, GAMES),
    ids=lambda name: name if len(name) < 50 else "three roles and chance",
)
def test_the_tree_of_a_game_is_that_of_the_slow_way(name: str) -> None:
    slow, tree = build_tree(NaiveGame(GAMES[name])), expand(load(name))
    counts = tree.counts()
    assert counts["nodes"] == gametree.count_nodes(slow)
    assert counts["terminals"] == gametree.count_terminals(slow)
    assert counts["chance_nodes"] == gametree.count_chance_nodes(slow)
    assert counts["infosets"] == gametree.count_infosets(slow)
    assert counts["slots"] == gametree.count_slots(slow)
    assert counts["depth"] == gametree.depth(slow)
    assert list(tree.roles) == slow.roles
    profile = solvers.random_profile(slow, random.Random(1))
    policy = _same_node_by_node(tree, slow, profile)
    form = fold_tree(tree.flat)
    utility = tree.game.utility
    slow_value = solvers.expected_values(slow, profile)
    best = {role: solvers.best_response(slow, profile, role)[0] for role in slow.roles}
    judged = evaluate_profile(form, policy)
    scaled = [[float(utility.of(np.array(float(table[role])))) for role in slow.roles] for table in (slow_value, best)]
    assert judged.value == pytest.approx(scaled[0], abs=1e-9)
    assert judged.best_value == pytest.approx(scaled[1], abs=1e-9)


def _same_node_by_node(named: GameTree, slow: gametree.Tree, profile: solvers.Profile) -> np.ndarray:
    """Walk down both trees at once: the same moves, chances, payoffs and records. The profile as [S]."""
    tree, game = named.flat, named.game
    records, moves = records_in_words(named), slot_moves(named)
    assert len(set(zip(np.repeat(named.roles, np.diff(tree.role_start)), records, strict=True))) == len(records)
    infoset_of = np.repeat(np.arange(len(records)), np.diff(tree.slot_start))
    role_of = np.repeat(np.arange(len(named.roles)), np.diff(tree.role_start))
    chance_moves = dict(zip(game.roles, game.names.moves, strict=True)).get("random", ())
    children: list[list[int]] = [[] for _ in tree.parent]
    for number, above in enumerate(tree.parent[1:].tolist(), 1):
        children[above].append(number)
    policy = np.full(tree.num_slots, np.nan)
    members: list[set[int]] = [set() for _ in records]

    def compare(number: int, node: gametree.Node) -> None:
        below = children[number]
        if isinstance(node, gametree.Terminal):
            assert not below
            goals = np.array([node.utility[role] for role in slow.roles])
            assert tree.utility[number].tolist() == game.utility.of(goals).tolist()
            return
        slots = tree.slot[below]
        assert not tree.utility[number].any()
        assert below == list(range(below[0], below[-1] + 1))  # side by side
        if isinstance(node, gametree.Chance):
            assert (slots == CHANCE).all()
            below_moves = [chance_moves[move] for move in tree.move[below]]
            assert tree.chance_prob[below] == pytest.approx([float(node.probability[move]) for move in below_moves])
        else:
            infoset = infoset_of[slots[0]]
            assert slots.tolist() == list(range(tree.slot_start[infoset], tree.slot_start[infoset + 1]))
            role, record = node.infoset
            assert named.roles[role_of[infoset]] == role
            assert records[infoset] == record_in_words(record)
            assert tree.infoset_round[infoset] == len(record)
            members[infoset].add(number)
            assert (tree.chance_prob[below] == 1.0).all()
            below_moves = [moves[slot] for slot in slots]
            policy[slots] = [float(profile[node.infoset][move]) for move in below_moves]
        assert sorted(below_moves) == sorted(node.children)
        for child, move in zip(below, below_moves, strict=True):
            compare(child, node.children[move])

    compare(0, slow.root)
    assert all(node in own for node, own in zip(tree.infoset_node.tolist(), members, strict=True))
    assert not np.isnan(policy).any()
    return policy
