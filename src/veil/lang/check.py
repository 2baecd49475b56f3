"""Checks of well-formedness as the GDL-II specification demands it, on the level of rules.

An error that the rules alone cannot decide becomes a *doubt*: it is raised only if the ground program confirms it. For
example, `terminal` may be defined through a `sees` that depends on the state only, although other `sees` depend on
moves.
"""

from __future__ import annotations

from collections.abc import Iterable

from veil.errors import Problem, phrase, problem
from veil.lang.depends import Dependencies
from veil.lang.rule import Rule
from veil.lang.rules import RuleSet
from veil.lang.source import Source
from veil.vocabulary import (
    GIVEN,
    KEYWORDS,
    Signature,
    Term,
    Var,
    arguments,
    find_goal_fault,
    goal_value,
    show,
    signature,
    variables,
)

INIT_FORBIDS: tuple[Signature, ...] = (*GIVEN, ("legal", 2), ("sees", 2), ("terminal", 0), ("goal", 2))
STATE_ONLY: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2))


def find_roles(source: Source, rules: Iterable[Rule]) -> tuple[tuple[Term, ...], list[Problem]]:
    """Return the roles in the order of the text. Roles must be facts, because everything else is counted by role."""
    roles: dict[Term, None] = {}
    problems = []
    for rule in rules:
        if rule.signature == ("role", 1):
            term = arguments(rule.head)[0]
            if rule.body or any(True for _ in variables(term)):
                problems.append(problem("role-not-a-fact", source.place(rule.node.offset)))
            roles[term] = None
    if not roles:
        problems.append(problem("no-roles", source.place(0)))
    return tuple(roles), problems


def check_initial(
    source: Source, rules: Iterable[Rule], graph: Dependencies, spelling: dict[str, str]
) -> list[Problem]:
    """Return problems of `init` rules that depend on a state or on a move."""
    forbidden = graph.dependents(INIT_FORBIDS)
    return [
        problem("init-depends", source.place(literal.offset), atom=show(literal.atom, spelling))
        for rule in rules
        if rule.signature == ("init", 1)
        for literal in rule.body
        if signature(literal.atom) in forbidden
    ]


def check_keywords(source: Source, rules: Iterable[Rule]) -> list[Problem]:
    """Return problems of keywords in bodies: the wrong place, or the wrong number of arguments.

    `next` in a body goes beyond the specification, but real files use it and it has one meaning: what will be true. A
    keyword with a wrong number of arguments is never true; behind `not`, this is only a warning, because real files
    have it.
    """
    problems = []
    for rule in rules:
        for literal in rule.body:
            name, given = signature(literal.atom)
            wanted, offset = KEYWORDS.get(name), literal.offset
            if name == "init":
                problems.append(problem("init-in-body", source.place(offset)))
            elif wanted is not None and given != wanted and name not in ("base", "input"):
                code = "wrong-arity" if literal.positive else "wrong-arity-negated"
                problems.append(problem(code, source.place(offset), keyword=name, wanted=wanted, given=given))
            elif name == "next":
                problems.append(problem("next-in-body", source.place(offset)))
    return problems


def check_goals(source: Source, rules: Iterable[Rule], spelling: dict[str, str]) -> list[Problem]:
    """Return problems of goal values that are no whole numbers."""
    problems = []
    for rule in rules:
        if rule.signature == ("goal", 2):
            value = arguments(rule.head)[1]
            if not isinstance(value, Var) and goal_value(value) is None:
                place = source.place(rule.node.offset)
                problems.append(problem(find_goal_fault(value), place, value=show(value, spelling)))
    return problems


def check_recursion(source: Source, rules: RuleSet, spelling: dict[str, str]) -> list[Problem]:
    """Check the recursion restriction: arguments of a recursive literal are ground, in the head, or bound elsewhere.

    If the recursion has no function terms, as in a transitive closure, nothing can grow, and there is no problem.
    """
    problems = []
    component, growing = rules.dependencies.component, set()
    for rule in rules:
        inside = [lit.atom for lit in rule.body if rules.dependencies.recursive(rule.signature, signature(lit.atom))]
        if any(map(_has_functions, (rule.head, *inside))):
            growing.add(component[rule.signature])
    for rule in rules:
        recursive = [lit for lit in rule.body if rules.dependencies.recursive(rule.signature, signature(lit.atom))]
        if not recursive or component[rule.signature] not in growing:
            continue
        allowed: set[Term] = set(arguments(rule.head))
        for literal in rule.body:
            if literal.binds and literal not in recursive:
                allowed.update(arguments(literal.atom))
        for literal in recursive:
            loose = [term for term in arguments(literal.atom) if any(variables(term)) and term not in allowed]
            if loose:
                place = source.place(literal.offset)
                problems.append(
                    problem("recursion", place, term=show(loose[0], spelling), atom=show(literal.atom, spelling))
                )
    return problems


def _has_functions(atom: Term) -> bool:
    """Return whether an argument is a function of variables."""
    return any(not isinstance(term, str | Var) and any(variables(term)) for term in arguments(atom))


def doubt_stratified(source: Source, rules: RuleSet, spelling: dict[str, str]) -> Problem | None:
    """Return the doubt about a predicate that depends on its own negation; the ground atoms may not."""
    for rule in rules:
        for literal in rule.body:
            if not literal.positive and rules.dependencies.recursive(rule.signature, signature(literal.atom)):
                atom, head = show(literal.atom, spelling), show(rule.head, spelling)
                return problem("unstratified", source.place(literal.offset), atom=atom, head=head)
    return None


def doubt_does(source: Source, rules: RuleSet) -> Problem | None:
    """Return the doubt about `legal`, `terminal` or `goal` that depends on moves; the ground atoms may not."""
    guilty = rules.dependencies.dependents([("does", 2)])
    for rule in rules:
        if rule.signature in STATE_ONLY:
            literal = next((lit for lit in rule.body if signature(lit.atom) in guilty), None)
            if literal is not None:
                name = signature(literal.atom)[0]
                via = "" if name == "does" else phrase("through", name=name)
                return problem("depends-on-does", source.place(literal.offset), head=rule.signature[0], via=via)
    return None
