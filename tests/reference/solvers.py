"""Slow, obvious solvers for the trees of `gametree.py`, the oracles that faster solvers are compared with.

A *policy* is `{move: probability}`; a *profile* has one for each infoset of each role: `{infoset: policy}`.
Equation numbers of values and of CFR refer to Lisy, Lanctot & Bowling (2015, "Online Monte Carlo CFR"), section 2;
those of ITS to Chitizadeh & Thielscher (2018).

Conventions of everything that iterates, so that another implementation can be compared step by step:

- Iterations count from t = 1. `..._steps` yields after each iteration, for ever; `at(steps, n)` returns iteration n.
- All begin with the uniform profile. An infoset whose weights are all zero gets the uniform policy, too.
- Roles update in the order of `tree.roles`, that is, of the rules.
- Utilities are used as they are (goals 0 to 100), neither shifted nor scaled.
- Nothing is rounded. Where true regrets or values are equal or zero, rounding noise may decide, and two float
  implementations can part there for good: compare on trees without such symmetry, or for few iterations.
- own_reach(h) is the product of the role's own probabilities on the way to h; other_reach(h) that of all others, with
  chance. With perfect recall, own_reach is the same at all nodes of an infoset. A policy sum counts it *once* per
  infoset, where the paper's eq. (2) adds it up over the nodes: a constant factor that the normalising removes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice, product
from random import Random

import numpy as np
from scipy.optimize import linprog

from tests.reference.gametree import (
    Chance,
    Decision,
    Infoset,
    Node,
    Number,
    Terminal,
    Tree,
    infosets,
    legal_moves,
    nodes,
)

Policy = dict[str, Number]
Profile = dict[Infoset, Policy]
Choose = Callable[[Infoset, Policy], str]  # (infoset, {move: value}) -> one of the best moves


def uniform_profile(tree: Tree, exact: bool = False) -> Profile:
    """Return the profile that gives all moves of an infoset the same probability, as `Fraction`s if exact."""
    one: Number = Fraction(1) if exact else 1.0
    return {infoset: dict.fromkeys(moves, one / len(moves)) for infoset, moves in legal_moves(tree).items()}


def random_profile(tree: Tree, rng: Random) -> Profile:
    """Return an exact profile with random probabilities, some of them 0."""
    result = {}
    for infoset, moves in legal_moves(tree).items():
        weight = [rng.randint(0, 3) for _ in moves]
        weight[rng.randrange(len(moves))] += 1
        result[infoset] = {move: Fraction(w, sum(weight)) for move, w in zip(moves, weight, strict=True)}
    return result


def normalised(weight: Policy) -> Policy:
    """Return the policy in proportion to weights that are not negative; uniform if all are zero."""
    total = sum(weight.values())
    return {move: w / total if total > 0 else 1 / len(weight) for move, w in weight.items()}


def edge_probability(node: Chance | Decision, profile: Profile) -> Policy:
    """Return the probability of each edge below a node."""
    return node.probability if isinstance(node, Chance) else profile[node.infoset]


# Values


def expected_values(tree: Tree, profile: Profile) -> dict[str, float]:
    """Return what each role gets on average: u_i(sigma) = sum over z of pi(z) * u_i(z)."""
    values = node_values(tree, profile)
    return values[tree.root]


def node_values(tree: Tree, profile: Profile) -> dict[Node, dict[str, Number]]:
    """Return for each node h what each role gets from there on: sum over z below h of pi(h, z) * u_i(z)."""
    values: dict[Node, dict[str, Number]] = {}

    def visit(node: Node) -> dict[str, Number]:
        if isinstance(node, Terminal):
            values[node] = node.utility
        else:
            below = {move: visit(child) for move, child in node.children.items()}
            edge = edge_probability(node, profile)
            values[node] = {role: sum(edge[move] * below[move][role] for move in below) for role in tree.roles}
        return values[node]

    visit(tree.root)
    return values


def reaches(tree: Tree, profile: Profile, role: str) -> dict[Node, tuple[float, float]]:
    """Return for each node (own_reach, other_reach) of the role: pi_i(h) and pi_-i(h), the latter with chance."""
    result: dict[Node, tuple[float, float]] = {}

    def visit(node: Node, own: float, other: float) -> None:
        result[node] = own, other
        if isinstance(node, Terminal):
            return
        for move, child in node.children.items():
            edge = edge_probability(node, profile)[move]
            if isinstance(node, Decision) and node.role == role:
                visit(child, own * edge, other)
            else:
                visit(child, own, other * edge)

    visit(tree.root, 1, 1)
    return result


def counterfactual_values(
    tree: Tree, profile: Profile, role: str
) -> tuple[dict[Infoset, float], dict[Infoset, Policy]]:
    """Return v_i(I, sigma) of each infoset of the role, and v_i(I, sigma with I -> a) of each of its moves: eq. (1)."""
    values, reach = node_values(tree, profile), reaches(tree, profile, role)
    of_infoset, of_move = {}, {}
    for infoset, members in infosets(tree).items():
        if infoset[0] == role:
            of_infoset[infoset] = sum(reach[h][1] * values[h][role] for h in members)
            of_move[infoset] = {
                move: sum(reach[h][1] * values[h.children[move]][role] for h in members) for move in members[0].children
            }
    return of_infoset, of_move


def instant_regrets(tree: Tree, profile: Profile, role: str) -> dict[Infoset, Policy]:
    """Return r(I, a) = v_i(I, sigma with I -> a) - v_i(I, sigma) for all slots of the role."""
    of_infoset, of_move = counterfactual_values(tree, profile, role)
    return {infoset: {a: v - of_infoset[infoset] for a, v in of_move[infoset].items()} for infoset in of_infoset}


def realization_plan(tree: Tree, profile: Profile, role: str) -> dict[Infoset, Policy]:
    """Return x(I, a) = own_reach(I) * sigma(I, a) for all slots of the role."""
    reach = reaches(tree, profile, role)
    return {
        infoset: {move: reach[members[0]][0] * p for move, p in profile[infoset].items()}
        for infoset, members in infosets(tree).items()
        if infoset[0] == role
    }


# Which of the best moves


def first_best(infoset: Infoset, values: Policy) -> str:
    """Return the first move, in the tree's (sorted) order, whose value is the maximum, compared exactly."""
    return max(values, key=values.__getitem__)


