"""Information Set Monte Carlo Tree Search, slow and obvious, over the trees of `gametree.py`.

As section 4.1 of Lisy, Lanctot & Bowling (2015) describes it: walks as in a game of perfect information, with common
statistics for all histories of an infoset. Where the paper is silent:

- Every mover uses and updates the statistics of its own infoset, with its own utility.
- A walk adds the first infoset that is not in memory, moves uniformly there, and then plays out uniformly. The added
  infoset is updated, too; infosets that the playout passes are not. (OOS does the same.)
- UCT first tries all moves once, in random order. Moves with equal bounds, and equal visit counts, are equally likely,
  or the first of them is taken (`is_first`).
- Regret matching is the bandit form: the regret of the played move a grows by u / p(a) - u, that of others by -u, with
  p the sampling policy, exploration included. The mean strategy sums the policies *without* exploration.

Random choices are calls of `choose`, as in `online_search.py`: the start node, then one per node that is no terminal.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log, sqrt

from tests.reference.gametree import Chance, Decision, Infoset, Node, Terminal, Tree, infosets, nodes
from tests.reference.online_search import ChooseIndex, Number, draw, match_regrets, proportional, uniform
from tests.reference.solvers import Policy


@dataclass
class Statistics:
    """What is kept of an infoset: one number per move."""

    visits: Policy
    total: Policy  # sum of the mover's utilities after the move
    regret: Policy
    policy_sum: Policy


def empty_statistics(moves: Iterable[str]) -> Statistics:
    moves = list(moves)
    return Statistics(*(dict.fromkeys(moves, 0) for _ in range(4)))


StatisticsMemory = dict[Infoset, Statistics]


# Selection


@dataclass(frozen=True)
class Uct:
    """Selection by upper confidence bounds. The paper's constant is `uct_constant(tree)`."""

    constant: float  # C
    is_first: bool = False  # whether the first of several best moves is taken

    def policy(self, statistics: Statistics) -> Policy:
        """Return: a move not yet tried; else the largest mean + C * sqrt(ln N / n)."""
        untried = [move for move, n in statistics.visits.items() if n == 0]
        if untried:
            return one_of(untried, statistics.visits)
        all_visits = sum(statistics.visits.values())
        bound = {
            move: statistics.total[move] / n + self.constant * sqrt(log(all_visits) / n)
            for move, n in statistics.visits.items()
        }
        return one_of(self.break_ties([move for move, b in bound.items() if b == max(bound.values())]), bound)

    def update(self, statistics: Statistics, policy: Policy, move: str, utility: Number) -> None:
        statistics.visits[move] += 1
        statistics.total[move] += utility

    def mean(self, statistics: Statistics) -> Policy:
        """Return the empirical frequencies, the strategy that is evaluated."""
        return proportional(statistics.visits)

    def play(self, statistics: Statistics) -> Policy:
        """Return: the move with the most visits, which is played in matches."""
        most = max(statistics.visits.values())
        best = self.break_ties([move for move, n in statistics.visits.items() if n == most])
        return one_of(best, statistics.visits)

    def current(self, statistics: Statistics) -> Policy:
        """Return what the next walk chooses from."""
        return self.policy(statistics)

    def break_ties(self, best: list[str]) -> list[str]:
        return best[:1] if self.is_first else best


@dataclass(frozen=True)
class RegretMatching:
    """Selection by regret matching, as a bandit: only the utility of the played move is known."""

    gamma: Number = 0.2  # exploration

    def policy(self, statistics: Statistics) -> Policy:
        return match_regrets(statistics.regret, self.gamma)

    def update(self, statistics: Statistics, policy: Policy, move: str, utility: Number) -> None:
        matched = match_regrets(statistics.regret, 0)
        statistics.visits[move] += 1
        statistics.total[move] += utility
        for a in policy:
            statistics.policy_sum[a] += matched[a]
            statistics.regret[a] += (utility / policy[a] if a == move else 0) - utility

    def mean(self, statistics: Statistics) -> Policy:
        """Return the mean strategy, which is evaluated."""
        return proportional(statistics.policy_sum)

    def play(self, statistics: Statistics) -> Policy:
        """Return the mean strategy, which is played, too."""
        return self.mean(statistics)

    def current(self, statistics: Statistics) -> Policy:
        """Return what the next walk chooses from, without exploration."""
        return match_regrets(statistics.regret, 0)


Selection = Uct | RegretMatching


