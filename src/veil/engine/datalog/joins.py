"""Translation of a rule into a Python function of nested loops, one loop per positive literal.

1. Order the literals: the next one is the one with the fewest expected rows, judged by its known places.
2. Each literal becomes a look-up in an index over the known places; its other variables are read off the row.
3. Negations and `distinct` are tested as soon as their variables are known.

For semi-naive evaluation one literal can be the *delta*: it is asked first, and only of the new rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from veil.engine.datalog.relation import Access, Path, Relation, Row
from veil.lang import Literal, Rule
from veil.vocabulary import Signature, Term, Var, arguments, signature, variables

Database = Mapping[Signature, Relation]
Join = Callable[[Database, Relation | None, int], list[Row]]  # relations, delta, most rows -> rows of the head
TYPICAL_ROWS: dict[str, float] = {"does": 2, "role": 2, "true": 50}  # a guess that only orders joins
DEFAULT_ROWS, KNOWN_PLACE = 100.0, 0.1  # rows of a relation, and the share that each known place leaves
MAX_LOOPS = 15  # Python nests at most 20 loops in one function


class TooManyRowsError(Exception):
    """A join with more rows than the caller allows."""


@dataclass(slots=True)
class _Writer:
    """Source text that is being written, and the variables that are known at its end."""

    lines: list[str] = field(default_factory=list)
    depth: int = 1
    loops: int = 0  # around the current line, in the current function
    names: dict[Var, str] = field(default_factory=dict)
    constants: dict[str, object] = field(default_factory=dict)
    opening: list[str] = field(default_factory=list)  # look-ups done once per call
    closing: list[str] = field(default_factory=list)  # calls of inner functions, outermost first

    def line(self, text: str) -> None:
        """Write a line at the current depth."""
        self.lines.append("    " * self.depth + text)

    def demand(self, condition: str) -> None:
        """Go on with the next row unless the condition holds."""
        self.line(f"if not ({condition}): {'continue' if self.loops else 'return rows'}")

    def open_loop(self, row: str, source: str) -> None:
        """Start a loop. After `MAX_LOOPS` loops it starts inside a new function, which sees the variables around it."""
        if self.loops == MAX_LOOPS:
            self.line("def inner():")
            self.closing.append("    " * self.depth + "inner()")
            self.depth, self.loops = self.depth + 1, 0
        self.line(f"for {row} in {source}:")
        self.depth, self.loops = self.depth + 1, self.loops + 1

    def constant(self, value: object) -> str:
        """Store a constant and return its name in the text."""
        name = f"k{len(self.constants)}"
        self.constants[name] = value
        return name

    def is_known(self, term: Term) -> bool:
        """Return whether all variables of a term have values."""
        return all(var in self.names for var in variables(term))

    def expression(self, term: Term) -> str:
        """Return Python text that builds a known term."""
        if isinstance(term, Var):
            return self.names[term]
        if isinstance(term, str):
            return repr(term)
        return "(" + "".join(f"{self.expression(part)}, " for part in term) + ")"

    def row(self, atom: Term) -> str:
        """Return Python text that builds the row of a known atom."""
        return "(" + "".join(f"{self.expression(part)}, " for part in arguments(atom)) + ")"


def compile_join(rule: Rule, known: Database, delta: int | None = None) -> Join:
    """Return the function that computes the rows of the head.

    `known` are the relations that are filled already: their sizes help to order the literals. `delta` is the index of
    the body literal that is asked of the new rows only.
    """
    writer = _Writer()
    waiting = list(rule.body)
    if delta is not None:
        waiting.remove(rule.body[delta])
        _write_loop(writer, rule.body[delta], "delta")
    _write_tests(writer, waiting)
    while waiting:
        literal = min((lit for lit in waiting if lit.binds), key=lambda lit: _expected_rows(lit, writer, known))
        waiting.remove(literal)
        relation = f"db[{writer.constant(signature(literal.atom))}]"
        _write_loop(writer, literal, relation)
        _write_tests(writer, waiting)
    writer.line(f"rows.append({writer.row(rule.head)})")
    writer.line("if len(rows) > limit: raise TooManyRowsError")
    text = "\n".join(
        [
            "def join(db, delta, limit):",
            "    rows = []",
            *writer.opening,
            *writer.lines,
            *writer.closing[::-1],
            "    return rows",
        ]
    )
    space: dict[str, object] = {**writer.constants, "TooManyRowsError": TooManyRowsError}
    exec(text, space)  # the text holds nothing but loops, names made here and quoted constants of the rules
    join: Join = space["join"]  # type: ignore[assignment]
    return join


def _write_tests(writer: _Writer, waiting: list[Literal]) -> None:
    """Write a test for every negation and `distinct` whose variables are all known, and remove it from `waiting`."""
    for literal in [lit for lit in waiting if not lit.binds and writer.is_known(lit.atom)]:
        waiting.remove(literal)
        if literal.is_distinct:
            left, right = (writer.expression(part) for part in arguments(literal.atom))
            condition = f"{left} != {right}"
        else:
            name = f"r{len(writer.opening)}"
            writer.opening.append(f"    {name} = db[{writer.constant(signature(literal.atom))}].rows")
            condition = f"{writer.row(literal.atom)} not in {name}"
        writer.demand(condition)


def _write_loop(writer: _Writer, literal: Literal, relation: str) -> None:
    """Write a loop over the rows that agree with the known variables; the literal's variables are known afterwards."""
    shapes, keys, reads = _dissect(writer, literal)
    name = f"r{len(writer.opening)}"
    if shapes or keys:
        access = writer.constant(Access(tuple(shapes), tuple(path for path, _ in keys)))
        writer.opening.append(f"    {name} = {relation}.index({access})")
        key = "(" + "".join(f"{writer.expression(term)}, " for _, term in keys) + ")"
        source = f"{name}.get({key}, ())"
    else:
        writer.opening.append(f"    {name} = {relation}.rows")
        source = name
    if not reads:
        writer.demand(source)
        return
    row = f"row{writer.depth}"
    writer.open_loop(row, source)
    for var, path in reads:
        place = row + "".join(f"[{step}]" for step in path)
        if var in writer.names:  # a second occurrence in this literal
            writer.demand(f"{writer.names[var]} == {place}")
        else:
            writer.names[var] = f"v{len(writer.names)}"
            writer.line(f"{writer.names[var]} = {place}")


