"""The functions that kernels call: from fluents and moves in lanes to what holds, lane by lane.

They have the form of the generated code of circuits (`lanes.code`), `void f(i64 v, i64 other, i64 image)`, so every
kernel takes a machine that plays from the rules for one that is ground. A lane with the same input as the lane before
gets its results: all lanes of a search begin in the same few states, and nothing is true in the lanes that are not
used. Slot 1 of the value array says which lanes matter.

One function runs at a time; a second thread waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from llvmlite import ir

from veil.engine.grounding import GroundProgram
from veil.engine.joins.codegen import QuestionWriter, constant
from veil.engine.joins.fluent_store import FluentStore
from veil.engine.joins.plans import Planner, Question
from veil.engine.joins.runtime import (
    BEYOND,
    CHANGES,
    COUNT,
    DEPTH,
    EPOCH,
    FAR_AWAY,
    FAULT,
    I32,
    I64,
    KEPT_COUNT,
    KEPT_TOP,
    LOCK,
    LOW,
    NUMBER,
    OPEN,
    ROUND,
    STATES,
    TOP,
    UNKNOWN,
    loop,
)
from veil.engine.lanes import FLUENTS, GOALS, LEGAL, MOVES, NEXT, PERCEPTS, TERMINAL
from veil.vocabulary import Term, goal_value

LANES = 64  # of a word


class OutputRows(NamedTuple):
    """A relation whose rows are written to slots."""

    function: Question
    slots: np.ndarray  # [R, ids] int32: the slot of a term for a role; -1 if it has none. Without roles [1, ids]
    has_role: bool


class EntryWriter:
    """Writer of `veil_static`, `veil_dynamic` and `veil_percepts`."""

    def __init__(
        self, writer: QuestionWriter, program: GroundProgram, areas: np.ndarray, width: int, fluents: FluentStore
    ) -> None:
        self.writer, self.runtime, self.program, self.width = writer, writer.runtime, program, width
        self.areas, self.fluents, self.terms = [int(area) for area in areas], fluents, writer.terms
        self.planner: Planner = writer.planner
        roles, most = len(program.roles), max(1, len(program.fluents))
        self.counts = np.zeros(LANES, np.int32)
        self.true = np.zeros((LANES, most), np.int32)
        self.moves = np.zeros((LANES, roles), np.int32)
        slots = sum(map(len, program.moves)) + sum(map(len, program.goals)) + sum(map(len, program.percepts)) + most + 2
        self.written = np.zeros(slots, np.int32)
        self.num_written = np.zeros(1, np.int32)
        self.move_terms = self._table(program.moves)
        self.memcmp = ir.Function(self.runtime.module, ir.FunctionType(I32, [I64, I64, I64]), "memcmp")
        self.sched_yield = ir.Function(self.runtime.module, ir.FunctionType(I32, []), "sched_yield")
        self.role_of = np.full(max(self.terms.id(role) for role in program.roles) + 1, -1, np.int32)
        for number, role in enumerate(program.roles):
            self.role_of[self.terms.id(role)] = number
        writer.alive += [self.counts, self.true, self.moves, self.written, self.num_written, self.move_terms]
        writer.alive.append(self.role_of)

    def write(self) -> None:
        """Write the three functions, and all they call."""
        program = self.program
        legal = self._slots(program.moves, self.areas[LEGAL])
        percepts = self._slots(program.percepts, self.areas[PERCEPTS])
        following = self._slots((program.fluents,), self.areas[NEXT])
        goals = self._goal_slots()
        self._begin = self._write_begin()
        judged = [self._output(("legal", 2), legal), self._output(("goal", 2), goals)]
        self._write_entry("veil_static", [out for out in judged if out], self.areas[LEGAL], self.areas[TERMINAL] + 1)
        end = self.areas[NEXT] + len(program.fluents)
        stepped = self._output(("next", 1), following)
        self._write_entry("veil_dynamic", [stepped] if stepped else [], self.areas[NEXT], end)
        end = self.areas[PERCEPTS] + sum(map(len, program.percepts))
        seen = self._output(("sees", 2), percepts)
        self._write_entry("veil_percepts", [seen] if seen else [], self.areas[PERCEPTS], end)
        self.writer.write()

    def _output(self, predicate: tuple[str, int], slots: np.ndarray) -> OutputRows | None:
        if predicate not in self.planner.derived:
            return None
        self.writer.alive.append(slots)
        return OutputRows(self.planner.function(predicate, ()), slots, predicate[1] == 2)

    def _table(self, words: tuple[tuple[Term, ...], ...]) -> np.ndarray:
        """Return [R, most] the terms of all moves by role and number."""
        table = np.full((len(words), max(1, *map(len, words))), -1, np.int32)
        for role, terms in enumerate(words):
            table[role, : len(terms)] = [self.terms.id(term) for term in terms]
        return table

    def _slots(self, words: tuple[tuple[Term, ...], ...], area: int) -> np.ndarray:
        """Return [R, ids] the slots of terms, from the start of an area on."""
        table, slot = np.full((len(words), len(self.terms.words) + 1), -1, np.int32), area
        for role, terms in enumerate(words):
            for term in terms:
                table[role, self.terms.id(term)] = slot
                slot += 1
        return table

    def _goal_slots(self) -> np.ndarray:
        table = np.full((len(self.program.roles), len(self.terms.words) + 1), -1, np.int32)
        slot = self.areas[GOALS]
        for role, values in enumerate(self.program.goals):
            for number, term in self.terms.terms.items():
                value = goal_value(term)
                if value is not None and value in values:
                    table[role, number] = slot + values.index(value)
            slot += len(values)
        return table

    def _write_begin(self) -> ir.Function:
        """Write the function that forgets the last state and loads that of a lane."""
        runtime = self.runtime
        function = runtime.function("begin_state", ir.VoidType(), [I32])
        b = ir.IRBuilder(function.append_basic_block("entry"))
        lane = function.args[0]
        runtime.store(b, b.add(runtime.load(b, EPOCH), ir.Constant(I64, 1)), EPOCH)
        runtime.store(b, b.add(runtime.load(b, STATES), ir.Constant(I64, 1)), STATES)
        runtime.store(b, runtime.load(b, KEPT_COUNT), COUNT)
        runtime.store(b, runtime.load(b, KEPT_TOP), TOP)
        for place, value in ((LOW, FAR_AWAY), (ROUND, 1), (CHANGES, 0), (DEPTH, 0), (NUMBER, 0), (OPEN, 0)):
            runtime.store(b, ir.Constant(I64, value), place)
        b.store(constant(0), runtime.pointer(b, self.fluents.count_address, I32))
        count = b.load(runtime.element(b, self.counts.ctypes.data, I32, lane))
        with loop(b, count) as i:
            self.fluents.write_load(b, b.load(self._true(b, lane, i)))
        b.ret_void()
        return function

    def _true(self, b: ir.IRBuilder, lane: ir.Value, i: ir.Value) -> ir.Value:
        """Return a pointer to the i-th true fluent of a lane."""
        place = b.add(b.mul(lane, constant(self.true.shape[1])), i)
        return self.runtime.element(b, self.true.ctypes.data, I32, place)

    def _write_entry(self, name: str, outputs: list[OutputRows], begin: int, end: int) -> None:
        """Write one of the functions; it fills the slots [begin, end)."""
        runtime, is_static = self.runtime, name == "veil_static"
        function = runtime.function(name, ir.VoidType(), [I64, I64, I64], public=True)
        b = ir.IRBuilder(function.append_basic_block("entry"))
        v = b.inttoptr(function.args[0], I64.as_pointer())
        self._lock(b, function)

        def slot(number: ir.Value, w: ir.Value) -> ir.Value:
            """Return a pointer to a word of a slot."""
            return b.gep(v, [b.add(b.mul(b.zext(number, I64), ir.Constant(I64, self.width)), b.zext(w, I64))])

        with loop(b, constant(self.width)) as w:
            matters = b.load(slot(constant(1), w))
            with loop(b, constant(end - begin)) as i:
                b.store(ir.Constant(I64, 0), slot(b.add(i, constant(begin)), w))
            self._collect(b, slot, w, matters, with_moves=not is_static)
            last = b.alloca(I32, name="last")
            b.store(constant(LANES), last)
            with loop(b, constant(LANES)) as lane:
                bit = b.shl(ir.Constant(I64, 1), b.zext(lane, I64))
                wanted = b.icmp_unsigned("!=", b.and_(matters, bit), ir.Constant(I64, 0))
                with b.if_then(wanted if is_static else b.and_(wanted, self._has_moves(b, lane))):
                    with b.if_else(self._is_same(b, lane, b.load(last), is_static)) as (same, other):
                        with same:
                            count = b.load(runtime.pointer(b, self.num_written.ctypes.data, I32))
                            with loop(b, count) as i:
                                number = b.load(runtime.element(b, self.written.ctypes.data, I32, i))
                                b.store(b.or_(b.load(slot(number, w)), bit), slot(number, w))
                        with other:
                            self._evaluate(
                                b, lane, outputs, is_static, lambda number: self._set(b, slot, number, w, bit)
                            )
                    b.store(lane, last)
        runtime.store(b, ir.Constant(I64, 0), LOCK)
        b.ret_void()

    def _lock(self, b: ir.IRBuilder, function: ir.Function) -> None:
        """Write that it waits until no other thread is in one of the functions."""
        lock = self.runtime.pointer(b, self.runtime.context_address + 8 * LOCK, I64)
        attempt, wait, go = (function.append_basic_block(name) for name in ("attempt", "wait", "go"))
        b.branch(attempt)
        b.position_at_end(attempt)
        before = b.atomic_rmw("xchg", lock, ir.Constant(I64, 1), "acquire")
        b.cbranch(b.icmp_unsigned("==", before, ir.Constant(I64, 0)), go, wait)
        b.position_at_end(wait)
        b.call(self.sched_yield, [])
        b.branch(attempt)
        b.position_at_end(go)

    def _collect(
        self,
        b: ir.IRBuilder,
        slot: Callable[[ir.Value, ir.Value], ir.Value],
        w: ir.Value,
        matters: ir.Value,
        with_moves: bool,
    ) -> None:
        """Write the transposition of a word of lanes: the true fluents and the moves of every lane."""
        runtime = self.runtime
        with loop(b, constant(LANES)) as lane:
            b.store(constant(0), runtime.element(b, self.counts.ctypes.data, I32, lane))
        with loop(b, constant(len(self.program.fluents))) as i:
            word = b.and_(b.load(slot(b.add(i, constant(self.areas[FLUENTS])), w)), matters)
            with bits(b, word) as lane:
                place = runtime.element(b, self.counts.ctypes.data, I32, lane)
                count = b.load(place)
                b.store(i, self._true(b, lane, count))
                b.store(b.add(count, constant(1)), place)
        if not with_moves:
            return
        roles, first = len(self.program.roles), self.areas[MOVES]
        with loop(b, constant(LANES * roles)) as i:
            b.store(constant(-1), runtime.element(b, self.moves.ctypes.data, I32, i))
        for role, moves in enumerate(self.program.moves):
            with loop(b, constant(len(moves))) as i:
                word = b.and_(b.load(slot(b.add(i, constant(first)), w)), matters)
                with bits(b, word) as lane:
                    b.store(i, self._move(b, lane, role))
            first += len(moves)

    def _move(self, b: ir.IRBuilder, lane: ir.Value, role: int) -> ir.Value:
        """Return a pointer to the move of a role in a lane."""
        place = b.add(b.mul(lane, constant(len(self.program.roles))), constant(role))
        return self.runtime.element(b, self.moves.ctypes.data, I32, place)

    def _has_moves(self, b: ir.IRBuilder, lane: ir.Value) -> ir.Value:
        """Return whether every role has a move in a lane; there is no next state otherwise."""
        has_moves: ir.Value = ir.Constant(ir.IntType(1), 1)
        for role in range(len(self.program.roles)):
            has_move = b.icmp_signed(">=", b.load(self._move(b, lane, role)), constant(0))
            has_moves = b.and_(has_moves, has_move)
        return has_moves

    def _is_same(self, b: ir.IRBuilder, lane: ir.Value, last: ir.Value, is_static: bool) -> ir.Value:
        """Return whether a lane has the same input as the last one; the first has none before it."""
        runtime = self.runtime
        is_first = b.icmp_unsigned("==", last, constant(LANES))
        last = b.select(is_first, lane, last)
        here, there = (b.load(runtime.element(b, self.counts.ctypes.data, I32, which)) for which in (lane, last))
        size = b.zext(b.mul(here, constant(4)), I64)
        row = 4 * self.true.shape[1]
        different = b.call(self.memcmp, [self._row(b, self.true, lane, row), self._row(b, self.true, last, row), size])
        if not is_static:
            row = 4 * len(self.program.roles)
            size = ir.Constant(I64, row)
            other = b.call(
                self.memcmp, [self._row(b, self.moves, lane, row), self._row(b, self.moves, last, row), size]
            )
            different = b.or_(different, other)
        same = b.and_(b.icmp_unsigned("==", here, there), b.icmp_unsigned("==", different, constant(0)))
        return b.and_(same, b.not_(is_first))

    def _row(self, b: ir.IRBuilder, array: np.ndarray, lane: ir.Value, size: int) -> ir.Value:
        """Return the address of the row of a lane."""
        return b.add(ir.Constant(I64, array.ctypes.data), b.mul(b.zext(lane, I64), ir.Constant(I64, size)))

    def _set(
        self,
        b: ir.IRBuilder,
        slot: Callable[[ir.Value, ir.Value], ir.Value],
        number: ir.Value,
        w: ir.Value,
        bit: ir.Value,
    ) -> None:
        """Write that something holds in a lane."""
        place = slot(number, w)
        b.store(b.or_(b.load(place), bit), place)
        count = self.runtime.pointer(b, self.num_written.ctypes.data, I32)
        written = b.load(count)
        b.store(number, self.runtime.element(b, self.written.ctypes.data, I32, written))
        b.store(b.add(written, constant(1)), count)

    def _evaluate(
        self,
        b: ir.IRBuilder,
        lane: ir.Value,
        outputs: list[OutputRows],
        is_static: bool,
        put: Callable[[ir.Value], None],
    ) -> None:
        """Write the evaluation of one lane."""
        runtime = self.runtime
        b.store(constant(0), runtime.pointer(b, self.num_written.ctypes.data, I32))
        b.call(self._begin, [lane])
        does = self.writer.does.ctypes.data + 4 * len(self.program.roles)
        for role in range(len(self.program.roles)):
            move: ir.Value = constant(-1)
            if not is_static:
                first = self.move_terms.ctypes.data + 4 * role * self.move_terms.shape[1]
                move = b.load(runtime.element(b, first, I32, b.load(self._move(b, lane, role))))
            b.store(move, runtime.pointer(b, does + 4 * role, I32))
        if is_static and ("terminal", 0) in self.planner.derived:
            ends = b.call(self.writer.ask(self.planner.function(("terminal", 0), ())), [])
            with b.if_then(b.icmp_unsigned("!=", ends, constant(0))):
                put(constant(self.areas[TERMINAL]))
        for output in outputs:
            self._put_rows(b, output, put)

    def _put_rows(self, b: ir.IRBuilder, output: OutputRows, put: Callable[[ir.Value], None]) -> None:
        """Write a loop over the rows of an output."""
        writer, runtime, function = self.writer, self.runtime, output.function
        first = writer.rows(b, function, b.call(writer.ask(function), []))
        before = b.block
        test, body, known, known_term, following, end = (
            b.append_basic_block(name) for name in ("rows", "row", "role", "term", "next", "end")
        )
        b.branch(test)
        b.position_at_end(test)
        row = b.phi(I32)
        row.add_incoming(first, before)
        b.cbranch(b.icmp_unsigned("==", row, constant(0)), end, body)
        b.position_at_end(body)
        role: ir.Value = constant(0)
        if output.has_role:
            term = writer.value(b, row, 0)
            inside = b.icmp_unsigned("<", term, constant(len(self.role_of)))
            place = b.select(inside, term, constant(0))
            role = b.load(runtime.element(b, self.role_of.ctypes.data, I32, place))
            b.cbranch(b.and_(inside, b.icmp_signed(">=", role, constant(0))), known, following)
        else:
            b.branch(known)
        b.position_at_end(known)
        term = writer.value(b, row, 1 if output.has_role else 0)
        size = output.slots.shape[1]
        place = b.select(b.icmp_unsigned("<", term, constant(size)), term, constant(size - 1))
        address = b.add(b.mul(role, constant(size)), place)
        number = b.load(runtime.element(b, output.slots.ctypes.data, I32, address))
        is_known = b.icmp_signed(">=", number, constant(0))
        with b.if_then(b.not_(is_known)):
            if self.program.rounds is None:
                runtime.store(b, ir.Constant(I64, UNKNOWN), FAULT)
            else:  # the state is beyond the rounds whose words are listed
                runtime.store(b, ir.Constant(I64, 1), BEYOND)
        b.cbranch(is_known, known_term, following)
        b.position_at_end(known_term)
        put(number)
        b.branch(following)
        b.position_at_end(following)
        row.add_incoming(writer.next_row(b, function, row), following)
        b.branch(test)
        b.position_at_end(end)


class bits:  # noqa: N801  # used as a statement
    """A loop over the ones of a word; `with bits(builder, word) as place:`."""

    def __init__(self, b: ir.IRBuilder, word: ir.Value) -> None:
        self.b, self.word = b, word

    def __enter__(self) -> ir.Value:
        b = self.b
        before = b.block
        self.head, body, self.end = (b.append_basic_block(name) for name in ("bits", "bit", "no_bit"))
        b.branch(self.head)
        b.position_at_end(self.head)
        self.left = b.phi(I64)
        self.left.add_incoming(self.word, before)
        b.cbranch(b.icmp_unsigned("==", self.left, ir.Constant(I64, 0)), self.end, body)
        b.position_at_end(body)
        return b.trunc(b.cttz(self.left, ir.Constant(ir.IntType(1), 1)), I32)

    def __exit__(self, *_: object) -> None:
        b = self.b
        self.left.add_incoming(b.and_(self.left, b.sub(self.left, ir.Constant(I64, 1))), b.block)
        b.branch(self.head)
        b.position_at_end(self.end)