def first_nearly_best(tolerance: float) -> Choose:
    """Return a rule: the first move that is less than the maximum by at most tolerance * the largest |value|.

    Two float implementations round differently; under this rule they still agree about moves that are truly equal.
    """

    def choose(infoset: Infoset, values: Policy) -> str:
        slack = tolerance * max(abs(value) for value in values.values())
        return next(move for move, value in values.items() if value >= max(values.values()) - slack)

    return choose


def random_best(rng: Random) -> Choose:
    """Return a rule: any move whose value is the maximum, all equally likely."""
    return lambda infoset, values: rng.choice([move for move in values if values[move] == max(values.values())])


# Best responses


def best_response(
    tree: Tree, profile: Profile, role: str, choose: Choose = first_best
) -> tuple[float, dict[Infoset, str]]:
    """Return (value, move per infoset) of a pure policy that is best for the role against the others' policies.

    value(h) = sum over edges of probability * value below, but at the role's own nodes the value below the chosen move;
    the choice at I maximises sum over h in I of other_reach(h) * value(h a). It only needs choices further below, since
    with perfect recall all nodes of later infosets lie below I and one move of it. Infosets that the others and chance
    never reach have only zeros to choose from; `choose` decides there, too (first_best: the first move).
    """
    members, reach = infosets(tree), reaches(tree, profile, role)
    chosen: dict[Infoset, str] = {}
    known: dict[Node, float] = {}

    def value(node: Node) -> float:
        if node not in known:
            known[node] = compute(node)
        return known[node]

    def compute(node: Node) -> float:
        if isinstance(node, Terminal):
            return node.utility[role]
        if isinstance(node, Decision) and node.role == role:
            return value(node.children[choice(node.infoset)])
        edge = edge_probability(node, profile)
        return sum(edge[move] * value(child) for move, child in node.children.items())

    def choice(infoset: Infoset) -> str:
        if infoset not in chosen:
            moves = members[infoset][0].children
            values = {a: sum(reach[h][1] * value(h.children[a]) for h in members[infoset]) for a in moves}
            chosen[infoset] = choose(infoset, values)
        return chosen[infoset]

    policy = {infoset: choice(infoset) for infoset in members if infoset[0] == role}
    return value(tree.root), policy