class _Places(NamedTuple):
    """Conditions of a literal on a row."""

    shapes: list[tuple[Path, str, int]]  # path, functor, tuple length of a term
    keys: list[tuple[Path, Term]]  # path, known value
    reads: list[tuple[Var, Path]]  # unknown variable, path


def _dissect(writer: _Writer, literal: Literal) -> _Places:
    """Sort the places of a literal by what is known of them."""
    places = _Places([], [], [])
    waiting: list[tuple[Path, Term]] = [((i,), part) for i, part in enumerate(arguments(literal.atom))]
    while waiting:
        path, term = waiting.pop(0)
        if writer.is_known(term):
            places.keys.append((path, term))
        elif isinstance(term, Var):
            places.reads.append((term, path))
        else:
            places.shapes.append((path, str(term[0]), len(term)))
            waiting[:0] = [((*path, i + 1), part) for i, part in enumerate(arguments(term))]
    return places


def _expected_rows(literal: Literal, writer: _Writer, known: Database) -> float:
    """Return a guess at the number of rows of a literal, for the order of the loops."""
    shapes, keys, reads = _dissect(writer, literal)
    if not reads:
        return 0.0
    sig = signature(literal.atom)
    rows = float(len(known[sig].rows)) if sig in known else TYPICAL_ROWS.get(sig[0], DEFAULT_ROWS)
    return rows * float(KNOWN_PLACE ** (len(keys) + 0.5 * len(shapes)))
