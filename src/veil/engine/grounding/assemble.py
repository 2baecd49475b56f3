"""What the grounder printed -> `GroundProgram`.

1. Name the interface: which atom says that a fluent is true, a move is done, legal, seen, ...
2. Settle constants: facts are `TRUE`, literals of facts disappear, rules that ask for the negation of a fact too.
3. Keep what the outputs depend on, number it anew, and order the rules by strata.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from veil.engine.grounding.program import FALSE, TRUE, GroundProgram
from veil.engine.grounding.strata import Edges, Order, dependencies, dependents, is_stratified, order_atoms
from veil.engine.grounding.translate import Translation
from veil.errors import VeilError, fail
from veil.lang import Rules
from veil.vocabulary import Term, goal_value, show

FACT = 0  # the grounder's number for what always holds


class RawRules(NamedTuple):
    """G rules as the grounder numbers atoms; N is the highest number."""

    head: np.ndarray  # [G]
    length: np.ndarray  # [G] number of literals
    body: np.ndarray  # signed: -5 is "not 5"


Names = dict[str, dict[tuple[Term, ...], int]]  # interface name -> arguments -> the grounder's atom


def assemble(rules: Rules, translation: Translation, result: dict[str, object]) -> GroundProgram:
    """Build the program and confirm or dismiss the doubts of the rules."""
    raw = RawRules(*(np.array(result[name], dtype=np.int64) for name in ("heads", "lengths", "bodies")))
    names = _read_names(translation, result["names"], result["atoms"])  # type: ignore[arg-type]
    fluents = _sorted(args[0] for args in names["t"])
    moves = tuple(_sorted(move for role, move in names["d"] if role == wanted) for wanted in rules.roles)
    percepts = tuple(_sorted(term for role, term in names["s"] if role == wanted) for wanted in rules.roles)
    goals = tuple(_goal_values(rules, names, wanted) for wanted in rules.roles)  # [R][(value, term)]

    highest = int(max(raw.head.max(initial=0), np.abs(raw.body).max(initial=0), *result["atoms"], 0))  # type: ignore[misc]
    # Base atoms first: fluents, then moves role by role.
    base = [names["t"][(fluent,)] for fluent in fluents]
    base += [names["d"][(role, move)] for role, own in zip(rules.roles, moves, strict=True) for move in own]
    raw, always = _settle_constants(raw, np.isin(np.arange(highest + 1), base))
    outputs = [atom for kind in "nlsge" for atom in names[kind].values()]
    edges = _edges(raw)
    needed = dependencies(highest + 1, edges, np.array(outputs, dtype=np.int64))
    number = np.full(highest + 1, FALSE, dtype=np.int64)
    number[base] = 2 + np.arange(len(base))
    derived = np.zeros(highest + 1, dtype=bool)
    derived[raw.head] = True
    derived &= needed & ~always
    number[derived] = 2 + len(base) + np.arange(int(derived.sum()))
    number[always] = TRUE
    num_atoms = 2 + len(base) + int(derived.sum())

    kept = _renumber(raw, derived, number)
    edges = _edges(kept)
    order = order_atoms(num_atoms, edges)
    dynamic = dependents(num_atoms, edges, np.arange(2 + len(fluents), 2 + len(base)))

    def atoms(kind: str, keys: Iterable[tuple[Term, ...]]) -> np.ndarray:
        return _frozen(np.array([number[names[kind][key]] if key in names[kind] else FALSE for key in keys], np.int64))

    by_role = tuple(zip(rules.roles, moves, percepts, goals, strict=True))
    program = GroundProgram(
        roles=rules.roles,
        fluents=fluents,
        moves=moves,
        percepts=percepts,
        goals=tuple(tuple(value for value, _ in own) for own in goals),
        initial=_frozen(np.array([(fluent,) in names["i"] for fluent in fluents], dtype=bool)),
        num_atoms=num_atoms,
        move_atoms=tuple(atoms("d", [(role, move) for move in own]) for role, own, _, _ in by_role),
        legal_atoms=tuple(atoms("l", [(role, move) for move in own]) for role, own, _, _ in by_role),
        percept_atoms=tuple(atoms("s", [(role, term) for term in seen]) for role, _, seen, _ in by_role),
        goal_atoms=tuple(atoms("g", [(role, term) for _, term in values]) for role, _, _, values in by_role),
        next_atoms=atoms("n", [(fluent,) for fluent in fluents]),
        terminal_atom=int(atoms("e", [()])[0]),
        **_stratify(kept, order, dynamic),
    )
    _settle_doubts(rules, program, is_stratified(edges, order), dynamic)
    return program


def _read_names(translation: Translation, symbols: list[str], atoms: list[int]) -> Names:
    names: Names = {kind: {} for kind in "tdnlsgeir"}
    for symbol, atom in zip(symbols, atoms, strict=True):
        kind, arguments = translation.read(symbol)
        names[kind][arguments] = atom
    return names


def _sorted(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(sorted(terms, key=show))


def _goal_values(rules: Rules, names: Names, wanted: Term) -> tuple[tuple[int, Term], ...]:
    """The goal values of a role as numbers, each with the term that spells it (`00` and `0` are two)."""
    values = []
    for role, value in names["g"]:
        if role == wanted:
            number = goal_value(value)
            if number is None:
                raise fail("goal-not-a-number", rules.goal_place(), value=rules.show(value))
            values.append((number, value))
    return tuple(sorted(values))


def _settle_constants(raw: RawRules, base: np.ndarray) -> tuple[RawRules, np.ndarray]:
    """Drop facts, literals that always hold and rules that never fire, until nothing changes.

    `base` [N + 1] bool are the atoms that need no rule. Also returns [N + 1] bool: which atoms always hold.
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
    return Edges(np.abs(raw.body), np.repeat(raw.head, raw.length), raw.body < 0)


def _renumber(raw: RawRules, derived: np.ndarray, number: np.ndarray) -> RawRules:
    keep = derived[raw.head]
    body = raw.body[np.repeat(keep, raw.length)]
    return RawRules(number[raw.head[keep]], raw.length[keep], np.sign(body) * number[np.abs(body)])


def _stratify(raw: RawRules, order: Order, dynamic: np.ndarray) -> dict[str, Any]:
    """Sort rules by (dynamic, level) of their heads; the fields of `GroundProgram` that say so."""
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
        "rule_head": _frozen(raw.head[by_level]),
        "body_start": _frozen(offsets),
        "body": _frozen(2 * np.abs(body) + (body < 0)),
        "stratum_start": _frozen(np.concatenate((first, [len(by_level)]))),
        "stratum_recursive": _frozen(
            np.logical_or.reduceat(recursive, first) if len(first) else np.zeros(0, dtype=bool)
        ),
        "static_strata": int((levels < height).sum()),
    }


def _settle_doubts(rules: Rules, program: GroundProgram, stratified: bool, dynamic: np.ndarray) -> None:
    """Raise the doubts that the ground program confirms."""
    judged = np.concatenate([*program.legal_atoms, *program.goal_atoms, [program.terminal_atom]]).astype(np.int64)
    confirmed = {"unstratified": not stratified, "depends-on-does": bool(dynamic[judged].any())}
    errors = [doubt for doubt in rules.doubts if confirmed[doubt.code]]
    if errors:
        raise VeilError(*errors)


def _frozen(values: np.ndarray) -> np.ndarray:
    values.setflags(write=False)
    return values
