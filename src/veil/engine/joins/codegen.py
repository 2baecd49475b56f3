"""Functions of a plan as LLVM IR: nested loops over rows, one loop per condition, with kept results.

A question has one entry per state and values of its known columns. The key is (tag, values of the known columns); then
come `STATUS`, `FIRST`, `LAST`, `LOWEST`, `ROUND_OF` and `BELOW`. Its rows are entries too, with the key (tag, place of
the question's entry, values of the free columns), each followed by the place of the next row. A test has no free
columns; `FIRST` is 1 if it holds.

A relation that asks itself about other values is a recursive call, and ends by itself if the values do. If a question
is asked again while it is being answered, the rows found so far are used, and everything that used them is answered
again until nothing new is found (linear tabling): the question that was asked first, the *leader*, does that for all
that depend on it, and then all of them are complete. Negations ask relations of lower strata, which never do that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from llvmlite import ir

from veil.engine.joins.fluent_store import FluentStore
from veil.engine.joins.plans import DOES, TRUE, Planner, Question, RulePlan, Step
from veil.engine.joins.relations import FixedRows, Index, TermMemory
from veil.engine.joins.runtime import (
    CHANGES,
    DEPTH,
    FAR_AWAY,
    FAULT,
    I32,
    I64,
    LOW,
    NUMBER,
    OPEN,
    ROUND,
    TOO_DEEP,
    Runtime,
)
from veil.vocabulary import Signature, Term, Var, arguments, signature, variables

STATUS, FIRST, LAST, LOWEST, ROUND_OF, BELOW, EXTRA = range(7)  # words of a question after its key; how many
NEW, BEING_ANSWERED, COMPLETE, PARTLY = range(4)
MAX_DEPTH = 3_000  # calls inside each other
Env = dict[Var, ir.Value]


class QuestionWriter:
    """Writer of all functions that a planner knows."""

    def __init__(
        self, runtime: Runtime, planner: Planner, terms: TermMemory, fluents: FluentStore, does: np.ndarray
    ) -> None:
        """Take what the functions read; `does` [2, R] int32 holds roles and their moves, and stays where it is."""
        self.runtime, self.planner, self.terms, self.fluents, self.does = runtime, planner, terms, fluents, does
        self.alive: list[np.ndarray] = []  # arrays that the code reads by address
        self._tags = iter(range(-2, -1_000_000, -1))
        self._question_tag: dict[Question, int] = {}
        self._row_tag: dict[Question, int] = {}
        self._heads: dict[Question, ir.Function] = {}
        self._bodies: dict[Question, ir.Function] = {}
        self._waiting: list[Question] = []

    def ask(self, function: Question) -> ir.Function:
        """Return the IR function of a question: known values -> its entry (or, for a test, whether it holds)."""
        if function not in self._heads:
            kinds: list[ir.Type] = [I32] * len(function.known)
            self._heads[function] = self.runtime.function(f"{function.name}_ask", I32, kinds)
            self._bodies[function] = self.runtime.function(f"{function.name}_rules", I32, [I32, *kinds])
            self._question_tag[function], self._row_tag[function] = next(self._tags), next(self._tags)
            self._waiting.append(function)
        return self._heads[function]

    def write(self) -> None:
        """Write all functions that were asked for, and those that they ask."""
        while self._waiting:
            function = self._waiting.pop()
            if function.is_recursive:
                self._write_recursive_head(function)
            elif function.is_kept:
                self._write_head(function)
            else:
                self._write_plain_head(function)
            _BodyWriter(self, function).write()

    def rows(self, b: ir.IRBuilder, function: Question, entry: ir.Value) -> ir.Value:
        """Return the place of the first row of a question's entry; 0 if there is none."""
        return b.load(self.runtime.word(b, entry, 1 + len(function.known) + FIRST))

    def next_row(self, b: ir.IRBuilder, function: Question, row: ir.Value) -> ir.Value:
        """Return the place of the row after a row; 0 if there is none."""
        return b.load(self.runtime.word(b, row, 2 + len(function.free)))

    def value(self, b: ir.IRBuilder, row: ir.Value, number: int) -> ir.Value:
        """Return the value of a free column of a row."""
        return b.load(self.runtime.word(b, row, 2 + number))

    def add_row(self, b: ir.IRBuilder, function: Question, entry: ir.Value, values: Sequence[ir.Value]) -> None:
        """Write the addition of a row to the answers of a question."""
        runtime, base = self.runtime, 1 + len(function.known)
        is_sound = b.icmp_unsigned("==", runtime.load(b, FAULT), ir.Constant(I64, 0))
        with b.if_then(is_sound):  # otherwise a loop over the rows would never end
            row, is_new = runtime.find(b, [constant(self._row_tag[function]), entry, *values], 1)
            with b.if_then(is_new):
                last = runtime.word(b, entry, base + LAST)
                before = b.load(last)
                with b.if_else(b.icmp_unsigned("==", before, constant(0))) as (is_first, is_next):
                    with is_first:
                        b.store(row, runtime.word(b, entry, base + FIRST))
                    with is_next:
                        b.store(row, runtime.word(b, before, 2 + len(function.free)))
                b.store(row, runtime.word(b, entry, base + LAST))
                self._count_change(b)

    def hold(self, b: ir.IRBuilder, function: Question, entry: ir.Value) -> None:
        """Write that a test holds."""
        first = self.runtime.word(b, entry, 1 + len(function.known) + FIRST)
        with b.if_then(b.icmp_unsigned("==", b.load(first), constant(0))):
            b.store(constant(1), first)
            self._count_change(b)

    def _count_change(self, b: ir.IRBuilder) -> None:
        self.runtime.store(b, b.add(self.runtime.load(b, CHANGES), ir.Constant(I64, 1)), CHANGES)

    def _answer(self, b: ir.IRBuilder, function: Question, entry: ir.Value) -> ir.Value:
        """Return what a question returns, given its entry."""
        return entry if function.free else self.rows(b, function, entry)

    def _write_plain_head(self, function: Question) -> None:
        """Write a test whose results are not kept."""
        head = self._heads[function]
        b = ir.IRBuilder(head.append_basic_block("entry"))
        b.ret(b.call(self._bodies[function], [constant(0), *head.args]))

    def _begin_head(self, function: Question) -> tuple[ir.IRBuilder, ir.Value, Callable[[int], ir.Value]]:
        """Write the look-up of the entry; return (builder, entry, a function for pointers to its words)."""
        head = self._heads[function]
        b = ir.IRBuilder(head.append_basic_block("entry"))
        entry, _ = self.runtime.find(b, [constant(self._question_tag[function]), *head.args], EXTRA)
        base = 1 + len(function.known)
        return b, entry, lambda word: self.runtime.word(b, entry, base + word)

    def _write_head(self, function: Question) -> None:
        """Write a question that is answered once per state."""
        b, entry, word = self._begin_head(function)
        is_new = b.icmp_unsigned("==", b.load(word(STATUS)), constant(NEW))
        is_sound = b.icmp_unsigned("==", self.runtime.load(b, FAULT), ir.Constant(I64, 0))
        with b.if_then(b.and_(is_new, is_sound)):
            b.store(constant(COMPLETE), word(STATUS))
            with self._one_deeper(b):
                b.call(self._bodies[function], [entry, *self._heads[function].args])
        b.ret(self._answer(b, function, entry))

    def _one_deeper(self, b: ir.IRBuilder) -> _Deeper:
        return _Deeper(self.runtime, b)

    def _write_recursive_head(self, function: Question) -> None:
        """Write a question that may be asked while it is being answered: linear tabling."""
        runtime, head = self.runtime, self._heads[function]
        b, entry, word = self._begin_head(function)
        answer, known, used, enter = (head.append_basic_block(name) for name in ("answer", "known", "used", "enter"))
        status = b.load(word(STATUS))
        is_faulty = b.icmp_unsigned("!=", runtime.load(b, FAULT), ir.Constant(I64, 0))
        b.cbranch(b.or_(is_faulty, b.icmp_unsigned("==", status, constant(COMPLETE))), answer, known)
        b.position_at_end(answer)
        b.ret(self._answer(b, function, entry))
        b.position_at_end(known)
        current = b.trunc(runtime.load(b, ROUND), I32)
        is_current = b.icmp_unsigned("==", b.load(word(ROUND_OF)), current)
        is_partly = b.and_(b.icmp_unsigned("==", status, constant(PARTLY)), is_current)
        is_busy = b.icmp_unsigned("==", status, constant(BEING_ANSWERED))
        b.cbranch(b.or_(is_partly, is_busy), used, enter)
        b.position_at_end(used)
        self._lower(b, b.sext(b.load(word(LOWEST)), I64))
        b.branch(answer)
        b.position_at_end(enter)
        number = b.add(runtime.load(b, NUMBER), ir.Constant(I64, 1))
        runtime.store(b, number, NUMBER)
        b.store(constant(BEING_ANSWERED), word(STATUS))
        b.store(b.trunc(number, I32), word(LOWEST))
        self._write_rounds(b, function, entry, number)

    def _write_rounds(self, b: ir.IRBuilder, function: Question, entry: ir.Value, number: ir.Value) -> None:
        """Write that a question is answered, by its leader as often as something new is found."""
        runtime, head = self.runtime, self._heads[function]
        again = head.append_basic_block("again")

        def word(which: int) -> ir.Value:
            return runtime.word(b, entry, 1 + len(function.known) + which)

        low_before, open_before = runtime.load(b, LOW), runtime.load(b, OPEN)
        b.branch(again)
        b.position_at_end(again)
        runtime.store(b, ir.Constant(I64, FAR_AWAY), LOW)
        changes = runtime.load(b, CHANGES)
        with self._one_deeper(b):
            b.call(self._bodies[function], [entry, *head.args])
        low = runtime.load(b, LOW)
        is_dependent = b.icmp_signed("<", low, number)
        is_settled = b.icmp_unsigned("==", runtime.load(b, CHANGES), changes)
        is_faulty = b.icmp_unsigned("!=", runtime.load(b, FAULT), ir.Constant(I64, 0))
        is_alone = b.or_(b.icmp_signed(">", low, number), b.or_(is_settled, is_faulty))
        partly, leader, whole, repeat, leave = (
            head.append_basic_block(name) for name in ("partly", "leader", "whole", "repeat", "leave")
        )
        b.cbranch(is_dependent, partly, leader)
        b.position_at_end(leader)
        b.cbranch(is_alone, whole, repeat)
        b.position_at_end(repeat)
        runtime.store(b, b.add(runtime.load(b, ROUND), ir.Constant(I64, 1)), ROUND)
        b.branch(again)
        b.position_at_end(partly)
        was_open = b.icmp_unsigned("!=", b.load(word(ROUND_OF)), constant(0))
        b.store(constant(PARTLY), word(STATUS))
        b.store(b.trunc(low, I32), word(LOWEST))
        b.store(b.trunc(runtime.load(b, ROUND), I32), word(ROUND_OF))
        with b.if_then(b.not_(was_open)):  # it waits for its leader, once
            b.store(b.trunc(runtime.load(b, OPEN), I32), word(BELOW))
            runtime.store(b, b.zext(self._status_place(b, function, entry), I64), OPEN)
        self._lower(b, low, low_before)
        b.branch(leave)
        b.position_at_end(whole)
        b.store(constant(COMPLETE), word(STATUS))
        self._complete(b, head, open_before)
        runtime.store(b, low_before, LOW)
        b.branch(leave)
        b.position_at_end(leave)
        runtime.store(b, b.sub(runtime.load(b, NUMBER), ir.Constant(I64, 1)), NUMBER)
        b.ret(self._answer(b, function, entry))

    def _status_place(self, b: ir.IRBuilder, function: Question, entry: ir.Value) -> ir.Value:
        return b.add(entry, constant(1 + len(function.known) + STATUS))

    def _complete(self, b: ir.IRBuilder, head: ir.Function, until: ir.Value) -> None:
        """Write the end of all questions that wait for the leader.

        Those that were answered in the last round, in which nothing new was found, are complete. The others were not
        asked again, because a test held before, and are forgotten.
        """
        runtime = self.runtime
        check, body, end = (head.append_basic_block(name) for name in ("waiting", "complete", "all_complete"))
        b.branch(check)
        b.position_at_end(check)
        place = runtime.load(b, OPEN)
        b.cbranch(b.icmp_unsigned("==", place, until), end, body)
        b.position_at_end(body)
        status = b.trunc(place, I32)
        when = runtime.word(b, status, ROUND_OF - STATUS)
        is_last = b.icmp_unsigned("==", b.load(when), b.trunc(runtime.load(b, ROUND), I32))
        b.store(b.select(is_last, constant(COMPLETE), constant(NEW)), runtime.word(b, status))
        b.store(constant(0), when)
        runtime.store(b, b.zext(b.load(runtime.word(b, status, BELOW - STATUS)), I64), OPEN)
        b.branch(check)
        b.position_at_end(end)

    def _lower(self, b: ir.IRBuilder, low: ir.Value, other: ir.Value | None = None) -> None:
        """Write that what is being answered depends on the question with this number."""
        before = self.runtime.load(b, LOW) if other is None else other
        self.runtime.store(b, b.select(b.icmp_signed("<", low, before), low, before), LOW)


