"""Symmetries of a game: permutations of the moves of every role that map its state graph onto itself.

A symmetry keeps roles, payoffs and the probabilities of chance. It is found in two steps:

1. *Colours* tell moves apart that no symmetry can exchange. The colour of a state is made of its edges: the colours of
   the moves, and of the states they lead to. The colour of a move is made of the edges in which it is played. This is
   repeated until no more moves are told apart. One move of a colour is then singled out, and the colours are refined
   again, until every move has a colour of its own: with every other move in its place, this gives a candidate.
2. A candidate is followed through the graph, round by round: every edge must have an image, with the same payoffs, and
   what a role can tell apart, it can tell apart in the image. So the result is a symmetry, whatever the colours say.

Chance is not permuted: it plays the same in the image.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from veil.equilibrium.streaming.state_graph import StateGraph, StateLevel
from veil.signals import check_signals

MOST = 64  # symmetries that are used
MOST_EDGES, MOST_ROUNDS = 500_000_000, 500  # that a search looks at; of refinement
LOW = np.uint64((1 << 24) - 1)  # sums of numbers of 24 bits are exact in floating-point numbers
ODD = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A permutation of the moves of all roles, and of the tokens of every round. R roles."""

    moves: tuple[np.ndarray, ...]  # [R][moves] image of every move
    tokens: tuple[np.ndarray, ...]  # [R][tokens of all levels] image of every token, counted in its own level

    def after(self, first: Symmetry, starts: tuple[np.ndarray, ...]) -> Symmetry:
        """Return the symmetry that does `first` and then this one; starts [R][tokens] are those of their levels."""
        tokens = tuple(own[before + at] for own, before, at in zip(self.tokens, first.tokens, starts, strict=True))
        return Symmetry(tuple(own[before] for own, before in zip(self.moves, first.moves, strict=True)), tokens)

    @property
    def key(self) -> bytes:
        """Two symmetries are equal if their keys are."""
        return b"".join(part.tobytes() for part in (*self.moves, *self.tokens))


def find_symmetries(graph: StateGraph) -> tuple[Symmetry, ...]:
    """Return the symmetries of a game, the identity first: a group, or a part of one that is a group itself."""
    search = _SymmetrySearch(graph)
    starts = tuple(first_tokens(graph, role) for role in range(len(graph.roles)))
    identity = Symmetry(
        tuple(np.arange(size) for size in search.sizes), tuple(np.arange(len(first)) - first for first in starts)
    )
    group = {identity.key: identity}
    for found in search.list_generators():
        group = _extend(group, found, starts)
    return tuple(group.values())


def first_tokens(graph: StateGraph, role: int) -> np.ndarray:
    """Return [tokens of all levels] the number of the first token of the same level."""
    sizes = np.array([len(level.token_move[role]) for level in graph.levels], np.int64)
    return np.repeat(np.cumsum(sizes) - sizes, sizes)


def _extend(group: dict[bytes, Symmetry], found: Symmetry, starts: tuple[np.ndarray, ...]) -> dict[bytes, Symmetry]:
    """Return the group that one more symmetry makes; the same group if it would have more than `MOST` elements."""
    if found.key in group:
        return group
    larger = dict(group)
    new = [found]
    while new:
        made = new.pop()
        if made.key in larger:
            continue
        larger[made.key] = made
        if len(larger) > MOST:
            return group
        new += [made.after(other, starts) for other in list(larger.values())]
        new += [other.after(made, starts) for other in list(larger.values())]
    return larger


