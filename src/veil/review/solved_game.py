"""Facts about a game whose tree fits, under the equilibrium that a solver has found.

- Worth of the seats when both are strong, and when one is strong and the others play at random: exact expectations.
- Luck: the result of a game is a sum of steps. The step of a move is the change of the expected result that it makes,
  and steps are uncorrelated, so the variance of the result is the sum of the variances of all steps. The share of the
  chance moves is the share of the result that chance decides; the rest comes from roles that mix their moves. The share
  of the steps up to a round says how much is decided by then.
- Moves: how often the equilibrium chooses each where it is legal, and which are worse than another (`dominated_moves`).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veil.engine import Game
from veil.equilibrium import (
    CHANCE,
    Budget,
    GameTree,
    PreparedGame,
    Solution,
    TreeBounds,
    evaluate_profile,
    expand,
    find_constant_sum,
    fold_tree,
    reach_nodes,
    slot_moves,
    solve_prepared,
    uniform_policy,
    value_nodes,
)
from veil.errors import fail
from veil.review.dominated_moves import find_dominators

SEEN = 1e-9  # a smaller probability or difference is rounding
BEHIND = 0.25  # share of the way from the worst to the best result; who expects less is far behind
SAME_RESULT = 1e-3  # of the squared range of results; a smaller variance is what a solver has left
RARE = 1e-5  # a length of a smaller share is what a solver has left
PLAYED = 0.005  # a move that the equilibrium chooses more rarely counts as never played
FINE, COARSE = 1e-4, 5e-3  # of the range of payoffs: the aim of a second solution, and what is good enough
PURE = 0.99  # a decision with a move of this probability counts as not mixed


@dataclass(frozen=True, slots=True)
class MoveUse:
    """How an equilibrium uses one move of a role, over the decisions that it reaches."""

    role: str
    move: str
    legal: float  # expected number of decisions per game at which it is legal
    chosen: float  # expected number of times per game that it is chosen
    most: float  # highest probability at a decision that is reached
    dominated: str  # the move that is better whatever happens, at all decisions with this move; "" if there is none


@dataclass(frozen=True, slots=True)
class Mixing:
    """How much a role has to mix its moves."""

    decisions: float  # expected number of decisions per game
    mixed: float  # share of them at which no move has a probability of `PURE`
    bits: float  # mean entropy per decision
    price: float  # what the others win, each for itself, against the role's likeliest moves, in utility of this role


class SolvedGame:
    """A game with its tree, and a profile that a solver has found."""

    def __init__(self, prepared: PreparedGame, solution: Solution, rounds: np.ndarray) -> None:
        self.solution, self.prepared = solution, prepared
        self.policy = solution.policy_slots
        self.rounds = rounds  # [N] played before a node; at terminals the length of the game

    @property
    def tree(self) -> GameTree:
        return self.prepared.tree

    @property
    def roles(self) -> tuple[str, ...]:
        return self.prepared.roles

    @property
    def basis(self) -> str:
        """A text about what the numbers rest on."""
        return "the game solved" if self.is_proven else "one equilibrium of several, or an approximation"

    @property
    def method(self) -> str:
        """How the game was solved."""
        exploitability = self.solution.exploitability if self.solution.exploitability > SEEN else 0.0
        return f"{self.solution.method} to an exploitability of {exploitability:.2g}"

    @cached_property
    def is_proven(self) -> bool:
        """Whether the value is that of the game: one role, or two with a constant sum."""
        return len(self.roles) == 1 or (len(self.roles) == 2 and self.prepared.total is not None)

    @cached_property
    def ends(self) -> np.ndarray:
        """[E] the terminal nodes."""
        return np.flatnonzero(self.tree.flat.num_children == 0)

    @cached_property
    def reach(self) -> np.ndarray:
        """[N] the probability of every node when all play the equilibrium."""
        return self._reach_by(self.policy)

    @cached_property
    def uniform(self) -> np.ndarray:
        """[S] the policy of random play."""
        return uniform_policy(self.prepared.form)

    @cached_property
    def margin(self) -> float | None:
        """How far the value of any role may be from that of the game; None if that is not known."""
        judged = self.solution.evaluation
        return float((judged.best_value - judged.value).max()) if self.is_proven else None

    def span(self, role: int) -> tuple[float, float]:
        """Return the worst and the best utility of a role at any end."""
        utility = self.tree.flat.utility[self.ends, role]
        return float(utility.min()), float(utility.max())

    def values(self, strong: frozenset[str]) -> dict[str, float]:
        """Return the expected utility of every role if these roles play the equilibrium and the others at random."""
        policy = self.uniform.copy()
        for number, role in enumerate(self.roles):
            if role in strong:
                own = self._slots_of(number)
                policy[own] = self.policy[own]
        worth = evaluate_profile(self.prepared.form, policy).value
        return dict(zip(self.roles, map(float, worth), strict=True))

    def lengths(self, policy: np.ndarray) -> dict[int, float]:
        """Return the share of games of every length under a policy [S]."""
        reach = self._reach_by(policy)
        shares = np.bincount(self.rounds[self.ends], weights=reach[self.ends])
        return {int(number): float(shares[number]) for number in np.flatnonzero(shares > RARE)}

    def outcomes(self, role: int) -> dict[float, float]:
        """Return the probability of every utility of a role under the equilibrium."""
        found: dict[float, float] = defaultdict(float)
        for utility, share in zip(self.tree.flat.utility[self.ends, role], self.reach[self.ends], strict=True):
            found[float(utility)] += float(share)
        return {utility: share for utility, share in sorted(found.items()) if share > SEEN}

    def draws(self, policy: np.ndarray) -> float | None:
        """Return the probability that all roles get the same utility under a policy [S]; None with one role."""
        if len(self.roles) < 2:
            return None
        utility = self.tree.flat.utility[self.ends]
        return float(self._reach_by(policy)[self.ends][np.ptp(utility, axis=1) <= SEEN].sum())

    @cached_property
    def steps(self) -> tuple[float, dict[int, float]]:
        """The variance of the result that chance makes, and the variance by round, summed over the roles."""
        flat = self.tree.flat
        by_chance = 0.0
        by_round: dict[int, float] = defaultdict(float)
        for role in range(len(self.roles)):
            value = value_nodes(flat.parent, flat.slot, flat.chance_prob, self.policy, flat.utility[:, role].copy())
            step = self.reach * (value - value[flat.parent]) ** 2
            step[0] = 0.0
            by_chance += float(step[flat.slot == CHANCE].sum())
            shares = np.bincount(self.rounds[flat.parent] + 1, weights=step)
            for number, part in enumerate(shares.tolist()):
                by_round[number] += part
        return by_chance, dict(by_round)

    @cached_property
    def variance(self) -> float:
        """The variance of the result, summed over the roles; 0 if games end alike but for what the solver left."""
        total = sum(self.steps[1].values())
        spans = (self.span(role) for role in range(len(self.roles)))
        return total if total > SAME_RESULT * sum((high - low) ** 2 for low, high in spans) else 0.0

    def luck(self) -> float | None:
        """Return the share of the result that chance moves decide; None if every game ends with the same result."""
        return self.steps[0] / self.variance if self.variance else None

    def decided(self) -> list[tuple[float, float]]:
        """Return (round, share of the result that is decided after it); empty if all games end alike."""
        if not self.variance:
            return []
        _, by_round = self.steps
        total = self.variance
        last, points, done = max(self.lengths(self.policy), default=0), [(0.0, 0.0)], 0.0
        for number in range(1, last + 1):
            done += by_round.get(number, 0.0)
            points.append((float(number), done / total))
        return points

    def comebacks(self) -> float | None:
        """Return the share of games, of those with one winner, in which the winner was far behind before.

        Far behind: in some position it expected less than `BEHIND` of what lies between its worst and its best result.
        None with one role, or if no game has one winner.
        """
        flat, ends = self.tree.flat, self.ends
        if len(self.roles) < 2:
            return None
        points = np.empty((len(flat.parent), len(self.roles)))
        for role in range(len(self.roles)):
            low, high = self.span(role)
            utility = (flat.utility[:, role] - low) / ((high - low) or 1.0)
            points[:, role] = value_nodes(flat.parent, flat.slot, flat.chance_prob, self.policy, utility)
        ranked = np.sort(points[ends], axis=1)
        has_winner = ranked[:, -1] > ranked[:, -2] + SEEN
        winner, weight = np.argmax(points[ends], axis=1), self.reach[ends] * has_winner
        worst, node = np.ones(len(ends)), ends
        while node.any():
            node = flat.parent[node]
            worst = np.minimum(worst, points[node, winner])
        total = float(weight.sum())
        return float(weight[worst < BEHIND].sum()) / total if total > SEEN else None

    def uses(self) -> list[MoveUse]:
        """Return how the equilibrium uses every move, in the order of the roles and moves."""
        weight = self._infoset_weights()
        better = find_dominators(self.tree)
        words = slot_moves(self.tree)
        slots: dict[tuple[int, str], list[int]] = defaultdict(list)
        for role in range(len(self.roles)):
            for slot in range(*self._bounds(role)):
                slots[role, words[slot]].append(slot)
        found = []
        for (role, word), own in slots.items():
            there = weight[self._infoset_of[own]]
            reached = self.policy[own][there > SEEN]
            others = {words[better[slot]] if better[slot] >= 0 else "" for slot in own}
            found.append(
                MoveUse(
                    self.roles[role],
                    word,
                    float(there.sum()),
                    float((there * self.policy[own]).sum()),
                    float(reached.max(initial=0.0)),
                    "" if "" in others else sorted(others)[0],
                )
            )
        return found

    def mixing(self) -> dict[str, Mixing]:
        """Return how much every role mixes, and what it would lose by always choosing its likeliest move."""
        weight, start = self._infoset_weights(), self.tree.flat.slot_start
        entropy = np.where(self.policy > 0, -self.policy * np.log2(np.maximum(self.policy, 1e-300)), 0.0)
        bits = np.add.reduceat(entropy, start[:-1]) if len(start) > 1 else np.zeros(0)
        likeliest = np.maximum.reduceat(self.policy, start[:-1]) if len(start) > 1 else np.zeros(0)
        found = {}
        for role, name in enumerate(self.roles):
            own = self.tree.infosets_of(role)
            there = weight[own.start : own.stop]
            total = float(there.sum())
            if total <= SEEN:
                continue
            found[name] = Mixing(
                total,
                float((there * (likeliest[own.start : own.stop] < PURE)).sum()) / total,
                float((there * bits[own.start : own.stop]).sum()) / total,
                self._price_of_likeliest(role),
            )
        return found

    def without(self, banned: np.ndarray, seconds: float) -> tuple[dict[str, float], float] | None:
        """Solve again without the slots [S] that are banned.

        Return the value per role and the largest error of a value, and None if they are not precise within the seconds.
        """
        prepared = restrict_tree(self.prepared, banned)
        if prepared is None:
            return None
        span = max(high - low for low, high in map(self.span, range(len(self.roles)))) or 1.0
        solution = solve_prepared(prepared, self.solution.method, Budget(seconds=seconds, target=FINE * span))
        judged = solution.evaluation
        error = float((judged.best_value - judged.value).max())
        return (solution.value, error) if solution.exploitability <= COARSE * span else None

    def slots_of_kind(self, role: str, moves: frozenset[str]) -> np.ndarray:
        """Return [S] bool: the slots of a role with one of these moves, where it has another one, too."""
        number = self.roles.index(role)
        low, high = self._bounds(number)
        found = np.zeros(self.tree.num_slots, np.bool_)
        words = slot_moves(self.tree)
        found[low:high] = [word in moves for word in words[low:high]]
        free = np.bincount(self._infoset_of[~found], minlength=len(self.tree.flat.slot_start) - 1)
        banned: np.ndarray = found & (free[self._infoset_of] > 0)
        return banned

    def _bounds(self, role: int) -> tuple[int, int]:
        flat = self.tree.flat
        return int(flat.slot_start[flat.role_start[role]]), int(flat.slot_start[flat.role_start[role + 1]])

    def _slots_of(self, role: int) -> slice:
        return slice(*self._bounds(role))

    @cached_property
    def _infoset_of(self) -> np.ndarray:
        """[S] the infoset of every slot."""
        start = self.tree.flat.slot_start
        return np.repeat(np.arange(len(start) - 1), np.diff(start))

    def _reach_by(self, policy: np.ndarray) -> np.ndarray:
        flat = self.tree.flat
        reach: np.ndarray = reach_nodes(flat.parent, flat.slot, flat.chance_prob, policy)
        return reach

    def _infoset_weights(self) -> np.ndarray:
        """Return [I] the expected number of times per game that an infoset is reached."""
        flat = self.tree.flat
        weight = np.zeros(len(flat.slot_start) - 1)
        chosen = np.flatnonzero(flat.slot != CHANCE)
        first = chosen[flat.slot[chosen] == flat.slot_start[:-1][self._infoset_of[flat.slot[chosen]]]]
        np.add.at(weight, self._infoset_of[flat.slot[first]], self.reach[flat.parent[first]])
        return weight

    def _price_of_likeliest(self, role: int) -> float:
        """Return what a role loses in the worst case if it always chooses its likeliest moves."""
        start = self.tree.flat.slot_start
        policy = self.policy.copy()
        for infoset in self.tree.infosets_of(role):
            own = slice(int(start[infoset]), int(start[infoset + 1]))
            pure = np.zeros(own.stop - own.start)
            pure[int(np.argmax(self.policy[own]))] = 1.0
            policy[own] = pure
        before, after = (evaluate_profile(self.prepared.form, each) for each in (self.policy, policy))
        others = [number for number in range(len(self.roles)) if number != role]
        return max(0.0, float((after.best_value - before.best_value)[others].sum())) if others else 0.0


def restrict_tree(prepared: PreparedGame, banned: np.ndarray) -> PreparedGame | None:
    """Return the game without the nodes below banned slots [S]; None if nothing would be left of a role's infoset."""
    tree, flat = prepared.tree, prepared.tree.flat
    gone = (flat.slot != CHANCE) & banned[flat.slot]
    kept, node = ~gone, flat.parent
    while node.any():
        kept &= ~gone[node]
        node = flat.parent[node]
    infosets = np.repeat(np.arange(len(flat.slot_start) - 1), np.diff(flat.slot_start))
    used = np.zeros(flat.num_slots, np.bool_)
    used[flat.slot[kept & (flat.slot != CHANCE)]] = True
    stays = np.zeros(len(flat.slot_start) - 1, np.bool_)
    stays[infosets[used]] = True
    if not used.any():
        return None
    new_node, new_slot = np.cumsum(kept) - 1, np.cumsum(used) - 1
    sizes = np.bincount(infosets[used], minlength=len(stays))[stays]
    first = _first_nodes(flat.parent, flat.slot, flat.slot_start, infosets, kept)
    smaller = flat._replace(
        parent=new_node[flat.parent[kept]].astype(flat.parent.dtype),
        slot=np.where(flat.slot[kept] == CHANCE, CHANCE, new_slot[flat.slot[kept]]).astype(flat.slot.dtype),
        move=flat.move[kept],
        chance_prob=flat.chance_prob[kept],
        utility=flat.utility[kept],
        slot_start=np.concatenate([[0], np.cumsum(sizes)]).astype(flat.slot_start.dtype),
        role_start=np.concatenate([[0], np.cumsum(stays)])[flat.role_start].astype(flat.role_start.dtype),
        infoset_node=new_node[first[stays]].astype(flat.infoset_node.dtype),
        infoset_round=flat.infoset_round[stays],
        infoset_key=flat.infoset_key[stays],
    )
    whole = GameTree(tree.game, tree.roles, tree.role_ids, smaller, tree.seconds)
    return PreparedGame(whole, fold_tree(smaller), find_constant_sum(smaller))


