"""`SearchPlayer`: plays any searcher over a belief; and the Cheat, who needs no belief because it sees the true state.

1. Hear what was observed; where only one move is legal, play it.
2. Ask the searcher, until the deadline of the play clock or as much as its config says.
3. Draw a move from the strategy that it answers.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    """Plays what a searcher finds. It counts its decisions, the moves it valued, the states that its search and its
    belief visited, and which sampler gave the worlds of how many decisions.
    """

    def __init__(self, config: SearchConfig, content: FileContents | None = None) -> None:
        """`content` is that of the file which the opponents are made from, if they are."""
        self.config, self.content = config, content
        self.decisions = self.states_visited = self.belief_states = self.moves_valued = 0
        self.samplers: dict[str, int] = {}  # sampler -> decisions
        self._opponent_states = self._counted = 0  # by the model of the opponents, for the last decision and before
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        """Begin a belief, and make the searcher."""
        self.seat, self.rng = seat, search_of_player(seat.seed)
        self.assumed = self.config.opponents if isinstance(self.config, NamesOpponents) else UNIFORM
        opponents = make_opponents(self.assumed, seat.game, seat.seed, self._read)
        self.belief = make_belief(seat, worlds=self.config.worlds, sampler=self.config.sampler, opponents=opponents)
        self.searcher = self.config.searcher(SearchTask(seat.game, seat.role_id, seat.seed, seat.start_seconds))

    def hear(self, observation: Observation | None) -> None:
        """Catch up with a round in which nobody asks for a move; nothing is searched."""
        self.belief.observe(observation)

    def play(self, observation: Observation | None) -> str:
        """A move of the strategy that the searcher finds."""
        move = self._decide(observation)
        before, self.belief_states = self.belief_states, self.belief.sampler.cost.states_visited
        self._report["belief_states"] = self.belief_states - before
        self.states_visited += self.belief_states - before
        return move

    def _decide(self, observation: Observation | None) -> str:
        """The same, without what the belief has cost."""
        deadline = self.seat.deadline()
        legal, worlds = self._look(observation, deadline)
        if len(legal) == 1:
            self._report = {"forced": legal[0]}
            return legal[0]
        question = SearchQuestion(self.belief.record, worlds, (self.seat.seed, self.decisions))
        answer = self.searcher.search(question, SearchBudget(deadline), self.rng)
        self.decisions += 1
        self.states_visited += answer.states_visited + self._count_opponent_states()
        self.moves_valued += len(answer.moves)
        if answer.bag is not None:
            self.samplers[answer.bag.sampler] = self.samplers.get(answer.bag.sampler, 0) + 1
        self._report = self._explain(answer)
        return self.seat.show_move(answer.draw(self.rng))

    def stop(self, observation: Observation | None) -> None:
        """The match is over."""

    def report(self) -> dict[str, Any]:
        """Values of the moves and the strategy, what they rest on (worlds, sampler, opponents) and what they cost."""
        return self._report

    def known(self) -> Iterator[InfosetView]:
        """What the searcher knows about infosets of all roles; nothing where it keeps no table of them."""
        return self.searcher.known() if isinstance(self.searcher, KeepsInfosets) else iter(())

    def strategies(self) -> StrategyTable | None:
        """The mean strategies of the own role, times their visits; None where the searcher keeps no table of them."""
        return self.searcher.strategies(self.seat.role_id) if isinstance(self.searcher, KeepsInfosets) else None

    def effort(self) -> Effort:
        """What it has done so far."""
        return Effort(
            decisions=self.decisions,
            moves_valued=self.moves_valued,
            states_visited=self.states_visited,
            belief_states=self.belief_states,
            samplers=tuple(sorted(self.samplers.items())),
        )

    def _count_opponent_states(self) -> int:
        """The states that were visited since the last decision to work out how the opponents play."""
        opponents: object = self.belief.opponents
        visited = opponents.states_visited if isinstance(opponents, CountsStates) else 0
        self._opponent_states, self._counted = visited - self._counted, visited
        return self._opponent_states

    def _read(self, name: str) -> bytes:
        """The content of a file: as it was given when the player was made, else as it is on disk now."""
        return read_contents(name, {self.content.name: self.content} if self.content else NO_FILES).data

    def _look(self, observation: Observation | None, deadline: float | None) -> tuple[list[str], WorldSource]:
        """The own legal moves, and who knows the worlds, after this observation."""
        self.belief.observe(observation, deadline)
        return self.belief.legal(), self.belief

    def _explain(self, answer: Answer) -> dict[str, Any]:
        moves = [self.seat.show_move(move) for move in answer.moves.tolist()]
        report: dict[str, Any] = {
            "values": dict(zip(moves, answer.values.tolist(), strict=True)),
            "strategy": dict(zip(moves, answer.strategy.tolist(), strict=True)),
        }
        if answer.bag is not None:
            report |= {"worlds": len(answer.bag), "exact": answer.bag.exact, "sampler": answer.bag.sampler}
        report["opponents"] = self.assumed
        if self._opponent_states:
            report["opponent_states"] = self._opponent_states
        return report | {"playouts": answer.playouts, "states_visited": answer.states_visited} | answer.details


class CheatPlayer(SearchPlayer):
    """A searcher with the true game for its only model: a yardstick, not a player. The match must grant it."""

    def peek(self, state: np.ndarray) -> None:
        """The true state [words]."""
        self.true_state = state

    def _look(self, observation: Observation | None, deadline: float | None) -> tuple[list[str], WorldSource]:
        state = self.true_state[None, :].copy()
        return self.belief.legal_in(state), TrueWorld(state, len(self.seat.game.roles))


class TrueWorld:
    """The true state as the only world."""

    def __init__(self, state: np.ndarray, num_roles: int) -> None:
        self.state, self.num_roles = state, num_roles

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """One world, without its history."""
        nothing = np.zeros((1, 0, self.num_roles), np.int32)
        return Bag(histories=nothing, states=self.state, weights=np.ones(1), sampler="cheat", exact=True)
