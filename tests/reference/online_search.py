"""Online Outcome Sampling, slow and obvious, over the trees of `gametree.py`: targets, walks, and their means.

The paper is Lisy, Lanctot & Bowling (2015, "Online Monte Carlo Counterfactual Regret Minimization for Search in
Imperfect Information Games"); sections, equations and lines of Algorithm 1 are cited by its numbers.

Conventions, so that another implementation can be compared step by step:

- Every random choice is one call of `choose(probabilities) -> index`. The probabilities stand in the order of the
  node's moves, add up to 1, and are given for *all* moves: a move that may not be sampled has probability 0.
- Order of the calls of a walk of OOS: the scenario (index 0 targeted, 1 untargeted), then one call per node that is
  not a terminal, from the root down, chance nodes and the playout included.
- An iteration of OOS is one walk per role, in the order of `tree.roles`. The second walk sees what the first updated.
- Numbers stay `Fraction`s as long as all settings and chance probabilities are; then nothing is ever rounded.
- Memory begins empty; the first walk adds the first infoset. Playouts are uniform at infosets in memory, too.
- w_T is computed once, at the start of a search, under the mean strategy of that moment.
- The paper has two players and a zero sum. With more roles, "-i" is everybody but i, with chance; no guarantee holds.

Words of the paper: pi_i = `own`, pi_-i = `other` (with chance), s1 = `targeted`, s2 = `untargeted`,
delta * s1 + (1 - delta) * s2 = the sample reach, l = the sample reach of a terminal, x and c = `tail`.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import NamedTuple, TypeVar

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
from tests.reference.solvers import Policy, Profile, edge_probability

Choice = TypeVar("Choice", bound=Hashable)
ChooseIndex = Callable[[Sequence[Number]], int]
Result = TypeVar("Result")


# Random choices


def choose_by(rng: Random) -> ChooseIndex:
    """Return a `choose` that draws by chance."""
    return lambda probabilities: rng.choices(range(len(probabilities)), [float(p) for p in probabilities])[0]


def choose_from(script: Iterable[int]) -> ChooseIndex:
    """Return a `choose` that gives the indices of the script one after the other. ValueError if one is impossible."""
    indices = iter(script)

    def choose(probabilities: Sequence[Number]) -> int:
        index = next(indices)
        if not probabilities[index] > 0:
            raise ValueError(f"index {index} of {probabilities}")
        return index

    return choose


def all_runs(run: Callable[[ChooseIndex], Result]) -> Iterator[tuple[Number, Result]]:
    """Yield (probability, run(choose)) for every possible sequence of choices. `run` must begin afresh each time.

    A run follows a script of indices, and beyond its end always takes the first possible index; what it could have
    taken instead becomes the script of a later run.
    """
    scripts: list[list[int]] = [[]]
    while scripts:
        script = scripts.pop()
        taken: list[int] = []
        chances: list[Number] = []

        def choose(probabilities, script=script, taken=taken, chances=chances):
            possible = [index for index, p in enumerate(probabilities) if p > 0]
            if len(taken) < len(script):
                index = script[len(taken)]
            else:
                index = possible[0]
                scripts.extend([*taken, other] for other in possible[1:])
            taken.append(index)
            chances.append(probabilities[index])
            return index

        result = run(choose)
        yield product_of(chances), result


def product_of(numbers: Iterable[Number]) -> Number:
    result = Fraction(1)
    for number in numbers:
        result = result * number
    return result


def draw(policy: dict[Choice, Number], choose: ChooseIndex) -> Choice:
    """Return one move of the policy."""
    return list(policy)[choose(list(policy.values()))]


# Policies


def uniform(moves: Iterable[Choice]) -> dict[Choice, Number]:
    moves = list(moves)
    return dict.fromkeys(moves, Fraction(1, len(moves)))


def proportional(weight: dict[Choice, Number]) -> dict[Choice, Number]:
    """Return the policy in proportion to weights that are not negative; uniform if all are zero."""
    total = sum(weight.values())
    return {move: Fraction(1) * w / total for move, w in weight.items()} if total > 0 else uniform(weight)


def match_regrets(regret: Policy, gamma: Number) -> Policy:
    """Return sigma_gamma = gamma / |A(I)| + (1 - gamma) * regret matching (section 2.3 and the end of 3.3)."""
    matched, even = proportional({move: max(r, 0) for move, r in regret.items()}), uniform(regret)
    return {move: gamma * even[move] + (1 - gamma) * matched[move] for move in regret}


def explore(policy: Policy, epsilon: Number) -> Policy:
    """Return Phi(I, i) = epsilon * uniform + (1 - epsilon) * sigma, how the updated role samples (section 3.3)."""
    even = uniform(policy)
    return {move: epsilon * even[move] + (1 - epsilon) * p for move, p in policy.items()}


# Targets (sections 3.1 and 3.2)


class Target(NamedTuple):
    """What a search at match history m is directed to."""

    inside: frozenset[Node]  # nodes h with a terminal (h, z) in Z_sub: where a targeted walk may go
    current: Sequence[Node]  # the nodes of I(m), for the weighting factor


def everything(tree: Tree) -> Target:
    """Return the target of an empty match history: no restriction, weighting factor 1."""
    return Target(frozenset(nodes(tree)), [tree.root])


def through(tree: Tree, members: Iterable[Node]) -> frozenset[Node]:
    """Return the nodes that lie on a path through a member: its prefixes, itself, and all below it."""
    members, result = frozenset(members), set()

    def visit(node: Node, is_below: bool) -> bool:
        is_below = is_below or node in members
        leads_in = [visit(child, is_below) for child in node.children.values()]
        if is_below or any(leads_in):
            result.add(node)
        return node in result

    visit(tree.root, False)
    return frozenset(result)


def infoset_target(tree: Tree, infoset: Infoset) -> Target:
    """Return Information Set Targeting (section 3.1): Z_sub = terminals below a history of I(m).

    So a move stays inside iff the longer history is a prefix of a history of I(m), or I(m) was already passed.
    """
    current = infosets(tree)[infoset]
    return Target(through(tree, current), current)


PublicClass = Callable[[Node], Hashable | None]  # of the move that led to a node; None if that move is not public


def public_sequences(tree: Tree, public_class: PublicClass) -> dict[Node, tuple]:
    """Return p(h) of every node: the classes of the public moves on the way to it, in order (section 3.2)."""
    result: dict[Node, tuple] = {tree.root: ()}
    for node in nodes(tree):
        for child in node.children.values():
            seen = public_class(child)
            result[child] = result[node] if seen is None else (*result[node], seen)
    return result


def is_public(tree: Tree, public_class: PublicClass) -> bool:
    """Return whether p(h) is the same for all histories of an infoset, so that every role always knows it."""
    sequence = public_sequences(tree, public_class)
    return all(len({sequence[node] for node in members}) == 1 for members in infosets(tree).values())


def public_moves(tree: Tree) -> set[str]:
    """Return the names a with: for all I and all h1, h2 in I, a in h1 iff a in h2 (the definition in section 3.2)."""
    played: dict[Node, frozenset[str]] = {tree.root: frozenset()}
    for node in nodes(tree):
        played |= {child: played[node] | {move} for move, child in node.children.items()}
    names = {move for node in nodes(tree) for move in node.children}
    sets = infosets(tree).values()
    return {a for a in names if all(len({a in played[node] for node in members}) == 1 for members in sets)}


def class_by_name(tree: Tree, names: Iterable[str]) -> PublicClass:
    """Return the classes in which each of these names is a class of its own, and no other move is public."""
    names = set(names)
    name_of = {child: move for node in nodes(tree) for move, child in node.children.items()}
    return lambda node: name_of[node] if name_of[node] in names else None


def public_target(tree: Tree, infoset: Infoset, public_class: PublicClass) -> Target:
    """Return Public Subgame Targeting (section 3.2): Z_sub = terminals below an h' with p(h') = p(m)."""
    sequence, current = public_sequences(tree, public_class), infosets(tree)[infoset]
    (wanted,) = {sequence[node] for node in current}  # ValueError if the classes are not public
    return Target(through(tree, [node for node in nodes(tree) if sequence[node] == wanted]), current)


def restrict(policy: Policy, node: Node, inside: frozenset[Node]) -> Policy:
    """Return the policy on the moves that stay inside, normalised to one there; 0 elsewhere (section 3.3).

    All zero if the node has no child inside: a walk that has left the target. Uniform on the moves inside if the
    policy gives them no probability at all, which gamma > 0 prevents.
    """
    stays = {move: p for move, p in policy.items() if node.children[move] in inside}
    return dict.fromkeys(policy, 0) | (proportional(stays) if stays else {})


def sample_reaches(tree: Tree, profile: Profile, inside: frozenset[Node]) -> dict[Node, tuple[Number, Number]]:
    """Return (us, bs) of each node: how likely play by the profile gets there, untargeted and targeted.

    bs is renormalised move by move, as the walks do it.
    """
    result: dict[Node, tuple[Number, Number]] = {}

    def visit(node: Node, us: Number, bs: Number) -> None:
        result[node] = us, bs
        if not isinstance(node, Terminal):
            policy = edge_probability(node, profile)
            targeted = restrict(policy, node, inside)
            for move, child in node.children.items():
                visit(child, us * policy[move], bs * targeted[move])

    visit(tree.root, Fraction(1), Fraction(1))
    return result


def weighting_factor(tree: Tree, profile: Profile, target: Target, delta: Number) -> Number:
    """Return w_T = (1 - delta) + delta * (sum of bs) / (sum of us), over the histories of I(m) (section 3.3).

    That is (the probability of reaching I(m) with targeting) / (the probability without), s_m / s_0 in the text.
    Equation (3) is misprinted: the sum over I(m) of pi(h) and the sum over Z_sub of pi(z) are equal when Z_sub is
    Z_I(m), and w_T would always be 1. I(m) must be reachable under the profile; the paper uses the mean strategy.
    """
    reach = sample_reaches(tree, profile, target.inside)
    untargeted = sum(reach[node][0] for node in target.current)
    targeted = sum(reach[node][1] for node in target.current)
    return (1 - delta) + delta * targeted / untargeted


# Online Outcome Sampling (Algorithm 1)


@dataclass(frozen=True, kw_only=True)
class OosConfig:
    """How OOS samples. The defaults are the paper's for matches (section 4.4.3)."""

    delta: Number = 0.9  # probability of the targeted scenario
    epsilon: Number = 0.4  # exploration of the updated role
    gamma: Number = 0.01  # uniform part of regret matching


