"""The data of the kernels of a vector environment: which bits are shown to which role, and where they lie.

The output of 256 games is one array of rows, a row per bit and a lane per game, as in the value array of the engine. A
*field* becomes one array for the user: the legal moves of a role, or its observation. A field of up to 64 bits lies
within one *chunk* of 64 rows, and a larger one begins with a chunk: a chunk is transposed at once, and the bits of a
field are then adjacent in one word.

One round of a record is a *piece*: a bit for every own move and one for every percept. An observation is one piece or
several: of the step alone (`percepts`), of the step and of the game so far (`seen`), of the last rounds (`record`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from veil.engine import Game
from veil.engine.lanes import FLUENTS, GOALS, LANES, LEGAL, MOVES, NEXT, PERCEPTS, TERMINAL
from veil.errors import VeilError, fail, phrase
from veil.limits import check_limit
from veil.vocabulary import RANDOM

ObservationKind = Literal["percepts", "seen", "record"]
BitForm = Literal["packed", "bool", "float"]
KINDS: tuple[str, ...] = get_args(ObservationKind)
FORMS: tuple[str, ...] = get_args(BitForm)
PACKED, BYTES, FLOATS = range(3)  # places in FORMS
MAX_ROUNDS = 10_000  # of a game that does not end by itself
MAX_MOVES = 0xFFFF  # of a role: kernels use 16 bits of an action
MAX_SHOWN = 12  # moves in a message
SLACK = 64  # bytes beyond an array that kernels may write to
WIDTH = LANES // 64  # words of a row
CHUNK = 64  # rows
NOWHERE = -1
NUM_MARKS = 11

# Columns of `VectorPlan.roles`: rows of the value array, counts, rows of what is shown, words of a record, goals.
MOVES_ROW, LEGAL_ROW, PERCEPTS_ROW, NUM_MOVES, NUM_PERCEPTS, SHOW_LEGAL, SHOW_TOLD, SHOW_SEEN = range(8)
RECORD_AT, RECORD_WORDS, FIRST_GOAL, END_GOAL = range(8, 12)


class VectorPlan(NamedTuple):
    """The data that does not change while games are played. R roles that play, F fluents, G goals of all roles."""

    static: np.uint64  # addresses of the functions of the circuit, as in `Code`
    dynamic: np.uint64
    percepts: np.uint64
    choose: np.uint64
    image: np.uint64
    roles: np.ndarray  # [R, 12] the columns above
    initial: np.ndarray  # [F, W] rows: all ones if the fluent holds at the start
    utility: np.ndarray  # [G + 1] float32 of every goal value; the last one if there is no goal
    num_fluents: int
    fluents_row: int  # rows of the value array
    next_row: int
    goals_row: int
    terminal_row: int
    chance_row: int  # its legal moves
    chance_moves: int  # 0 if there is no chance
    record_rounds: int  # number of rounds; 0 if there are no records
    max_rounds: int
    skip_forced: bool


class VectorLanes(NamedTuple):
    """Running games. B blocks, N games in them or fewer, W words of a row."""

    values: np.ndarray  # [B, slots, W] the value array of each block, judged
    chance_rng: np.ndarray  # [B, 4, W]
    sample_rng: np.ndarray  # [B, 4, W]
    active: np.ndarray  # [B, W] lanes that hold a game
    over: np.ndarray  # [B, W] lanes whose game was over before a role could choose; the next step says so
    rounds: np.ndarray  # [B, D, W] rounds played, in binary
    shown: np.ndarray  # [B, rows, W] legal moves and observations
    record: np.ndarray  # [N, words] the last rounds of every role, the newest first
    marks: np.ndarray  # [NUM_MARKS, W] scratch for kernels: sets of lanes
    square: np.ndarray  # [64, W] rows to transpose
    entries: np.ndarray  # [R, 256] uint16 a number for every game of a block
    mixed: np.ndarray  # [256 R] uint16 the entries, one game after the other


class StepOutcome(NamedTuple):
    """The outcome of a step besides observations. N games, R roles."""

    reward: np.ndarray  # [N, R] float32
    done: np.ndarray  # [N] bool
    truncated: np.ndarray  # [N] bool


class ShownField(NamedTuple):
    """The source of one array: bits of every game, from the rows that are shown or, for records, from their words."""

    first: int  # row of `shown`; word of `record`
    bits: int
    form: int  # PACKED, BYTES or FLOATS
    pieces: int  # 1; of a record, the number of rounds

    def width(self) -> int:
        """Return the number of entries of a row of the array."""
        return self.pieces * (-(-self.bits // 8) if self.form == PACKED else self.bits)


@dataclass(frozen=True, slots=True)
class VectorLayout:
    """The places of all output for the roles that play."""

    kind: ObservationKind
    roles: tuple[int, ...]  # their numbers in the game
    moves: tuple[int, ...]  # how many
    bits: tuple[int, ...]  # of a piece
    legal_at: tuple[int, ...]  # rows
    told_at: tuple[int, ...]
    num_rows: int
    pieces: int  # of an observation

    @property
    def record_at(self) -> list[int]:
        """Where the words of each role begin in a row of `record`, and where the last ones end; all 0 without one."""
        sizes = [self.pieces * self.words(number) for number in range(len(self.roles))]
        return [0, *np.cumsum(sizes).tolist()] if self.kind == "record" else [0] * (len(self.roles) + 1)

    def words(self, number: int) -> int:
        """Return the number of words of a round in a record."""
        return -(-self.bits[number] // 64)

    def fields(self, form: int, legal_form: int) -> list[ShownField]:
        """Return the fields of the legal moves of every role, then those of the observations."""
        legal = [ShownField(row, moves, legal_form, 1) for row, moves in zip(self.legal_at, self.moves, strict=True)]
        if self.kind == "record":
            starts = self.record_at
            return legal + [ShownField(starts[i], bits, form, self.pieces) for i, bits in enumerate(self.bits)]
        told = zip(self.told_at, self.bits, strict=True)
        return legal + [ShownField(row, bits * self.pieces, form, 1) for row, bits in told]


def lay_out(game: Game, kind: ObservationKind, rounds: int) -> VectorLayout:
    """Return the layout of all roles that play; chance is shown nothing. Refuses a game with too many moves."""
    check_option("observation", kind, KINDS)
    check_limit("record rounds", rounds, "rounds")
    program = game.program
    if not program.is_ground:
        raise fail("needs-ground-rules", game=game.name, what=phrase("environments"))
    roles = tuple(role for role, name in enumerate(game.roles) if name != RANDOM)
    moves = tuple(len(program.moves[role]) for role in roles)
    if not roles:
        raise fail("env-no-player")
    for role, count in zip(roles, moves, strict=True):
        if not 0 < count <= MAX_MOVES:
            raise fail("env-moves", role=game.roles[role], moves=count, most=MAX_MOVES)
    bits = tuple(count + len(program.percepts[role]) for role, count in zip(roles, moves, strict=True))
    pieces = {"percepts": 1, "seen": 2, "record": rounds}[kind]
    rows, end = [], 0
    for size in (*moves, *(count * (2 if kind == "seen" else 1) for count in bits)):
        if end % CHUNK + size > CHUNK:
            end = -(-end // CHUNK) * CHUNK
        rows.append(end)
        end += size
    told = tuple(rows[len(roles) :])
    return VectorLayout(kind, roles, moves, bits, tuple(rows[: len(roles)]), told, -(-end // CHUNK) * CHUNK, pieces)


def name_bits(game: Game, layout: VectorLayout, number: int) -> list[str]:
    """Return the meaning of every bit of an observation of role `number` of the layout."""
    role, names = layout.roles[number], game.names
    words = [f"does {word}" for word in names.moves[role]] + [f"sees {word}" for word in names.percepts[role]]
    if layout.kind == "seen":
        return words + [f"{word}, so far" for word in words]
    if layout.kind == "record":
        return [f"{word}, {ago} rounds ago" for ago in range(1, layout.pieces + 1) for word in words]
    return words


def check_option(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse a value that is none of the choices."""
    if value not in choices:
        raise fail("bad-option", what=f"{name} must be {' or '.join(choices)}, not {value}")


