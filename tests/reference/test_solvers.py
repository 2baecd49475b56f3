"""The slow trees and solvers against values computed by hand, known games, and definitions written out in full."""

import random
from fractions import Fraction
from itertools import product

import pytest

from tests.reference.gametree import (
    Chance,
    Decision,
    Infoset,
    Node,
    Number,
    Terminal,
    build_tree,
    check_tree,
    count_chance_nodes,
    count_infosets,
    count_nodes,
    count_slots,
    count_terminals,
    depth,
    has_perfect_recall,
    infosets,
    kuhn_poker,
    legal_moves,
    literal_tree,
    matrix_game,
    nodes,
    random_tree,
)
from tests.reference.naive import NaiveGame
from tests.reference.solvers import (
    Profile,
    at,
    best_response,
    cfr_plus_steps,
    cfr_steps,
    counterfactual_values,
    dcfr_steps,
    expected_values,
    exploitability,
    first_best,
    first_nearly_best,
    instant_regrets,
    its_steps,
    maximin,
    nash_conv,
    normalised,
    pcfr_plus_steps,
    pure,
    random_best,
    random_profile,
    uniform_profile,
    xfp_steps,
    zero_sum_solution,
    zero_sum_value,
)

MATCHING_PENNIES = """
(role even) (role odd) (init start)
(<= (legal ?p heads) (role ?p) (true start))
(<= (legal ?p tails) (role ?p) (true start))
(<= (next (chose ?p ?m)) (does ?p ?m))
(<= terminal (not (true start)))
(<= same (true (chose even ?m)) (true (chose odd ?m)))
(<= (goal even 100) same)
(<= (goal even 0) (not same))
(<= (goal odd 0) same)
(<= (goal odd 100) (not same))
"""

# Round 1: random tosses, only ann sees heads. Round 2: ann and bob choose at once, then bob sees what ann chose.
# Round 3: bob chooses once more. ann gets 100 if bob's last choice is hers.
SIGNAL = """
(role random) (role ann) (role bob) (init (round 1))
(<= (next (round 2)) (true (round 1))) (<= (next (round 3)) (true (round 2))) (<= (next (round 4)) (true (round 3)))
(<= (next (chose ?m)) (does ann ?m) (true (round 2)))
(<= (next (chose ?m)) (true (chose ?m)))
(<= (next (last ?m)) (does bob ?m) (true (round 3)))
(side left) (side right)
(<= (legal random heads) (true (round 1)))
(<= (legal random tails) (true (round 1)))
(<= (legal random wait) (not (true (round 1))))
(<= (legal ann ?m) (side ?m) (true (round 2)))
(<= (legal ann wait) (not (true (round 2))))
(<= (legal bob wait) (true (round 1)))
(<= (legal bob ?m) (side ?m) (not (true (round 1))))
(<= (sees ann heads) (does random heads))
(<= (sees bob ?m) (does ann ?m) (true (round 2)))
(<= terminal (true (round 4)))
(<= match (true (chose ?m)) (true (last ?m)))
(<= (goal ann 100) match) (<= (goal ann 0) (not match))
(<= (goal bob 50) terminal)
"""


def penalty_kick():
    """Chitizadeh & Thielscher 2018, section 4.3: row kicks, column jumps; 60 for the right side, 40 for the left."""
    return matrix_game({"left": {"left": (0, 40), "right": (40, 0)}, "right": {"left": (60, 0), "right": (0, 60)}})


def rock_paper_scissors():
    order = ["rock", "paper", "scissors"]
    return matrix_game(
        {a: {b: [(0, 0), (1, -1), (-1, 1)][(i - j) % 3] for j, b in enumerate(order)} for i, a in enumerate(order)}
    )


def non_locality(leaf: int):
    """Lisy, Lanctot & Bowling 2015, figure 1: chance hides from `up` whether `down` will move."""
    replies = {"left": {"left": (3, -3), "right": (0, 0)}, "right": {"left": (0, 0), "right": (3, -3)}}
    right = {move: ("down", "I", replies[move]) for move in replies}
    left = {"left": (leaf, -leaf), "right": (0, 0)}
    return literal_tree(["up", "down"], ("random", {"left": ("up", "", left), "right": ("up", "", right)}))


