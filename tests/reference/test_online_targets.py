"""What online search is directed to: infosets, public subgames, and the weighting factor of the paper's example."""

from fractions import Fraction

import pytest

from tests.reference.gametree import (
    Terminal,
    kuhn_poker,
    legal_moves,
    literal_tree,
    matrix_game,
    nodes,
)
from tests.reference.online_search import (
    Entry,
    OosConfig,
    Search,
    all_runs,
    choose_from,
    class_by_name,
    copy_memory,
    empty_entry,
    everything,
    infoset_target,
    is_public,
    mean_profile,
    public_moves,
    public_sequences,
    public_target,
    restrict,
    start_search,
    take_walk,
    through,
    weighting_factor,
)
from tests.reference.solvers import (
    reaches,
    uniform_profile,
)

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
EXACT = OosConfig(delta=HALF, epsilon=Fraction(2, 5), gamma=Fraction(1, 100))
PASS_BET = ("first", (1, "pb"))  # Kuhn poker: the first role holds the lowest card, has passed, and faces a bet


def test_infoset_targeting_admits_prefixes_of_the_infoset_and_everything_below_it():
    tree = kuhn_poker()
    inside = infoset_target(tree, PASS_BET).inside
    deals = {deal: child for deal, child in tree.root.children.items() if child in inside}
    assert sorted(deals) == ["12", "13"]
    for deal in deals.values():
        assert deal.children["p"] in inside
        assert deal.children["b"] not in inside
        assert deal.children["p"].children["b"] in inside
        assert deal.children["p"].children["p"] not in inside
        assert all(end in inside for end in deal.children["p"].children["b"].children.values())
    assert sum(isinstance(node, Terminal) for node in inside) == 4


def test_public_subgame_targeting_admits_every_deal_with_the_same_bets():
    """The poker example of section 3.2 and the right side of Figure 2: all private cards, the same public moves."""
    tree = kuhn_poker()
    public = class_by_name(tree, public_moves(tree))
    inside = public_target(tree, PASS_BET, public).inside
    assert all(deal in inside for deal in tree.root.children.values())
    ends = [node for node in inside if isinstance(node, Terminal)]
    sequence = public_sequences(tree, public)
    assert sorted(sequence[end] for end in ends) == [("p", "b", "b")] * 6 + [("p", "b", "p")] * 6


def test_bets_are_public_and_deals_are_not():
    tree = kuhn_poker()
    assert public_moves(tree) == {"b", "p"}
    assert is_public(tree, class_by_name(tree, "bp"))
    assert not is_public(tree, class_by_name(tree, ["b", "p", "12"]))


def test_rock_paper_scissors_has_no_public_moves():
    """The example of section 3.2."""
    tree = matrix_game({row: dict.fromkeys("rps", (0, 0)) for row in "rps"})
    assert public_moves(tree) == set()


def test_classes_of_moves_can_be_public_where_the_moves_are_not():
    def answer(name):
        return "b", name, {"x": (0, 0), "y": (1, -1)}

    tree = literal_tree(
        ["a", "b"],
        (
            "a",
            "start",
            {"low1": answer("low"), "low2": answer("low"), "high1": answer("high"), "high2": answer("high")},
        ),
    )
    name_of = {child: move for node in nodes(tree) for move, child in node.children.items()}
    by_class = lambda node: {"l": "low", "h": "high"}.get(name_of[node][0])  # noqa: E731
    assert is_public(tree, by_class)
    assert not is_public(tree, class_by_name(tree, ["low1"]))
    inside = public_target(tree, ("b", "low"), by_class).inside
    assert {name_of[node] for node in inside if node is not tree.root} == {"low1", "low2", "x", "y"}


def test_a_target_of_moves_that_are_not_public_is_refused():
    tree = kuhn_poker()
    with pytest.raises(ValueError, match="too many values"):
        public_target(tree, PASS_BET, class_by_name(tree, ["12", "b", "p"]))


def test_a_restricted_policy_is_normalised_on_the_moves_inside():
    tree = literal_tree(["a"], ("a", "start", {"up": (0,), "down": (1,), "stop": (2,)}))
    start = tree.root.children
    policy = {"up": Fraction(1, 6), "down": Fraction(1, 3), "stop": Fraction(1, 2)}
    inside = through(tree, [start["up"], start["stop"]])
    assert restrict(policy, tree.root, inside) == {"up": Fraction(1, 4), "down": 0, "stop": Fraction(3, 4)}
    assert restrict({"up": 0, "down": 1, "stop": 0}, tree.root, inside) == {"up": HALF, "down": 0, "stop": HALF}
    assert restrict(policy, tree.root, frozenset()) == {"up": 0, "down": 0, "stop": 0}