class _Deeper:
    """A call one level deeper; too many levels are a fault."""

    def __init__(self, runtime: Runtime, b: ir.IRBuilder) -> None:
        self.runtime, self.b = runtime, b

    def __enter__(self) -> None:
        depth = self.b.add(self.runtime.load(self.b, DEPTH), ir.Constant(I64, 1))
        self.runtime.store(self.b, depth, DEPTH)
        with self.b.if_then(self.b.icmp_unsigned(">", depth, ir.Constant(I64, MAX_DEPTH))):
            self.runtime.store(self.b, ir.Constant(I64, TOO_DEEP), FAULT)

    def __exit__(self, *_: object) -> None:
        depth = self.b.sub(self.runtime.load(self.b, DEPTH), ir.Constant(I64, 1))
        self.runtime.store(self.b, depth, DEPTH)


class _BodyWriter:
    """Writer of the rules of one function: `rules(entry, known value...)` adds their rows, or returns 1 for a test."""

    def __init__(self, writer: QuestionWriter, function: Question) -> None:
        self.writer, self.runtime, self.function = writer, writer.runtime, function
        self.body = writer._bodies[function]
        self.b = ir.IRBuilder(self.body.append_basic_block("entry"))

    def write(self) -> None:
        for plan in self.function.rules:
            end = self.body.append_basic_block("rule_end")
            self._write_rule(plan, end)
            self.b.position_at_end(end)
        self.b.ret(constant(0))

    def _write_rule(self, plan: RulePlan, end: ir.Block) -> None:
        env: Env = {}
        head = arguments(plan.head)
        for value, column in zip(self.body.args[1:], self.function.known, strict=True):
            self._match(head[column], value, env, end)
        wanted = {var for column in self.function.free for var in variables(head[column])}
        cut = end if wanted.issubset(env) else None
        self._write_steps(plan, 0, env, end, cut, wanted)

    def _write_steps(
        self, plan: RulePlan, number: int, env: Env, fail: ir.Block, cut: ir.Block | None, wanted: set[Var]
    ) -> None:
        """Write the conditions from a number on; `cut` is where to go on after a row of the head was found."""
        if number == len(plan.steps):
            self._write_answer(plan, env, cut or fail)
            return

        def go_on(env: Env, fail: ir.Block) -> None:
            bound = wanted.issubset(env)
            self._write_steps(plan, number + 1, env, fail, cut or (fail if bound else None), wanted)

        self._write_step(plan.steps[number], env, fail, go_on)

    def _write_answer(self, plan: RulePlan, env: Env, cut: ir.Block) -> None:
        entry = self.body.args[0]
        if self.function.free:
            parts = arguments(plan.head)
            values = [self._build(parts[column], env) for column in self.function.free]
            self.writer.add_row(self.b, self.function, entry, values)
            self.b.branch(cut)
            return
        if self.function.is_kept:
            self.writer.hold(self.b, self.function, entry)
        self.b.ret(constant(1))

    def _write_step(self, step: Step, env: Env, fail: ir.Block, go_on: Callable[[Env, ir.Block], None]) -> None:
        literal, atom = step.literal, step.literal.atom
        if literal.is_distinct:
            left, right = (self._build(part, env) for part in arguments(atom))
            self._demand(self.b.icmp_unsigned("!=", left, right), fail)
            go_on(env, fail)
        elif literal.positive:
            self._write_look_up(step, env, fail, go_on)
        else:  # the condition holds if the look-up ends without a row
            holds = self.body.append_basic_block("negation_holds")
            self._write_look_up(step, env, holds, lambda _, __: self._jump(fail))
            self.b.position_at_end(holds)
            go_on(env, fail)

    def _jump(self, block: ir.Block) -> None:
        self.b.branch(block)

    def _write_look_up(self, step: Step, env: Env, fail: ir.Block, go_on: Callable[[Env, ir.Block], None]) -> None:
        """Write a loop over the rows that agree with what is known; without further rows it goes to `fail`."""
        sig, parts = signature(step.literal.atom), arguments(step.literal.atom)
        if sig == TRUE:
            self._loop_fluents(parts[0], env, fail, go_on)
        elif sig == DOES:
            self._loop_moves(parts, env, fail, go_on)
        elif sig in self.writer.planner.fixed:
            self._loop_table(self.writer.planner.fixed[sig], parts, step.known, env, fail, go_on)
        else:
            self._loop_answers(step, parts, env, fail, go_on)

    def _loop_answers(
        self, step: Step, parts: Sequence[Term], env: Env, fail: ir.Block, go_on: Callable[[Env, ir.Block], None]
    ) -> None:
        """Write a call of another function, and a loop over its rows."""
        function = self.writer.planner.function(signature(step.literal.atom), step.known)
        known = [self._build(parts[column], env) for column in function.known]
        answer = self.b.call(self.writer.ask(function), known)
        if not function.free:
            self._demand(self.b.icmp_unsigned("!=", answer, constant(0)), fail)
            go_on(env, fail)
            return
        first = self.writer.rows(self.b, function, answer)
        row, following, after = self._open_chain(first, fail)
        inner = dict(env)
        for number, column in enumerate(function.free):
            self._match(parts[column], self.writer.value(self.b, row, number), inner, following)
        go_on(inner, following)
        self.b.position_at_end(following)
        self._close_chain(row, self.writer.next_row(self.b, function, row), after)

    def _open_chain(self, first: ir.Value, fail: ir.Block, end: int = 0) -> tuple[ir.Value, ir.Block, ir.Block]:
        """Write the begin of a loop over linked rows; return (row, block for the next one, block that tests)."""
        test, body, following = (self.body.append_basic_block(name) for name in ("rows", "row", "next_row"))
        before = self.b.block
        self.b.branch(test)
        self.b.position_at_end(test)
        row = self.b.phi(I32)
        row.add_incoming(first, before)
        self.b.cbranch(self.b.icmp_unsigned("==", row, constant(end)), fail, body)
        self.b.position_at_end(body)
        return row, following, test

    def _close_chain(self, row: ir.Value, following: ir.Value, test: ir.Block) -> None:
        row.add_incoming(following, self.b.block)
        self.b.branch(test)

    def _open_range(self, begin: ir.Value, end: ir.Value, fail: ir.Block) -> tuple[ir.Value, ir.Block, ir.Block]:
        """Write the begin of a loop over numbers; return as `_open_chain`."""
        test, body, following = (self.body.append_basic_block(name) for name in ("range", "number", "next_number"))
        before = self.b.block
        self.b.branch(test)
        self.b.position_at_end(test)
        number = self.b.phi(I32)
        number.add_incoming(begin, before)
        self.b.cbranch(self.b.icmp_unsigned(">=", number, end), fail, body)
        self.b.position_at_end(body)
        return number, following, test

    def _loop_table(
        self,
        table: FixedRows,
        parts: Sequence[Term],
        known: tuple[int, ...],
        env: Env,
        fail: ir.Block,
        go_on: Callable[[Env, ir.Block], None],
    ) -> None:
        """Write a loop over rows of a relation that never changes."""
        if not len(table.rows):
            self._jump(fail)
            return
        if not parts:
            go_on(env, fail)
            return
        index, start, rows = table.lookup(known)
        group = self._group(index, parts, env, fail)
        starts = self._keep(start)
        begin = self.b.load(self.runtime.element(self.b, starts, I32, group))
        end = self.b.load(self.runtime.element(self.b, starts + 4, I32, group))
        number, following, test = self._open_range(begin, end, fail)
        address, width = self._keep(rows), rows.shape[1]
        first = self.b.mul(number, constant(width))
        inner = dict(env)
        for column, part in enumerate(parts):
            if column not in index.columns:
                place = self.runtime.element(self.b, address, I32, self.b.add(first, constant(column)))
                self._match(part, self.b.load(place), inner, following)
        go_on(inner, following)
        self.b.position_at_end(following)
        self._close_chain(number, self.b.add(number, constant(1)), test)

    def _group(self, index: Index, parts: Sequence[Term], env: Env, fail: ir.Block) -> ir.Value:
        """Return the number of the group of rows with the known values; without such rows, go to `fail`."""
        group: ir.Value = constant(0)
        for column, table, stride in zip(index.columns, index.maps, index.strides, strict=True):
            value = self._build(parts[column], env)
            self._demand(self.b.icmp_unsigned("<", value, constant(len(table))), fail)
            small = self.b.load(self.runtime.element(self.b, self._keep(table), I32, value))
            self._demand(self.b.icmp_signed(">=", small, constant(0)), fail)
            group = self.b.add(group, self.b.mul(small, constant(stride)))
        return group

    def _loop_fluents(self, pattern: Term, env: Env, fail: ir.Block, go_on: Callable[[Env, ir.Block], None]) -> None:
        """Write a loop over the true fluents that agree with a pattern."""
        fluents = self.writer.fluents
        if isinstance(pattern, Var | str):
            shape: Signature | None = None if isinstance(pattern, Var) else (pattern, 0)
            known = isinstance(pattern, str) or pattern in env
            if known:
                number = fluents.number_of(self.b, self._build(pattern, env), lambda cond: self._demand(cond, fail))
                self._demand(fluents.is_true(self.b, number), fail)
                go_on(env, fail)
                return
            assert shape is None
            count = self.b.load(self.runtime.pointer(self.b, fluents.count_address, I32))
            place, following, test = self._open_range(constant(0), count, fail)
            number = self.b.load(self.runtime.element(self.b, fluents.list_address, I32, place))
            inner = dict(env)
            self._match(pattern, fluents.term(self.b, number), inner, following)
            go_on(inner, following)
            self.b.position_at_end(following)
            self._close_chain(place, self.b.add(place, constant(1)), test)
            return
        shape = signature(pattern)
        if shape not in fluents.tables:
            self._jump(fail)
            return
        parts = arguments(pattern)
        known_columns = tuple(i for i, part in enumerate(parts) if set(variables(part)).issubset(env))
        chain = fluents.chain(shape, known_columns)
        group = self._group(chain.index, parts, env, fail)
        first = fluents.first(self.b, chain, group)
        link, following, test = self._open_chain(first, fail)
        inner = dict(env)
        for column, part in enumerate(parts):
            if column not in chain.index.columns:
                self._match(part, fluents.argument(self.b, chain, link, column), inner, following)
        go_on(inner, following)
        self.b.position_at_end(following)
        self._close_chain(link, fluents.next(self.b, link), test)

    def _loop_moves(
        self, parts: Sequence[Term], env: Env, fail: ir.Block, go_on: Callable[[Env, ir.Block], None]
    ) -> None:
        """Write a loop over the roles and their moves."""
        roles = self.writer.does.shape[1]
        address = self._keep(self.writer.does)
        role, following, test = self._open_range(constant(0), constant(roles), fail)
        move = self.b.load(self.runtime.element(self.b, address + 4 * roles, I32, role))
        self._demand(self.b.icmp_signed(">=", move, constant(0)), following)  # no moves are given while judging
        inner = dict(env)
        for row, part in enumerate(parts):
            place = self.runtime.element(self.b, address + 4 * row * roles, I32, role)
            self._match(part, self.b.load(place), inner, following)
        go_on(inner, following)
        self.b.position_at_end(following)
        self._close_chain(role, self.b.add(role, constant(1)), test)

    def _match(self, pattern: Term, value: ir.Value, env: Env, fail: ir.Block) -> None:
        """Write that a value agrees with a pattern; unknown variables get their values (env changed in place)."""
        if isinstance(pattern, Var) and pattern not in env:
            env[pattern] = value
            return
        if isinstance(pattern, str | Var) or set(variables(pattern)).issubset(env):
            self._demand(self.b.icmp_unsigned("==", value, self._build(pattern, env)), fail)
            return
        tag = self.b.load(self.runtime.word(self.b, value))
        self._demand(self.b.icmp_unsigned("==", tag, constant(self.writer.terms.tag(signature(pattern)))), fail)
        for i, part in enumerate(arguments(pattern), 1):
            self._match(part, self.b.load(self.runtime.word(self.b, value, i)), env, fail)

    def _build(self, term: Term, env: Mapping[Var, ir.Value]) -> ir.Value:
        """Return the number of a term whose variables are known; the term is made if it is new."""
        if isinstance(term, Var):
            return env[term]
        known = self.writer.terms.find(term)
        if known is not None:
            return constant(known)
        assert not isinstance(term, str), f"an unknown constant: {term}"
        words = [constant(self.writer.terms.tag(signature(term))), *(self._build(part, env) for part in term[1:])]
        return self.runtime.find(self.b, words, 0)[0]

    def _demand(self, condition: ir.Value, fail: ir.Block) -> None:
        """Write that it goes on only if a condition holds."""
        holds = self.body.append_basic_block("holds")
        self.b.cbranch(condition, holds, fail)
        self.b.position_at_end(holds)

    def _keep(self, array: np.ndarray) -> int:
        """Return the address of an array, which stays in memory as long as the code."""
        self.writer.alive.append(array)
        address: int = array.ctypes.data
        return address


def constant(value: int) -> ir.Constant:
    """Return a 32-bit number."""
    return ir.Constant(I32, value)