def pure(tree: Tree, chosen: dict[Infoset, str]) -> Profile:
    """Return the policies that play the chosen moves with probability 1."""
    moves = legal_moves(tree)
    return {infoset: {move: int(move == best) for move in moves[infoset]} for infoset, best in chosen.items()}


def nash_conv(tree: Tree, profile: Profile) -> float:
    """Return the sum over all roles of what the role would gain by its best response."""
    values = expected_values(tree, profile)
    return sum(best_response(tree, profile, role)[0] - values[role] for role in tree.roles)


def exploitability(tree: Tree, profile: Profile) -> float:
    """Return NashConv / number of roles. (The OOS paper leaves out the division.)"""
    return nash_conv(tree, profile) / len(tree.roles)


# Counterfactual regret minimisation


@dataclass
class CfrStep:
    """What CFR knows after iteration t."""

    t: int
    regret: dict[Infoset, Policy]  # R^t, cumulative
    policy_sum: dict[Infoset, Policy]  # sum over k <= t of weight(k) * own_reach^k(I) * sigma^k(I, a)
    current: Profile  # sigma^(t+1), to be played in the next iteration
    average: Profile  # policy_sum, normalised


def cfr_steps(
    tree: Tree,
    alternating: bool = False,
    accumulate: Callable[[int, float, float], float] = lambda t, regret, instant: regret + instant,
    weight: Callable[[int], float] = lambda t: 1.0,
    predictive: bool = False,
    predict: Callable[[int, float, float], float] = lambda t, regret, instant: regret + instant,
    keep: Callable[[int], float] = lambda t: 1.0,
) -> Iterator[CfrStep]:
    """Yield the iterations of CFR (Zinkevich et al. 2007) or of a variant of it.

    sigma^1 is uniform, R^0 = 0. In iteration t, a role's update is:
    1. r^t = instant regrets of the role against the current profile.
    2. policy_sum = keep(t) * policy_sum + weight(t) * own_reach * sigma_i^t, with the policy sigma_i^t that was played
       in step 1.
    3. R^t = accumulate(t, R^(t-1), r^t) for each slot.
    4. sigma_i^(t+1) in proportion to max(0, R^t), or, if predictive, to max(0, predict(t, R^t, r^t)).

    Simultaneous: steps 1 of all roles see the profile sigma^t.
    Alternating: role after role in the order of tree.roles. Later roles see what the earlier ones have updated to:
    the role number i plays against sigma_j^(t+1) of all j < i and sigma_j^t of all j > i.
    """
    zero = {infoset: dict.fromkeys(moves, 0.0) for infoset, moves in legal_moves(tree).items()}
    regret, policy_sum = zero, zero
    current = {infoset: normalised(regret[infoset]) for infoset in zero}
    for t in count(1):
        for updating in [[role] for role in tree.roles] if alternating else [tree.roles]:
            instant: Profile = {}
            plan: Profile = {}
            for role in updating:
                instant |= instant_regrets(tree, current, role)
                plan |= realization_plan(tree, current, role)
            policy_sum = policy_sum | {
                infoset: {a: keep(t) * policy_sum[infoset][a] + weight(t) * x for a, x in plan[infoset].items()}
                for infoset in plan
            }
            regret = regret | {
                infoset: {a: accumulate(t, regret[infoset][a], r) for a, r in instant[infoset].items()}
                for infoset in instant
            }
            current = current | {
                infoset: normalised(
                    {
                        a: max(0.0, predict(t, regret[infoset][a], r) if predictive else regret[infoset][a])
                        for a, r in row.items()
                    }
                )
                for infoset, row in instant.items()
            }
        average = {infoset: normalised(sums) for infoset, sums in policy_sum.items()}
        yield CfrStep(t, regret, policy_sum, current, average)


def cfr_plus_steps(tree: Tree) -> Iterator[CfrStep]:
    """Yield the iterations of CFR+ (Tammelin et al. 2015): alternating, R^t = max(0, R^(t-1) + r^t), weight(t) = t."""
    return cfr_steps(tree, True, lambda t, regret, instant: max(0.0, regret + instant), lambda t: t)