@dataclass
class Entry:
    """What is kept of an infoset in memory."""

    regret: Policy  # r_I
    policy_sum: Policy  # s_I
    visits: int = 0  # walks that came here before their playout, whoever was updated


Memory = dict[Infoset, Entry]


def empty_entry(moves: Iterable[str]) -> Entry:
    moves = list(moves)
    return Entry(dict.fromkeys(moves, 0), dict.fromkeys(moves, 0))


@dataclass(frozen=True)
class Search:
    """What stays the same during all walks from one match history."""

    tree: Tree
    target: Target
    config: OosConfig
    weight: Number  # w_T


class Visit(NamedTuple):
    """What a walk did at one infoset of the updated role: lines 19 to 27."""

    infoset: Infoset
    move: str  # a
    value: Number  # c * W, the sampled counterfactual value of I with I -> a; that of other moves is 0
    mean: Number  # x * W, the sampled counterfactual value of I


@dataclass
class Walk:
    """One call of OOS at the root: who is updated, in which scenario, and what was visited, deepest infoset first."""

    search: Search
    memory: Memory  # changed in place
    role: str  # i
    choose: ChooseIndex
    is_targeted: bool
    visits: list[Visit] = field(default_factory=list)


class Reach(NamedTuple):
    """The arguments pi_i, pi_-i, s1, s2 of OOS. (Nothing in Algorithm 1 ever uses pi_i.)"""

    own: Number
    other: Number
    targeted: Number
    untargeted: Number