def cutting_wire():
    """Chitizadeh & Thielscher 2018, figure 1: telling costs 20 in the first round, 10 in the second."""

    def cut(armed: str, told: str) -> tuple:
        pay = 100 - 20 * (told[0] == "t") - 10 * (told[1] == "t")
        name = ("ww", "") if told == "ww" else (told, armed)
        return "cutter", name, {wire: (pay, pay) if wire == armed else (0, 0) for wire in ("blue", "red")}

    def tell(armed: str, told: str) -> tuple:
        if len(told) == 2:
            return cut(armed, told)
        return "teller", (armed, told), {"tell": tell(armed, told + "t"), "wait": tell(armed, told + "w")}

    return literal_tree(["teller", "cutter"], ("random", {wire: tell(wire, "") for wire in ("blue", "red")}))


def some_trees(number: int, **options):
    return [random_tree(random.Random(seed), **options) for seed in range(number)]


def histories(tree, profile):
    """Yield (path, terminal) with path = [(node, move, probability)], each written out from the root."""

    def walk(node, path):
        if isinstance(node, Terminal):
            yield path, node
        for move, child in node.children.items():
            edge = node.probability[move] if isinstance(node, Chance) else profile[node.infoset][move]
            yield from walk(child, [*path, (node, move, edge)])

    return walk(tree.root, [])


