"""From the grounder's output to a `GroundProgram`.

1. Name the interface: which atom says that a fluent is true, a move is done, legal, seen, ...
2. Remove constants: facts are `TRUE`, literals of facts disappear, and so do rules that need the negation of a fact.
3. Keep the atoms that the outputs depend on, number them again, and order the rules by strata.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from veil.engine.grounding.program import FALSE, TRUE, GroundProgram
from veil.engine.grounding.strata import Edges, Order, dependencies, dependents, is_stratified, order_atoms
from veil.engine.grounding.translate import INTERFACE, Translation
from veil.errors import VeilError, fail
from veil.lang import Rules
from veil.vocabulary import Term, find_goal_fault, goal_value, show

FACT = 0  # the grounder's number for an atom that always holds


class RawRules(NamedTuple):
    """G rules as the grounder numbers atoms; N is the highest number."""

    head: np.ndarray  # [G]
    length: np.ndarray  # [G] number of literals
    body: np.ndarray  # signed: -5 is "not 5"


# Name of `translate.INTERFACE` -> arguments -> the grounder's atom.
NamedAtoms = dict[str, dict[tuple[Term, ...], int]]
OUTPUTS = "nlsge"  # next, legal, sees, goal, terminal: what the program computes


class Interface(NamedTuple):
    """The atoms that have a meaning outside, under the grounder's numbers, and their terms in order. R roles."""

    atoms: NamedAtoms
    fluents: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]  # [R][moves of the role]
    percepts: tuple[tuple[Term, ...], ...]  # [R][percepts of the role]
    goals: tuple[tuple[tuple[int, Term], ...], ...]  # [R][(value, the term that spells it)]

    def base(self, roles: tuple[Term, ...]) -> list[int]:
        """Return the atoms that need no rule: first the fluents, then the moves, role by role."""
        fluents = [self.atoms["t"][(fluent,)] for fluent in self.fluents]
        return fluents + [
            self.atoms["d"][role, move] for role, moves in zip(roles, self.moves, strict=True) for move in moves
        ]

    def outputs(self) -> np.ndarray:
        """Return the atoms that the program computes for others."""
        return np.array([atom for kind in OUTPUTS for atom in self.atoms[kind].values()], dtype=np.int64)


class Numbering(NamedTuple):
    """The kept atoms under new numbers. N is the grounder's highest number."""

    number: np.ndarray  # [N + 1] the new number; TRUE or FALSE for what is constant or dropped
    derived: np.ndarray  # [N + 1] bool: kept, and the head of a rule
    num_base: int
    num_atoms: int


def assemble(rules: Rules, translation: Translation, result: dict[str, Any]) -> GroundProgram:
    """Build the program and confirm or dismiss the doubts of the rules; `result` is what the worker sent."""
    raw = RawRules(*(np.array(result[name], dtype=np.int64) for name in ("heads", "lengths", "bodies")))
    interface = _read_interface(rules, translation, result["names"], result["atoms"])
    base = interface.base(rules.roles)
    highest = int(max(raw.head.max(initial=0), np.abs(raw.body).max(initial=0), *result["atoms"], 0))
    raw, always = _settle_constants(raw, np.isin(np.arange(highest + 1), base))
    numbering = _number_atoms(raw, always, base, interface.outputs())
    kept = _renumber(raw, numbering)
    edges = _edges(kept)
    order = order_atoms(numbering.num_atoms, edges)
    moves = np.arange(2 + len(interface.fluents), 2 + numbering.num_base)
    dynamic = dependents(numbering.num_atoms, edges, moves)
    program = GroundProgram(
        roles=rules.roles,
        num_atoms=numbering.num_atoms,
        **_name_atoms(rules.roles, interface, numbering.number),
        **_stratify(kept, order, dynamic),
    )
    _settle_doubts(rules, program, is_stratified(edges, order), dynamic)
    return program


def _read_interface(rules: Rules, translation: Translation, symbols: list[str], atoms: list[int]) -> Interface:
    """Return the atoms that the grounder's symbols stand for (step 1)."""
    named: NamedAtoms = {kind: {} for kind in INTERFACE.values()}
    for symbol, atom in zip(symbols, atoms, strict=True):
        kind, arguments = translation.read(symbol)
        named[kind][arguments] = atom
    return Interface(
        atoms=named,
        fluents=sorted_terms(arguments[0] for arguments in named["t"]),
        moves=tuple(sorted_terms(move for role, move in named["d"] if role == wanted) for wanted in rules.roles),
        percepts=tuple(sorted_terms(term for role, term in named["s"] if role == wanted) for wanted in rules.roles),
        goals=tuple(goal_values(rules, named, wanted) for wanted in rules.roles),
    )


def _number_atoms(raw: RawRules, always: np.ndarray, base: list[int], outputs: np.ndarray) -> Numbering:
    """Number the base atoms first, then the atoms that the outputs depend on (step 3)."""
    number = np.full(len(always), FALSE, dtype=np.int64)
    number[base] = 2 + np.arange(len(base))
    derived = np.zeros(len(always), dtype=bool)
    derived[raw.head] = True
    derived &= dependencies(len(always), _edges(raw), outputs) & ~always
    number[derived] = 2 + len(base) + np.arange(int(derived.sum()))
    number[always] = TRUE
    return Numbering(number, derived, len(base), 2 + len(base) + int(derived.sum()))