def start_search(tree: Tree, memory: Memory, target: Target, config: OosConfig) -> Search:
    """Return the search of a target, with w_T under the mean strategy in memory at this moment."""
    return Search(tree, target, config, weighting_factor(tree, mean_profile(tree, memory), target, config.delta))


def run_search(search: Search, memory: Memory, iterations: int, choose: ChooseIndex) -> None:
    """Run so many iterations. The memory is changed in place."""
    for _ in range(iterations):
        iterate(search, memory, choose)


def iterate(search: Search, memory: Memory, choose: ChooseIndex) -> dict[str, Walk]:
    """Run one iteration: one walk per role, each with a scenario of its own. Return the walks."""
    return {role: take_walk(search, memory, role, choose) for role in search.tree.roles}


def take_walk(search: Search, memory: Memory, role: str, choose: ChooseIndex) -> Walk:
    """Draw the scenario and call OOS(root, 1, 1, 1 / w_T, 1 / w_T, role)."""
    delta = search.config.delta
    walk = Walk(search, memory, role, choose, is_targeted=choose([delta, 1 - delta]) == 0)
    start = Fraction(1) / search.weight
    oos(walk, search.tree.root, Reach(Fraction(1), Fraction(1), start, start))
    return walk


def oos(walk: Walk, node: Node, reach: Reach) -> tuple[Number, Number, Number]:
    """Walk on from the node and return (x, l, u): Algorithm 1."""
    if isinstance(node, Terminal):  # lines 2-3
        return 1, sample_reach(walk, reach), node.utility[walk.role]
    if isinstance(node, Chance):  # lines 4-7
        move, targeted, untargeted = sample(walk, node, reach, node.probability)
        chance = node.probability[move]
        below = Reach(reach.own, chance * reach.other, targeted, untargeted)
        tail, leaf_reach, utility = oos(walk, node.children[move], below)
        return chance * tail, leaf_reach, utility

    if node.infoset not in walk.memory:  # lines 9-13
        walk.memory[node.infoset] = empty_entry(node.children)
        policy = uniform(node.children)
        move = draw(policy, walk.choose)
        tail, leaf_reach, utility = playout(walk, node.children[move], sample_reach(walk, reach) * policy[move])
    else:  # lines 9, 15-18
        policy = match_regrets(walk.memory[node.infoset].regret, walk.search.config.gamma)
        phi = explore(policy, walk.search.config.epsilon) if node.role == walk.role else policy
        move, targeted, untargeted = sample(walk, node, reach, phi)
        own = reach.own * policy[move] if node.role == walk.role else reach.own
        other = reach.other if node.role == walk.role else reach.other * policy[move]
        tail, leaf_reach, utility = oos(walk, node.children[move], Reach(own, other, targeted, untargeted))

    update(walk, node, reach, policy, move, (tail, leaf_reach, utility))  # lines 21-29
    return tail * policy[move], leaf_reach, utility  # lines 20, 30


