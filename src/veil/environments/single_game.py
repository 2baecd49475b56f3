"""One running game from the view of its players, the base of the environments of PettingZoo and Gymnasium.

It observes as `vector` does, and plays rounds in which no role has a choice by itself; but a game that is over stays
over until it is started again.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from veil.engine import Game, Judged, draw_rows_uniformly
from veil.engine.lanes import unpack
from veil.environments.vector_layout import MAX_ROUNDS, ObservationKind, check_option, lay_out, refuse_action
from veil.errors import fail
from veil.limits import check_limit

if TYPE_CHECKING:
    from veil.boards import ViewPlan

IllegalRule = Literal["refuse", "end"]
ILLEGAL: tuple[str, ...] = get_args(IllegalRule)
MAX_STARTS = 1000  # of games that are over before any role can choose


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvOptions:
    """Options of an environment."""

    observation: ObservationKind = "percepts"  # as in `vector`
    rounds: int = 8  # of an observation of kind `record`
    max_rounds: int = MAX_ROUNDS  # after which a game is truncated
    illegal: IllegalRule = "refuse"  # an illegal action is an error, or ends the game: its role loses, the others win


def read_options(options: dict[str, Any]) -> EnvOptions:
    """Return the options by their names. Raises `VeilError` for other names."""
    names = [field.name for field in fields(EnvOptions)]
    for name in options:
        if name not in names:
            raise fail("bad-option", what=f"an environment has no option {name}; it has {', '.join(names)}")
    return EnvOptions(**options)


def draw_text(play: SingleGame) -> str:
    """Return the whole state as text boards, also what no player can know."""
    from veil.boards import fill_state, plan_views, render_scene_text  # takes long to import

    if play.view_plan is None:
        play.view_plan = plan_views(play.game)
    return render_scene_text(fill_state(play.view_plan, play.fluents))


class SingleGame:
    """A game, its state, and what its roles were told. R roles that play."""

    def __init__(self, game: Game, options: EnvOptions) -> None:
        check_limit("rounds", options.max_rounds, "max_rounds")
        check_option("illegal", options.illegal, ILLEGAL)
        self.game, self.options, kind, rounds = game, options, options.observation, options.rounds
        self.layout = lay_out(game, kind, rounds)
        self.roles = [game.roles[role] for role in self.layout.roles]
        self.moves = [game.names.moves[role] for role in self.layout.roles]
        self.view_plan: ViewPlan | None = None  # made when the game is first drawn
        self.utility_range = self._find_utility_range()
        self.begin(np.random.default_rng(0))

    @property
    def is_forgiving(self) -> bool:
        """Whether an illegal action ends the game instead of being refused."""
        return self.options.illegal == "end"

    def begin(self, rng: np.random.Generator) -> None:
        """Start a new game and play rounds without a choice. Chance draws from `rng`, now and later.

        A game that is over before any role can choose gives nothing to learn from, and other tools expect none: it is
        started again. A game that is always over so soon stays over.
        """
        self.rng = rng
        for _ in range(MAX_STARTS):
            self._start()
            if not self.is_over:
                return

    def _start(self) -> None:
        machine = self.game.machine
        self.num_rounds, self.state = 0, machine.initial_states()
        self.told = [np.zeros(bits, np.bool_) for bits in self.layout.bits]
        self.pieces: list[list[np.ndarray]] = [[] for _ in self.roles]  # per role, the oldest first
        self._judge(machine.judge(self.state))
        self._play_forced()

    def play(self, actions: list[int]) -> None:
        """Play actions [R] of a game that is not over, and the rounds without a choice that follow."""
        illegal = [number for number, action in enumerate(actions) if not self.check_action(number, action)]
        if illegal:
            self.forfeit(illegal)
            return
        for number, action in enumerate(actions):
            self.told[number][:] = False
            self.told[number][action] = True
        self._play_round(actions)
        self._play_forced()

    def check_action(self, number: int, action: int) -> bool:
        """Return whether an action of role `number` is legal.

        If illegal actions are refused, raise `VeilError` for one.
        """
        own = self.legal[number]
        is_legal = 0 <= action < len(own) and bool(own[action])
        if not is_legal and not self.is_forgiving:
            raise refuse_action(self.roles[number], action, np.flatnonzero(own).tolist(), self.moves[number])
        return is_legal

    def forfeit(self, losers: list[int]) -> None:
        """End the game: the losers get the lowest possible utility, all others the highest."""
        self.terminated = True
        lowest, highest = self.utility_range
        self.utilities = [lowest if number in losers else highest for number in range(len(self.roles))]

    def observation(self, number: int) -> np.ndarray:
        """Return [bits] of 0 and 1: what role `number` observes."""
        pieces, bits = self.pieces[number], self.layout.bits[number]
        if self.layout.kind == "percepts":
            return self.told[number].astype(np.int8)
        if self.layout.kind == "seen":
            so_far = np.any(pieces, axis=0) if pieces else np.zeros(bits, np.bool_)
            return np.concatenate([self.told[number], so_far]).astype(np.int8)
        newest = pieces[::-1][: self.layout.pieces]
        nothing = [np.zeros(bits, np.bool_)] * (self.layout.pieces - len(newest))
        return np.concatenate([*newest, *nothing]).astype(np.int8)

    def observation_size(self, number: int) -> int:
        """Return the number of bits of an observation of role `number`."""
        return self.layout.bits[number] * self.layout.pieces

    def mask(self, number: int) -> np.ndarray:
        """Return [moves] of 0 and 1: the legal moves of role `number`; all 0 if the game is over."""
        if self.is_over:
            return np.zeros(len(self.moves[number]), np.int8)
        bits: np.ndarray = self.legal[number].astype(np.int8)
        return bits

    @property
    def is_over(self) -> bool:
        return self.terminated or self.truncated

    @property
    def choosers(self) -> list[int]:
        """The roles that have a choice now."""
        return [] if self.is_over else [number for number, own in enumerate(self.legal) if own.sum() > 1]

    @property
    def fluents(self) -> list[str]:
        """The true fluents of the state, in words, sorted."""
        words = self.game.names.fluents
        return sorted(words[fluent] for fluent in np.flatnonzero(unpack(self.state, len(words))[0]))

    def _play_forced(self) -> None:
        while not self.is_over and not self.choosers:
            self._play_round([int(own.argmax()) for own in self.legal])

    def _play_round(self, actions: list[int]) -> None:
        machine, joint_move = self.game.machine, np.zeros((1, len(self.game.roles)), np.int64)
        joint_move[0, list(self.layout.roles)] = actions
        chance = self.game.program.chance
        if chance is not None:
            joint_move[0, chance] = draw_rows_uniformly(self.chance_legal, self.rng)[0]
        stepped = machine.step(self.state, joint_move)
        self.state, self.num_rounds = stepped.states, self.num_rounds + 1
        for number, role in enumerate(self.layout.roles):
            moves, bits = self.layout.moves[number], self.layout.bits[number]
            percepts = unpack(stepped.percepts[role], bits - moves)[0]
            self.told[number][moves:] |= percepts
            own_move = np.arange(moves) == actions[number]
            self.pieces[number].append(np.concatenate([own_move, percepts]))
        self._judge(machine.judge(self.state))

    def _judge(self, judged: Judged) -> None:
        """Store legal moves, end and utilities of the state."""
        legal = self.game.machine.legal_bits(judged)
        self.legal = [legal[role][0] for role in self.layout.roles]
        chance = self.game.program.chance
        self.chance_legal = legal[chance] if chance is not None else np.ones((1, 1), np.bool_)
        self.terminated = bool(judged.terminal[0])
        is_stuck = not all(own.any() for own in (*self.legal, self.chance_legal))
        self.truncated = not self.terminated and (is_stuck or self.num_rounds >= self.options.max_rounds)
        self.utilities = self.game.utility.of(judged.goals[0, list(self.layout.roles)]).astype(float).tolist()

    def _find_utility_range(self) -> tuple[float, float]:
        """Return the lowest and the highest utility of a role that plays."""
        goals = [0, *(goal for role in self.layout.roles for goal in self.game.program.goals[role])]
        utilities = self.game.utility.of(np.array(goals))
        return float(utilities.min()), float(utilities.max())
