"""`Machine`: a game as native code that steps many worlds at once. All inputs and outputs are NumPy arrays.

A state is a row of bits, packed into `uint64` words: bit i % 64 of word i // 64 says that fluent i holds. A batch of
states is a matrix [B, words]. A joint move is a row of move numbers, one per role, in the order of `program.moves`.
Percepts and legal moves are packed rows as well, per role.

Circuits beyond `MAX_NATIVE_LITERALS` are evaluated from arrays instead of compiled: many times slower, but without
minutes of compilation.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from veil.engine.grounding import GroundProgram
from veil.engine.lanes.code import Code, make_code, make_image
from veil.engine.lanes.lower import Circuit, lower
from veil.engine.lanes.playouts import Playouts, empty_tally, share_out, sum_tallies
from veil.limits import check_limit

MAX_NATIVE_LITERALS = 200_000
WIDE = 4  # words per slot: 256 lanes, one AVX2 register
LANES = 64 * WIDE
MAX_CANDIDATES = 1 << 20  # joint moves of one state


class Judged(NamedTuple):
    """What holds in B states. R roles."""

    legal: tuple[np.ndarray, ...]  # [R][B, words] packed moves
    terminal: np.ndarray  # [B] bool
    goals: np.ndarray  # [B, R] 0 if the rules give none

    def rows(self, index: np.ndarray | slice) -> Judged:
        """Return the judgement of some of the states."""
        return Judged(tuple(part[index] for part in self.legal), self.terminal[index], self.goals[index])


class Stepped(NamedTuple):
    """The results of B joint moves."""

    states: np.ndarray  # [B, words]
    percepts: tuple[np.ndarray, ...]  # [R][B, words] packed percepts


class RowLayout(NamedTuple):
    """How packed rows are laid out, for kernels that step and judge them. R roles."""

    width: int  # words of a block
    legal: np.ndarray  # [R + 1] columns of the roles' moves
    percepts: np.ndarray  # [R + 1] columns of the roles' percepts
    limit: int  # joint moves of a step beyond which they are drawn lazily


class Candidates(NamedTuple):
    """N joint moves of B states. R roles."""

    rows: np.ndarray  # [N] which state
    joints: np.ndarray  # [N, R] move numbers
    counts: np.ndarray  # [B, R] legal moves


class Machine:
    """A ground program as native code. Use one machine per game and process; threads may share it."""

    def __init__(self, program: GroundProgram, native: bool | None = None, width: int = WIDE) -> None:
        """Compile the program.

        `native` forces compiled code (True) or array evaluation (False); by default the size decides.
        """
        self.program = program
        self.width = width
        self._circuit = lower(program)
        self.is_native = self.circuit.num_literals <= MAX_NATIVE_LITERALS if native is None else native
        self.code = self._compile()  # for kernels that run whole searches
        self.move_columns = column_starts([len(own) for own in program.moves])
        self.percept_columns = column_starts([len(own) for own in program.percepts])
        self.state_words = _words(len(program.fluents))

    @property
    def circuit(self) -> Circuit:
        """The circuit of the ground program."""
        return self._circuit

    def row_layout(self, limit: int = MAX_CANDIDATES) -> RowLayout:
        """Return how this machine's packed rows are laid out; `limit` is that of whoever lists joint moves."""
        return RowLayout(self.width, self.move_columns, self.percept_columns, limit)

    def initial_states(self, count: int = 1) -> np.ndarray:
        """Return [count, words] copies of the initial state."""
        return np.repeat(pack(self.program.initial[None, :]), count, axis=0)

    def judge(self, states: np.ndarray) -> Judged:
        """Return legal moves, end and goals of every state."""
        from veil.engine.lanes.row_kernels import judge_rows  # imports numba

        states = self._checked(states)
        columns, width = _columns([len(own) for own in self.program.moves])
        legal = np.zeros((len(states), width), np.uint64)
        terminal = np.zeros(len(states), np.bool_)
        goals = np.zeros((len(states), len(self.program.roles)), np.int64)
        index = np.arange(len(states))
        judge_rows(self.code, self.width, states, index, legal, columns, terminal, goals)
        return Judged(_split(legal, columns, width), terminal, goals)

    def legal(self, states: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return [R][B, words] packed legal moves per role."""
        return self.judge(states).legal

    def legal_bits(self, judged: Judged) -> list[np.ndarray]:
        """Return [R][B, moves] bool: the legal moves of every role."""
        return [unpack(part, len(own)) for part, own in zip(judged.legal, self.program.moves, strict=True)]

    def terminal(self, states: np.ndarray) -> np.ndarray:
        """Return [B] bool: whether the state is terminal."""
        return self.judge(states).terminal

    def goals(self, states: np.ndarray) -> np.ndarray:
        """Return [B, R] goal values: 0 if the rules give none, the highest if they give several."""
        return self.judge(states).goals

    def step(self, states: np.ndarray, joint_moves: np.ndarray) -> Stepped:
        """Return the next states and the percepts of every role, one step per row.

        Moves are not checked to be legal.
        """
        states = self._checked(states)
        return self._step(states, np.arange(len(states)), joint_moves)

    def step_from(self, states: np.ndarray, rows: np.ndarray, joint_moves: np.ndarray) -> Stepped:
        """Return one step per joint move, each from the state in its row [B] of `states`."""
        return self._step(self._checked(states), np.ascontiguousarray(rows, np.int64), joint_moves)

    def joint_moves(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return every legal joint move of every state: (row of the state [N], joint move [N, R]).

        The move of the last role changes fastest.
        """
        states = self._checked(states)
        found = self.candidates(self.legal(states), np.ones(len(states), np.bool_))
        return found.rows, found.joints

    def candidates(
        self,
        legal: tuple[np.ndarray, ...],
        wanted: np.ndarray,
        role: int = -1,
        own_moves: np.ndarray | None = None,
        limit: int = MAX_CANDIDATES,
        rng: np.ndarray | None = None,
    ) -> Candidates:
        """Return the joint moves of `wanted` [B] rows, given their legal moves. A `role` plays its own_moves [B].

        Rows with more than `limit` joint moves get `limit` random ones: rng [B] words, changed in place.
        """
        from veil.engine.lanes.joint_move_kernels import list_joint_moves  # imports numba

        columns = np.concatenate(([0], np.cumsum([part.shape[1] for part in legal])))
        rows = len(wanted)
        listed = list_joint_moves(
            np.concatenate(legal, axis=1),
            columns,
            wanted,
            role,
            np.zeros(rows, np.int64) if own_moves is None else np.ascontiguousarray(own_moves, np.int64),
            limit,
            np.zeros(rows, np.uint64) if rng is None else rng,
        )
        return Candidates(*listed)

    def playouts(
        self,
        states: np.ndarray,
        count: int,
        seed: int | tuple[int, ...],
        *,
        first_moves: np.ndarray | None = None,
        max_rounds: int = 100_000,
        threads: int = 1,
        foresight: int = 0,
    ) -> Playouts:
        """Play `count` random games from every state. Equal seeds give equal results on any number of threads.

        All roles play uniformly. `first_moves` [B, R] are played first, and count as a round. With foresight 1 roles
        take moves that win at once, with 2 they also avoid moves that let another role win at once; steps count the
        visited states.
        """
        from veil.engine.lanes.playout_kernels import play_blocks  # imports numba

        states = self._checked(states)
        check_limit("playouts", count, "count")
        check_limit("playouts", len(states) * count or 1, "playouts from all states")
        check_limit("rounds", max_rounds, "max_rounds")
        check_limit("threads", threads, "threads")
        if first_moves is not None:
            states = self.step(states, first_moves).states
        owner, quota = share_out(len(states), count)
        blocks = -(-len(owner) // (64 * self.width))
        workers = max(1, min(threads, blocks))
        shape = len(states), len(self.program.roles), sum(map(len, self.program.goals))
        tallies = [empty_tally(*shape) for _ in range(workers)]
        words = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        chance = -1 if self.program.chance is None else self.program.chance

        def work(worker: int) -> None:
            numbers, tally = (worker, workers, max_rounds), tallies[worker]
            play_blocks(self.code, self.width, states, owner, quota, words, *numbers, tally, foresight, chance)

        if len(tallies) == 1:
            work(0)
        else:
            with ThreadPoolExecutor(len(tallies)) as pool:
                list(pool.map(work, range(len(tallies))))
        return sum_tallies(tallies, 0 if first_moves is None else 1)

    def _compile(self) -> Code:
        """Return the circuit for kernels: native code, or an image of its gates."""
        from veil.engine.lanes import jit  # noqa: F401  # imports numba before anyone measures time

        program, circuit = self.program, self.circuit
        if not self.is_native:
            from veil.engine.lanes.gate_kernels import function_addresses  # imports numba

            self._image = make_image(program, circuit, self.width)  # kept alive: kernels read it by its address
            return make_code(program, circuit, function_addresses(), self._image.ctypes.data)
        from veil.engine.lanes.native import compile_circuit  # imports LLVM

        moves = [len(own) for own in program.moves]
        self._native = compile_circuit(circuit, moves, self.width)  # kept alive: its functions are called by address
        return make_code(program, circuit, self._native.addresses)

    def _step(self, states: np.ndarray, index: np.ndarray, joint_moves: np.ndarray) -> Stepped:
        from veil.engine.lanes.row_kernels import step_rows  # imports numba

        joint_moves = np.ascontiguousarray(joint_moves, np.int64)
        limits = [len(own) for own in self.program.moves]
        if joint_moves.shape != (len(index), len(limits)) or (joint_moves < 0).any() or (joint_moves >= limits).any():
            raise ValueError(f"joint moves must be [{len(index)}, {len(limits)}], each below {limits}")
        columns, width = _columns([len(own) for own in self.program.percepts])
        following = np.zeros((len(index), states.shape[1]), np.uint64)
        percepts = np.zeros((len(index), width), np.uint64)
        step_rows(self.code, self.width, states, index, joint_moves, following, percepts, columns)
        return Stepped(following, _split(percepts, columns, width))

    def _checked(self, states: np.ndarray) -> np.ndarray:
        states = np.require(states, np.uint64, ("C", "W"))  # a read-only array would compile every kernel again
        if states.ndim != 2 or states.shape[1] != self.state_words:
            raise ValueError(f"states must be [B, {self.state_words}], not {list(states.shape)}")
        return states


def pack(bits: np.ndarray) -> np.ndarray:
    """Pack [B, N] bool into [B, words]."""
    padded = np.zeros((len(bits), 64 * _words(bits.shape[1])), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def unpack(rows: np.ndarray, size: int) -> np.ndarray:
    """Unpack [B, words] into [B, size] bool."""
    return np.unpackbits(rows.view(np.uint8), axis=1, count=size, bitorder="little").astype(bool)


def _words(bits: int) -> int:
    """Return the number of words of a packed row; at least one, so that no array is empty."""
    return max(1, -(-bits // 64))


def column_starts(sizes: list[int]) -> np.ndarray:
    """Return [R + 1] where the packed columns of each role start, and where the last ones end."""
    columns, width = _columns(sizes)
    return np.append(columns, width)


def _columns(sizes: list[int]) -> tuple[np.ndarray, int]:
    """Return where the packed columns of each role start, and how many columns there are."""
    starts = np.concatenate(([0], np.cumsum([_words(size) for size in sizes])))
    return starts[:-1].astype(np.int64), int(starts[-1])


def _split(rows: np.ndarray, columns: np.ndarray, width: int) -> tuple[np.ndarray, ...]:
    ends = [*columns[1:].tolist(), width]
    return tuple(np.ascontiguousarray(rows[:, a:b]) for a, b in zip(columns.tolist(), ends, strict=True))
