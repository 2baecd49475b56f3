"""Ask a player for its strategy: once at an infoset, or in every round of a match against random moves.

1. A player is made and started in its seat, as for any match.
2. At an infoset, the player first observes the rounds of the record, without being asked for moves if it has `observe`.
   Then it is asked for a move. In a match it is asked in every round, and the other roles move at random.
3. Its answer becomes rows of a `StrategyTable`, each with a weight. The *played* strategy is the one from which its
   move was drawn according to its report, with weight 1; without one in the report, it is the move itself. The *mean*
   strategies are those of all infosets that the player knows (`known`), weighted by visits or by the sums of the search
   itself; infosets that it visited too seldom can be left out (`least_visits`). A player that knows no infosets has its
   played strategy instead. (UCT plays the most visited move; its mean strategy is the distribution of its visits.)

A player that fails, or answers with an illegal move, is refused, because there is nothing to measure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from time import perf_counter
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from veil.engine import Game, Record, encode, replay_histories
from veil.engine.lanes import START_KEY, extend_keys, percept_keys, unpack
from veil.equilibrium import StrategyTable, drop_seldom_visited, make_strategy_table, weigh_by_sums
from veil.errors import VeilError, fail
from veil.match.drivers import describe, pass_signals, play_request
from veil.match.keys import choose_match_key
from veil.match.search_store import SearchKey
from veil.match.seats import players_of
from veil.match.table import MatchTable, Reply
from veil.match.tasks import GameTask
from veil.players import (
    LEGAL_MOVES,
    NO_FILES,
    Files,
    KnowsInfosets,
    Observation,
    ObservesRounds,
    Request,
    Seat,
    TellsStrategies,
    find_needs,
    make_player,
    needs_of_spec,
)
from veil.search import InfosetView
from veil.streams import opponents_of_match, player_seed

StrategyKind = Literal["played", "mean"]
STRATEGIES: tuple[StrategyKind, ...] = get_args(StrategyKind)
Weighting = Literal["visits", "sums"]
WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)
MAX_SHOWN = 120  # characters of a record, in a message


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The player that is asked, and the kind of strategy that is wanted."""

    spec: str
    strategy: StrategyKind
    play_seconds: float | None = None
    weights: Weighting = "visits"
    least_visits: int = 0
    files: Files = field(default_factory=lambda: NO_FILES)


class FoundStrategy(NamedTuple):
    """The strategies that a player had when it was asked."""

    searched_at: int  # key of its record
    table: StrategyTable
    reported: bool  # whether it told its strategy; if not, its move is taken as the strategy


class Finding(NamedTuple):
    """The result of a task."""

    role_id: int
    strategies: list[FoundStrategy]
    seconds: float  # of all questions


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTask(GameTask):
    """A task that asks one player: at the end of a history or, without a history, in every round of a match."""

    subject: Subject
    role: str
    seed: int  # of the player or, without a history, of the match
    key: SearchKey
    history: np.ndarray | None = None  # [T, R] joint moves that lead to the infoset

    @property
    def kind(self) -> tuple[str, str]:
        """A key that is equal for tasks of about the same duration."""
        return self.subject.spec, self.role

    def __str__(self) -> str:
        return f"{self.game.name}, {self.subject.spec} as {self.role}"


def ask_player(task: QuestionTask) -> Finding:
    """Do one task in this process and return its finding."""
    return _ask_in_match(task) if task.history is None else _ask_at_infoset(task, task.history)


def _ask_at_infoset(task: QuestionTask, history: np.ndarray) -> Finding:
    """Let the player observe a history, and ask it at its end."""
    asked = StrategyProbe(task.game, task.subject, task.role, task.seed)
    machine, names, role_id = task.game.machine, task.game.names, asked.seat.role_id
    states, told = machine.initial_states(1), None
    for played in replay_histories(machine, history[None, :]):
        legal = () if asked.can_observe else _list_legal(task.game, role_id, played.states)
        asked.skip(Request(task.role, told, legal))
        own_move = names.moves[role_id][int(played.joint[0, role_id])]
        told = Observation(own_move, names.percept_words(role_id, played.percepts[role_id][0]))
        states = played.next_states
    clock = perf_counter()
    asked.ask(Request(task.role, told, _list_legal(task.game, role_id, states)))
    seconds = perf_counter() - clock
    return Finding(role_id, [_keep_here(strategy) for strategy in asked.found], seconds)