def dcfr_steps(
    tree: Tree, alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0, alternating: bool = True
) -> Iterator[CfrStep]:
    """Yield the iterations of discounted CFR (Brown & Sandholm 2019).

    With d(k) = k^alpha / (k^alpha + 1) where R^k > 0, and k^beta / (k^beta + 1) where it is not:
    R^t = d(t-1) * R^(t-1) + r^t. So the stored R^t is not yet discounted by d(t); who discounts it at the end of the
    iteration stores other numbers but plays the same policies, since all positive regrets shrink alike.
    weight(t) = t^gamma, which is (t / (t+1))^gamma on the whole sum after each iteration, up to a common factor.
    """

    def accumulate(t: int, regret: float, instant: float) -> float:
        if t == 1:
            return instant  # there is nothing to discount yet, and 0^beta may not exist
        # k^a / (k^a + 1), divided by k^a: so infinite exponents work
        return regret / (1 + float(t - 1) ** -(alpha if regret > 0 else beta)) + instant

    return cfr_steps(tree, alternating, accumulate, lambda t: t**gamma)


def pcfr_plus_steps(tree: Tree, alternating: bool = True) -> Iterator[CfrStep]:
    """Yield the iterations of predictive CFR+ (Farina, Kroer & Sandholm 2021).

    R^t = max(0, R^(t-1) + r^t); sigma^(t+1) in proportion to max(0, R^t + r^t): predictive regret matching+, where the
    prediction of each infoset's next instant regret is its last one. weight(t) = t^2. In this form an infoset predicts
    for itself; the predictions are not recomputed with the new policies of the infosets below it.
    """
    return cfr_steps(tree, alternating, lambda t, regret, instant: max(0.0, regret + instant), lambda t: t**2, True)


def pdcfr_plus_steps(tree: Tree, alpha: float = 2.3, gamma: float = 5.0) -> Iterator[CfrStep]:
    """Yield the iterations of predictive discounted CFR+ (Xu et al. 2024, IJCAI), alternating.

    With d(k) = k^alpha / (k^alpha + 1): R^t = max(0, d(t-1) * R^(t-1) + r^t), and sigma^(t+1) in proportion to
    max(0, d(t) * R^t + r^t). weight(t) = t^gamma.
    """

    def discount(t: int) -> float:
        return float(t**alpha / (t**alpha + 1))

    return cfr_steps(
        tree,
        True,
        lambda t, regret, instant: max(0.0, discount(t - 1) * regret + instant),
        lambda t: t**gamma,
        True,
        lambda t, regret, instant: discount(t) * regret + instant,
    )


def hs_pcfr_plus_steps(tree: Tree, start: float = 30.0, horizon: int = 1000) -> Iterator[CfrStep]:
    """Yield the iterations of PCFR+ with a hyperparameter schedule (Zhang, McAleer & Sandholm 2024), alternating.

    As PCFR+, but the sum behind the average is multiplied by (t / (t+1))^gamma(t) after iteration t, with
    gamma(t) = start - 5 t / horizon, which is start - 5 after the horizon.
    """

    def keep(t: int) -> float:
        gamma = start - 5 * min(1.0, (t - 1) / horizon)
        return float(((t - 1) / t) ** gamma)

    return cfr_steps(tree, True, lambda t, regret, instant: max(0.0, regret + instant), predictive=True, keep=keep)


# Iterative tree search


