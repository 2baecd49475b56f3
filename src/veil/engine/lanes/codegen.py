"""LLVM IR of a circuit: straight-line AND/OR/NOT over words in which every bit is a world (a lane).

The module has five functions over the value array `v`, W words per slot. Each has three parameters, as described in
`code`; `_` marks parameters that are not used:

- `veil_static(v, _, _)`: from the fluents to legal, goals, terminal
- `veil_dynamic(v, _, _)`: from fluents and moves to the next state
- `veil_percepts(v, _, _)`: from fluents and moves to percepts; playouts do not call it
- `veil_choose(v, rng, _)`: writes moves, one legal move per role and lane, uniformly, and `stuck`
- `veil_advance(v, start, _)`: the next state becomes the state; lanes that ended begin again. `start` holds the word of
  ended lanes, then the state each lane begins with

Compilation time grows faster than the length of a function. So the straight-line code is cut into functions of a few
gates and a few hundred literals, which keep their values in registers. A larger gate is computed by several functions,
each of which adds terms to the stored value. A recursive block is a loop that ends when a pass changes nothing.

Choosing moves needs no work per lane. In every lane, with k legal moves:

1. Count: k in binary, one word per digit, by adding the legal words one by one.
2. Draw: rank = floor(k * U) for U = 0.u1 u2 ... ut in binary. By Horner's rule x <- floor((x + u_i * k) / 2) from the
   last digit to the first; floors may be taken at every step. t random words, each 64 fair coins.
3. Select: go through the moves and subtract 1 from the rank for every legal move. The move that makes it negative is
   the chosen one (the borrow that leaves the last digit). After that the rank is too large to reach zero again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from veil.engine.grounding import FALSE, TRUE
from veil.engine.lanes.lower import Block, Circuit, Gate, Layout, Term

GATES_PER_FUNCTION = 60  # twice as many take twice as long to compile, and are no faster
LITERALS_PER_FUNCTION = 200  # one gate of 1,000 takes two seconds
PRECISION = 24  # digits of U beyond those of k: the error of a rank's probability is at most 2^-24 of it
RNG_WORDS = 4  # of xoshiro256++ per word of a slot


def generate(circuit: Circuit, moves_per_role: Sequence[int], width: int) -> str:
    """Return the module as text, for `width` words per slot."""
    word = "i64" if width == 1 else f"<{width} x i64>"
    parts = [
        _circuit_function("static", circuit.static, word),
        _circuit_function("dynamic", circuit.dynamic, word),
        _circuit_function("percepts", circuit.percepts, word),
        _choose_function(circuit.layout, moves_per_role, word),
        _advance_function(circuit.layout, word),
    ]
    return f"; {len(circuit.static)} + {len(circuit.dynamic)} + {len(circuit.percepts)} blocks\n" + "\n".join(parts)


class _Function:
    """One function as lines of text, with a number for every value."""

    def __init__(self, name: str, word: str, arguments: str = "i64 %v", linkage: str = "internal ") -> None:
        self.word = word
        self.lines = [f"define {linkage}void @{name}({arguments}) {{", "entry:", "  %base = inttoptr i64 %v to ptr"]
        self.count = 0

    def emit(self, operation: str) -> str:
        """Add an instruction and return the name of its value."""
        self.count += 1
        self.lines.append(f"  %t{self.count} = {operation}")
        return f"%t{self.count}"

    def address(self, slot: int | str, base: str = "%base") -> str:
        return self.emit(f"getelementptr {self.word}, ptr {base}, i64 {slot}")

    def load(self, slot: int | str, base: str = "%base") -> str:
        return self.emit(f"load {self.word}, ptr {self.address(slot, base)}, align 8")

    def store(self, value: str, slot: int | str, base: str = "%base") -> None:
        self.lines.append(f"  store {self.word} {value}, ptr {self.address(slot, base)}, align 8")

    def op(self, name: str, left: str, right: str) -> str:
        return self.emit(f"{name} {self.word} {left}, {right}")

    def negate(self, value: str) -> str:
        return self.op("xor", value, self.ones)

    @property
    def ones(self) -> str:
        return self.splat(-1)

    @property
    def zero(self) -> str:
        return "zeroinitializer" if self.word != "i64" else "0"

    def splat(self, number: int) -> str:
        """Return a constant in every word."""
        if self.word == "i64":
            return str(number)
        width = int(self.word[1 : self.word.index(" ")])
        return "<" + ", ".join([f"i64 {number}"] * width) + ">"

    def text(self) -> str:
        return "\n".join([*self.lines, "  ret void", "}", ""])


def _circuit_function(name: str, blocks: Sequence[Block], word: str) -> str:
    """Return a function that runs all blocks in order by calling its pieces."""
    whole = _Function(f"veil_{name}", word, "i64 %v, i64 %other, i64 %image", linkage="")
    pieces = []
    for number, (gates, recursive) in enumerate(_pieces(blocks)):
        piece = f"{name}_{number}"
        whole.lines.append(f"  call void @{piece}(i64 %v)")
        pieces.append(_loop(piece, gates, word) if recursive else _straight_line(piece, gates, word))
    return "\n".join([*pieces, whole.text()])


def _pieces(blocks: Sequence[Block]) -> Iterator[tuple[Sequence[Gate], bool]]:
    """Yield runs of gates of bounded length; a recursive block is never cut."""
    run: list[Gate] = []
    literals = 0
    for block in blocks:
        if block.recursive:
            yield run, False
            yield block.gates, True
            run, literals = [], 0
            continue
        for gate in chain.from_iterable(map(_cut, block.gates)):
            run.append(gate)
            literals += sum(map(len, gate.terms))
            if len(run) == GATES_PER_FUNCTION or literals >= LITERALS_PER_FUNCTION:
                yield run, False
                run, literals = [], 0
    yield run, False


def _cut(gate: Gate) -> Iterator[Gate]:
    """Yield the gate in portions of bounded size. Each but the first starts with the value that the last one stored."""
    terms: list[Term] = []
    literals = 0
    for term in gate.terms:
        if terms and literals + len(term) > LITERALS_PER_FUNCTION:
            yield Gate(gate.slot, tuple(terms))
            terms, literals = [(2 * gate.slot,)], 1
        terms.append(term)
        literals += len(term)
    yield Gate(gate.slot, tuple(terms))


def _straight_line(name: str, gates: Sequence[Gate], word: str) -> str:
    function = _Function(name, word)
    values: dict[int, str] = {FALSE: function.zero, TRUE: function.ones}
    for gate in gates:
        values[gate.slot] = _gate(function, gate, values)
        function.store(values[gate.slot], gate.slot)
    return function.text()


def _gate(function: _Function, gate: Gate, values: dict[int, str]) -> str:
    """Return the OR of ANDs of a gate; a function loads each slot once (`values` is changed in place)."""
    total = ""
    for term in gate.terms:
        product = ""
        for literal in term:
            slot = literal >> 1
            if slot not in values:
                values[slot] = function.load(slot)
            value = function.negate(values[slot]) if literal & 1 else values[slot]
            product = function.op("and", product, value) if product else value
        product = product or function.ones
        total = function.op("or", total, product) if total else product
    return total or function.zero


def _loop(name: str, gates: Sequence[Gate], word: str) -> str:
    """Return a function that starts from zero and repeats all gates until no slot changes: the least fixpoint."""
    function = _Function(name, word)
    for gate in gates:
        function.store(function.zero, gate.slot)
    function.lines += ["  br label %again", "again:"]
    changed = ""
    for gate in gates:
        before = function.load(gate.slot)
        after = _gate(function, gate, {FALSE: function.zero, TRUE: function.ones})
        function.store(after, gate.slot)
        difference = function.op("xor", before, after)
        changed = function.op("or", changed, difference) if changed else difference
    function.lines += [f"  br i1 {_any(function, changed)}, label %again, label %done", "done:"]
    return function.text()


def _any(function: _Function, value: str) -> str:
    """Return the condition that a bit is set in one of the words."""
    if function.word == "i64":
        return function.emit(f"icmp ne i64 {value}, 0")
    width = int(function.word[1 : function.word.index(" ")])
    whole = function.emit(f"bitcast {function.word} {value} to i{64 * width}")
    return function.emit(f"icmp ne i{64 * width} {whole}, 0")


def _advance_function(layout: Layout, word: str) -> str:
    function = _Function("veil_advance", word, "i64 %v, i64 %start, i64 %image", linkage="")
    num_fluents = layout.moves - layout.fluents
    if num_fluents == 0:
        return function.text()
    function.lines.append("  %begin = inttoptr i64 %start to ptr")
    ended = function.load(0, "%begin")
    goes_on = function.negate(ended)
    loop = _Loop(function, "advance", num_fluents, [])
    following = function.op("and", function.load(loop.slot(layout.next)), goes_on)
    again = function.op("and", function.load(loop.slot(1), "%begin"), ended)
    function.store(function.op("or", following, again), loop.slot(layout.fluents))
    loop.close([])
    return function.text()


def _choose_function(layout: Layout, moves_per_role: Sequence[int], word: str) -> str:
    parts = []
    whole = _Function("veil_choose", word, "i64 %v, i64 %rng, i64 %image", linkage="")
    whole.store(whole.zero, layout.stuck)
    offset = 0
    for role, count in enumerate(moves_per_role):
        if count:
            whole.lines.append(f"  call void @choose_{role}(i64 %v, i64 %rng)")
            parts.append(_choose_role(f"choose_{role}", layout, offset, count, word))
        else:
            whole.store(whole.ones, layout.stuck)
        offset += count
    return "\n".join([*parts, whole.text()])


def _choose_role(name: str, layout: Layout, offset: int, count: int, word: str) -> str:
    """Return a function that counts, draws and selects for one role.

    Its moves lie at `offset` in the areas of moves.
    """
    function = _Function(name, word, "i64 %v, i64 %rng")
    function.lines.append("  %state = inttoptr i64 %rng to ptr")
    legal, moves = layout.legal + offset, layout.moves + offset
    digits = count.bit_length()
    if count == 1:
        only = function.load(legal)
        function.store(only, moves)
        _mark_stuck(function, layout, [only])
        return function.text()
    number = _count(function, legal, count, digits)
    _mark_stuck(function, layout, number)
    rank = _draw(function, number)
    _select(function, legal, moves, count, rank)
    return function.text()


def _mark_stuck(function: _Function, layout: Layout, number: Sequence[str]) -> None:
    """Mark the lanes in which the count is zero."""
    some = number[0]
    for digit in number[1:]:
        some = function.op("or", some, digit)
    function.store(function.op("or", function.load(layout.stuck), function.negate(some)), layout.stuck)


def _count(function: _Function, legal: int, count: int, digits: int) -> list[str]:
    """Count per lane, in binary, the words whose bit is set (step 1)."""
    loop = _Loop(function, "count", count, [function.zero] * digits)
    carry = function.load(loop.slot(legal))
    after = []
    for digit in loop.values:
        after.append(function.op("xor", digit, carry))
        carry = function.op("and", digit, carry)
    return loop.close(after)


def _draw(function: _Function, number: list[str]) -> list[str]:
    """Draw a uniform rank below the number (step 2)."""
    rng = [function.load(i, "%state") for i in range(RNG_WORDS)]
    loop = _Loop(function, "draw", len(number) + PRECISION, [*rng, *[function.zero] * len(number)])
    state, rank = loop.values[:RNG_WORDS], loop.values[RNG_WORDS:]
    coin, state = _xoshiro(function, state)
    carry = function.zero
    total = []
    for x, k in zip(rank, number, strict=True):
        y = function.op("and", k, coin)
        half = function.op("xor", x, y)
        total.append(function.op("xor", half, carry))
        carry = function.op("or", function.op("and", x, y), function.op("and", half, carry))
    after = loop.close([*state, *total[1:], carry])
    for i in range(RNG_WORDS):
        function.store(after[i], i, "%state")
    return after[RNG_WORDS:]


def _select(function: _Function, legal: int, moves: int, count: int, rank: list[str]) -> None:
    """Select the legal move at which the rank has come down to zero (step 3)."""
    loop = _Loop(function, "select", count, rank)
    borrow = function.load(loop.slot(legal))
    after = []
    for digit in loop.values:
        after.append(function.op("xor", digit, borrow))
        borrow = function.op("and", function.negate(digit), borrow)
    function.store(borrow, loop.slot(moves))
    loop.close(after)


def _xoshiro(function: _Function, s: list[str]) -> tuple[str, list[str]]:
    """Make one step of xoshiro256++ (Blackman & Vigna 2018) in every word: return 64 fair coins and the next state."""

    def rotate(value: str, by: int) -> str:
        left = function.op("shl", value, function.splat(by))
        return function.op("or", left, function.op("lshr", value, function.splat(64 - by)))

    result = function.op("add", rotate(function.op("add", s[0], s[3]), 23), s[0])
    shifted = function.op("shl", s[1], function.splat(17))
    s2, s3 = function.op("xor", s[2], s[0]), function.op("xor", s[3], s[1])
    s1, s0 = function.op("xor", s[1], s2), function.op("xor", s[0], s3)
    return result, [s0, s1, function.op("xor", s2, shifted), rotate(s3, 45)]


class _Loop:
    """A counted loop that carries words: `values` inside, the result of `close` after it."""

    def __init__(self, function: _Function, name: str, times: int, start: list[str]) -> None:
        self.function, self.name, self.times = function, name, times
        previous = next(line[:-1] for line in reversed(function.lines) if line.endswith(":"))
        function.lines += [f"  br label %{name}", f"{name}:"]
        self.index = function.emit("")  # filled in when the end is known
        self.line = len(function.lines) - 1
        self.previous, self.start = previous, start
        self.values = [function.emit("") for _ in start]

    def slot(self, first: int) -> str:
        """Return the slot of this turn, in an area that starts at `first`."""
        return self.function.emit(f"add i64 {self.index}, {first}")

    def close(self, after: list[str]) -> list[str]:
        function = self.function
        step = function.emit(f"add i64 {self.index}, 1")
        ended = function.emit(f"icmp eq i64 {step}, {self.times}")
        function.lines += [f"  br i1 {ended}, label %{self.name}_end, label %{self.name}", f"{self.name}_end:"]
        lines = function.lines
        lines[self.line] = f"  {self.index} = phi i64 [ 0, %{self.previous} ], [ {step}, %{self.name} ]"
        for i, (value, first, last) in enumerate(zip(self.values, self.start, after, strict=True)):
            phi = f"phi {function.word} [ {first}, %{self.previous} ], [ {last}, %{self.name} ]"
            lines[self.line + 1 + i] = f"  {value} = {phi}"
        return after
