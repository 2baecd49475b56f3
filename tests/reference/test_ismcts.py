"""The slow ISMCTS against enumeration and values by hand. What draws by chance has a fixed seed."""

import random
from fractions import Fraction

import pytest

from tests.reference.gametree import (
    infosets,
    kuhn_poker,
    legal_moves,
    literal_tree,
    matrix_game,
    non_locality,
)
from tests.reference.ismcts import (
    RegretMatching,
    StatisticsMemory,
    Uct,
    empty_statistics,
    histories_in_memory,
    history_walk,
    ismcts_search,
    ismcts_walk,
    remember_root,
    start_nodes,
    uct_constant,
)
from tests.reference.online_search import (
    all_runs,
    choose_by,
    choose_from,
)

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def statistics_of(visits, total):
    statistics = empty_statistics(visits)
    statistics.visits |= visits
    statistics.total |= total
    return statistics


def test_the_constant_of_uct_is_twice_the_maximal_outcome():
    assert uct_constant(matrix_game({"h": {"h": (1, -1), "t": (-1, 1)}, "t": {"h": (-1, 1), "t": (1, -1)}})) == 2
    assert uct_constant(kuhn_poker()) == 4


def test_uct_tries_every_move_and_then_takes_the_largest_bound():
    """N = 5: bounds 0 + C * 1.269, 1 + C * 0.897, 1/2 + C * 0.897; the first wins iff C > 2.69."""
    assert Uct(1).policy(statistics_of({"a": 0, "b": 3, "c": 0}, {"b": 9})) == {"a": HALF, "b": 0, "c": HALF}
    tried = statistics_of({"a": 1, "b": 2, "c": 2}, {"a": 0, "b": 2, "c": 1})
    assert Uct(2.68).policy(tried) == {"a": 0, "b": 1, "c": 0}
    assert Uct(2.70).policy(tried) == {"a": 1, "b": 0, "c": 0}
    assert Uct(1).policy(statistics_of({"a": 2, "b": 2}, {"a": 1, "b": 1})) == {"a": HALF, "b": HALF}


def test_uct_plays_the_most_visited_move_and_is_evaluated_by_frequencies():
    statistics = statistics_of({"a": 3, "b": 1}, {"a": -9, "b": 9})
    assert Uct(2).play(statistics) == {"a": 1, "b": 0}
    assert Uct(2).mean(statistics) == {"a": Fraction(3, 4), "b": Fraction(1, 4)}


def test_uct_takes_the_first_of_several_best_moves_if_it_is_told_to():
    equal = statistics_of({"a": 1, "b": 2, "c": 2}, {"a": -9, "b": 1, "c": 1})
    assert Uct(1, is_first=True).policy(equal) == Uct(1, is_first=True).play(equal) == {"a": 0, "b": 1, "c": 0}
    untried = statistics_of({"a": 1, "b": 0, "c": 0}, {})
    assert Uct(1, is_first=True).policy(untried) == {"a": 0, "b": HALF, "c": HALF}


def test_an_ismcts_walk_adds_one_infoset_and_credits_each_mover_with_its_own_utility():
    tree = non_locality()
    memory: StatisticsMemory = {}
    ismcts_walk(tree.root, memory, Uct(6), choose_from([1, 0, 0]))  # adds M; I belongs to the playout
    assert list(memory) == [("max", "M")]
    ismcts_walk(tree.root, memory, Uct(6), choose_from([1, 1, 1]))  # M tries right; adds I
    assert memory["max", "M"].visits == {"left": 1, "right": 1}
    assert memory["max", "M"].total == {"left": 3, "right": 3}
    assert memory["min", "I"].visits == {"left": 0, "right": 1}
    assert memory["min", "I"].total == {"left": 0, "right": -3}


def test_ismcts_does_not_update_known_infosets_in_the_playout():
    tree = kuhn_poker()
    known = ("first", (1, "pb"))
    for probability, memory in all_runs(lambda choose: run_ismcts_once(tree, known, choose)):
        assert probability > 0
        assert len(memory) == 2
        assert memory[known] == empty_statistics("bp")


def run_ismcts_once(tree, known, choose):
    memory = {known: empty_statistics(legal_moves(tree)[known])}
    ismcts_walk(tree.root, memory, Uct(4), choose)
    return memory


def test_ismcts_starts_from_the_histories_of_the_infoset():
    tree = non_locality()
    members = infosets(tree)["min", "I"]
    assert start_nodes(tree, ("min", "I")) == {members[0]: HALF, members[1]: HALF}
    by_weight = start_nodes(tree, ("min", "I"), {members[0]: 3, members[1]: 1})
    assert by_weight == {members[0]: Fraction(3, 4), members[1]: Fraction(1, 4)}
    assert start_nodes(tree, None) == {tree.root: 1}
    total = 0
    for probability, memory in all_runs(lambda choose: search_once(by_weight, choose)):
        total += probability * memory["min", "I"].total["left"]
    assert total == Fraction(3, 4) * HALF * -3


