"""The memory of a machine that evaluates rules: terms, kept results and their rows, in one table of entries.

An entry is a run of 32-bit words in one memory: its key (a tag and numbers of terms), then words that its owner fills.
Its place is its number. A hash table finds an entry by its key. All entries of a state are forgotten at once:
every slot of the table carries the number of the state (*epoch*) in which it was filled. The terms of the rules are
entries too; their epoch is `FOR_EVER`.

This module writes the functions of that memory as LLVM IR: `find_N` for keys of N words, which makes an entry that is
missing, and `grow_slots` and `grow_memory`.
"""

from __future__ import annotations

from llvmlite import ir

I1, I8, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
FOR_EVER = 0xFFFFFFFF
MAX_WORDS = 1 << 27  # of the memory of entries: half a gigabyte
ROOM = 1 << 12  # words that are free before an entry is made; no entry is longer

# Places in the context, an array of 64-bit words.
(MEMORY, SLOTS, MASK, COUNT, TOP, SIZE, EPOCH, FAULT, LOW, ROUND, CHANGES, DEPTH, NUMBER, LOCK, STACK, OPEN,
 KEPT_COUNT, KEPT_TOP, STATES, BEYOND) = range(20)  # fmt: skip
CONTEXT_WORDS = 32
FAR_AWAY = 1 << 30  # no question has such a number
TOO_LARGE, TOO_DEEP, UNKNOWN = 1, 2, 3  # values of FAULT