def one_of(chosen: list[str], moves: Iterable[str]) -> Policy:
    """Return the policy that is uniform over the chosen moves and 0 at the others."""
    return dict.fromkeys(moves, 0) | uniform(chosen)


def uct_constant(tree: Tree) -> Number:
    """Return two times the maximal game outcome: with payoffs of +-1 it is 2."""
    return 2 * max(abs(u) for node in nodes(tree) if isinstance(node, Terminal) for u in node.utility.values())


# Walks


def ismcts_search(
    start: dict[Node, Number], memory: StatisticsMemory, selection: Selection, iterations: int, choose: ChooseIndex
) -> None:
    """Run so many walks, each from a node drawn by `start`. The memory is changed in place."""
    for _ in range(iterations):
        ismcts_walk(draw(start, choose), memory, selection, choose)


def start_nodes(tree: Tree, infoset: Infoset | None, weight: dict[Node, Number] | None = None) -> dict[Node, Number]:
    """Return where walks start: the root (None), or the histories of I(m), all equally likely or by weights."""
    members = [tree.root] if infoset is None else infosets(tree)[infoset]
    return uniform(members) if weight is None else proportional({node: weight[node] for node in members})


def ismcts_walk(node: Node, memory: StatisticsMemory, selection: Selection, choose: ChooseIndex) -> None:
    """Select in the tree, add one infoset, play out, and update the infosets of the tree that were passed."""
    path: list[tuple[Infoset, Policy, str]] = []
    is_in_tree = True
    while not isinstance(node, Terminal):
        if is_in_tree and isinstance(node, Decision):
            is_in_tree = node.infoset in memory
            policy = selection.policy(memory.setdefault(node.infoset, empty_statistics(node.children)))
            move = draw(policy, choose)
            path.append((node.infoset, policy, move))
        else:
            policy = node.probability if isinstance(node, Chance) else uniform(node.children)
            move = draw(policy, choose)
        node = node.children[move]
    for infoset, policy, move in path:
        selection.update(memory[infoset], policy, move, node.utility[infoset[0]])


# The program of the authors (2014), where it does other things than the text


@dataclass
class HistoryMemory:
    """The histories that are in memory, and the statistics of their infosets."""

    histories: set[Node]
    statistics: StatisticsMemory

    def add(self, node: Node, is_renewed: bool) -> None:
        """Add a history; the statistics of its infoset begin anew if `is_renewed`, or if there are none."""
        self.histories.add(node)
        if isinstance(node, Decision) and (is_renewed or node.infoset not in self.statistics):
            self.statistics[node.infoset] = empty_statistics(node.children)


def remember_root(tree: Tree) -> HistoryMemory:
    """Return a memory with nothing but the root."""
    memory = HistoryMemory(set(), {})
    memory.add(tree.root, is_renewed=False)
    return memory


def histories_in_memory(tree: Tree, infoset: Infoset, memory: HistoryMemory) -> dict[Node, Number]:
    """Return where walks start: the histories of I(m) that are in memory, all equally likely; nowhere without any."""
    remembered = [node for node in infosets(tree)[infoset] if node in memory.histories]
    return uniform(remembered) if remembered else {}


def history_search(
    start: dict[Node, Number],
    memory: HistoryMemory,
    selection: Selection,
    is_renewed: bool,
    iterations: int,
    choose: ChooseIndex,
) -> None:
    """Run so many walks that add histories, each from a node drawn by `start`. The memory is changed in place."""
    for _ in range(iterations):
        history_walk(draw(start, choose), memory, selection, is_renewed, choose)


def history_walk(
    node: Node, memory: HistoryMemory, selection: Selection, is_renewed: bool, choose: ChooseIndex
) -> None:
    """Select at histories in memory, add the first other one, play out from there, update where it was selected."""
    path: list[tuple[Infoset, Policy, str]] = []
    is_in_memory = True
    while not isinstance(node, Terminal):
        if is_in_memory and isinstance(node, Decision):
            policy = selection.policy(memory.statistics[node.infoset])
            move = draw(policy, choose)
            path.append((node.infoset, policy, move))
        else:
            policy = node.probability if isinstance(node, Chance) else uniform(node.children)
            move = draw(policy, choose)
        node = node.children[move]
        if is_in_memory and node not in memory.histories:
            memory.add(node, is_renewed)
            is_in_memory = False
    for infoset, policy, move in path:
        selection.update(memory.statistics[infoset], policy, move, node.utility[infoset[0]])
