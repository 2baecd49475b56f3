"""`VectorEnv`: thousands of games of one kind at once, for learning. All inputs and outputs are NumPy arrays.

A *step* is a round in which some role has a choice: all roles give a move, chance draws its own, and rounds in which no
role has a choice are played at once. When a game ends, `done` is set, `reward` holds the utilities, and a new game
starts; observations and legal moves are those of the new game.

An observation is made of what the role was told (its own moves and percepts), and nothing else:

- `percepts`: its move in this step, and all its percepts since then; in a new game, its percepts before its first
  choice;
- `seen`: `percepts`, and after it a bit for each of its moves and percepts in the whole game so far;
- `record`: its last `rounds` rounds, the newest first, each with its own move and its percepts. Rounds without a choice
  count. If games are not longer than that, this is all the role can know.

`docs/how-to/environments.md` shows how to learn with it.
"""

from __future__ import annotations

import os
import sys
from typing import Any, NamedTuple

import numpy as np

from veil.engine import Game, Record, as_game
from veil.engine.lanes import LANES, seed_block, unpack
from veil.environments.held_records import HELD_WORDS
from veil.environments.output_kernels import read_lanes, write_fields, write_records
from veil.environments.vector_kernels import draw_actions, hold_games, step_games
from veil.environments.vector_layout import (
    FORMS,
    LEGAL_ROW,
    MAX_ROUNDS,
    NUM_MOVES,
    SLACK,
    BitForm,
    ObservationKind,
    ShownField,
    StepOutcome,
    check_option,
    lay_out,
    make_lanes,
    make_plan,
    name_bits,
    refuse_action,
)
from veil.errors import VeilError, fail
from veil.limits import check_limit

MAX_SPARE = 4  # batches whose memory is kept for later ones
HELD_BY_US = 2  # references to free memory: from the list of spare memory, and from the call that counts
DTYPES: tuple[Any, ...] = (np.uint8, np.bool_, np.float32)  # of FORMS
LINE = 64  # bytes; arrays begin with a line of the processor's cache


class Batch(NamedTuple):
    """The output of N games. R roles that play."""

    observation: tuple[np.ndarray, ...]  # [R][N, bits] bool or float32; packed [R][N, bytes] uint8, lowest bit first
    legal: tuple[np.ndarray, ...]  # [R][N, moves] in the same form
    reward: np.ndarray  # [N, R] float32: the utility of every role if a game ended with this step, else 0
    done: np.ndarray  # [N] bool: a game ended with this step; all other fields are of the new one
    truncated: np.ndarray  # [N] bool: it was cut: `max_rounds` rounds, or a role without a legal move
    state: np.ndarray | None  # [N, words] packed states of the engine, if they are revealed


