"""The state graph of a game: its distinct states, round by round.

Many histories lead to one state, and what can follow depends on the state alone. So everything that is asked about
histories is judged and stepped once per state:

1. Judge and step all states of a round in lanes. Equal results are one state of the next round.
2. What a role is told in a round, its own move with its percepts, is a *token* of that round.
3. From the last round to the first, states with the same edges become one: every joint move leads to the same state
   with the same tokens, or to the same payoffs.

The end of a game is not a state of the graph: an edge to it has the payoffs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from veil.clock import show_seconds
from veil.engine import Game
from veil.engine.lanes import MAX_CANDIDATES, unpack
from veil.equilibrium.streaming.numbering_kernels import number_sequences
from veil.equilibrium.streaming.witnesses import refuse_stuck
from veil.equilibrium.tree_size import estimate_tree
from veil.errors import fail
from veil.limits import allowed_bytes
from veil.signals import check_signals

CHUNK = 50_000  # states that are stepped together
COPIES = 3  # of what the steps of a round give: chunk by chunk, joined, and being numbered
MAX_ROUNDS = 10_000


class StateLevel(NamedTuple):
    """The states after a number of rounds. N states, E edges, R roles without `random`, T tokens."""

    edge_start: np.ndarray  # [N + 1] state s owns edges [start[s], start[s + 1]), one per joint move
    target: np.ndarray  # [E] state of the next level; below 0: ~ number of the payoffs
    chance: np.ndarray  # [E] probability that `random` plays so
    choices: np.ndarray  # [1 + R, N] legal moves of `random`, 1 if there is none, and of every role
    rank: np.ndarray  # [R, E] which of its legal moves a role plays
    token: np.ndarray  # [R, E] what a role is told
    legal: np.ndarray  # [R, N] which of the sets of legal moves a role has
    legal_moves: tuple[tuple[np.ndarray, ...], ...]  # [R][sets] numbers of the moves
    token_move: tuple[np.ndarray, ...]  # [R][T] the own move
    token_percepts: tuple[np.ndarray, ...]  # [R][T, words] packed

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.edge_start) - 1


@dataclass(frozen=True, slots=True)
class StateGraph:
    """The distinct states of a game, level by level; no level if the game is over at the start."""

    game: Game
    roles: tuple[str, ...]  # without `random`
    role_ids: tuple[int, ...]  # their numbers in the ground program
    levels: tuple[StateLevel, ...]
    payoffs: np.ndarray  # [P, R] utilities
    num_states: int  # distinct states, terminal ones included, before step 3

    @property
    def num_edges(self) -> int:
        """The number of edges of all levels."""
        return sum(len(level.target) for level in self.levels)


class _PayoffTable:
    """The distinct payoffs, numbered as they come."""

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}
        self.rows: list[np.ndarray] = []

    def number(self, utility: np.ndarray) -> np.ndarray:
        """Return the numbers of rows of payoffs [N, R]."""
        distinct, inverse = np.unique(utility, axis=0, return_inverse=True)
        numbers = np.empty(len(distinct), np.int64)
        for place, row in enumerate(distinct):
            numbers[place] = self.numbers.setdefault(row.tobytes(), len(self.rows))
            if numbers[place] == len(self.rows):
                self.rows.append(row)
        return numbers[inverse.ravel()]


def build_state_graph(game: Game, progress: Callable[[int], None] = lambda _: None) -> StateGraph:
    """Return the state graph of a game; `progress` is called with the number of states after every round.

    Raises `VeilError` if the graph takes more memory than the limits of the game allow, if a game does not end, or if a
    role is stuck.
    """
    machine = game.machine
    players = [role for role in machine.program.serial_order if role != machine.program.chance]
    if not players:
        raise fail("no-players", game=game.name)
    payoffs, levels, seen = _PayoffTable(), list[StateLevel](), list[np.ndarray]()
    states, judged = machine.initial_states(), machine.judge(machine.initial_states())
    if judged.terminal[0]:
        payoffs.number(game.utility.of(judged.goals[:, players]))
        states = states[:0]
    num_states = 1
    while len(states):
        check_signals()
        seen.append(states)
        if len(levels) > MAX_ROUNDS:
            raise fail("endless-game", rounds=f"{MAX_ROUNDS:,}")
        to_play = GraphRound(game, players, states, judged.legal, seen)
        _check_room(game, levels, num_states, sum(part.nbytes for part in seen) + to_play.bytes_needed)
        level, following = to_play.play()
        number, first = number_rows(following)
        following = following[first]
        num_states += len(following)
        judged = machine.judge(following)
        goes_on, ended = np.flatnonzero(~judged.terminal), np.flatnonzero(judged.terminal)
        target = np.empty(len(following), np.int32)
        target[goes_on] = np.arange(len(goes_on))
        target[ended] = ~payoffs.number(game.utility.of(judged.goals[ended][:, players])) if len(ended) else 0
        levels.append(level._replace(target=target[number]))
        states, judged = following[goes_on], judged.rows(goes_on)
        progress(num_states)
    roles = tuple(game.roles[role] for role in players)
    graph = StateGraph(game, roles, tuple(players), tuple(levels), np.array(payoffs.rows), num_states)
    return replace(graph, levels=join_equal_states(graph.levels))


def _check_room(game: Game, levels: list[StateLevel], num_states: int, states_and_round: float) -> None:
    """Raise `VeilError` if the levels, with the copy of step 3, the states and the next round take too much memory."""
    room = allowed_bytes(game.limits.max_bytes)
    used = sum(field.nbytes for level in levels for field in level[:7])
    if 2 * used + states_and_round > room:
        size = estimate_tree(game)
        roles = len(game.roles) - (game.machine.program.chance is not None)
        raise fail(
            "graph-too-large",
            gigabytes=room / 2**30,
            states=num_states,
            rounds=len(levels),
            nodes=size.in_words(),
            time=show_seconds(size.count_seconds(roles)),
        )


class GraphRound:
    """One round, played from all states [N, words] of a level; legal [roles][N, words] is packed."""

    def __init__(
        self, game: Game, players: list[int], states: np.ndarray, legal: tuple[np.ndarray, ...], seen: list[np.ndarray]
    ) -> None:
        self.machine, self.players, self.states, self.legal = game.machine, players, states, legal
        self.bits = [unpack(part, len(own)) for part, own in zip(legal, self.machine.program.moves, strict=True)]
        self.counts = np.stack([bits.sum(axis=1) for bits in self.bits])
        if (self.counts == 0).any():
            refuse_stuck(game, seen, *map(int, np.argwhere(self.counts.T == 0)[0]))
        joint_moves = self.counts.astype(np.float64).prod(axis=0)
        if joint_moves.max() > MAX_CANDIDATES:
            raise fail("too-many-joint-moves", number=f"{joint_moves.max():,.0f}", most=f"{MAX_CANDIDATES:,}")
        told = len(players) + np.diff(self.machine.percept_columns)[players].sum()
        words = 1 + len(players) / 2 + told + self.machine.state_words  # of a step: row, ranks, told, state
        self.bytes_needed = 8 * COPIES * words * float(joint_moves.sum())  # while the round is played

    def play(self) -> tuple[StateLevel, np.ndarray]:
        """Return the level, still without targets, and the state [E, words] that every edge leads to."""
        row, rank, told, following = self._step_all()
        chance = self.machine.program.chance
        ones = np.ones(len(self.states), np.int64)
        by_chance = ones if chance is None else self.counts[chance]
        tokens = [_number_tokens(part) for part in told]
        legal = [number_rows(self.legal[role]) for role in self.players]
        return StateLevel(
            edge_start=np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(self.states))))),
            target=np.zeros(0, np.int32),
            chance=1.0 / by_chance[row],
            choices=np.stack([by_chance, *(self.counts[role] for role in self.players)]),
            rank=rank,
            token=np.stack([token for token, _ in tokens]).astype(np.int32),
            legal=np.stack([number for number, _ in legal]),
            legal_moves=tuple(
                tuple(np.flatnonzero(self.bits[role][state]) for state in first)
                for role, (_, first) in zip(self.players, legal, strict=True)
            ),
            token_move=tuple(meaning[:, 0].astype(np.int64) for _, meaning in tokens),
            token_percepts=tuple(meaning[:, 1:] for _, meaning in tokens),
        ), following

    def _step_all(self) -> tuple[np.ndarray, np.ndarray, list[np.ndarray], np.ndarray]:
        """Step all joint moves: (state [E], rank [R, E], told [R][E, 1 + words], following [E, words])."""
        places = [np.cumsum(self.bits[role], axis=1, dtype=np.int32) - 1 for role in self.players]
        rows, ranks, told, following = [], [], [], []
        for start in range(0, len(self.states), CHUNK):
            check_signals()
            chunk = self.states[start : start + CHUNK]
            row, joint = self.machine.joint_moves(chunk)
            stepped = self.machine.step_from(chunk, row, joint)
            rows.append(row + start)
            ranks.append(
                np.stack([place[row + start, joint[:, role]] for place, role in zip(places, self.players, strict=True)])
            )
            told.append(
                [np.column_stack([joint[:, role].astype(np.uint64), stepped.percepts[role]]) for role in self.players]
            )
            following.append(stepped.states)
        by_role = [np.concatenate(parts) for parts in zip(*told, strict=True)]
        return np.concatenate(rows), np.concatenate(ranks, axis=1), by_role, np.concatenate(following)


def _number_tokens(told: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number what a role is told [E, 1 + words], by move, then by percepts: (token [E], meaning [T, 1 + words])."""
    number, first = number_rows(told)
    meaning = told[first]
    order = np.lexsort(meaning.T[::-1])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return place[number], meaning[order]


