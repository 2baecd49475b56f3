"""`Match`: a match that is played step by step from Python, with moves that can be taken back.

    match = Match("kuhn_poker", seed=1)
    while not match.is_over:
        match.push({role: match.legal(role)[0] for role in match.turn})
    match.goals

A step is a round: all roles move. `random` is drawn with the seed of the match unless its move is given, and a round
that is taken back and played again draws the same. Whoever plays is up to the caller, who may look at everything;
`run_match` is for players that must not.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from veil.belief import GameBag
from veil.display import Displayed
from veil.engine import Game, Record, State, as_game
from veil.errors import bad_argument, fail, phrase
from veil.limits import check_limit
from veil.search import believe
from veil.streams import chance_of_round
from veil.vocabulary import RANDOM


class PlayedStep(NamedTuple):
    """One round that was played."""

    moves: dict[str, str]  # role -> move, `random` included
    sees: dict[str, list[str]]  # role -> percepts
    after: State


class Match(Displayed):
    """A match from its start, one round after the other: `push`, `pop`, `legal`, `observe`."""

    def __init__(self, game: Game | str | os.PathLike[str], seed: int = 0) -> None:
        """Begin a match of a game, given as a `Game`, its name, path or rules text. `seed` decides the chance moves."""
        check_limit("seed", seed, "seed")
        self.game, self.seed = as_game(game), seed
        self._start = self.game.initial_state()
        self._steps: list[PlayedStep] = []

    def __repr__(self) -> str:
        where = f"over, goals={self.goals}" if self.is_over else f"turn={self.turn}"
        return f"Match({self.game.name!r}, round {self.round}, {where})"

    @property
    def state(self) -> State:
        """The true state."""
        return self._steps[-1].after if self._steps else self._start

    @property
    def round(self) -> int:
        """The number of rounds that were played."""
        return len(self._steps)

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.state.is_terminal

    @property
    def goals(self) -> dict[str, int]:
        """The goal value of every role in the present state, `random` left out."""
        return {role: goal for role, goal in self.state.goals.items() if role != RANDOM}

    @property
    def moves(self) -> list[dict[str, str]]:
        """The joint moves of all rounds, as `veil trace --moves` reads them."""
        return [dict(step.moves) for step in self._steps]

    @property
    def turn(self) -> list[str]:
        """The roles that have a choice now, without `random`; empty in rounds of chance alone, and at the end."""
        if self.is_over:
            return []
        return [role for role in self.game.roles if role != RANDOM and len(self.state.legal(role)) > 1]

    def legal(self, role: str) -> list[str]:
        """Return the legal moves of a role, sorted; none if the match is over."""
        name = self.game.role_name(role)
        return [] if self.is_over else self.state.legal(name)

    def push(self, moves: Mapping[str, str] | str | None = None) -> dict[str, list[str]]:
        """Play a round, and return what every role saw.

        `moves` maps roles to moves; roles with a single legal move may be left out, and so may `random`. Where exactly
        one role has a choice, its move alone is enough: `match.push("bet")`. Raises `VeilError` for a move that is not
        legal, and changes nothing then.
        """
        joint = self._read(moves)
        if RANDOM in self.game.roles and RANDOM not in joint and not self.is_over:
            joint[RANDOM] = self._draw()
        following, sees = self.state.play(joint)
        whole = {role: joint.get(role) or self.state.legal(role)[0] for role in self.game.roles}
        self._steps.append(PlayedStep(whole, sees, following))
        return {role: seen for role, seen in sees.items() if role != RANDOM}

    def skip(self) -> int:
        """Play the rounds in which nobody has a choice, chance apart, and return how many there were."""
        before = self.round
        while not self.is_over and not self.turn:
            self.push()
        return self.round - before

    def pop(self) -> dict[str, str]:
        """Take the last round back, and return its joint move. Raises `VeilError` if no round was played."""
        if not self._steps:
            raise fail("nothing-to-take-back")
        return self._steps.pop().moves

    def observe(self, role: str) -> Record:
        """Return the record of a role: its own moves and percepts so far."""
        name = self.game.role_name(role)
        rounds = tuple((step.moves[name], frozenset(step.sees[name])) for step in self._steps)
        return Record(name, rounds, over=self.is_over)

    def believe(self, role: str, sampler: str = "auto", **options: Any) -> GameBag:
        """Return the worlds that a role cannot tell from the true one, as `veil.believe` does with its options."""
        return believe(self.game, self.observe(role), sampler, **options)

    def _read(self, moves: Mapping[str, str] | str | None) -> dict[str, str]:
        """Return the given moves by role as the rules spell it."""
        if isinstance(moves, str):
            if len(self.turn) != 1:
                raise fail("whose-move", move=moves, roles=" and ".join(self.turn) or phrase("nobody"))
            return {self.turn[0]: moves}
        if not isinstance(moves, Mapping | None):
            raise bad_argument("moves", phrase("a-move-or-mapping"), moves)
        return {self.game.role_name(role): move for role, move in (moves or {}).items()}

    def _draw(self) -> str:
        """Return the chance move of the present round, which depends on the seed and the number of the round alone."""
        legal = self.state.legal(RANDOM)
        if not legal:
            raise fail("stuck", where="", role=RANDOM)
        return legal[int(chance_of_round(self.seed, self.round).integers(len(legal)))]