def _keep_here(found: FoundStrategy) -> FoundStrategy:
    """Keep only the strategy at the infoset where the player was asked; drop those of all others."""
    keys, start, moves, weights = found.table[:4]
    here = np.flatnonzero(keys == np.uint64(found.searched_at))
    rows = [(int(keys[n]), moves[start[n] : start[n + 1]], weights[start[n] : start[n + 1]]) for n in here]
    return found._replace(table=make_strategy_table(rows))


def _ask_in_match(task: QuestionTask) -> Finding:
    """Play a match of the player in its role against uniformly random moves of all other roles."""
    roles = players_of(task.game)
    needs = dict.fromkeys(roles, frozenset({LEGAL_MOVES}))
    key = choose_match_key(task.game, {role: task.subject.spec for role in roles if role == task.role}, task.seed)
    match = MatchTable(task.game, dict.fromkeys(roles, "random"), task.seed, needs=needs, key=key)
    seat_seed = player_seed(task.seed, roles.index(task.role), key)
    asked = StrategyProbe(task.game, task.subject, task.role, seat_seed)
    others, seconds = opponents_of_match(task.seed, key), 0.0
    while not match.is_over:
        replies = {}
        for role, request in match.requests().items():
            legal = request.legal or ()
            if role != task.role:
                replies[role] = Reply(legal[int(others.integers(len(legal)))])
                continue
            clock = perf_counter()
            replies[role] = Reply(asked.ask(request))
            seconds += perf_counter() - clock
        match.advance(replies)
    asked.stop(match.observations()[task.role])
    return Finding(asked.seat.role_id, asked.found, seconds)