# The weighting factor


def one_in_a_thousand():
    """A game that is in the role's infoset once in 1000 walks."""
    chance = {"often": Fraction(999, 1000), "rarely": Fraction(1, 1000)}
    return literal_tree(["a"], ("random", {"often": (0,), "rarely": ("a", "I", {"x": (1,), "y": (0,)})}, chance))


def test_the_weighting_factor_is_what_the_text_says():
    """The example of section 3.3: s_0 = 0.001, half of the samples reach I(m), so w_T = s_m / s_0 = 500."""
    tree = one_in_a_thousand()
    target = infoset_target(tree, ("a", "I"))
    delta = Fraction(499, 999)  # then exactly half of the walks reach I: delta + (1 - delta) / 1000 = 1/2
    assert weighting_factor(tree, uniform_profile(tree, exact=True), target, delta) == 500
    assert weighting_factor(tree, uniform_profile(tree, exact=True), target, HALF) == Fraction(1001, 2)


def test_with_the_weighting_factor_targeted_samples_weigh_as_much_as_earlier_ones():
    """The purpose stated in section 3.3: each sample of I(m) is multiplied by 1000 before and after targeting."""
    tree = one_in_a_thousand()
    memory = {("a", "I"): empty_entry("xy")}
    config = OosConfig(delta=Fraction(499, 999), epsilon=Fraction(2, 5), gamma=Fraction(1, 100))
    added = []
    for target, scenario in ((everything(tree), 1), (infoset_target(tree, ("a", "I")), 0)):
        walk = take_walk(
            start_search(tree, memory, target, config), copy_memory(memory), "a", choose_from([scenario, 1, 0])
        )
        added.append(walk.visits[0].value)
    # chance 1/1000 in pi_-i, then 1000 for the sample of I, then 2 for the move
    assert added == [2, 2]


def test_equation_3_as_printed_is_always_1_under_infoset_targeting():
    tree = kuhn_poker()
    target = infoset_target(tree, PASS_BET)
    profile = uniform_profile(tree, exact=True)
    reach = {node: own * other for node, (own, other) in reaches(tree, profile, "first").items()}
    of_infoset = sum(reach[node] for node in target.current)
    of_terminals = sum(reach[node] for node in target.inside if isinstance(node, Terminal))
    assert of_infoset == of_terminals > 0


def test_the_weighting_factor_of_kuhn_poker_by_hand():
    """Uniform play gets to I with 2/6 * 1/2 * 1/2 = 1/12; targeted to I always, to the public subgame with 2/6."""
    tree = kuhn_poker()
    profile = uniform_profile(tree, exact=True)
    public = class_by_name(tree, "bp")
    for delta in (Fraction(0), HALF, Fraction(9, 10), Fraction(1)):
        assert weighting_factor(tree, profile, infoset_target(tree, PASS_BET), delta) == 1 - delta + 12 * delta
        assert weighting_factor(tree, profile, public_target(tree, PASS_BET, public), delta) == 1 - delta + 4 * delta
        assert weighting_factor(tree, profile, everything(tree), delta) == 1


@pytest.mark.parametrize("kind", ["infoset", "public"])
def test_the_weighting_factor_is_the_ratio_of_walks_that_reach_the_infoset(kind):
    """Counted by following all walks, with a strategy that is current and mean at once, and no exploration."""
    tree = kuhn_poker()
    weight = {
        infoset: {a: 1 + k + len(infoset[1][1]) for k, a in enumerate(row)}
        for infoset, row in legal_moves(tree).items()
    }
    memory = {infoset: Entry(dict(row), dict(row)) for infoset, row in weight.items()}
    target = infoset_target(tree, PASS_BET)
    if kind == "public":
        target = public_target(tree, PASS_BET, class_by_name(tree, "bp"))

    def share_that_reaches(delta):
        config = OosConfig(delta=delta, epsilon=Fraction(0), gamma=Fraction(0))
        search = Search(tree, target, config, Fraction(1))
        runs = all_runs(lambda choose: take_walk(search, copy_memory(memory), "first", choose))
        return sum(p for p, walk in runs if any(visit.infoset == PASS_BET for visit in walk.visits))

    delta = Fraction(3, 10)
    ratio = share_that_reaches(delta) / share_that_reaches(Fraction(0))
    assert ratio == weighting_factor(tree, mean_profile(tree, memory), target, delta)
    assert ratio > 1