class VectorEnv:
    """Many games at once.

    >>> env = VectorEnv("kuhn_poker", num_envs=1000, seed=7)
    >>> batch = env.reset()
    >>> batch = env.step(env.sample())
    >>> batch.reward.shape, batch.legal[0].shape
    ((1000, 2), (1000, 3))
    """

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        num_envs: int = 4096,
        seed: int = 0,
        *,
        observation: ObservationKind = "percepts",
        rounds: int = 8,
        form: BitForm = "bool",
        legal_form: BitForm = "bool",
        max_rounds: int = MAX_ROUNDS,
        skip_forced: bool = True,
        reveal: bool = False,
    ) -> None:
        """Make the games; `observation` and `rounds` are what roles observe, `form` and `legal_form` the form of bits.

        With `skip_forced=False` every round is a step, also one in which no role has a choice. With `reveal`, batches
        hold the states. Equal seeds and equal actions give equal games.
        """
        check_limit("worlds", num_envs, "num_envs")
        check_limit("rounds", max_rounds, "max_rounds")
        check_option("form", form, FORMS)
        check_option("legal_form", legal_form, FORMS)
        self.game, self.num_envs, self.reveal = as_game(game), num_envs, reveal
        self.layout = lay_out(self.game, observation, rounds)
        self.roles = [self.game.roles[role] for role in self.layout.roles]
        self._plan = make_plan(self.game, self.layout, max_rounds, skip_forced)
        self._lanes = make_lanes(self._plan, self.layout, self.game.machine.code.num_slots, num_envs)
        fields = self.layout.fields(FORMS.index(form), FORMS.index(legal_form))
        self._fields, self._memory = np.array(fields, np.int64), _BatchMemory(fields, num_envs)
        self._held: np.ndarray | None = None
        self._has_begun = False
        self._seed(seed)

    @property
    def moves(self) -> list[list[str]]:
        """[R][moves] the moves of every role in words; an action is a place in such a list."""
        return [self.game.names.moves[role] for role in self.layout.roles]

    @property
    def meanings(self) -> list[list[str]]:
        """[R][bits] the meaning of every bit of an observation: `does bet`, `sees (card king)`, and when."""
        return [name_bits(self.game, self.layout, number) for number in range(len(self.roles))]

    def reset(self, seed: int | None = None) -> Batch:
        """Start all games again. With a seed, everything after it is as in a new environment with this seed."""
        if seed is not None:
            self._seed(seed)
        actions = np.zeros(self.num_envs * len(self.roles), np.int64)
        step_games(self._hold(), actions, *self._new_outcome(), True)
        self._has_begun = True
        return self._show(self._new_outcome())

    def step(self, actions: np.ndarray) -> Batch:
        """Play actions [N, R], the numbers of moves; -1 stands for an only legal move.

        Raises `VeilError` for a move that is not legal, and then nothing is played.
        """
        if not self._has_begun:
            raise fail("env-not-begun")
        played, outcome = self._check_actions(actions), self._new_outcome()
        bad = step_games(self._hold(), played.reshape(-1), *outcome, False)
        if bad >= 0:
            raise self._refuse(int(bad), played[bad])
        return self._show(outcome)

    def sample(self) -> np.ndarray:
        """Return [N, R] a uniformly drawn legal move of every role in every game."""
        if not self._has_begun:
            raise fail("env-not-begun")
        actions = np.empty((self.num_envs, len(self.roles)), np.int64)
        draw_actions(self._hold(), actions.reshape(-1))
        return actions

    def record(self, number: int, row: np.ndarray) -> Record:
        """Return the record in words of one observation row of role `number`, for observations of kind `record`.

        Policies use its text as a key: `str(env.record(0, batch.observation[0][5]))`.
        """
        if self.layout.kind != "record":
            raise fail("env-no-record", kind=self.layout.kind)
        role, bits, pieces = self.layout.roles[number], self.layout.bits[number], self.layout.pieces
        if row.dtype == np.uint8:
            row = np.unpackbits(row.reshape(pieces, -1), axis=1, count=bits, bitorder="little")
        names, record = self.game.names, self.game.record(self.roles[number])
        words = names.moves[role] + [f"\0{word}" for word in names.percepts[role]]
        for piece in row.reshape(pieces, bits)[::-1].astype(bool):
            if piece.any():
                own_move, *percepts = (words[bit] for bit in np.flatnonzero(piece))
                record = record.then(own_move, [word[1:] for word in percepts])
        return record

    def fluents(self, state: np.ndarray) -> list[str]:
        """Return the true fluents of a revealed state [words], in words."""
        words = self.game.names.fluents
        return sorted(words[fluent] for fluent in np.flatnonzero(unpack(state[None, :], len(words))[0]))

    def _seed(self, seed: int) -> None:
        check_limit("seed", seed, "seed")
        words = np.random.SeedSequence(seed).generate_state(4, np.uint64)
        for seeds, streams in ((words[:2], self._lanes.chance_rng), (words[2:], self._lanes.sample_rng)):
            for block, stream in enumerate(streams):
                seed_block(seeds, block, stream)

    def _hold(self) -> np.ndarray:
        """Return the records of this environment for kernels, written once."""
        if self._held is None:
            self._held = np.zeros(HELD_WORDS, np.uint64)
            hold_games(self._plan, self._lanes, self._held)
        return self._held

    def _new_outcome(self) -> StepOutcome:
        count = self.num_envs
        reward = np.zeros((count, len(self.roles)), np.float32)
        return StepOutcome(reward, np.zeros(count, np.bool_), np.zeros(count, np.bool_))

    def _show(self, outcome: StepOutcome) -> Batch:
        """Return the batch of the current games, with the outcome of a step."""
        count, (arrays, targets) = len(self.roles), self._memory.take()
        if self.layout.kind == "record":
            write_fields(self._lanes.shown, self.num_envs, self._fields[:count], targets[:count])
            for field, target in zip(self._fields[count:], targets[count:], strict=True):
                write_records(self._lanes.record, field, target)
        else:
            write_fields(self._lanes.shown, self.num_envs, self._fields, targets)
        state = None
        if self.reveal:
            state = np.zeros((self.num_envs, self.game.machine.state_words), np.uint64)
            read_lanes(self._lanes.values, self._plan.fluents_row, self._plan.num_fluents, state)
        return Batch(arrays[count:], arrays[:count], *outcome, state)

    def _check_actions(self, actions: np.ndarray) -> np.ndarray:
        """Return the actions as kernels take them."""
        given, shape = np.asarray(actions), (self.num_envs, len(self.roles))
        if given.shape != shape or given.dtype.kind not in "iu":
            raise fail("env-actions", shape=list(shape), given=f"{given.dtype} of shape {list(given.shape)}")
        return np.require(given, np.int64, ("C", "W"))

    def _refuse(self, number: int, actions: np.ndarray) -> VeilError:
        """Return the error for a game, by its number, in which one of the actions [R] is not legal."""
        block, lane = divmod(number, LANES)
        values = self._lanes.values[block, :, lane // 64] >> np.uint64(lane % 64) & np.uint64(1)
        for place, row in enumerate(self._plan.roles):
            action = int(actions[place])
            legal = np.flatnonzero(values[row[LEGAL_ROW] : row[LEGAL_ROW] + row[NUM_MOVES]]).tolist()
            if action not in legal and (action != -1 or len(legal) != 1):
                return refuse_action(self.roles[place], action, legal, self.moves[place], f"game {number}: ")
        raise AssertionError("all actions are legal")


class _BatchMemory:
    """Memory for batches. The memory of a released batch is used again: new memory may cost more than a step.

    The arrays of fields lie one after the other in one buffer, which they keep alive.
    """

    def __init__(self, fields: list[ShownField], num_envs: int) -> None:
        self.shapes, self.size = list[tuple[tuple[int, int], Any, int]](), 0
        for field in fields:
            shape = (num_envs, field.width())
            self.shapes.append((shape, DTYPES[field.form], self.size))
            bytes_needed = num_envs * field.width() * np.dtype(DTYPES[field.form]).itemsize + SLACK
            self.size += -(-bytes_needed // LINE) * LINE
        self.spare: list[tuple[np.ndarray, np.ndarray]] = []  # buffer, and the addresses of its arrays

    def take(self) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """Return an uninitialised array for every field, and their addresses."""
        buffer, targets = self._find() or self._make()
        return tuple(np.ndarray(shape, dtype, buffer, start) for shape, dtype, start in self.shapes), targets

    def _find(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Return memory that no batch holds; None if there is none."""
        for entry in self.spare:
            if sys.getrefcount(entry[0]) == HELD_BY_US:
                return entry
        return None

    def _make(self) -> tuple[np.ndarray, np.ndarray]:
        buffer = np.empty(self.size, np.uint8)
        targets = np.array([buffer.ctypes.data + start for _, _, start in self.shapes], np.uint64)
        if len(self.spare) < MAX_SPARE:
            self.spare.append((buffer, targets))
        return buffer, targets
