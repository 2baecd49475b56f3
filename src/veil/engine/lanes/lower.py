"""Lowering of a ground program to a circuit: numbered slots, each an OR of ANDs of literals, in order of computation.

1. Atoms are taken in the order of their strata. Constants are carried through; an atom that is just another one, or its
   negation, becomes an alias; atoms with the same definition share a slot. Recursive strata are left as they are.
2. Gates that the outputs do not need are dropped.
3. Slots are laid out so that everything a kernel reads together is contiguous (`Layout`). The rest follows in order:
   first gates that depend on the state alone, then gates of the next state, then gates of percepts only.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from veil.engine.grounding import FALSE, TRUE, GroundProgram

Literal = int  # 2 * slot + negated
Term = tuple[Literal, ...]  # a conjunction
YES, NO = 2 * TRUE, 2 * FALSE


class Layout(NamedTuple):
    """The places of the words of a circuit in the value array; every area is contiguous. R roles."""

    num_slots: int
    fluents: int  # F words: the state
    moves: int  # M words: what is done, role by role
    legal: int  # M words: what is legal, in the same order
    goals: int  # G words: goal values, role by role, ascending
    terminal: int  # one word
    stuck: int  # one word, written by `choose`: some role has no legal move
    next: int  # F words: the state after the moves
    percepts: int  # P words: what is seen, role by role
    inner: int  # the rest: what only gates read


class Gate(NamedTuple):
    """A slot and how to compute it."""

    slot: int
    terms: tuple[Term, ...]


class Block(NamedTuple):
    """Gates that are computed one after the other; a recursive block is repeated until nothing changes."""

    gates: tuple[Gate, ...]
    recursive: bool


class Circuit(NamedTuple):
    """The gates of a game: `static` from the fluents; `dynamic` (the next state) and `percepts` also from the moves."""

    layout: Layout
    static: tuple[Block, ...]
    dynamic: tuple[Block, ...]
    percepts: tuple[Block, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, in order."""
        return (*self.static, *self.dynamic, *self.percepts)

    @property
    def num_literals(self) -> int:
        """The number of literals, which decides about compilation time and speed."""
        return sum(len(term) for block in self.blocks for gate in block.gates for term in gate.terms)


def lower(program: GroundProgram) -> Circuit:
    """Return the circuit of a ground program."""
    layout = find_layout(program)
    definitions = _definitions(program)
    value, gates = _simplify(program, definitions)
    outputs = _outputs(program, layout, value)
    return _place(program, layout, gates, outputs)


def find_layout(program: GroundProgram) -> Layout:
    """Return where everything stands in the value array, without inner gates."""
    num_fluents, num_moves = len(program.fluents), sum(map(len, program.moves))
    sizes = {
        "fluents": num_fluents,
        "moves": num_moves,
        "legal": num_moves,
        "goals": sum(map(len, program.goals)),
        "terminal": 1,
        "stuck": 1,
        "next": num_fluents,
        "percepts": sum(map(len, program.percepts)),
    }
    starts, at = {}, 2  # after FALSE and TRUE; fluents and moves keep the numbers they have as atoms
    for name, size in sizes.items():
        starts[name] = at
        at += size
    return Layout(num_slots=at, inner=at, **starts)


def _definitions(program: GroundProgram) -> list[tuple[bool, bool, dict[int, list[Term]]]]:
    """Return per stratum: recursive?, static?, and the rules of each head."""
    strata = []
    starts = program.stratum_start.tolist()
    heads, body_start, body = program.rule_head.tolist(), program.body_start.tolist(), program.body.tolist()
    for stratum, (begin, end) in enumerate(pairwise(starts)):
        rules: dict[int, list[Term]] = {}
        for rule in range(begin, end):
            rules.setdefault(heads[rule], []).append(tuple(body[body_start[rule] : body_start[rule + 1]]))
        strata.append((bool(program.stratum_recursive[stratum]), stratum < program.static_strata, rules))
    return strata


_Simplified = list[tuple[bool, bool, dict[int, tuple[Term, ...]]]]