class StrategyProbe:
    """A player in its seat, and the strategies that were found by asking it."""

    def __init__(self, game: Game, subject: Subject, role: str, seed: int) -> None:
        """Make and start the player. Raise `VeilError` if that fails."""
        self.subject, self.record = subject, Record(role)
        self.seat = Seat(game=game, role=role, seed=seed, play_seconds=subject.play_seconds)
        self.found: list[FoundStrategy] = []
        self._key = np.array([START_KEY])
        player: Any = make_player(subject.spec, subject.files)
        self.player = player
        self._needs = needs_of_spec(subject.spec) | find_needs(player)
        self._attempt(lambda: player.start(self.seat))

    @property
    def can_observe(self) -> bool:
        """Whether the player can observe a round without being asked for a move."""
        return isinstance(self.player, ObservesRounds)

    def skip(self, request: Request) -> None:
        """Let the player observe a past round. A player without `observe` is asked for a move, which is ignored."""
        self._follow(request.observation)
        self._attempt(lambda: self.player.observe(request.observation) if self.can_observe else self._play(request))

    def ask(self, request: Request) -> str:
        """Return the move that the player answers. If it had a choice, add its strategy to `found`."""
        self._follow(request.observation)
        legal = request.legal or ()
        move = self._attempt(lambda: self._play(request))
        number = self.seat.game.names.move_id(self.seat.role_id, move) if isinstance(move, str) else None
        if number is None or self.seat.show_move(number) not in legal:
            raise self._refuse(f"{str(move)[:MAX_SHOWN]} is not legal")
        if len(legal) > 1:
            self.found.append(self._find_strategy(number, legal))
        return self.seat.show_move(number)

    def stop(self, observation: Observation | None) -> None:
        """Tell the player that the match is over."""
        self._attempt(lambda: self.player.stop(observation))

    def _find_strategy(self, number: int, legal: Iterable[str]) -> FoundStrategy:
        """Return the strategies of the player after it has answered with this move."""
        key = int(self._key[0])
        table = self._read_known() if self.subject.strategy == "mean" else None
        if table is not None and len(table.keys):
            return FoundStrategy(key, self._weigh(table), reported=True)
        report = self._attempt(self.player.report)
        told = report.get("strategy", report.get("policy")) if isinstance(report, dict) else None
        strategy = {number: 1.0} if told is None else self._read_strategy(told, set(legal))
        moves = np.array(sorted(strategy))
        weights = np.array([strategy[move] for move in moves.tolist()])
        return FoundStrategy(key, make_strategy_table([(key, moves, weights / weights.sum())]), told is not None)

    def _weigh(self, table: StrategyTable) -> StrategyTable:
        """Return the table with the wanted weights, without infosets that were visited too seldom."""
        kept = drop_seldom_visited(table, self.subject.least_visits)
        return weigh_by_sums(kept) if self.subject.weights == "sums" else kept

    def _read_known(self) -> StrategyTable | None:
        """Return what the player knows about infosets of its role, from its table or else from its single infosets.

        Return None if it knows nothing about infosets.
        """
        player = self.player
        table: StrategyTable | None = self._attempt(player.strategies) if isinstance(player, TellsStrategies) else None
        if table is not None or not isinstance(player, KnowsInfosets):
            return table
        views: list[InfosetView] = self._attempt(lambda: list(player.known()))
        return make_strategy_table(
            (view.key, view.moves, view.mean * view.visits.sum())
            for view in views
            if view.role_id == self.seat.role_id and view.visits.any()
        )

    def _read_strategy(self, told: Any, legal: set[str]) -> dict[int, float]:
        """Convert a reported strategy to move number -> probability. Refuse anything that is not a strategy."""
        if not isinstance(told, Mapping) or not told:
            raise self._refuse("the strategy in its report is no table of moves")
        strategy: dict[int, float] = {}
        for move, value in told.items():
            number = self.seat.game.names.move_id(self.seat.role_id, str(move))
            if number is None or self.seat.show_move(number) not in legal:
                raise self._refuse(f"its strategy has {str(move)[:MAX_SHOWN]}, which is not legal")
            if isinstance(value, bool) or not isinstance(value, int | float | np.floating) or not 0 <= value < np.inf:
                raise self._refuse(f"the probability of {str(move)[:MAX_SHOWN]} is {str(value)[:MAX_SHOWN]}")
            strategy[number] = strategy.get(number, 0.0) + float(value)
        if not isfinite(sum(strategy.values())) or not any(strategy.values()):
            raise self._refuse("the probabilities of its strategy add up to nothing")
        return strategy

    def _play(self, request: Request) -> Any:
        """Return the answer of the player. It gets the legal moves only if it needs them."""
        legal = request.legal if LEGAL_MOVES in self._needs else None
        return play_request(self.player, request._replace(legal=legal))

    def _follow(self, observation: Observation | None) -> None:
        """Add a round to the record and to its key."""
        if observation is None:
            return
        self.record = self.record.then(*observation)
        (last,) = encode(self.seat.game, Record(self.record.role, self.record.rounds[-1:]))
        self._key = extend_keys(self._key, np.array([last.own_move]), percept_keys(last.percepts[None, :]))

    def _attempt(self, call: Any) -> Any:
        """Return the result of a call of the player. Turn any exception in it into a `VeilError` of one line."""
        try:
            return call()
        except VeilError:
            raise
        except BaseException as fault:
            raise self._refuse(describe(pass_signals(fault))) from fault

    def _refuse(self, what: str) -> VeilError:
        record = str(self.record)
        shown = record if len(record) <= MAX_SHOWN else record[:MAX_SHOWN] + "..."
        return fail("player-fails", player=self.subject.spec, role=self.seat.role, record=shown, what=what)


def _list_legal(game: Game, role_id: int, states: np.ndarray) -> tuple[str, ...]:
    """Return the sorted legal moves of a role in the single state of `states` [1, words]."""
    bits = unpack(game.machine.legal(states)[role_id], len(game.names.moves[role_id]))[0]
    return tuple(game.names.legal_words(role_id, bits))
