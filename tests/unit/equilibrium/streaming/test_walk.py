"""Games without a tree: their sizes, values and best responses are those of the tree."""

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

import veil
from tests.reference.gametree import build_tree
from tests.reference.solvers import expected_values, nash_conv, uniform_profile
from tests.support.games import naive
from tests.support.refusals import refused
from tests.support.rule_sets import rule_sets
from veil.engine import GroundLimits, load
from veil.equilibrium import (
    Policy,
    Walk,
    count_levels,
    evaluate_profile,
    policy_of,
    prepare,
    prepare_or_walk,
    prepare_walk,
    uniform_policy,
)
from veil.equilibrium.streaming.state_graph import GraphRound, StateLevel, build_state_graph
from veil.equilibrium.streaming.walk_evaluation import evaluate_on_walk, evaluate_uniform_play
from veil.equilibrium.streaming.walk_policy import walk_slots_of
from veil.errors import VeilError

GAMES = [
    "monty_hall",  # one role
    "kuhn_poker",
    "leduc_poker",
    "ii_goofspiel(4)",  # simultaneous moves
    "dark_hex(2)",
    "dark_hex(2, abrupt)",
    "banker_and_thief",  # general sum
    "prisoners_dilemma",
    "cooperative_spies",
    "simultaneous_krieg_tictactoe(2, 2)",
    pytest.param("liars_dice", marks=pytest.mark.nightly),
    pytest.param("ii_goofspiel(5)", marks=pytest.mark.nightly),
    pytest.param("racko(2, 7)", marks=pytest.mark.nightly),
    pytest.param("generic_poker", marks=pytest.mark.nightly),
    pytest.param("exploding_bomb", marks=pytest.mark.nightly),
]


def random_policy(game: veil.Game, seed: int) -> Policy:
    """A random policy in words, with some moves that are never played."""
    tree, rng = prepare(game).tree, np.random.default_rng(seed)
    weights = rng.random(tree.num_slots) * (rng.random(tree.num_slots) < 0.8)
    slots = np.zeros(tree.num_slots)
    for infoset in range(len(tree.flat.infoset_node)):
        own = tree.slots_in(infoset)
        total = weights[own].sum()
        slots[own] = weights[own] / total if total else 1 / len(own)
    return policy_of(tree, slots)


def check_same(game: veil.Game, seed: int) -> None:
    """Compare sizes and the evaluation of a random policy with those of the tree."""
    prepared, walk = prepare(game), prepare_walk(game)
    counts, expected = walk.counts(), prepared.tree.counts()
    for name in ("nodes", "terminals", "chance_nodes", "depth", "infosets", "slots"):
        assert counts[name] == expected[name], name
    assert counts["levels"] == count_levels(prepared.tree.flat)
    policy = random_policy(game, seed)
    theirs = veil.evaluate(game, policy)
    slots, missing = walk_slots_of(walk, policy)
    ours = evaluate_on_walk(walk, slots)
    assert missing == 0
    scale = max(1.0, float(np.abs(prepared.tree.flat.utility).max()))
    assert ours.value == pytest.approx(list(theirs.value.values()), abs=1e-9 * scale)
    uniform, expected_uniform = evaluate_uniform_play(walk), veil.evaluate(game, "uniform")
    assert uniform.value == pytest.approx(list(expected_uniform.value.values()), abs=1e-9 * scale)
    assert uniform.best_value == pytest.approx(list(expected_uniform.best_response.values()), abs=1e-9 * scale)
    assert ours.best_value == pytest.approx(list(theirs.best_response.values()), abs=1e-9 * scale)


@pytest.mark.gate_cases(5)
@pytest.mark.parametrize("name", GAMES)
def test_sizes_values_and_best_responses_are_those_of_the_tree(name: str) -> None:
    check_same(load(name), 7)


@pytest.mark.nightly
@settings(max_examples=60)
@given(text=rule_sets(), seed=st.integers(0, 2**32 - 1))
def test_random_rule_sets_are_counted_and_evaluated_as_their_trees_are(text: str, seed: int) -> None:
    try:
        game = load(text)
        prepare(game, max_nodes=3000)
    except VeilError:
        assume(False)
    check_same(game, seed)


@pytest.mark.parametrize("name", ["kuhn_poker", "dark_hex(2, abrupt)"])
def test_uniform_play_is_worth_what_the_slow_reference_says(name: str) -> None:
    game = load(name)
    tree = build_tree(naive(name))
    profile, walk = uniform_profile(tree), prepare_walk(game)
    unit, zero = game.utility.scale, game.utility.zero
    values = [(expected_values(tree, profile)[role] - zero) / unit for role in walk.roles]
    for judged in (evaluate_on_walk(walk, uniform_policy(walk.form)), evaluate_uniform_play(walk)):
        assert judged.value == pytest.approx(values, abs=1e-12)
        assert judged.nash_conv == pytest.approx(nash_conv(tree, profile) / unit, abs=1e-12)


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    game, results = load("leduc_poker"), []
    slots = None
    for threads in (1, 3):
        walk = prepare_walk(game, threads=threads)
        if slots is None:
            slots, _ = walk_slots_of(walk, random_policy(game, 3))
        q = np.zeros(walk.form.num_slots + 2)
        for role in range(2):
            walk.add_payoffs(role, slots, q)
        results.append(q.tobytes())
    assert results[0] == results[1]


