"""`RulesMachine`: a machine that plays from the rules, for games whose ground programs are too large.

1. Bound what can be true, done, seen and gained (`grounding.find_reachable`), and number it.
2. Take terms in heads apart (`flatten`), and compute what never changes once.
3. Plan which questions have to be answered, in which order conditions are tested (`plans`), and write that as machine
   code (`codegen`, `entries`) with its memory (`runtime`, `fluent_store`).

It has the contract of `Machine`. One state takes as long as 256 of a ground machine or longer.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from veil.engine.datalog import MAX_FIXED_ROWS, compute_fixed_relations
from veil.engine.grounding import (
    GroundingError,
    GroundLimits,
    GroundProgram,
    find_reachable,
    find_reachable_in_rounds,
)
from veil.engine.joins.codegen import QuestionWriter
from veil.engine.joins.entries import EntryWriter
from veil.engine.joins.flatten import flatten
from veil.engine.joins.fluent_store import FluentStore
from veil.engine.joins.plans import Planner
from veil.engine.joins.relations import CONSTANT, FixedRows, TermMemory
from veil.engine.joins.runtime import (
    BEYOND,
    CONTEXT_WORDS,
    COUNT,
    FAULT,
    FOR_EVER,
    KEPT_COUNT,
    KEPT_TOP,
    MASK,
    MEMORY,
    SIZE,
    SLOTS,
    STATES,
    TOP,
    UNKNOWN,
    Runtime,
)
from veil.engine.lanes import (
    Addresses,
    Circuit,
    Judged,
    Machine,
    Playouts,
    Stepped,
    column_starts,
    find_layout,
    function_addresses,
    load_text,
    make_code,
    make_image,
)
from veil.errors import fail, phrase
from veil.lang import Rules, RuleSet
from veil.vocabulary import GIVEN, Signature, Term, Var, arguments, signature

OUTPUTS: tuple[Signature, ...] = (("legal", 2), ("goal", 2), ("terminal", 0), ("next", 1), ("sees", 2))
MAX_LINKS = 1 << 24
NARROW = 1  # words per slot: a lane costs as much as a state, so there is no gain in many


class RulesMachine(Machine):
    """A game as machine code that evaluates its rules, state by state."""

    def __init__(self, rules: Rules, limits: GroundLimits) -> None:
        """Find what can hold, plan and compile. Raises `GroundingError` if there is no bound within the limits."""
        self.rules = rules
        program = find_words(rules, limits)
        flat = flatten(rules.rule_set)
        fixed = compute_fixed_relations(flat, MAX_FIXED_ROWS)
        rows = {sig: list(relation.rows) for sig, relation in fixed.items() if sig not in (*OUTPUTS, *GIVEN)}
        terms = TermMemory(_all_terms(flat, rows, program))
        tables = {sig: _table(relation, sig[1], terms) for sig, relation in rows.items()}
        self._prepare(program)
        self._write(flat, tables, terms)

    @property
    def circuit(self) -> Circuit:
        """Refused: there is no circuit of ground rules."""
        raise fail("needs-ground-rules", game=self.rules.source.name, what=phrase("what-was-chosen"))

    @property
    def states_evaluated(self) -> int:
        """The number of states that were evaluated so far, once for judging and once for stepping."""
        return int(self._context[STATES])

    def judge(self, states: np.ndarray) -> Judged:
        """Return legal moves, end and goals of every state."""
        judged = super().judge(states)
        self.check()
        return judged

    def playouts(self, states: np.ndarray, count: int, seed: int | tuple[int, ...], **options: Any) -> Playouts:
        """Play random games, as `Machine.playouts`."""
        played = super().playouts(states, count, seed, **options)
        self.check()
        return played

    def _step(self, states: np.ndarray, index: np.ndarray, joint_moves: np.ndarray) -> Stepped:
        stepped = super()._step(states, index, joint_moves)
        self.check()
        return stepped

    def _prepare(self, program: GroundProgram) -> None:
        """Set the fields that every machine has."""
        self.program, self.width, self.is_native = program, NARROW, True
        self._empty = Circuit(find_layout(program), (), (), ())
        sizes = [[len(own) for own in words] for words in (program.moves, program.percepts)]
        self.move_columns, self.percept_columns = (column_starts(size) for size in sizes)
        self.state_words = max(1, -(-len(program.fluents) // 64))

    def _write(self, rules: RuleSet, tables: Mapping[Signature, FixedRows], terms: TermMemory) -> None:
        """Write and compile the code, and fill its memory."""
        program = self.program
        self._context = np.zeros(CONTEXT_WORDS, np.uint64)
        runtime = Runtime(self._context.ctypes.data)
        shapes = [signature(fluent) for fluent in program.fluents]
        arguments_of: dict[Signature, list[tuple[Term, ...]]] = {}
        for fluent, shape in zip(program.fluents, shapes, strict=True):
            arguments_of.setdefault(shape, []).append(arguments(fluent))
        fluent_tables = {shape: _table(rows, shape[1], terms) for shape, rows in arguments_of.items()}
        room = min(MAX_LINKS, 4096 + 64 * len(shapes))
        fluents = FluentStore(runtime, [terms.id(fluent) for fluent in program.fluents], shapes, fluent_tables, room)
        does = np.full((2, len(program.roles)), -1, np.int32)
        does[0] = [terms.id(role) for role in program.roles]
        writer = QuestionWriter(runtime, Planner(rules, tables, fluent_tables), terms, fluents, does)
        circuit = self._empty
        areas = np.array(circuit.layout[1:], np.int64)
        entries = EntryWriter(writer, program, areas, self.width, fluents)
        entries.write()
        fluents.finish()
        self._fill(terms)
        loaded = load_text(str(runtime.module))
        plain = function_addresses()
        static, dynamic, percepts = (loaded.address(f"veil_{name}") for name in ("static", "dynamic", "percepts"))
        addresses = Addresses(static, dynamic, percepts, plain.choose, plain.advance)
        self._image = make_image(program, circuit, self.width)
        self.code = make_code(program, circuit, addresses, self._image.ctypes.data)
        self._alive = (loaded, writer, entries, fluents)  # what the code reads by address

    def _fill(self, terms: TermMemory) -> None:
        """Put the terms of the rules into the memory of entries."""
        size, slots = 1 << max(16, (4 * len(terms.words)).bit_length()), 1 << 12
        compound = [number for number in terms.terms if terms.words[number] != CONSTANT]
        while slots < 4 * len(compound) + 4096:
            slots *= 2
        memory = np.zeros(size, np.uint32)
        memory[: len(terms.words)] = np.array(terms.words, np.int64).astype(np.uint32)
        table = np.zeros(2 * slots, np.uint64)
        for number in compound:
            end = number + len(arguments(terms.terms[number])) + 1
            hashed = hash_words(terms.words[number:end])
            slot = hashed & (slots - 1)
            while table[2 * slot]:
                slot = (slot + 1) & (slots - 1)
            table[2 * slot], table[2 * slot + 1] = (FOR_EVER << 32) | hashed, number
        self._context[[MEMORY, SLOTS]] = _move_out(memory), _move_out(table)
        self._context[[SIZE, MASK]] = size, slots - 1
        self._context[[COUNT, KEPT_COUNT]] = len(compound)
        self._context[[TOP, KEPT_TOP]] = len(terms.words)
        weakref.finalize(self, _free, self._context)

    def check(self) -> None:
        """Raise `VeilError` if an evaluation had to be given up.

        Beyond the rounds whose words are listed (`program.rounds`), states lack what has no number. That is a fault of
        a state that is played (`check_rounds`), not of one in which a search looks ahead.
        """
        fault = int(self._context[FAULT])
        if fault:
            self._context[FAULT] = 0
            if fault == UNKNOWN:
                raise RuntimeError("the rules derive a word that the bound on the game does not have")
            raise fail("rules-without-end")

    def expect_all_words(self) -> None:
        """Forget whether states lacked words so far."""
        self._context[BEYOND] = 0

    def check_rounds(self) -> None:
        """Raise `VeilError` if a state has lacked words since `expect_all_words`."""
        if self._context[BEYOND]:
            raise fail("beyond-first-rounds", rounds=self.program.rounds)


def find_words(rules: Rules, limits: GroundLimits) -> GroundProgram:
    """Return all that a game can have or, if that is too much, what it can have in its first rounds."""
    try:
        return find_reachable(rules, limits)
    except GroundingError as error:
        with suppress(GroundingError):
            return find_reachable_in_rounds(rules, limits)
        raise error


def _all_terms(rules: RuleSet, rows: Mapping[Signature, list[tuple[Term, ...]]], program: GroundProgram) -> set[Term]:
    """Return all ground terms that the code may name."""
    terms: set[Term] = {*program.roles, *program.fluents}
    for words in (*program.moves, *program.percepts):
        terms.update(words)
    for relation in rows.values():
        terms.update(part for row in relation for part in row)
    for rule in rules:
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            for part in arguments(atom):
                terms.update(_ground_parts(part))
    return terms


def _ground_parts(term: Term) -> list[Term]:
    """Return the largest ground terms inside a term."""
    if isinstance(term, Var):
        return []
    if isinstance(term, str):
        return [term]
    inside = [_ground_parts(part) for part in term[1:]]
    if all(part == [own] for part, own in zip(inside, term[1:], strict=True)):
        return [term]
    return [part for parts in inside for part in parts]


def _table(rows: list[tuple[Term, ...]], width: int, terms: TermMemory) -> FixedRows:
    """Return rows in numbers."""
    numbers = [[terms.id(part) for part in row] for row in rows]
    return FixedRows(np.array(numbers, np.int32).reshape(len(rows), width))


def hash_words(words: list[int]) -> int:
    """Return the hash of a key, as the code of `runtime` computes it."""
    hashed = 0x9E3779B9
    for word in words:
        hashed = ((hashed ^ (word & 0xFFFFFFFF)) * 0x85EBCA6B) & 0xFFFFFFFF
        hashed ^= hashed >> 15
    return hashed


def _library() -> ctypes.CDLL:
    """Return the C library, whose memory the code can make larger."""
    library = ctypes.CDLL(None)
    library.malloc.restype, library.malloc.argtypes = ctypes.c_uint64, [ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_uint64]
    return library


def _move_out(array: np.ndarray) -> int:
    """Return the address of a copy of an array that the code may free."""
    address = int(_library().malloc(array.nbytes))
    if not address:
        raise MemoryError
    ctypes.memmove(address, array.ctypes.data, array.nbytes)
    return address


def _free(context: np.ndarray) -> None:
    """Free the memory of a machine."""
    for place in (MEMORY, SLOTS):
        _library().free(int(context[place]))