def sample_reach(walk: Walk, reach: Reach) -> Number:
    """Return delta * s1 + (1 - delta) * s2: lines 3, 13 and 29."""
    delta = walk.search.config.delta
    return delta * reach.targeted + (1 - delta) * reach.untargeted


def sample(walk: Walk, node: Node, reach: Reach, policy: Policy) -> tuple[str, Number, Number]:
    """Draw a move as the scenario has it and return (a, s1', s2'): lines 5 and 9, section 3.3."""
    targeted = restrict(policy, node, walk.search.target.inside)
    move = draw(targeted if walk.is_targeted else policy, walk.choose)
    return move, reach.targeted * targeted[move], reach.untargeted * policy[move]


def playout(walk: Walk, node: Node, leaf_reach: Number) -> tuple[Number, Number, Number]:
    """Move uniformly to the end, `random` by its probabilities, and return (x, l, u): Playout on line 13.

    Also uniform at infosets that are in memory, which are not updated here (section 3, Incremental Game Tree Building).
    """
    if isinstance(node, Terminal):
        return 1, leaf_reach, node.utility[walk.role]
    policy = node.probability if isinstance(node, Chance) else uniform(node.children)
    move = draw(policy, walk.choose)
    tail, leaf_reach, utility = playout(walk, node.children[move], leaf_reach * policy[move])
    return tail * policy[move], leaf_reach, utility


def update(walk: Walk, node: Decision, reach: Reach, policy: Policy, move: str, below: tuple) -> None:
    """Update the regrets at a node of the updated role, the policy sums at those of others: lines 19-29."""
    entry = walk.memory[node.infoset]
    entry.visits += 1
    if node.role != walk.role:
        for a, p in policy.items():
            entry.policy_sum[a] += reach.other * p / sample_reach(walk, reach)
        return
    tail_after, leaf_reach, utility = below
    tail_before = tail_after * policy[move]
    scale = utility * reach.other / leaf_reach
    for a in policy:
        entry.regret[a] += (tail_after - tail_before) * scale if a == move else -tail_before * scale
    walk.visits.append(Visit(node.infoset, move, tail_after * scale, tail_before * scale))


# The strategies of a memory


def mean_profile(tree: Tree, memory: Memory) -> Profile:
    """Return the mean strategy, s_I normalised; uniform where nothing was added. This is what OOS plays."""
    moves = legal_moves(tree)
    return {i: proportional(memory[i].policy_sum) if i in memory else uniform(moves[i]) for i in moves}


def current_profile(tree: Tree, memory: Memory, gamma: Number) -> Profile:
    """Return sigma_gamma of all infosets; uniform where nothing is known."""
    moves = legal_moves(tree)
    return {i: match_regrets(memory[i].regret, gamma) if i in memory else uniform(moves[i]) for i in moves}


# What a walk does on average, and what it should do