def test_a_game_that_is_over_at_the_start_has_one_node_and_its_payoffs() -> None:
    rules = "(role a) (role b) (legal a x) (legal b x) terminal (goal a 70) (goal b 30)"
    walk = prepare_walk(load(rules))
    assert walk.counts()["nodes"] == 1
    judged = evaluate_on_walk(walk, uniform_policy(walk.form))
    assert judged.value.tolist() == [70, 30] == judged.best_value.tolist()


def test_a_role_that_cannot_tell_histories_apart_but_has_different_moves_is_shown_two_of_them() -> None:
    rules = """(role random) (role a) (init start) (<= (legal random 1) (true start)) (<= (legal random 2) (true start))
        (<= (legal a noop) (true start)) (<= (next (was ?x)) (does random ?x)) (<= (legal random 1) (not (true start)))
        (<= (legal a x) (true (was 1))) (<= (legal a y) (true (was 2))) (<= (legal a z) (true (was 2)))
        (<= (next over) (true (was ?x))) (<= terminal (true over)) (goal a 50)"""
    told = refused("infoset-moves", lambda: prepare_walk(load(rules)))
    assert "(1 noop) and (2 noop)" in told


def test_a_stuck_role_is_named_with_the_moves_before() -> None:
    rules = """(role a) (init (step 1)) (<= (legal a x) (true (step 1))) (<= (next (step 2)) (true (step 1)))
        (<= terminal (true (step 3))) (goal a 50)"""
    assert "after x: a has no legal move" in refused("stuck", lambda: prepare_walk(load(rules)))


def test_the_tree_is_taken_where_it_fits_and_the_walk_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("kuhn_poker")
    assert not isinstance(prepare_or_walk(game), Walk)
    monkeypatch.setattr("veil.equilibrium.streaming.choice.MAX_NODES", 10)
    assert isinstance(prepare_or_walk(game), Walk)
    assert veil.evaluate(game, "uniform").nash_conv == pytest.approx(11 / 12)
    refused("tree-too-large", lambda: prepare_or_walk(game, 10))


def test_a_policy_with_records_moves_or_roles_that_the_game_does_not_have_is_refused() -> None:
    game = load("kuhn_poker")
    walk = prepare_walk(game)

    def read(table: dict) -> str:
        policy = Policy(game="kuhn_poker", rules=game.fingerprint, table=table)
        return refused("bad-policy", lambda: walk_slots_of(walk, policy))

    record = next(iter(random_policy(game, 1).table["first"]))
    assert "never told `nonsense`" in read({"first": {"nonsense": {"bet": 1.0}}})
    assert "has no move fly" in read({"first": {record: {"fly": 1.0}}})
    assert "no role nobody" in read({"nobody": {}})


def test_a_round_that_would_take_too_much_memory_is_refused_before_it_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a game with many joint moves, a round takes far more memory than all the rounds before it."""
    played = list[int]()
    play = GraphRound.play

    def note(self: GraphRound) -> tuple[StateLevel, np.ndarray]:
        level, following = play(self)
        played.append(following.nbytes)
        return level, following

    monkeypatch.setattr(GraphRound, "play", note)
    game = load("gops(bids=4, extra=10)", limits=GroundLimits(max_bytes=2**27))
    assert "more than 0.12 GB of memory" in refused("graph-too-large", lambda: build_state_graph(game))
    assert 0 < sum(played) < 2**27


@pytest.mark.nightly
def test_the_abrupt_games_have_the_infosets_of_the_game_specific_program() -> None:
    """Infosets with forced ones: 16,497,034 and 10,828,243 (github.com/gabrfarina/exp-a-spiel); the second has none."""
    from veil.equilibrium import count_whole_game

    counts = count_whole_game(load("dark_hex(3, abrupt)"))
    assert counts["infosets"] == {"black": 6_457_354, "white": 10_828_243}


@pytest.mark.nightly
def test_uniform_play_in_abrupt_dark_hex_is_worth_what_the_game_specific_program_says() -> None:
    """github.com/gabrfarina/exp-a-spiel; run on the game, with win 1 and loss -1."""
    judged = veil.evaluate("dark_hex(3, abrupt)", "uniform")
    assert judged.value["black"] == pytest.approx(0.266925705, abs=1e-9)
    assert judged.best_response == pytest.approx({"black": 0.908030203, "white": 0.617179233}, abs=1e-9)
    assert judged.nash_conv == pytest.approx(1.525209436, abs=1e-9)


def test_evaluate_profile_finds_payoffs_in_the_entries_unless_told_otherwise() -> None:
    prepared = prepare("kuhn_poker")
    policy = uniform_policy(prepared.form)
    nothing = evaluate_profile(prepared.form, policy, lambda role, policy, x, q: None)
    assert nothing.nash_conv == 0.0 < evaluate_profile(prepared.form, policy).nash_conv