class Runtime:
    """A module of LLVM IR with access to the context at a fixed address."""

    def __init__(self, context_address: int) -> None:
        self.module = ir.Module("veil_joins")
        self.context_address = context_address
        self._finds: dict[int, ir.Function] = {}
        self.calloc = self._external("calloc", I64, [I64, I64])
        self.realloc = self._external("realloc", I64, [I64, I64])
        self.free = self._external("free", ir.VoidType(), [I64])
        self.grow_memory = self._write_grow_memory()
        self.grow_slots = self._write_grow_slots()

    def function(self, name: str, result: ir.Type, arguments: list[ir.Type], public: bool = False) -> ir.Function:
        """Return a new function without a body."""
        function = ir.Function(self.module, ir.FunctionType(result, arguments), name)
        if not public:
            function.linkage = "internal"
        return function

    def load(self, b: ir.IRBuilder, place: int) -> ir.Value:
        """Return a word of the context."""
        return b.load(self.pointer(b, self.context_address + 8 * place, I64))

    def store(self, b: ir.IRBuilder, value: ir.Value, place: int) -> None:
        """Set a word of the context."""
        b.store(value, self.pointer(b, self.context_address + 8 * place, I64))

    def pointer(self, b: ir.IRBuilder, address: int, kind: ir.Type) -> ir.Value:
        """Return a pointer to a fixed address."""
        return b.inttoptr(ir.Constant(I64, address), kind.as_pointer())

    def element(self, b: ir.IRBuilder, address: int, kind: ir.Type, index: ir.Value) -> ir.Value:
        """Return a pointer to an element of an array at a fixed address."""
        return b.gep(self.pointer(b, address, kind), [b.zext(index, I64) if index.type == I32 else index])

    def word(self, b: ir.IRBuilder, place: ir.Value, more: int = 0) -> ir.Value:
        """Return a pointer to a word of the memory of entries."""
        memory = b.inttoptr(self.load(b, MEMORY), I32.as_pointer())
        return b.gep(memory, [b.add(b.zext(place, I64), ir.Constant(I64, more))])

    def find(self, b: ir.IRBuilder, words: list[ir.Value], extra: int) -> tuple[ir.Value, ir.Value]:
        """Return (the place of the entry with this key, whether it is new); a new one has `extra` words of zero."""
        made = b.call(self._find(len(words)), [*words, ir.Constant(I32, extra)])
        is_new = b.icmp_unsigned("!=", b.lshr(made, ir.Constant(I64, 32)), ir.Constant(I64, 0))
        return b.trunc(made, I32), is_new

    def _external(self, name: str, result: ir.Type, arguments: list[ir.Type]) -> ir.Function:
        return ir.Function(self.module, ir.FunctionType(result, arguments), name)

    def _find(self, length: int) -> ir.Function:
        if length not in self._finds:
            self._finds[length] = self._write_find(length)
        return self._finds[length]

    def _write_find(self, length: int) -> ir.Function:
        """Write `find_N(word..., extra) -> place | is_new << 32`."""
        function = self.function(f"find_{length}", I64, [I32] * (length + 1))
        words = function.args[:-1]
        entry, begin, probe, check, compare, step, insert = (
            function.append_basic_block(name)
            for name in ("entry", "begin", "probe", "check", "compare", "step", "insert")
        )
        b = ir.IRBuilder(entry)
        hashed: ir.Value = ir.Constant(I32, 0x9E3779B9)
        for word in words:
            hashed = b.mul(b.xor(hashed, word), ir.Constant(I32, 0x85EBCA6B))
            hashed = b.xor(hashed, b.lshr(hashed, ir.Constant(I32, 15)))
        b.branch(begin)
        b.position_at_end(begin)
        mask, epoch = self.load(b, MASK), self.load(b, EPOCH)
        slots = b.inttoptr(self.load(b, SLOTS), I64.as_pointer())
        first = b.and_(b.zext(hashed, I64), mask)
        b.branch(probe)
        b.position_at_end(probe)
        index = b.phi(I64)
        index.add_incoming(first, begin)
        slot = b.gep(slots, [b.shl(index, ir.Constant(I64, 1))])
        head = b.load(slot)
        when = b.lshr(head, ir.Constant(I64, 32))
        is_used = b.or_(b.icmp_unsigned("==", when, epoch), b.icmp_unsigned("==", when, ir.Constant(I64, FOR_EVER)))
        b.cbranch(is_used, check, insert)
        b.position_at_end(check)
        place = b.trunc(b.load(b.gep(slot, [ir.Constant(I64, 1)])), I32)
        b.cbranch(b.icmp_unsigned("==", b.trunc(head, I32), hashed), compare, step)
        b.position_at_end(compare)
        same: ir.Value = ir.Constant(I1, 1)
        for i, word in enumerate(words):
            same = b.and_(same, b.icmp_unsigned("==", b.load(self.word(b, place, i)), word))
        found = function.append_basic_block("found")
        b.cbranch(same, found, step)
        b.position_at_end(found)
        b.ret(b.zext(place, I64))
        b.position_at_end(step)
        index.add_incoming(b.and_(b.add(index, ir.Constant(I64, 1)), mask), step)
        b.branch(probe)
        b.position_at_end(insert)
        self._write_insert(b, function, begin, slot, hashed)
        return function

    def _write_insert(
        self, b: ir.IRBuilder, function: ir.Function, begin: ir.Block, slot: ir.Value, hashed: ir.Value
    ) -> None:
        """Write the end of `find_N`: make the entry in a free slot; if the table gets too full, go back to `begin`."""
        words, extra = function.args[:-1], function.args[-1]
        grow, room, more, write = (function.append_basic_block(name) for name in ("grow", "room", "more", "write"))
        count = b.add(self.load(b, COUNT), ir.Constant(I64, 1))
        b.cbranch(b.icmp_unsigned(">", b.shl(count, ir.Constant(I64, 1)), self.load(b, MASK)), grow, room)
        b.position_at_end(grow)
        b.call(self.grow_slots, [])
        b.branch(begin)
        b.position_at_end(room)
        top = self.load(b, TOP)
        full = b.icmp_unsigned(">", b.add(top, ir.Constant(I64, ROOM)), self.load(b, SIZE))
        b.cbranch(full, more, write)
        b.position_at_end(more)
        b.call(self.grow_memory, [])
        b.branch(write)
        b.position_at_end(write)
        here = b.trunc(top, I32)
        for i, word in enumerate(words):
            b.store(word, self.word(b, here, i))
        with loop(b, extra) as i:
            b.store(ir.Constant(I32, 0), self.word(b, b.add(here, i), len(words)))
        b.store(b.or_(b.shl(self.load(b, EPOCH), ir.Constant(I64, 32)), b.zext(hashed, I64)), slot)
        b.store(top, b.gep(slot, [ir.Constant(I64, 1)]))
        self.store(b, count, COUNT)
        self.store(b, b.add(top, b.zext(b.add(extra, ir.Constant(I32, len(words))), I64)), TOP)
        b.ret(b.or_(top, ir.Constant(I64, 1 << 32)))

    def _write_grow_memory(self) -> ir.Function:
        """Write the function that doubles the memory of entries, and reports a fault if it is too large."""
        function = self.function("grow_memory", ir.VoidType(), [])
        b = ir.IRBuilder(function.append_basic_block("entry"))
        size = b.shl(self.load(b, SIZE), ir.Constant(I64, 1))
        self.store(b, b.call(self.realloc, [self.load(b, MEMORY), b.shl(size, ir.Constant(I64, 2))]), MEMORY)
        self.store(b, size, SIZE)
        with b.if_then(b.icmp_unsigned(">", size, ir.Constant(I64, MAX_WORDS))):
            self.store(b, ir.Constant(I64, TOO_LARGE), FAULT)
        b.ret_void()
        return function

    def _write_grow_slots(self) -> ir.Function:
        """Write the function that doubles the hash table."""
        function = self.function("grow_slots", ir.VoidType(), [])
        b = ir.IRBuilder(function.append_basic_block("entry"))
        old, old_mask, epoch = self.load(b, SLOTS), self.load(b, MASK), self.load(b, EPOCH)
        size = b.shl(b.add(old_mask, ir.Constant(I64, 1)), ir.Constant(I64, 1))
        mask = b.sub(size, ir.Constant(I64, 1))
        new = b.call(self.calloc, [size, ir.Constant(I64, 16)])
        source, target = (b.inttoptr(address, I64.as_pointer()) for address in (old, new))
        # First what stays for ever: its probes must not pass slots that will be free in the next state.
        for wanted in (ir.Constant(I64, FOR_EVER), epoch):
            again = b.icmp_unsigned("!=", wanted, ir.Constant(I64, FOR_EVER)) if wanted is epoch else None
            with loop(b, b.add(old_mask, ir.Constant(I64, 1))) as i:
                head = b.load(b.gep(source, [b.shl(i, ir.Constant(I64, 1))]))
                fits = b.icmp_unsigned("==", b.lshr(head, ir.Constant(I64, 32)), wanted)
                with b.if_then(fits if again is None else b.and_(fits, again)):
                    place = b.load(b.gep(source, [b.add(b.shl(i, ir.Constant(I64, 1)), ir.Constant(I64, 1))]))
                    self._put(b, target, mask, head, place)
        b.call(self.free, [old])
        self.store(b, new, SLOTS)
        self.store(b, mask, MASK)
        b.ret_void()
        return function

    def _put(self, b: ir.IRBuilder, slots: ir.Value, mask: ir.Value, head: ir.Value, place: ir.Value) -> None:
        """Write the insertion of an entry into a table in which no slot is out of date."""
        before = b.block
        probe, step, free = (b.append_basic_block(name) for name in ("probe", "step", "free"))
        first = b.and_(b.and_(head, ir.Constant(I64, 0xFFFFFFFF)), mask)
        b.branch(probe)
        b.position_at_end(probe)
        index = b.phi(I64)
        index.add_incoming(first, before)
        slot = b.gep(slots, [b.shl(index, ir.Constant(I64, 1))])
        b.cbranch(b.icmp_unsigned("==", b.load(slot), ir.Constant(I64, 0)), free, step)
        b.position_at_end(step)
        index.add_incoming(b.and_(b.add(index, ir.Constant(I64, 1)), mask), step)
        b.branch(probe)
        b.position_at_end(free)
        b.store(head, slot)
        b.store(place, b.gep(slot, [ir.Constant(I64, 1)]))


class loop:  # noqa: N801  # used as a statement
    """A loop over the numbers below a bound, which is evaluated before; `with loop(builder, bound) as i:`."""

    def __init__(self, b: ir.IRBuilder, bound: ir.Value) -> None:
        self.b, self.bound = b, bound

    def __enter__(self) -> ir.Value:
        b, kind = self.b, self.bound.type
        before = b.block
        self.head, body, self.end = (b.append_basic_block(name) for name in ("loop", "body", "end"))
        b.branch(self.head)
        b.position_at_end(self.head)
        self.index = b.phi(kind)
        self.index.add_incoming(ir.Constant(kind, 0), before)
        b.cbranch(b.icmp_unsigned("<", self.index, self.bound), body, self.end)
        b.position_at_end(body)
        return self.index

    def __exit__(self, *_: object) -> None:
        b = self.b
        self.index.add_incoming(b.add(self.index, ir.Constant(self.bound.type, 1)), b.block)
        b.branch(self.head)
        b.position_at_end(self.end)
