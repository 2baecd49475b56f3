"""What can be true, done, seen and gained at all: a bound that is found without grounding the rules.

1. Leave out of every rule the negations of what changes, and those conditions on large relations that only filter.
   In a large join, let conditions that share nothing but one variable choose its value separately. More can hold then,
   and far fewer instances have to be looked at.
2. Let everything be true that may come next, and done that may be legal. Then all is a fact, and the grounder computes
   what follows.

The result is a `GroundProgram` without ground rules: fluents, moves, percepts and goals with their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from veil.engine.datalog import MAX_FIXED_ROWS, Sizes, compute_fixed_relations
from veil.engine.grounding.assemble import freeze, goal_values, sorted_terms
from veil.engine.grounding.grounder import GroundLimits, run_worker
from veil.engine.grounding.program import FALSE, GroundProgram
from veil.engine.grounding.shrink import shrink
from veil.engine.grounding.translate import INTERFACE, Translation
from veil.lang import Literal, Rule, Rules, RuleSet
from veil.vocabulary import GIVEN, Signature, Term, Var, signature, substitute, variables

MAX_FACTS = 4_000_000
PATIENCE = 3.0  # seconds for each of the limit: nothing can be played before the bound is found
LARGE_JOIN = 2_000_000.0  # instances of a rule whose conditions choose separately
LARGE = 2_000.0  # rows of a relation whose conditions are left out if they only filter
WANTED: tuple[Signature, ...] = (("init", 1), ("next", 1), ("legal", 2), ("sees", 2), ("goal", 2), ("role", 1))
CLOSURE = "t(F) :- i(F). t(F) :- n(F). d(R,M) :- l(R,M), r(R)."
SHOWN = "#show. #show t/1. #show i/1. #show d/2. #show s/2. #show g/2."


def find_reachable(rules: Rules, limits: GroundLimits) -> GroundProgram:
    """Return the fluents, moves, percepts and goals that a game can have. Raises `GroundingError` at a limit."""
    translation = Translation()
    text = "\n".join([*(translation.rule(rule) for rule in shrink(relax(rules.rule_set))), CLOSURE, SHOWN])
    seconds = PATIENCE * limits.max_seconds
    result = run_worker(text, rules, replace(limits, max_rules=MAX_FACTS, max_seconds=seconds))
    return read_bound(rules, translation, result)


def read_bound(rules: Rules, translation: Translation, result: dict[str, object]) -> GroundProgram:
    """Return the words that the grounder has listed as a program without rules."""
    named: dict[str, dict[tuple[Term, ...], int]] = {kind: {} for kind in INTERFACE.values()}
    names = result["names"]
    assert isinstance(names, list)
    for symbol in names:
        kind, arguments = translation.read(symbol)
        named[kind][arguments] = 0
    fluents = sorted_terms(arguments[0] for arguments in named["t"])
    moves, percepts = (
        tuple(sorted_terms(term for role, term in named[kind] if role == wanted) for wanted in rules.roles)
        for kind in "ds"
    )
    goals = tuple(tuple(dict.fromkeys(v for v, _ in goal_values(rules, named, role))) for role in rules.roles)
    initial = np.array([(fluent,) in named["i"] for fluent in fluents], dtype=bool)
    return without_rules(rules, fluents, initial, moves, percepts, goals)


def without_rules(
    rules: Rules,
    fluents: tuple[Term, ...],
    initial: np.ndarray,
    moves: tuple[tuple[Term, ...], ...],
    percepts: tuple[tuple[Term, ...], ...],
    goals: tuple[tuple[int, ...], ...],
) -> GroundProgram:
    """Return a program of numbered words without ground rules."""

    def nothing(words: Iterable[tuple[object, ...]]) -> tuple[np.ndarray, ...]:
        return tuple(freeze(np.full(len(own), FALSE, np.int64)) for own in words)

    empty = freeze(np.zeros(0, np.int64))
    return GroundProgram(
        roles=rules.roles,
        fluents=fluents,
        moves=moves,
        percepts=percepts,
        goals=goals,
        initial=freeze(initial),
        num_atoms=2,
        move_atoms=nothing(moves),
        legal_atoms=nothing(moves),
        percept_atoms=nothing(percepts),
        goal_atoms=nothing(goals),
        next_atoms=nothing([fluents])[0],
        terminal_atom=FALSE,
        rule_head=empty,
        body_start=freeze(np.zeros(1, np.int64)),
        body=empty,
        stratum_start=freeze(np.zeros(1, np.int64)),
        stratum_recursive=freeze(np.zeros(0, dtype=bool)),
        static_strata=0,
        is_ground=False,
    )


def relax(rules: RuleSet) -> RuleSet:
    """Return the rules that bound what can hold (step 1)."""
    moving = rules.dependencies.dependents(GIVEN)
    positive = _needed(RuleSet(_without(rule, lambda lit: not lit.positive and _is_in(lit, moving)) for rule in rules))
    sizes = Sizes(positive)
    few = _needed(RuleSet(_drop_filters(rule, sizes, moving) for rule in positive))
    sizes = Sizes(few, compute_fixed_relations(few, MAX_FIXED_ROWS))
    return RuleSet(_choose_separately(rule, moving) if sizes.join(rule.body) >= LARGE_JOIN else rule for rule in few)


def _needed(rules: RuleSet) -> RuleSet:
    """Return the rules that the result depends on."""
    wanted = rules.dependencies.reachable(WANTED)
    return RuleSet(rule for rule in rules if rule.signature in wanted)


def _is_in(literal: Literal, predicates: set[Signature]) -> bool:
    return not literal.is_distinct and signature(literal.atom) in predicates


def _without(rule: Rule, is_dropped: Callable[[Literal], bool]) -> Rule:
    return rule._replace(body=tuple(literal for literal in rule.body if not is_dropped(literal)))


def _drop_filters(rule: Rule, sizes: Sizes, moving: set[Signature]) -> Rule:
    """Return the rule without conditions on large relations whose variables are bound by other conditions."""
    body = list(rule.body)
    candidates = [lit for lit in body if _is_in(lit, moving) and signature(lit.atom) not in GIVEN]
    for literal in sorted(candidates, key=lambda literal: -sizes.rows(literal.atom)):
        rest = [other for other in body if other is not literal]
        bound = {var for other in rest if other.binds for var in variables(other.atom)}
        if sizes.rows(literal.atom) >= LARGE and bound.issuperset(variables(literal.atom)):
            body = rest
    return rule._replace(body=tuple(body))


def _choose_separately(rule: Rule, moving: set[Signature]) -> Rule:
    """Return the rule with a value of its own for each fixed condition on what one changing condition says.

    `deck(S), S > A, S > B` becomes `deck(S), S > A, deck(T), T > B`: the pairs (A, B) are then a product.
    """
    body = list(rule.body)
    for var in sorted({var for literal in body for var in variables(literal.atom)} - set(variables(rule.head))):
        own = [literal for literal in body if var in variables(literal.atom)]
        changing = [literal for literal in own if _is_in(literal, moving)]
        fixed = [literal for literal in own if literal.binds and not _is_in(literal, moving)]
        if len(changing) == 1 and len(fixed) > 1 and len(own) == 1 + len(fixed):
            for number, literal in enumerate(fixed[1:]):
                own_value = {var: Var(f"{var.name}/{number}")}
                body.remove(literal)
                body += [other._replace(atom=substitute(other.atom, own_value)) for other in (changing[0], literal)]
    return rule._replace(body=tuple(body))