def product_of(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def pure_policies(tree, role):
    own = {infoset: moves for infoset, moves in legal_moves(tree).items() if infoset[0] == role}
    for chosen in product(*own.values()):
        yield pure(tree, dict(zip(own, chosen, strict=True)))


def infoset_of(node: Node) -> Infoset:
    """The infoset of a node where a role decides."""
    assert isinstance(node, Decision)
    return node.infoset


# Trees


def test_a_round_of_two_roles_becomes_one_infoset_each():
    tree = build_tree(NaiveGame(MATCHING_PENNIES))
    assert tree.roles == ["even", "odd"]
    assert infoset_of(tree.root) == ("even", ())
    assert [infoset_of(node) for node in tree.root.children.values()] == [("odd", ())] * 2
    end = tree.root.children["heads"].children["tails"]
    assert isinstance(end, Terminal)
    assert end.utility == {"even": 0, "odd": 100}
    assert (count_nodes(tree), count_terminals(tree), count_chance_nodes(tree), depth(tree)) == (7, 4, 0, 2)
    check_tree(tree)


def test_a_tree_has_no_nodes_for_forced_moves_but_records_hold_them():
    tree = build_tree(NaiveGame(SIGNAL))
    assert isinstance(tree.root, Chance)
    assert tree.root.probability == {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
    assert infoset_of(tree.root.children["heads"]) == ("ann", (("wait", frozenset({"heads"})),))
    assert infoset_of(tree.root.children["tails"]) == ("ann", (("wait", frozenset()),))
    last = tree.root.children["tails"].children["left"].children["right"]
    assert infoset_of(last) == ("bob", (("wait", frozenset()), ("right", frozenset({"left"}))))
    assert (count_nodes(tree), count_terminals(tree), count_chance_nodes(tree), depth(tree)) == (31, 16, 1, 4)
    assert count_infosets(tree) == {"ann": 2, "bob": 5}
    assert count_slots(tree) == {"ann": 4, "bob": 10}
    assert sorted(len(members) for members in infosets(tree).values()) == [1, 1, 2, 2, 2, 2, 4]
    check_tree(tree)


def test_random_moves_first_then_the_others_in_the_order_of_the_rules():
    text = MATCHING_PENNIES.replace("(role even) (role odd)", "(role zoe) (role ann) (role random)")
    tree = build_tree(NaiveGame(text.replace("even", "zoe").replace("odd", "ann")))
    assert tree.roles == ["zoe", "ann"]
    assert isinstance(tree.root, Chance)
    assert {infoset_of(node) for node in tree.root.children.values()} == {("zoe", ())}
    below = [child for node in tree.root.children.values() for child in node.children.values()]
    assert {infoset_of(node) for node in below} == {("ann", ())}


def test_a_role_that_cannot_know_its_legal_moves_has_no_tree():
    text = SIGNAL.replace("(legal ann ?m) (side ?m)", "(legal ann ?m) (side ?m) (not (true (chose secret)))")
    text += "(<= (next (chose secret)) (does random tails)) (<= (legal ann wait) (true (chose secret)))"
    text = text.replace("(<= (sees ann heads) (does random heads))", "")
    with pytest.raises(ValueError, match="ann cannot know"):
        build_tree(NaiveGame(text))


def test_a_tree_has_no_terminal_with_two_goal_values_and_no_state_without_moves():
    with pytest.raises(ValueError, match="goal values"):
        build_tree(NaiveGame(MATCHING_PENNIES + "(<= (goal even 50) same)"))
    with pytest.raises(ValueError, match="no legal move"):
        build_tree(NaiveGame(MATCHING_PENNIES.replace("(not (true start))", "(true never)")))
    with pytest.raises(ValueError, match="more than 3 terminals"):
        build_tree(NaiveGame(MATCHING_PENNIES), limit=3)


def test_a_literal_tree_is_checked():
    forgets = ("a", 1, {"l": ("a", 2, {"l": (0,), "r": (1,)}), "r": ("a", 2, {"l": (0,), "r": (1,)})})
    with pytest.raises(ValueError, match="perfect recall"):
        literal_tree(["a"], forgets)
    with pytest.raises(ValueError, match="different moves"):
        literal_tree(["a"], ("random", {"h": ("a", 1, {"l": (0,)}), "t": ("a", 1, {"r": (0,)})}))
    with pytest.raises(ValueError, match="probabilities"):
        literal_tree(["a"], ("random", {"h": (0,), "t": (1,)}, {"h": 0.5, "t": 0.6}))


def test_kuhn_poker_has_its_known_size():
    tree = kuhn_poker()
    assert (count_nodes(tree), count_terminals(tree), count_chance_nodes(tree), depth(tree)) == (55, 30, 1, 4)
    assert count_infosets(tree) == {"first": 6, "second": 6}
    assert count_slots(tree) == {"first": 12, "second": 12}


@pytest.mark.parametrize("roles", [1, 2, 3])
def test_random_trees_are_well_formed_and_repeatable(roles):
    trees = some_trees(40, roles=roles, depth=5)
    for seed, tree in enumerate(trees):
        check_tree(tree)
        assert depth(tree) <= 5
        again = random_tree(random.Random(seed), roles=roles, depth=5)
        assert list(infosets(again)) == list(infosets(tree))
    shared = [len(members) for tree in trees for members in infosets(tree).values()]
    assert max(shared) > 3, "infosets of one node each would test nothing"
    assert any(isinstance(node, Chance) for tree in trees for node in nodes(tree))


def test_random_zero_sum_trees_are_zero_sum():
    for tree in some_trees(10, roles=3, zero_sum=True):
        assert all(sum(node.utility.values()) == 0 for node in nodes(tree) if isinstance(node, Terminal))


def test_perfect_recall_is_missed_when_a_role_forgets_what_it_noticed():
    tree = some_trees(1, depth=5)[0]
    for node in nodes(tree):
        if isinstance(node, Decision):
            node.infoset = (node.role, len(node.infoset[1]))
    assert not has_perfect_recall(tree)


# Values and best responses


@pytest.mark.parametrize("tree", some_trees(12, roles=3, depth=5), ids=lambda tree: "")
def test_values_are_sums_over_terminal_histories(tree):
    profile = random_profile(tree, random.Random(1))
    ways = list(histories(tree, profile))
    assert sum(product_of(p for _, _, p in path) for path, _ in ways) == 1
    expected = {
        role: sum(product_of(p for _, _, p in path) * end.utility[role] for path, end in ways) for role in tree.roles
    }
    assert expected_values(tree, profile) == expected


@pytest.mark.parametrize("tree", some_trees(12, roles=2, depth=5), ids=lambda tree: "")
def test_counterfactual_values_are_equation_1(tree):
    profile = random_profile(tree, random.Random(2))
    for role in tree.roles:
        of_infoset: dict[Infoset, Number] = {}
        of_move: Profile = {}
        for path, end in histories(tree, profile):
            for here, (h, move, _) in enumerate(path):
                if isinstance(h, Decision) and h.role == role:
                    others = [p for g, _, p in path[:here] if not (isinstance(g, Decision) and g.role == role)]
                    after = product_of(others) * product_of(p for _, _, p in path[here + 1 :]) * end.utility[role]
                    row = of_move.setdefault(h.infoset, dict.fromkeys(h.children, 0))
                    row[move] += after
                    of_infoset[h.infoset] = of_infoset.get(h.infoset, 0) + after * profile[h.infoset][move]
        assert counterfactual_values(tree, profile, role) == (of_infoset, of_move)


@pytest.mark.parametrize("roles", [1, 2, 3])
def test_a_best_response_is_the_best_of_all_pure_policies(roles):
    tested = 0
    for tree in some_trees(25, roles=roles, depth=4, most_moves=2):
        profile = random_profile(tree, random.Random(3))
        for role in tree.roles:
            if count_infosets(tree)[role] <= 7:
                tested += 1
                value, chosen = best_response(tree, profile, role)
                assert expected_values(tree, profile | pure(tree, chosen))[role] == value
                tries = [expected_values(tree, profile | policy)[role] for policy in pure_policies(tree, role)]
                assert value == max(tries)
    assert tested > 15


@pytest.mark.parametrize("zero_sum", [False, True])
def test_a_best_response_is_never_below_the_profile(zero_sum):
    for tree in some_trees(30, roles=3, depth=5, zero_sum=zero_sum):
        profile = random_profile(tree, random.Random(4))
        values = expected_values(tree, profile)
        assert all(best_response(tree, profile, role)[0] >= values[role] for role in tree.roles)


def test_uniform_play_of_kuhn_poker_loses_11_24ths_on_average():
    tree = kuhn_poker()
    uniform = uniform_profile(tree, exact=True)
    assert expected_values(tree, uniform) == {"first": Fraction(1, 8), "second": Fraction(-1, 8)}
    assert exploitability(tree, uniform) == Fraction(11, 24)
    assert nash_conv(tree, uniform) == Fraction(11, 12)


def test_kuhns_equilibrium_has_no_better_response():
    tree, third = kuhn_poker(), Fraction(1, 3)
    bets: dict[str, dict[tuple[int, str], Number]] = {}
    # The first role's equilibria are a line, alpha in [0, 1/3] (Kuhn 1950); the second role's is unique.
    for alpha in (Fraction(0), Fraction(1, 5), third):
        bets["first"] = {
            (1, ""): alpha,
            (2, ""): 0,
            (3, ""): 3 * alpha,
            (1, "pb"): 0,
            (2, "pb"): alpha + third,
            (3, "pb"): 1,
        }
        bets["second"] = {(1, "p"): third, (2, "p"): 0, (3, "p"): 1, (1, "b"): 0, (2, "b"): third, (3, "b"): 1}
        profile = {(role, name): {"b": p, "p": 1 - p} for role in bets for name, p in bets[role].items()}
        assert nash_conv(tree, profile) == 0
        assert expected_values(tree, profile)["first"] == Fraction(-1, 18)


def test_ties_are_broken_as_asked():
    values = {"a": 0.3 - 1e-12, "b": 0.3, "c": 0.3, "d": -1.0}
    assert first_best(("r", 0), values) == "b"
    assert first_nearly_best(1e-9)(("r", 0), values) == "a"
    rule = random_best(random.Random(0))
    assert {rule(("r", 0), values) for _ in range(50)} == {"b", "c"}


# CFR


def test_simultaneous_cfr_takes_its_first_steps_as_by_hand():
    # Against uniform play left is worth 20 and right 30 to either role: regrets -5 and +5, so both turn right.
    # Then left is worth 40 to the kicker and right nothing, but right is worth 60 to the keeper and left nothing.
    steps = cfr_steps(penalty_kick())
    step, kick, jump = next(steps), ("row", "row"), ("column", "column")
    assert step.regret == {kick: {"left": -5, "right": 5}, jump: {"left": -5, "right": 5}}
    assert step.current == {kick: {"left": 0, "right": 1}, jump: {"left": 0, "right": 1}}
    assert step.average == uniform_profile(penalty_kick())
    step = next(steps)
    assert step.regret == {kick: {"left": 35, "right": 5}, jump: {"left": -65, "right": 5}}
    assert step.average[kick] == {"left": 0.25, "right": 0.75}


def first_two_kicks(steps):
    """What alternating variants know of the kicker after two iterations: regret, next policy, average for `left`."""
    step, kick = at(steps, 2), ("row", "row")
    return step.regret[kick], step.current[kick]["left"], step.average[kick]["left"]


def test_alternating_variants_take_their_first_steps_as_by_hand():
    # Iteration 1: the kicker turns right, as above. The keeper sees that: regrets -30 and +30, not -5 and +5.
    # Iteration 2: left is worth 40 to the kicker, who plays right: instant regrets 40 and 0.
    kick, jump, tree = ("row", "row"), ("column", "column"), penalty_kick()
    assert next(cfr_steps(tree, alternating=True)).regret[jump] == {"left": -30, "right": 30}
    assert next(cfr_plus_steps(tree)).regret == {kick: {"left": 0, "right": 5}, jump: {"left": 0, "right": 30}}
    assert first_two_kicks(cfr_steps(tree, alternating=True)) == ({"left": 35, "right": 5}, 35 / 40, 0.5 / 2)
    assert first_two_kicks(cfr_plus_steps(tree)) == ({"left": 40, "right": 5}, 40 / 45, 0.5 / 3)
    assert first_two_kicks(dcfr_steps(tree)) == ({"left": 37.5, "right": 2.5}, 37.5 / 40, 0.5 / 5)
    assert first_two_kicks(pcfr_plus_steps(tree)) == ({"left": 40, "right": 5}, 80 / 85, 0.5 / 5)


@pytest.mark.parametrize("tree", some_trees(4, depth=4), ids=lambda tree: "")
def test_dcfr_1_1_1_is_cfr_with_regrets_and_policies_weighted_by_t(tree):
    linear = cfr_steps(tree, True, lambda t, regret, instant: regret + t * instant, lambda t: t)
    assert_same_profile(at(dcfr_steps(tree, 1, 1, 1), 20).average, at(linear, 20).average)


@pytest.mark.parametrize("tree", some_trees(4, depth=4), ids=lambda tree: "")
def test_dcfr_may_discount_after_each_iteration_instead(tree):
    alpha, beta = 1.5, 0.5

    def accumulate(t, regret, instant):
        new = regret + instant
        power = t ** (alpha if new > 0 else beta)
        return new * power / (power + 1)

    discounted = cfr_steps(tree, True, accumulate, lambda t: t**2)
    assert_same_profile(at(dcfr_steps(tree, alpha, beta, 2), 20).average, at(discounted, 20).average)


def test_one_role_alone_finds_its_optimum():
    for tree in some_trees(6, roles=1, depth=4):
        best = best_response(tree, uniform_profile(tree), "r0")[0]
        assert expected_values(tree, at(cfr_plus_steps(tree), 200).average)["r0"] == pytest.approx(best, abs=0.02)


@pytest.mark.parametrize(
    ("steps", "most"),
    [
        (lambda tree: cfr_steps(tree), 0.02),
        (lambda tree: cfr_steps(tree, alternating=True), 0.02),
        (cfr_plus_steps, 0.002),
        (dcfr_steps, 0.002),
        (pcfr_plus_steps, 0.002),
    ],
)
def test_every_cfr_comes_close_to_the_value_of_kuhn_poker(steps, most):
    tree = kuhn_poker()
    average = at(steps(tree), 400).average
    assert exploitability(tree, average) < most
    assert expected_values(tree, average)["first"] == pytest.approx(-1 / 18, abs=2 * most)


def test_overall_regret_is_at_most_the_sum_of_counterfactual_regrets():
    # Theorem 3 of Zinkevich et al. 2007. The average policy is as good a target as all sigma^t, one after the other.
    for tree in some_trees(8, depth=4):
        steps, played = cfr_steps(tree), [uniform_profile(tree)]
        for _ in range(30):
            step = next(steps)
            played.append(step.current)
        for role in tree.roles:
            got = sum(expected_values(tree, profile)[role] for profile in played[:-1]) / 30
            bound = sum(max(0, *row.values()) for infoset, row in step.regret.items() if infoset[0] == role) / 30
            assert best_response(tree, step.average, role)[0] - got <= bound + 1e-9


# Fictitious play


def test_its_takes_its_first_steps_as_by_hand():
    # Uniform: right is worth 30, left 20, to both. (1/2 * 1 + 1) / 2 = 3/4. Then the kicker prefers left, 30 to 15:
    # (1/4 * 2 + 1) / 3 = 1/2; the keeper right, 45 to 10: (3/4 * 2 + 1) / 3 = 5/6.
    steps = its_steps(penalty_kick(), exact=True)
    assert [policy["right"] for policy in next(steps).values()] == [Fraction(3, 4), Fraction(3, 4)]
    assert [policy["right"] for policy in next(steps).values()] == [Fraction(1, 2), Fraction(5, 6)]


def test_its_kicks_40_and_jumps_60_percent_right():
    tree = penalty_kick()
    kick, jump = at(its_steps(tree), 10_000).values()
    assert kick["right"] == pytest.approx(0.4, abs=0.02)
    assert jump["right"] == pytest.approx(0.6, abs=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_its_waits_first_and_tells_later_in_the_extended_cutting_wire(seed):
    # Section 3.2 of the paper expects I_ww to stay at 50 %. It does not: whichever wire ties favour at first, say blue,
    # silence is then worth more where blue is armed and less where red is, and so silence comes to mean blue.
    tree = cutting_wire()
    mu = at(its_steps(tree, random_best(random.Random(seed))), 1000)
    silence = mu["cutter", ("ww", "")]
    meant, other = sorted(silence, key=silence.__getitem__, reverse=True)
    assert silence[meant] > 0.99
    assert mu["teller", (other, "w")]["tell"] > 0.99
    assert mu["teller", (meant, "w")]["tell"] < 0.01
    for armed in ("blue", "red"):
        assert mu["teller", (armed, "")]["tell"] < 0.05
        assert mu["cutter", ("wt", armed)][armed] > 0.99
    assert expected_values(tree, mu)["cutter"] == pytest.approx((100 + 90) / 2, abs=1)


def test_its_averages_moves_where_xfp_averages_realization_plans():
    # Only the second move of `a` differs: XFP counts a best response there only as far as it gets there itself.
    second = ("a", 2, {"l": (3,), "r": (0,)})
    tree = literal_tree(["a"], ("a", 1, {"l": (2,), "r": second}))
    its, xfp = its_steps(tree, exact=True), xfp_steps(tree, exact=True)
    assert next(its) == {
        ("a", 1): {"l": Fraction(3, 4), "r": Fraction(1, 4)},
        ("a", 2): {"l": Fraction(3, 4), "r": Fraction(1, 4)},
    }
    assert next(xfp) == {
        ("a", 1): {"l": Fraction(1, 4), "r": Fraction(3, 4)},
        ("a", 2): {"l": Fraction(5, 6), "r": Fraction(1, 6)},
    }


@pytest.mark.parametrize("tree", some_trees(6, roles=3, depth=4), ids=lambda tree: "")
def test_xfp_is_the_update_of_its_paper(tree):
    steps, profile = xfp_steps(tree, exact=True), uniform_profile(tree, exact=True)
    for t in range(1, 5):
        alpha, updated = Fraction(1, t + 1), {}
        for role in tree.roles:
            best = profile | pure(tree, best_response(tree, profile, role)[1])
            for infoset, members in infosets(tree).items():
                if infoset[0] == role:
                    x_pi, x_b = (own_reach(tree, policy, members[0]) for policy in (profile, best))
                    updated[infoset] = {
                        a: p + alpha * x_b * (best[infoset][a] - p) / ((1 - alpha) * x_pi + alpha * x_b)
                        for a, p in profile[infoset].items()
                    }
        profile = updated
        assert next(steps) == profile


def own_reach(tree, profile, node):
    """The product of the probabilities of the role's own moves on the way to a node."""

    def walk(here, reach):
        if here is node:
            return reach
        for move, child in here.children.items():
            own = isinstance(here, Decision) and here.role == node.role
            found = walk(child, reach * profile[here.infoset][move] if own else reach)
            if found is not None:
                return found
        return None

    return walk(tree.root, 1)


def test_fictitious_play_comes_close_to_the_equilibrium_of_kuhn_poker():
    assert exploitability(kuhn_poker(), at(xfp_steps(kuhn_poker()), 500)) < 0.03


# Linear programs


@pytest.mark.parametrize(
    ("tree", "value"),
    [
        (build_tree(NaiveGame(MATCHING_PENNIES)), 50),
        (rock_paper_scissors(), 0),
        (kuhn_poker(), -1 / 18),
        (non_locality(1), 1),
        (non_locality(2), 1.25),
    ],
    ids=["matching pennies", "rock paper scissors", "kuhn poker", "non-locality", "non-locality 2"],
)
def test_the_linear_program_finds_known_values(tree, value):
    found, profile = zero_sum_solution(tree)
    assert found == pytest.approx(value, abs=1e-9)
    assert nash_conv(tree, profile) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("leaf", "left"), [(1, 1 / 3), (2, 1 / 6)])
def test_an_unreachable_leaf_changes_the_optimal_policy(leaf, left):
    # The numbers of section 2.2 of Lisy, Lanctot & Bowling 2015
    _, profile = zero_sum_solution(non_locality(leaf))
    assert profile["down", "I"]["left"] == pytest.approx(left)
    assert profile["up", ""]["left"] == pytest.approx(1 / 2)


@pytest.mark.parametrize("seed", range(6))
def test_cfr_plus_goes_to_the_value_of_the_linear_program(seed):
    tree = random_tree(random.Random(seed), depth=5, zero_sum=True)
    value, equilibrium = zero_sum_solution(tree)
    assert nash_conv(tree, equilibrium) == pytest.approx(0, abs=1e-7)
    average = at(cfr_plus_steps(tree), 200).average
    assert nash_conv(tree, average) < 0.05
    assert expected_values(tree, average)["r0"] == pytest.approx(value, abs=0.05)


def test_a_linear_program_needs_a_constant_sum():
    with pytest.raises(ValueError, match="constant-sum"):
        zero_sum_value(penalty_kick())
    assert maximin(penalty_kick(), "row", "column")[0] == pytest.approx(24)  # sure of 24 whoever the keeper is


def test_rock_paper_scissors_is_solved_by_equal_probabilities():
    tree = rock_paper_scissors()
    uniform = uniform_profile(tree, exact=True)
    assert nash_conv(tree, uniform) == 0
    assert instant_regrets(tree, uniform, "row")["row", "row"] == {"rock": 0, "paper": 0, "scissors": 0}
    _, solved = zero_sum_solution(tree)
    assert all(p == pytest.approx(1 / 3) for policy in solved.values() for p in policy.values())
    # all rock loses one point to paper
    rock = {infoset: {"rock": 1, "paper": 0, "scissors": 0} for infoset in uniform}
    assert nash_conv(tree, rock) == 2


def test_weights_that_are_all_zero_give_a_uniform_policy():
    assert normalised({"a": 0.0, "b": 0.0}) == {"a": 0.5, "b": 0.5}
    assert normalised({"a": 1.0, "b": 3.0}) == {"a": 0.25, "b": 0.75}


def assert_same_profile(one, other):
    assert one.keys() == other.keys()
    for infoset, policy in one.items():
        assert policy == pytest.approx(other[infoset], abs=1e-12)