def its_steps(tree: Tree, choose: Choose = first_best, exact: bool = False) -> Iterator[Profile]:
    """Yield mu after each iteration of ITS (Chitizadeh & Thielscher 2018, Algorithm 1).

    mu starts uniform. An iteration, all of it with the mu of the one before:
    1. rhoFactor(s) = product of mu on the way to s, chance and own moves included (lines 8-11).
    2. rho(s) = rhoFactor(s) / sum of rhoFactor over I(s): eq. (5).
    3. u(s) = sum over moves of mu(m) * u(do(s, m)), for all roles: eq. (6).
    4. chosenMove(I) = argmax over m of the sum over s in I of rho(s) * u_r(do(s, m)): eq. (7). So a move is valued by
       what the role itself *plays* further below, not by the best it could do there.
    5. At all infosets at once: mu(chosen) = (mu * t + 1) / (t + 1): eq. (8); mu(other) = mu * t / (t + 1): eq. (9).

    t is 1 in the first iteration: line 7 adds 1 before the first update. (By its layout it adds 1 for each state, but
    then eq. (8) would not be an average. With t = 0, mu would become pure, but section 4.1 says it never does.)
    So after n iterations mu = (uniform + how often the move was chosen) / (n + 1), whether I was likely or not.
    `random` keeps its uniform mu. choose breaks the ties of line 18, which the paper leaves open ("randomly", 3.2).
    """
    mu = uniform_profile(tree, exact)
    members = infosets(tree)
    for t in count(1):
        # whose own reach it is does not matter: own * other is the reach by everybody's moves
        rho_factor = {s: own * other for s, (own, other) in reaches(tree, mu, tree.roles[0]).items()}
        utility = node_values(tree, mu)
        chosen = {}
        for infoset, states in members.items():
            total = sum(rho_factor[s] for s in states)
            rho = {s: rho_factor[s] / total for s in states}
            values = {m: sum(rho[s] * utility[s.children[m]][infoset[0]] for s in states) for m in mu[infoset]}
            chosen[infoset] = choose(infoset, values)
        mu = {i: {m: (p * t + (m == chosen[i])) / (t + 1) for m, p in policy.items()} for i, policy in mu.items()}
        yield mu


# Extensive-form fictitious play


def xfp_steps(tree: Tree, choose: Choose = first_best, exact: bool = False) -> Iterator[Profile]:
    """Yield the average profile after each iteration of full-width XFP (Heinrich, Lanctot & Silver 2015, Algorithm 1).

    pi_1 is uniform. In iteration t, every role's best response to pi_t is found (simultaneously, `best_response` with
    choose) and mixed in with stepsize 1 / (t+1), in realization plans: x_(t+1) = (t * x_t + x_best) / (t + 1).
    Iteration t yields pi_(t+1): the average of the uniform policy and t best responses. As policies that is
    pi + alpha * x_b(I) * (b - pi) / ((1 - alpha) * x_pi(I) + alpha * x_b(I)) with x(I) = own reach, alpha = 1 / (t+1).
    """
    profile = uniform_profile(tree, exact)
    plan = {infoset: row for role in tree.roles for infoset, row in realization_plan(tree, profile, role).items()}
    for t in count(1):
        best: Profile = {}
        for role in tree.roles:
            policy = pure(tree, best_response(tree, profile, role, choose)[1])
            best |= realization_plan(tree, profile | policy, role)
        plan = {i: {a: (t * x + best[i][a]) / (t + 1) for a, x in row.items()} for i, row in plan.items()}
        profile = {infoset: normalised(row) for infoset, row in plan.items()}
        yield profile


def at(steps: Iterator, iteration: int):
    """Return what the steps yield after so many iterations, counted from 1."""
    return next(islice(steps, iteration - 1, None))


# The sequence form


def zero_sum_value(tree: Tree) -> float:
    """Return the first role's value of a game of two roles whose utilities have a constant sum."""
    return zero_sum_solution(tree)[0]


def zero_sum_solution(tree: Tree) -> tuple[float, Profile]:
    """Return (value of the first role, an equilibrium) of a two-role constant-sum game, by linear programming."""
    sums = {sum(node.utility.values()) for node in nodes(tree) if isinstance(node, Terminal)}
    if len(tree.roles) != 2 or max(sums) - min(sums) > 1e-9:
        raise ValueError("not a constant-sum game of two roles")
    first, second = tree.roles
    value, policy = maximin(tree, first, second)
    return value, policy | maximin(tree, second, first)[1]