def _simplify(
    program: GroundProgram, strata: list[tuple[bool, bool, dict[int, list[Term]]]]
) -> tuple[list[Literal], _Simplified]:
    """Return the literal that every atom stands for, and the remaining gates by atom (step 1)."""
    value: list[Literal] = [2 * atom for atom in range(program.num_atoms)]
    known: dict[tuple[bool, tuple[Term, ...]], Literal] = {}
    result: _Simplified = []
    for recursive, static, rules in strata:
        kept: dict[int, tuple[Term, ...]] = {}
        for atom, bodies in rules.items():
            terms = tuple(sorted({term for body in bodies if (term := _conjunction(body, value)) is not None}))
            if recursive:
                kept[atom] = terms
            elif not terms:
                value[atom] = NO
            elif terms[0] == ():
                value[atom] = YES
            elif len(terms) == 1 and len(terms[0]) == 1:
                value[atom] = terms[0][0]
            elif (static, terms) in known:
                value[atom] = known[static, terms]
            else:
                kept[atom] = terms
                known[static, terms] = 2 * atom
        result.append((recursive, static, kept))
    return value, result


def _conjunction(body: Term, value: list[Literal]) -> Term | None:
    """Return the body in terms of slots, sorted; None if it can never hold."""
    literals = {value[literal >> 1] ^ (literal & 1) for literal in body}
    literals.discard(YES)
    if NO in literals or any(literal ^ 1 in literals for literal in literals):
        return None
    return tuple(sorted(literals))


class _Outputs(NamedTuple):
    """Literals that the output slots show, by slot."""

    static: dict[int, Literal]
    dynamic: dict[int, Literal]
    percepts: dict[int, Literal]


def _outputs(program: GroundProgram, layout: Layout, value: list[Literal]) -> _Outputs:

    def area(start: int, atoms: np.ndarray) -> dict[int, Literal]:
        return {start + i: value[atom] for i, atom in enumerate(atoms.tolist())}

    def joined(parts: tuple[np.ndarray, ...]) -> np.ndarray:
        return np.concatenate([*parts, np.zeros(0, dtype=np.int64)])

    static = area(layout.legal, joined(program.legal_atoms)) | area(layout.goals, joined(program.goal_atoms))
    static[layout.terminal] = value[program.terminal_atom]
    seen = area(layout.percepts, joined(program.percept_atoms))
    return _Outputs(static, area(layout.next, program.next_atoms), seen)


def _needed(gates: _Simplified, *outputs: dict[int, Literal]) -> set[int]:
    """Return the atoms that outputs depend on, found from the top down (step 2)."""
    needed = {literal >> 1 for part in outputs for literal in part.values()}
    for recursive, _, kept in reversed(gates):
        changed = True
        while changed:
            before = len(needed)
            for atom in reversed(kept):
                if atom in needed:
                    needed.update(literal >> 1 for term in kept[atom] for literal in term)
            changed = recursive and len(needed) > before
    return needed


def _place(program: GroundProgram, layout: Layout, gates: _Simplified, outputs: _Outputs) -> Circuit:
    """Number the inner slots behind the areas (step 3). Outputs are gates that copy one literal."""
    needed, needed_to_go_on = _needed(gates, *outputs), _needed(gates, outputs.static, outputs.dynamic)
    slot = {atom: atom for atom in range(2 + len(program.fluents) + sum(map(len, program.moves)))}
    at = layout.num_slots
    for _, _, kept in gates:
        for atom in kept:
            if atom in needed:
                slot[atom] = at
                at += 1

    def moved(literal: Literal) -> Literal:
        return 2 * slot[literal >> 1] + (literal & 1)

    blocks: dict[str, list[Block]] = {part: [] for part in _Outputs._fields}
    for recursive, static, kept in gates:
        parts: dict[str, list[Gate]] = {}
        goes_on = recursive and not needed_to_go_on.isdisjoint(kept)  # a recursive block stays whole
        for atom, terms in kept.items():
            if atom in needed:
                part = "static" if static else "dynamic" if goes_on or atom in needed_to_go_on else "percepts"
                parts.setdefault(part, []).append(Gate(slot[atom], tuple(tuple(map(moved, term)) for term in terms)))
        for part, own in parts.items():
            blocks[part].append(Block(tuple(own), recursive))
    for part, shown in outputs._asdict().items():
        copies = tuple(Gate(place, ((moved(literal),),) if literal != NO else ()) for place, literal in shown.items())
        blocks[part].append(Block(copies, False))
    return Circuit(layout._replace(num_slots=at), **{part: tuple(own) for part, own in blocks.items()})
