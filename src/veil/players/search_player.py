"""`SearchPlayer`, which plays with any searcher over a belief, and `CheatPlayer`, which searches from the true state.

1. Update the belief with the observation. If only one move is legal, play it.
2. Run the searcher until the deadline of the play clock, or for the budget of its config.
3. Draw a move from the strategy that the searcher returns. Where the record does not determine what is legal, a move
   that is legal in less of the belief than another is not played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from veil.belief import Bag, CountsStates
from veil.equilibrium import StrategyTable
from veil.players.contract import Effort, NamesOpponents, Observation, Seat
from veil.players.files import NO_FILES, FileContents, read_contents
from veil.players.seat_belief import make_belief
from veil.search import (
    UNIFORM,
    Answer,
    InfosetView,
    KeepsInfosets,
    SearchBudget,
    SearchConfig,
    SearchQuestion,
    SearchTask,
    WorldSource,
    make_opponents,
)
from veil.streams import search_of_player


class SearchPlayer:
    """A player that plays what a searcher finds.

    It counts its decisions, the moves it valued, the states that its search and its belief visited, and the decisions
    for which each sampler provided the worlds.
    """

    def __init__(self, config: SearchConfig, content: FileContents | None = None) -> None:
        """Take the config. `content` is the file that the opponents are made from; None if they need no file."""
        self.config, self.content = config, content
        self.decisions = self.states_visited = self.belief_states = self.moves_valued = self.playouts = 0
        self.samplers: dict[str, int] = {}  # sampler -> decisions
        self._opponent_states = self._counted = 0  # by the model of opponents: last decision, total
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        """Make the belief and the searcher."""
        self.seat, self.rng = seat, search_of_player(seat.seed)
        self.assumed = self.config.opponents if isinstance(self.config, NamesOpponents) else UNIFORM
        opponents = make_opponents(self.assumed, seat.game, seat.seed, self._read)
        self.belief = make_belief(seat, worlds=self.config.worlds, sampler=self.config.sampler, opponents=opponents)
        self.searcher = self.config.searcher(SearchTask(seat.game, seat.role_id, seat.seed, seat.start_seconds))

    def observe(self, observation: Observation | None) -> None:
        """Update the belief with a round without searching for a move."""
        self.belief.observe(observation)

    def play(self, observation: Observation | None) -> str:
        """Return a move drawn from the strategy that the searcher finds."""
        move = self._decide(observation)
        before, self.belief_states = self.belief_states, self.belief.sampler.cost.states_visited
        self._report["belief_states"] = self.belief_states - before
        self.states_visited += self.belief_states - before
        return move

    def _decide(self, observation: Observation | None) -> str:
        """Search and return a move; the states that the belief visits are not counted here."""
        deadline = self.seat.deadline()
        legal, worlds = self._look(observation, deadline)
        if len(legal) == 1:
            self._report = {"forced": legal[0]}
            return legal[0]
        question = SearchQuestion(self.belief.record, worlds, (self.seat.seed, self.decisions))
        answer = self._keep_legal(self.searcher.search(question, SearchBudget(deadline), self.rng), legal)
        self.decisions += 1
        self.states_visited += answer.states_visited + self._count_opponent_states()
        self.moves_valued += len(answer.moves)
        self.playouts += answer.playouts
        if answer.bag is not None:
            self.samplers[answer.bag.sampler] = self.samplers.get(answer.bag.sampler, 0) + 1
        self._report = self._explain(answer)
        return self.seat.show_move(answer.draw(self.rng))

    def stop(self, observation: Observation | None) -> None:
        """Do nothing at the end of the match."""

    def report(self) -> dict[str, Any]:
        """Return values and strategy of the last decision, their basis (worlds, sampler, opponents) and their cost."""
        return self._report

    def known(self) -> Iterator[InfosetView]:
        """Yield what the searcher knows about infosets of all roles; nothing if it keeps no table of them."""
        return self.searcher.known() if isinstance(self.searcher, KeepsInfosets) else iter(())

    def strategies(self) -> StrategyTable | None:
        """Return the mean strategies of the own role, times their visits; None if the searcher keeps no table."""
        return self.searcher.strategies(self.seat.role_id) if isinstance(self.searcher, KeepsInfosets) else None

    def effort(self) -> Effort:
        """Return the work that the player has done so far."""
        return Effort(
            decisions=self.decisions,
            moves_valued=self.moves_valued,
            states_visited=self.states_visited,
            belief_states=self.belief_states,
            samplers=tuple(sorted(self.samplers.items())),
            playouts=self.playouts,
        )

    def _count_opponent_states(self) -> int:
        """Return the number of states that the model of the opponents has visited since the last decision."""
        opponents: object = self.belief.opponents
        visited = opponents.states_visited if isinstance(opponents, CountsStates) else 0
        self._opponent_states, self._counted = visited - self._counted, visited
        return self._opponent_states

    def _read(self, name: str) -> bytes:
        """Return the content of a file: the one given to the constructor if it has this name, else the one on disk."""
        return read_contents(name, {self.content.name: self.content} if self.content else NO_FILES).data

    def _look(self, observation: Observation | None, deadline: float | None) -> tuple[list[str], WorldSource]:
        """Return the own legal moves after this observation, and the source of worlds."""
        self.belief.observe(observation, deadline)
        return self.belief.legal(), self.belief

    def _keep_legal(self, answer: Answer, legal: list[str]) -> Answer:
        """Return the answer without moves that are less likely legal than others.

        There are such moves only if the record of the role does not determine what is legal.
        """
        is_kept = np.array([self.seat.show_move(move) in legal for move in answer.moves.tolist()])
        if is_kept[answer.strategy > 0.0].all():
            return answer
        if not is_kept.any():
            moves = np.array([self._number(word) for word in legal], answer.moves.dtype)
            even, unknown = np.full(len(moves), 1.0 / len(moves)), np.full(len(moves), np.nan)
            return replace(answer, moves=moves, strategy=even, values=unknown, visits=np.zeros(len(moves)))
        strategy = np.where(is_kept, answer.strategy, 0.0)
        if not strategy.any():
            values = np.where(is_kept, np.nan_to_num(answer.values, nan=-np.inf), -np.inf)
            strategy = is_kept & (values == values.max())
        return replace(answer, strategy=strategy / strategy.sum())

    def _number(self, word: str) -> int:
        """Return the number of one of the own moves."""
        number = self.seat.game.names.move_id(self.seat.role_id, word)
        assert number is not None
        return number

    def _explain(self, answer: Answer) -> dict[str, Any]:
        moves = [self.seat.show_move(move) for move in answer.moves.tolist()]
        report: dict[str, Any] = {}
        if answer.bag is not None:  # first of all: a player by the name of a sampler may have had another one's worlds
            report |= {"sampler": answer.bag.sampler, "exact": answer.bag.exact, "worlds": len(answer.bag)}
        report |= {
            "values": dict(zip(moves, answer.values.tolist(), strict=True)),
            "strategy": dict(zip(moves, answer.strategy.tolist(), strict=True)),
            "opponents": self.assumed,
        }
        if self._opponent_states:
            report["opponent_states"] = self._opponent_states
        return report | {"playouts": answer.playouts, "states_visited": answer.states_visited} | answer.details


class CheatPlayer(SearchPlayer):
    """A player that searches with the true state as its only world, for comparison. The match must allow it."""

    def peek(self, state: np.ndarray) -> None:
        """Take the true state [words]."""
        self.true_state = state

    def _look(self, observation: Observation | None, deadline: float | None) -> tuple[list[str], WorldSource]:
        state = self.true_state[None, :].copy()
        return self.belief.legal_in(state), TrueWorld(state, len(self.seat.game.roles))


class TrueWorld:
    """A source of worlds that holds only the true state."""

    def __init__(self, state: np.ndarray, num_roles: int) -> None:
        self.state, self.num_roles = state, num_roles

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return one world without its history."""
        nothing = np.zeros((1, 0, self.num_roles), np.int32)
        return Bag(histories=nothing, states=self.state, weights=np.ones(1), sampler="cheat", exact=True)