def maximin(tree: Tree, role: str, opponent: str) -> tuple[float, Profile]:
    """Return the most that the role can be sure of against the opponent, and how.

    The linear program of Koller, Megiddo & von Stengel (1996), in sequence form with dense matrices.
    A sequence is None (nothing played yet) or a slot (infoset, move), after which no other own move was made.
    Unknowns: x(s), the realization plan, for the role's sequences; v(I) for the opponent's infosets, and v(None).
    Maximise v(None), such that
      x(None) = 1, and for each infoset of the role: sum over a of x(I, a) = x(the sequence that leads to I);
      for each sequence q of the opponent: v(where q was played) <= sum over s of A(s, q) * x(s) + sum of v(J) over
      the opponent's infosets J that q leads to. A(s, q) sums chance * utility over the terminals with last slots s, q.
    """
    payoff, parent = sequence_payoffs(tree, role, opponent)
    moves = legal_moves(tree)
    mine = [None, *((i, a) for i in moves if i[0] == role for a in moves[i])]
    theirs = [None, *((i, a) for i in moves if i[0] == opponent for a in moves[i])]
    unknowns = [("x", s) for s in mine] + [("v", None)] + [("v", i) for i in moves if i[0] == opponent]
    column: dict[tuple, int] = {unknown: number for number, unknown in enumerate(unknowns)}

    plan, plan_right = [], []
    for infoset in [None, *(i for i in moves if i[0] == role)]:
        row = np.zeros(len(unknowns))
        if infoset is None:
            row[column["x", None]] = 1
        else:
            row[[column["x", (infoset, a)] for a in moves[infoset]]] = 1
            row[column["x", parent[infoset]]] = -1
        plan.append(row)
        plan_right.append(1 if infoset is None else 0)

    bounds_of_v = []
    for q in theirs:
        row = np.zeros(len(unknowns))
        row[column["v", None if q is None else q[0]]] = 1
        for s in mine:
            row[column["x", s]] = -payoff.get((s, q), 0)
        for infoset in moves:
            if infoset[0] == opponent and parent[infoset] == q:
                row[column["v", infoset]] = -1
        bounds_of_v.append(row)

    objective = np.zeros(len(unknowns))
    objective[column["v", None]] = -1  # linprog minimises
    result = linprog(
        objective,
        A_ub=np.array(bounds_of_v),
        b_ub=np.zeros(len(theirs)),
        A_eq=np.array(plan),
        b_eq=np.array(plan_right),
        bounds=[(0, None) if kind == "x" else (None, None) for kind, _ in unknowns],
        method="highs",
    )
    if not result.success:
        raise ArithmeticError(result.message)
    x = {s: max(0.0, result.x[column["x", s]]) for s in mine}
    policy = {i: normalised({a: x[i, a] for a in moves[i]}) for i in moves if i[0] == role}
    return -result.fun, policy


def most_against_uniform_play(tree: Tree, role: str, opponent: str) -> float:
    """Return the most that a role can earn against uniform play with a policy that is worth the value of the game.

    In normal form: a mixture over all pure policies of the role, which earns the value against every pure policy of the
    opponent, and as much as possible against the uniform one. Constant sum.
    """
    moves = legal_moves(tree)

    def list_pure(name: str) -> list[Profile]:
        own = [infoset for infoset in moves if infoset[0] == name]
        choices = product(*(moves[infoset] for infoset in own))
        return [pure(tree, dict(zip(own, chosen, strict=True))) for chosen in choices]

    mine, theirs = list_pure(role), list_pure(opponent)
    worth = np.array([[expected_values(tree, {**a, **b})[role] for b in theirs] for a in mine])
    uniform = uniform_profile(tree)
    reward = np.array([expected_values(tree, {**uniform, **a})[role] for a in mine])
    value = maximin(tree, role, opponent)[0]
    result = linprog(
        -reward,
        A_ub=-worth.T,
        b_ub=np.full(len(theirs), -value + 1e-9),
        A_eq=np.ones((1, len(mine))),
        b_eq=[1.0],
        method="highs",
    )
    return float(-result.fun)


def sequence_payoffs(tree: Tree, role: str, opponent: str) -> tuple[dict, dict]:
    """Return A(s, q) for the role's sequences s and the opponent's q, and the sequence that leads to each infoset."""
    payoff: dict[tuple, float] = {}
    parent: dict[Infoset, tuple | None] = {}

    def visit(node: Node, last: dict[str, tuple | None], chance: float) -> None:
        if isinstance(node, Terminal):
            key = last[role], last[opponent]
            payoff[key] = payoff.get(key, 0) + chance * node.utility[role]
        elif isinstance(node, Chance):
            for move, child in node.children.items():
                visit(child, last, chance * node.probability[move])
        else:
            parent[node.infoset] = last[node.role]
            for move, child in node.children.items():
                visit(child, {**last, node.role: (node.infoset, move)}, chance)

    visit(tree.root, {role: None, opponent: None}, 1)
    return payoff, parent