class _SymmetrySearch:
    """The search for symmetries. M moves of all roles together."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.left = min(MOST_ROUNDS, MOST_EDGES // max(1, graph.num_edges))
        moves = graph.game.program.moves
        self.sizes = [len(moves[number]) for number in graph.role_ids]
        self.firsts = np.cumsum([0, *self.sizes])
        self.levels = [_MoveEdges(level, self.firsts) for level in graph.levels]
        self.owner = np.repeat(np.arange(len(self.sizes), dtype=np.uint64), self.sizes)
        used = np.zeros(len(self.owner), bool)
        for edge in self.levels:
            for moves in edge.moves:
                used[moves] = True
        self.first_colours = _mix(np.where(used, self.owner, len(self.sizes) + np.arange(len(used), dtype=np.uint64)))
        self.ends = _mix(np.arange(len(graph.payoffs), dtype=np.uint64))

    def list_generators(self) -> Iterator[Symmetry]:
        """Yield symmetries that make a group: for every move that is singled out, one for each other in its place."""
        if not self.levels:
            return
        chain = [self._refine(self.first_colours)]  # colours after 0, 1, 2, ... moves are singled out
        pivots = list[int]()
        while (pivot := _find_pivot(chain[-1])) is not None and self.left > 0:
            pivots.append(pivot)
            chain.append(self._refine(_single_out(chain[-1], pivot)))
        if _find_pivot(chain[-1]) is not None:
            return
        for depth in reversed(range(len(pivots))):
            for image in _twins(chain[depth], pivots[depth]):
                found = self._complete(chain, pivots, chain[depth], depth, image)
                if found is not None:
                    yield found

    def _complete(
        self, chain: list[np.ndarray], pivots: list[int], colours: np.ndarray, depth: int, image: int
    ) -> Symmetry | None:
        """Return a symmetry that maps the pivot of this depth to `image` and the earlier ones as `colours` say."""
        if self.left <= 0:
            return None
        refined = self._refine(_single_out(colours, image))
        if not np.array_equal(np.sort(refined), np.sort(chain[depth + 1])):
            return None
        if depth + 1 == len(pivots):
            return self._verify(chain[-1], refined)
        wanted = chain[depth + 1][pivots[depth + 1]]
        for following in np.flatnonzero(refined == wanted).tolist():
            found = self._complete(chain, pivots, refined, depth + 1, following)
            if found is not None:
                return found
        return None

    def _refine(self, colours: np.ndarray) -> np.ndarray:
        """Return the colours [M] of moves after all that can be told apart is."""
        count = 0
        while (known := len(np.unique(colours))) > count:
            check_signals()
            self.left -= 1
            count = known
            colours = _mix(colours * ODD[0] ^ self._sign(colours))
        return colours

    def _sign(self, colours: np.ndarray) -> np.ndarray:
        """Return [M] a hash of all edges in which a move is played."""
        below = np.zeros(0, np.uint64)
        edges = list[np.ndarray]()
        states = list[np.ndarray]()
        for edge in reversed(self.levels):
            hashed = edge.hash_edges(colours, below, self.ends)
            edges.append(hashed)
            below = _mix(np.add.reduceat(_mix(hashed), edge.level.edge_start[:-1]))
            states.append(below)
        low, high = np.zeros(len(colours)), np.zeros(len(colours))
        for number, (edge, hashed, state) in enumerate(zip(reversed(self.levels), edges, states, strict=True)):
            both = _mix(hashed ^ state[edge.source] * ODD[1] ^ np.uint64(number))
            for moves in edge.moves:
                low += np.bincount(moves, (both & LOW).astype(np.float64), len(colours))
                high += np.bincount(moves, (both >> np.uint64(24) & LOW).astype(np.float64), len(colours))
        return _mix(low.astype(np.uint64) ^ _mix(high.astype(np.uint64)))

    def _verify(self, given: np.ndarray, images: np.ndarray) -> Symmetry | None:
        """Return the symmetry that maps every move to the one that has its colour; None if it is none."""
        permutation = np.empty(len(given), np.int64)
        permutation[np.argsort(given)] = np.argsort(images)
        if (self.owner[permutation] != self.owner).any():
            return None
        tokens: list[list[np.ndarray]] = [[np.zeros(0, np.int64)] for _ in self.sizes]
        states = np.zeros(1, np.int64)
        for number, edge in enumerate(self.levels):
            check_signals()
            following = self.levels[number + 1].level.size if number + 1 < len(self.levels) else 0
            step = edge.follow(permutation, states, following)
            if step is None:
                return None
            states = step[0]
            for own, part in zip(tokens, step[1], strict=True):
                own.append(part)
        moves = tuple(
            permutation[first : first + size] - first for first, size in zip(self.firsts, self.sizes, strict=False)
        )
        return Symmetry(moves, tuple(np.concatenate(parts) for parts in tokens))


class _MoveEdges:
    """The edges of a level with the moves of all roles, counted through. E edges, R roles."""

    def __init__(self, level: StateLevel, firsts: np.ndarray) -> None:
        self.level = level
        self.source = np.repeat(np.arange(level.size), np.diff(level.edge_start))
        self.moves = [
            meaning[token] + first for meaning, token, first in zip(level.token_move, level.token, firsts, strict=False)
        ]
        self.order = np.lexsort((*self.moves[::-1], self.source))

    def hash_edges(self, colours: np.ndarray, below: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Return [E] a hash of the moves of an edge and of what it leads to, from the colours of both."""
        target = self.level.target
        hashed = np.empty(len(target), np.uint64)
        inner = target >= 0
        hashed[inner], hashed[~inner] = below[target[inner]], ends[~target[~inner]]
        hashed = _mix(hashed ^ self.level.chance.view(np.uint64))
        for moves in self.moves:
            hashed = _mix(hashed * ODD[2] ^ colours[moves])
        return hashed

    def follow(
        self, permutation: np.ndarray, states: np.ndarray, following: int
    ) -> tuple[np.ndarray, list[np.ndarray]] | None:
        """Return the images of the states of the next level and of the tokens [R] of this one, or None.

        `states` [N] are the images of the states of this level. Edges with equal moves keep their order: chance plays
        the same.
        """
        level = self.level
        source, moves = states[self.source], [permutation[part] for part in self.moves]
        order = np.lexsort((*moves[::-1], source))
        image = np.empty(len(order), np.int64)
        image[order] = self.order
        here = [source, *moves, level.chance]
        there = [self.source, *self.moves, level.chance]
        if any((one != other[image]).any() for one, other in zip(here, there, strict=True)):
            return None
        target, goal = level.target, level.target[image]
        inner = target >= 0
        if ((goal >= 0) != inner).any() or (target[~inner] != goal[~inner]).any():
            return None
        next_states = _make_map(target[inner], goal[inner], following)
        tokens = [
            _make_map(own, own[image], len(meaning)) for own, meaning in zip(level.token, level.token_move, strict=True)
        ]
        kept = [part for part in tokens if part is not None]
        return None if next_states is None or len(kept) < len(tokens) else (next_states, kept)