def number_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number rows [N, words] in the order in which they come: (number [N], place of the first of each number)."""
    values = np.ascontiguousarray(rows, np.uint64).view(np.int64).ravel()
    return number_sequences(values, np.arange(len(rows) + 1, dtype=np.int64) * rows.shape[1])


def join_equal_states(levels: tuple[StateLevel, ...]) -> tuple[StateLevel, ...]:
    """Return the levels with one state for all that have the same edges (step 3)."""
    joined = list[StateLevel]()
    number = np.zeros(0, np.int64)
    for level in reversed(levels):
        check_signals()
        inner = level.target >= 0
        target = level.target.copy()
        target[inner] = number[target[inner]]
        edges = np.column_stack([target, *level.token]).astype(np.int64)
        number, first = number_sequences(edges.ravel(), level.edge_start * edges.shape[1])
        joined.append(_keep_states(level._replace(target=target), first))
    return tuple(reversed(joined))


def _keep_states(level: StateLevel, kept: np.ndarray) -> StateLevel:
    """Return the level with these states alone."""
    sizes = np.diff(level.edge_start)[kept]
    start = np.concatenate(([0], np.cumsum(sizes)))
    edges = np.repeat(level.edge_start[kept] - start[:-1], sizes) + np.arange(start[-1])
    return level._replace(
        edge_start=start,
        target=level.target[edges],
        chance=level.chance[edges],
        choices=np.ascontiguousarray(level.choices[:, kept]),
        rank=np.ascontiguousarray(level.rank[:, edges]),
        token=np.ascontiguousarray(level.token[:, edges]),
        legal=np.ascontiguousarray(level.legal[:, kept]),
    )
