"""`Stopgap`: a legal move for as long as no player can answer, from the rules themselves.

Nothing is ground or compiled for it, so it works while a player gets ready, and for rules that are too large.

1. Some states are kept, at first the initial one. After a round, each is stepped with the own move and with moves of
   the others that explain what was told; where there are too many of those, some are drawn.
2. If no state explains a round, all that the own move leads to are kept.
3. The moves that are legal in most of the states are the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, product
from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.engine import Game, State, draw_uniformly
from veil.errors import VeilError
from veil.lang import read_term

STATES = 16  # that are kept
MAX_JOINT = 64  # joint moves of the others that are tried in a state; of more, as many are drawn
MAX_ROWS = 200_000  # of one relation in one state: rules come from outside
SEED = 0


class ToldRound(NamedTuple):
    """What a manager told about a round, in any spelling."""

    own_move: str | None  # None if it is in the joint move, or unknown
    told: tuple[str, ...] | None  # percepts, or the joint move; None if nothing is known about it
    is_joint: bool


class Stopgap:
    """Legal moves of a role in a match. One thread at a time asks."""

    def __init__(self, game: Game, role: str) -> None:
        """Take a game whose rules were read. Raises `VeilError` if its rules cannot be evaluated within limits."""
        self.game, self.role = game.interpreted(MAX_ROWS), game.role_name(role)
        self._rng, self._rounds = np.random.default_rng(SEED), 0
        self._states = [self.game.initial_state()]

    def find_moves(self, rounds: Sequence[ToldRound], deadline: float) -> list[str]:
        """Return the moves that are most likely legal after these rounds, sorted; the last rounds may be left out.

        Rounds that are new since the last call are stepped until the deadline.
        """
        while self._rounds < len(rounds) and perf_counter() < deadline:
            self._states = self._step(rounds[self._rounds], deadline) or self._states
            self._rounds += 1
        count = Counter(move for state in self._states for move in state.legal(self.role))
        most = max(count.values(), default=0)
        return sorted(move for move, times in count.items() if times == most)

    def _step(self, told: ToldRound, deadline: float) -> list[State]:
        """Return states after a round: those that explain what was told or, if there are none, any."""
        explained: list[State] = []
        others: list[State] = []
        wanted = None if told.told is None else {self._spell(text) for text in told.told}
        for number, state in enumerate(self._states, 1):
            share = STATES * number // len(self._states)  # of the first states, so that not all have one parent
            for joint in self._list_joint_moves(state, told):
                if perf_counter() > deadline:
                    return explained or others
                if len(explained) >= share:
                    break
                following, percepts = state.play(joint)
                if following.is_terminal:
                    continue
                if told.is_joint or wanted is None or set(percepts[self.role]) == wanted:
                    explained.append(following)
                elif len(others) < STATES:
                    others.append(following)
        return explained or others

    def _list_joint_moves(self, state: State, told: ToldRound) -> Iterator[dict[str, str]]:
        """Yield joint moves that may have been played: the one that was told, or those with the own move."""
        roles = self.game.roles
        if told.is_joint:
            moves = [self._spell(text) for text in told.told or ()]
            joint = dict(zip(roles, moves, strict=False))
            if len(moves) == len(roles) and all(move in state.legal(role) for role, move in joint.items()):
                yield joint
            return
        legal = {role: state.legal(role) for role in roles}
        own_move = None if told.own_move is None else self._spell(told.own_move)
        if own_move in legal[self.role]:
            legal[self.role] = [own_move]
        if not all(legal.values()):
            return
        every = list(islice(product(*legal.values()), MAX_JOINT + 1))
        if len(every) <= MAX_JOINT:
            for index in self._rng.permutation(len(every)).tolist():
                yield dict(zip(roles, every[index], strict=True))
            return
        for _ in range(MAX_JOINT):
            yield {role: draw_uniformly(moves, self._rng) for role, moves in legal.items()}

    def _spell(self, text: str) -> str:
        """Return a term as the rules spell it."""
        try:
            return self.game.rules.show(read_term(text))
        except VeilError:
            return text