def refuse_action(role: str, action: int, legal: list[int], words: list[str], where: str = "") -> VeilError:
    """Return the error for an action that is not legal.

    `words` are all moves of the role, `where` begins the message.
    """
    shown = ", ".join(f"{move} {words[move]}" for move in legal[:MAX_SHOWN])
    more = phrase("and-more-moves", count=len(legal)) if len(legal) > MAX_SHOWN else ""
    return fail("env-illegal", where=where, role=role, action=action, legal=shown + more)


def make_plan(game: Game, layout: VectorLayout, max_rounds: int, skip_forced: bool) -> VectorPlan:
    """Return the plan for kernels."""
    code, chance = game.machine.code, game.program.chance
    areas, role_moves = code.areas.tolist(), code.role_moves.tolist()
    utility = game.utility.of(np.append(code.goal_value, 0)).astype(np.float32)
    initial = np.where(game.program.initial[:, None], ~np.uint64(0), np.uint64(0)).repeat(WIDTH, axis=1)
    return VectorPlan(
        static=code.static,
        dynamic=code.dynamic,
        percepts=code.percepts,
        choose=code.choose,
        image=code.image,
        roles=np.array([_role_row(game, layout, number) for number in range(len(layout.roles))], np.int64),
        initial=np.ascontiguousarray(initial),
        utility=utility,
        num_fluents=code.num_fluents,
        fluents_row=areas[FLUENTS],
        next_row=areas[NEXT],
        goals_row=areas[GOALS],
        terminal_row=areas[TERMINAL],
        chance_row=0 if chance is None else areas[LEGAL] + role_moves[chance],
        chance_moves=0 if chance is None else role_moves[chance + 1] - role_moves[chance],
        record_rounds=layout.pieces if layout.kind == "record" else 0,
        max_rounds=max_rounds,
        skip_forced=skip_forced,
    )


