"""The true fluents of one state, in the form that machine code reads: chains of those that agree in some columns.

All fluents that can be true are known, so every fluent knows beforehand its group in every index. A *link* is a fluent
in one chain: link 0 ends a chain. To load a state, each true fluent puts its links in front of their chains. Chains are
not emptied afterwards: the first link of a chain counts if it was put there in the current state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from llvmlite import ir

from veil.engine.joins.relations import FixedRows, Index, make_index
from veil.engine.joins.runtime import EPOCH, I32, I64, Runtime, loop
from veil.vocabulary import Signature

Emit = Callable[[ir.Value], None]


@dataclass(eq=False)
class Chain:
    """Fluents of one shape that agree in some columns."""

    shape: Signature
    index: Index
    first_group: int  # where its groups begin among those of all chains


class FluentStore:
    """Fluents by number, and the chains that the code asks for. Arrays are made by `finish`, at fixed addresses."""

    def __init__(
        self,
        runtime: Runtime,
        ids: Sequence[int],
        shapes: Sequence[Signature],
        tables: Mapping[Signature, FixedRows],
        room: int,
    ) -> None:
        """Take the terms of all fluents and their shapes.

        `tables` are their arguments by shape, in the same order. `room` is the number of groups and links there is
        memory for.
        """
        self.runtime, self.tables, self.shapes = runtime, tables, shapes
        self.ids = np.array(ids, np.int32)
        self.local = np.zeros(len(ids), np.int64)  # place of a fluent among those of its shape
        self.of_shape: dict[Signature, list[int]] = {shape: [] for shape in tables}
        for number, shape in enumerate(shapes):
            self.local[number] = len(self.of_shape[shape])
            self.of_shape[shape].append(number)
        self.numbers = np.full(int(self.ids.max(initial=0)) + 2, -1, np.int32)
        self.numbers[self.ids] = np.arange(len(ids))
        self.true_since = np.zeros(max(1, len(ids)), np.uint32)  # the epoch in which a fluent was loaded
        self.listed = np.zeros(len(ids) + 1, np.int32)  # the true fluents
        self.count = np.zeros(1, np.int32)
        self.first_link = np.zeros(room, np.uint64)  # epoch << 32 | link
        self.next_link = np.zeros(room, np.int32)
        self.link_arguments = np.zeros(room, np.int32)  # where the arguments of a link's fluent begin
        self.link_group = np.zeros(room, np.int32)
        self.arguments = np.concatenate([table.rows.ravel() for table in tables.values()] or [np.zeros(0, np.int32)])
        self.arguments = np.ascontiguousarray(np.append(self.arguments, 0), np.int32)
        self.links_of = np.zeros(len(ids) + 1, np.int32)  # links of fluent f: [links_of[f], links_of[f + 1])
        self._chains: dict[tuple[Signature, tuple[int, ...]], Chain] = {}
        self._groups, self._room = 0, room

    @property
    def count_address(self) -> int:
        """The address of the number of true fluents."""
        return int(self.count.ctypes.data)

    @property
    def list_address(self) -> int:
        """The address of the list of true fluents."""
        return int(self.listed.ctypes.data)

    def chain(self, shape: Signature, columns: tuple[int, ...]) -> Chain:
        """Return the chain of fluents of a shape that agree in these columns."""
        key = shape, columns
        if key not in self._chains:
            index = make_index(self.tables[shape].rows, columns)
            self._chains[key] = Chain(shape, index, self._groups)
            self._groups += index.num_groups
            if self._groups > self._room:
                raise MemoryError("too many groups of fluents")
        return self._chains[key]

    def finish(self) -> None:
        """Number the links of all chains (arrays changed in place)."""
        start, begin = dict[Signature, int](), 0
        for shape, table in self.tables.items():
            start[shape] = begin
            begin += table.rows.size
        link = 1
        by_shape: dict[Signature, list[Chain]] = {}
        for chain in self._chains.values():
            by_shape.setdefault(chain.shape, []).append(chain)
        for number, shape in enumerate(self.shapes):
            self.links_of[number] = link
            row = int(self.local[number])
            for chain in by_shape.get(shape, ()):
                self.link_group[link] = chain.first_group + chain.index.group[row]
                self.link_arguments[link] = start[shape] + row * self.tables[shape].rows.shape[1]
                link += 1
        self.links_of[len(self.shapes)] = link

    def number_of(self, b: ir.IRBuilder, term: ir.Value, demand: Emit) -> ir.Value:
        """Return the number of the fluent that is a term; `demand` says what to do if there is none."""
        demand(b.icmp_unsigned("<", term, ir.Constant(I32, len(self.numbers))))
        number = b.load(self.runtime.element(b, self.numbers.ctypes.data, I32, term))
        demand(b.icmp_signed(">=", number, ir.Constant(I32, 0)))
        return number

    def is_true(self, b: ir.IRBuilder, number: ir.Value) -> ir.Value:
        """Return whether a fluent is true."""
        since = b.load(self.runtime.element(b, self.true_since.ctypes.data, I32, number))
        return b.icmp_unsigned("==", since, b.trunc(self.runtime.load(b, EPOCH), I32))

    def term(self, b: ir.IRBuilder, number: ir.Value) -> ir.Value:
        """Return the term of a fluent."""
        return b.load(self.runtime.element(b, self.ids.ctypes.data, I32, number))

    def first(self, b: ir.IRBuilder, chain: Chain, group: ir.Value) -> ir.Value:
        """Return the first link of a group; 0 if no fluent of it is true."""
        place = b.add(group, ir.Constant(I32, chain.first_group))
        head = b.load(self.runtime.element(b, self.first_link.ctypes.data, I64, place))
        is_current = b.icmp_unsigned("==", b.lshr(head, ir.Constant(I64, 32)), self.runtime.load(b, EPOCH))
        return b.select(is_current, b.trunc(head, I32), ir.Constant(I32, 0))

    def next(self, b: ir.IRBuilder, link: ir.Value) -> ir.Value:
        """Return the link after a link; 0 at the end."""
        return b.load(self.runtime.element(b, self.next_link.ctypes.data, I32, link))

    def argument(self, b: ir.IRBuilder, chain: Chain, link: ir.Value, column: int) -> ir.Value:
        """Return an argument of the fluent of a link."""
        begin = b.load(self.runtime.element(b, self.link_arguments.ctypes.data, I32, link))
        place = b.add(begin, ir.Constant(I32, column))
        return b.load(self.runtime.element(b, self.arguments.ctypes.data, I32, place))

    def write_load(self, b: ir.IRBuilder, number: ir.Value) -> None:
        """Write that a fluent is true in the current state."""
        runtime, epoch = self.runtime, self.runtime.load(b, EPOCH)
        b.store(b.trunc(epoch, I32), runtime.element(b, self.true_since.ctypes.data, I32, number))
        count = runtime.pointer(b, self.count_address, I32)
        listed = b.load(count)
        b.store(number, runtime.element(b, self.list_address, I32, listed))
        b.store(b.add(listed, ir.Constant(I32, 1)), count)
        begin = b.load(runtime.element(b, self.links_of.ctypes.data, I32, number))
        end = b.load(runtime.element(b, self.links_of.ctypes.data + 4, I32, number))
        with loop(b, b.sub(end, begin)) as i:
            link = b.add(begin, i)
            group = b.load(runtime.element(b, self.link_group.ctypes.data, I32, link))
            head = runtime.element(b, self.first_link.ctypes.data, I64, group)
            before = b.load(head)
            is_current = b.icmp_unsigned("==", b.lshr(before, ir.Constant(I64, 32)), epoch)
            following = b.select(is_current, b.trunc(before, I32), ir.Constant(I32, 0))
            b.store(following, runtime.element(b, self.next_link.ctypes.data, I32, link))
            b.store(b.or_(b.shl(epoch, ir.Constant(I64, 32)), b.zext(link, I64)), head)