def _first_nodes(
    parent: np.ndarray, slot: np.ndarray, slot_start: np.ndarray, infosets: np.ndarray, kept: np.ndarray
) -> np.ndarray:
    """Return [I] a node of every infoset that is kept; 0 if there is none."""
    played = np.flatnonzero((slot != CHANCE) & kept)
    found = np.zeros(len(slot_start) - 1, np.int64)
    found[infosets[slot[played]]] = parent[played]
    return found


def solve_game(
    game: Game, method: str, *, max_nodes: int, seconds: float, precision: float, expanding: float = 0.5
) -> SolvedGame:
    """Return the solved game. Raises `VeilError` if its tree is too large, or is not expanded in time.

    The expansion may take the share `expanding` of the seconds. The solver stops at an exploitability of `precision`
    times the range of payoffs, or when the time is up.
    """
    rounds: list[np.ndarray] = []
    tree = expand(
        game, max_nodes, bounds=TreeBounds(seconds=expanding * seconds), watch=lambda played: rounds.append(played.node)
    )
    if not tree.roles:
        raise fail("no-players", game=game.name)
    prepared = PreparedGame(tree, fold_tree(tree.flat), find_constant_sum(tree.flat))
    ends = tree.flat.utility[tree.flat.num_children == 0]
    span = float(np.ptp(ends, axis=0).max(initial=0.0)) or 1.0
    left = max(0.1, seconds - tree.seconds)
    solution = solve_prepared(prepared, method, Budget(seconds=left, target=precision * span))
    played = np.full(tree.num_nodes, -1, np.int64)
    played[0] = 0
    for number, nodes in enumerate(rounds, 1):
        played[nodes] = number
    return SolvedGame(prepared, solution, _fill_rounds(played, tree.flat.parent))


def _fill_rounds(played: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Return [N] the rounds before every node; nodes inside a round count as those of their parent."""
    filled = played.copy()
    while (unknown := np.flatnonzero(filled < 0)).size:
        filled[unknown] = filled[parent[unknown]]
    return filled