def _role_row(game: Game, layout: VectorLayout, number: int) -> list[int]:
    """Return the columns of one role that plays."""
    code, role, bits = game.machine.code, layout.roles[number], layout.bits[number]
    areas, moves, percepts = code.areas.tolist(), code.role_moves.tolist(), code.role_percepts.tolist()
    return [
        areas[MOVES] + moves[role],
        areas[LEGAL] + moves[role],
        areas[PERCEPTS] + percepts[role],
        layout.moves[number],
        bits - layout.moves[number],
        layout.legal_at[number],
        layout.told_at[number],
        layout.told_at[number] + bits if layout.kind == "seen" else NOWHERE,
        layout.record_at[number],
        layout.words(number),
        int(code.goal_start[role]),
        int(code.goal_start[role + 1]),
    ]


def make_lanes(plan: VectorPlan, layout: VectorLayout, num_slots: int, num_envs: int) -> VectorLanes:
    """Return memory for `num_envs` games; none has started, and there are no random words yet."""
    blocks = -(-num_envs // LANES)
    values = np.zeros((blocks, num_slots, WIDTH), np.uint64)
    values[:, 1] = ~np.uint64(0)
    used = np.arange(blocks * LANES) < num_envs
    return VectorLanes(
        values=values,
        chance_rng=np.zeros((blocks, 4, WIDTH), np.uint64),
        sample_rng=np.zeros((blocks, 4, WIDTH), np.uint64),
        active=np.packbits(used, bitorder="little").view(np.uint64).reshape(blocks, WIDTH),
        over=np.zeros((blocks, WIDTH), np.uint64),
        rounds=np.zeros((blocks, plan.max_rounds.bit_length(), WIDTH), np.uint64),
        shown=np.zeros((blocks, layout.num_rows, WIDTH), np.uint64),
        record=np.zeros((num_envs, layout.record_at[-1]), np.uint64),
        marks=np.zeros((NUM_MARKS, WIDTH), np.uint64),
        square=np.zeros((CHUNK, WIDTH), np.uint64),
        entries=np.zeros((len(layout.roles), LANES), np.uint16),
        mixed=np.zeros(len(layout.roles) * LANES, np.uint16),
    )