def _name_atoms(roles: tuple[Term, ...], interface: Interface, number: np.ndarray) -> dict[str, Any]:
    """Return the fields of `GroundProgram` that say which atom means what."""

    def find(kind: str, keys: Iterable[tuple[Term, ...]]) -> np.ndarray:
        atoms = interface.atoms[kind]
        return freeze(np.array([number[atoms[key]] if key in atoms else FALSE for key in keys], np.int64))

    def find_by_role(kind: str, terms: Iterable[Iterable[Term]]) -> tuple[np.ndarray, ...]:
        return tuple(find(kind, [(role, term) for term in some]) for role, some in zip(roles, terms, strict=True))

    initial = [(fluent,) in interface.atoms["i"] for fluent in interface.fluents]
    return {
        "fluents": interface.fluents,
        "moves": interface.moves,
        "percepts": interface.percepts,
        "goals": tuple(tuple(value for value, _ in values) for values in interface.goals),
        "initial": freeze(np.array(initial, dtype=bool)),
        "move_atoms": find_by_role("d", interface.moves),
        "legal_atoms": find_by_role("l", interface.moves),
        "percept_atoms": find_by_role("s", interface.percepts),
        "goal_atoms": find_by_role("g", [[term for _, term in values] for values in interface.goals]),
        "next_atoms": find("n", [(fluent,) for fluent in interface.fluents]),
        "terminal_atom": int(find("e", [()])[0]),
    }


def sorted_terms(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return the terms in the order in which they print."""
    return tuple(sorted(terms, key=show))


def goal_values(rules: Rules, named: NamedAtoms, wanted: Term) -> tuple[tuple[int, Term], ...]:
    """Return the goal values of a role as numbers, each with its term (`00` and `0` are two terms)."""
    values = []
    for role, value in named["g"]:
        if role == wanted:
            number = goal_value(value)
            if number is None:
                raise fail(find_goal_fault(value), rules.goal_place(), value=rules.show(value))
            values.append((number, value))
    return tuple(sorted(values))


def _settle_constants(raw: RawRules, base: np.ndarray) -> tuple[RawRules, np.ndarray]:
    """Drop facts, literals that always hold and rules that never fire, until nothing changes (step 2).

    `base` [N + 1] bool are the atoms that need no rule. The second result is [N + 1] bool: the atoms that always hold.
    """
    always = np.zeros(len(base), dtype=bool)
    always[FACT] = True
    while True:
        always[raw.head[raw.length == 0]] = True
        possible = base | always
        possible[raw.head] = True
        atom, negated = np.abs(raw.body), raw.body < 0
        owner = np.repeat(np.arange(len(raw.head)), raw.length)
        holds = np.where(negated, ~possible[atom], always[atom])
        fails = np.where(negated, always[atom], ~possible[atom])
        keep_rule = ~always[raw.head]
        keep_rule[owner[fails]] = False
        keep_literal = keep_rule[owner] & ~holds
        before = len(raw.head) + len(raw.body)
        length = np.bincount(owner[keep_literal], minlength=len(raw.head))[keep_rule]
        raw = RawRules(raw.head[keep_rule], length, raw.body[keep_literal])
        if len(raw.head) + len(raw.body) == before:
            return raw, always


def _edges(raw: RawRules) -> Edges:
    """Return the edges from every body atom to the head above it."""
    return Edges(np.abs(raw.body), np.repeat(raw.head, raw.length), raw.body < 0)


def _renumber(raw: RawRules, numbering: Numbering) -> RawRules:
    """Return the rules of the atoms that are kept, under their new numbers."""
    keep = numbering.derived[raw.head]
    body = raw.body[np.repeat(keep, raw.length)]
    head = numbering.number[raw.head[keep]]
    return RawRules(head, raw.length[keep], np.sign(body) * numbering.number[np.abs(body)])


def _stratify(raw: RawRules, order: Order, dynamic: np.ndarray) -> dict[str, Any]:
    """Sort rules by (dynamic, level) of their heads and return the fields of `GroundProgram` for them."""
    height = int(order.level.max(initial=0)) + 1
    level = order.level[raw.head] + height * dynamic[raw.head]
    by_level = np.argsort(level, kind="stable")
    start = np.concatenate(([0], np.cumsum(raw.length)))
    owner_start = start[by_level]
    length = raw.length[by_level]
    offsets = np.concatenate(([0], np.cumsum(length)))
    gather = np.repeat(owner_start - offsets[:-1], length) + np.arange(offsets[-1])
    body = raw.body[gather]
    levels, first = np.unique(level[by_level], return_index=True)
    recursive = order.recursive[raw.head[by_level]]
    return {
        "rule_head": freeze(raw.head[by_level]),
        "body_start": freeze(offsets),
        "body": freeze(2 * np.abs(body) + (body < 0)),
        "stratum_start": freeze(np.concatenate((first, [len(by_level)]))),
        "stratum_recursive": freeze(
            np.logical_or.reduceat(recursive, first) if len(first) else np.zeros(0, dtype=bool)
        ),
        "static_strata": int((levels < height).sum()),
    }


def _settle_doubts(rules: Rules, program: GroundProgram, stratified: bool, dynamic: np.ndarray) -> None:
    """Raise a `VeilError` with the doubts that the ground program confirms, if there are any."""
    judged = np.concatenate([*program.legal_atoms, *program.goal_atoms, [program.terminal_atom]]).astype(np.int64)
    confirmed = {"unstratified": not stratified, "depends-on-does": bool(dynamic[judged].any())}
    errors = [doubt for doubt in rules.doubts if confirmed[doubt.code]]
    if errors:
        raise VeilError(*errors)


def freeze(values: np.ndarray) -> np.ndarray:
    """Make the array read-only (in place) and return it."""
    values.setflags(write=False)
    return values