def _make_map(keys: np.ndarray, values: np.ndarray, size: int) -> np.ndarray | None:
    """Return the permutation [size] that maps every key to the value beside it; None if there is none."""
    mapped = np.full(size, -1, np.int64)
    mapped[keys] = values
    taken = np.zeros(size, bool)
    taken[mapped[mapped >= 0]] = True
    unused = mapped < 0  # states or tokens of edges that no longer stand here
    if (mapped[keys] != values).any() or taken.sum() != (~unused).sum():
        return None
    if unused.any():
        mapped[unused] = np.flatnonzero(~taken)
    return mapped


def _mix(values: np.ndarray) -> np.ndarray:
    """Return hashes [N] of numbers [N]."""
    mixed = (values ^ values >> np.uint64(30)) * ODD[1]
    mixed = (mixed ^ mixed >> np.uint64(27)) * ODD[2]
    return np.asarray(mixed ^ mixed >> np.uint64(31))


def _single_out(colours: np.ndarray, move: int) -> np.ndarray:
    """Return the colours with a new one for this move."""
    changed = colours.copy()
    changed[move] = _mix(changed[move : move + 1] ^ ODD[0])[0]
    return changed


def _find_pivot(colours: np.ndarray) -> int | None:
    """Return the first move whose colour others have, too."""
    _, inverse, count = np.unique(colours, return_inverse=True, return_counts=True)
    shared = np.flatnonzero(count[inverse] > 1)
    return int(shared[0]) if len(shared) else None


def _twins(colours: np.ndarray, move: int) -> list[int]:
    """Return the other moves of the same colour."""
    return [other for other in np.flatnonzero(colours == colours[move]).tolist() if other != move]