def search_once(start, choose):
    memory: StatisticsMemory = {}
    ismcts_search(start, memory, Uct(6), 1, choose)
    return memory


def test_the_mean_update_of_regret_matching_is_the_regret_against_its_own_play():
    """A single decision: E[added to the regret of a] = u(a) - sum over b of p(b) * u(b), exactly."""
    utility = {"a": 4, "b": -1, "c": 2}
    tree = literal_tree(["r"], ("r", "I", {move: (u,) for move, u in utility.items()}))
    selection = RegretMatching(Fraction(1, 5))

    def run(choose):
        statistics = empty_statistics("abc")
        statistics.regret |= {"a": 1, "b": 2, "c": -1}
        ismcts_walk(tree.root, memory := {("r", "I"): statistics}, selection, choose)
        return memory["r", "I"]

    policy = {"a": Fraction(1, 15) + Fraction(4, 15), "b": Fraction(1, 15) + Fraction(8, 15), "c": Fraction(1, 15)}
    mean = dict.fromkeys("abc", 0)
    for probability, statistics in all_runs(run):
        mean = {move: mean[move] + probability * statistics.regret[move] for move in mean}
        assert selection.mean(statistics) == {"a": THIRD, "b": 2 * THIRD, "c": 0}
        assert selection.play(statistics) == selection.mean(statistics)
    played = sum(policy[move] * utility[move] for move in "abc")
    assert mean == {"a": 1 + 4 - played, "b": 2 - 1 - played, "c": -1 + 2 - played}


@pytest.mark.parametrize("selection", [Uct(8), RegretMatching(0.2)], ids=["uct", "regret_matching"])
def test_ismcts_finds_the_best_move_in_a_game_of_perfect_information(selection):
    """a should go right: b answers left with -4 and right with 1.

    None of 200 other seeds failed: the false-alarm rate is below 2 %.
    """
    replies = {"left": ("b", "l", {"x": (4, -4), "y": (-4, 4)}), "right": ("b", "r", {"x": (1, -1), "y": (2, -2)})}
    tree = literal_tree(["a", "b"], ("a", "start", replies))
    memory: StatisticsMemory = {}
    ismcts_search(start_nodes(tree, None), memory, selection, 1000, choose_by(random.Random(8)))
    played = [selection.play(memory[infoset]) for infoset in (("a", "start"), ("b", "l"), ("b", "r"))]
    assert [max(policy, key=policy.get) for policy in played] == ["right", "y", "x"]


@pytest.mark.parametrize("selection", [Uct(6), RegretMatching(0.2)], ids=["uct", "regret_matching"])
def test_ismcts_does_not_solve_the_problem_of_non_locality(selection):
    """Its walks from I never see the leaf that decides: it finds the same for both leaves, whatever that is.

    (At I, both moves are worth the same to it. So its strategy there is a matter of chance, not close to 1/2.)
    """
    found = []
    for tree in (non_locality(1), non_locality(2)):
        memory: StatisticsMemory = {}
        ismcts_search(start_nodes(tree, ("min", "I")), memory, selection, 500, choose_by(random.Random(9)))
        assert list(memory) == [("min", "I")]
        found.append(memory)
    assert found[0] == found[1]


def test_a_walk_over_histories_adds_one_history_which_learns_nothing():
    """non_locality: chance, then M of max, then I of min, which has two histories."""
    tree = non_locality()
    memory = remember_root(tree)
    history_walk(tree.root, memory, Uct(6), False, choose_from([1, 0, 0]))  # chance goes right: a history of M is added
    assert memory.statistics == {("max", "M"): empty_statistics(["left", "right"])}
    assert len(memory.histories) == 2
    history_walk(tree.root, memory, Uct(6), False, choose_from([1, 1, 0]))  # M goes right: one of I
    assert memory.statistics["max", "M"].visits == {"left": 0, "right": 1}
    assert memory.statistics["min", "I"] == empty_statistics(["left", "right"])
    right = tree.root.children["right"] if "right" in tree.root.children else list(tree.root.children.values())[1]
    assert histories_in_memory(tree, ("min", "I"), memory) == {right.children["right"]: 1}


@pytest.mark.parametrize("is_renewed", [False, True])
def test_a_new_history_of_an_infoset_may_make_its_statistics_begin_anew(is_renewed):
    """M has two histories, below both outcomes of chance; the second comes when the first has taught something."""
    tree = non_locality()
    memory = remember_root(tree)
    for choices in ([1, 0, 0], [1, 1, 0], [0, 0]):
        history_walk(tree.root, memory, Uct(6), is_renewed, choose_from(choices))
    assert memory.statistics["max", "M"].visits == {"left": 0, "right": 0 if is_renewed else 1}