@dataclass
class Values:
    """Of the infosets that a walk can update, for one updated role. An infoset that is missing has only zeros."""

    of_infoset: dict[Infoset, Number] = field(default_factory=dict)  # v_i(I, sigma), eq. (1)
    of_move: dict[Infoset, Policy] = field(default_factory=dict)  # v_i(I, sigma with I -> a)
    regret: dict[Infoset, Policy] = field(default_factory=dict)  # what is added to r_I
    policy_sum: dict[Infoset, Policy] = field(default_factory=dict)  # what is added to s_I of the others' infosets


def add_to(table: dict[Infoset, Policy], infoset: Infoset, row: Policy, factor: Number) -> None:
    """Add factor * row to the row of an infoset."""
    old = table.get(infoset, dict.fromkeys(row, 0))
    table[infoset] = {move: old[move] + factor * value for move, value in row.items()}


def expected_walk(search: Search, memory: Memory, role: str) -> Values:
    """Return the mean, over all random choices, of what one walk for the role samples and adds to the tables."""
    result = Values()
    for probability, walk in all_runs(lambda choose: take_walk(search, copy_memory(memory), role, choose)):
        add_walk(result, memory, walk, probability)
    return result


def expected_iteration(search: Search, memory: Memory) -> dict[str, Values]:
    """Return the mean, over all random choices, of what each walk of one iteration samples and adds, by updated role.

    Later walks see the updates of the earlier ones, so their mean is over what those may have done, too.
    """

    def run(choose: ChooseIndex) -> list[tuple[Memory, Walk]]:
        steps, before = [], memory
        for role in search.tree.roles:
            steps.append((before, take_walk(search, copy_memory(before), role, choose)))
            before = steps[-1][1].memory
        return steps

    results = {role: Values() for role in search.tree.roles}
    for probability, steps in all_runs(run):
        for before, walk in steps:
            add_walk(results[walk.role], before, walk, probability)
    return results


def copy_memory(memory: Memory) -> Memory:
    return {infoset: Entry(dict(e.regret), dict(e.policy_sum), e.visits) for infoset, e in memory.items()}


def add_walk(values: Values, before: Memory, walk: Walk, probability: Number) -> None:
    """Add to the values what a walk sampled, and by how much its memory differs from the one before it."""
    for visit in walk.visits:
        sampled = {a: visit.value if a == visit.move else 0 for a in walk.memory[visit.infoset].regret}
        add_to(values.of_move, visit.infoset, sampled, probability)
        values.of_infoset[visit.infoset] = values.of_infoset.get(visit.infoset, 0) + probability * visit.mean
    for infoset, entry in walk.memory.items():
        old = before[infoset] if infoset in before else empty_entry(entry.regret)
        if entry.regret != old.regret:
            add_to(values.regret, infoset, {a: r - old.regret[a] for a, r in entry.regret.items()}, probability)
        if entry.policy_sum != old.policy_sum:
            change = {a: s - old.policy_sum[a] for a, s in entry.policy_sum.items()}
            add_to(values.policy_sum, infoset, change, probability)


def true_values(tree: Tree, memory: Memory, role: str, gamma: Number) -> Values:
    """Return what the mean of a walk should be, with w_T = 1: eq. (1) and (2) for the play that walks assume.

    That play is sigma_gamma at infosets in memory; uniform at the first one that is not, and everywhere below it (the
    playout). Only nodes up to there count for their infosets. With all infosets in memory, these are the
    counterfactual values, the instant regrets and the sums of pi_-i(h) * sigma(I, a) of `current_profile`.
    """
    result = Values()

    def visit(node: Node, other: Number, in_tree: bool) -> Number:
        if isinstance(node, Terminal):
            return node.utility[role]
        if isinstance(node, Chance):
            return sum(p * visit(node.children[move], other * p, in_tree) for move, p in node.probability.items())
        known = in_tree and node.infoset in memory
        policy = match_regrets(memory[node.infoset].regret, gamma) if known else uniform(node.children)
        is_own = node.role == role
        below = {a: visit(node.children[a], other if is_own else other * p, known) for a, p in policy.items()}
        value = sum(p * below[a] for a, p in policy.items())
        if in_tree and is_own:
            result.of_infoset[node.infoset] = result.of_infoset.get(node.infoset, 0) + other * value
            add_to(result.of_move, node.infoset, below, other)
            add_to(result.regret, node.infoset, {a: v - value for a, v in below.items()}, other)
        elif in_tree:
            add_to(result.policy_sum, node.infoset, policy, other)
        return value

    visit(tree.root, Fraction(1), True)
    return result
