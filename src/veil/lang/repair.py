"""Repair of unsafe variables: the only sensible meaning of each.

A variable is unsafe if no positive literal of its rule binds it. The meaning in real files is:

1. If it occurs in negated literals only: `(not (true (cell ?x ?y ?any)))` says that there is no such cell. The literal
   is replaced by the negation of a new predicate without the variable.
2. If it also occurs in the head or in `distinct`: it ranges over the domain of its argument position; in the first
   place of `legal`, `goal`, `sees` and `does` these are the roles. The rule gets a literal of a new predicate that
   lists the values.

A variable whose position has no domain cannot be repaired; that is an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from veil.errors import Problem, phrase, problem
from veil.lang.domains import Domains, Position, find_domains, positions
from veil.lang.rule import Literal, Rule
from veil.lang.source import Source
from veil.vocabulary import KEYWORDS, Term, Var, show, signature, variables

MAX_DOMAIN = 10_000
MAX_SHOWN = 6  # values of a domain in a message
FRESH = 20  # number of repairs that compute domains again
ROLE_FIRST = ("legal", "goal", "sees", "does")


@dataclass(slots=True)
class Repair:
    """The repaired rules, and the problems that were found."""

    source: Source
    roles: tuple[Term, ...]
    rules: list[Rule] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _domains: Domains | None = None
    _listed: dict[tuple[Term, ...], str] = field(default_factory=dict)
    _absent: dict[tuple[object, ...], str] = field(default_factory=dict)


def make_safe(source: Source, roles: tuple[Term, ...], rules: list[Rule]) -> Repair:
    """Repair every unsafe rule; the others are passed on unchanged."""
    repair = Repair(source, roles)
    for rule in rules:
        unsafe = unsafe_variables(rule)
        if unsafe:
            rule = _bind_to_domain(_project_negations(rule, unsafe, repair), repair, rules)
        repair.rules.append(rule)
    return repair


def unsafe_variables(rule: Rule) -> list[Var]:
    """Return the variables that no positive literal binds, in the order of the rule."""
    bound = rule.bound()
    seen: dict[Var, None] = {}
    for atom in (rule.head, *(literal.atom for literal in rule.body)):
        seen.update((var, None) for var in variables(atom) if var not in bound)
    return list(seen)


def _project_negations(rule: Rule, unsafe: list[Var], repair: Repair) -> Rule:
    """Remove from negated literals the variables that occur nowhere else (step 1)."""
    elsewhere = set(variables(rule.head))
    elsewhere.update(var for literal in rule.body if literal.is_distinct for var in variables(literal.atom))
    local = [var for var in unsafe if var not in elsewhere]
    body = []
    for literal in rule.body:
        inside = [var for var in dict.fromkeys(variables(literal.atom)) if var in local]
        body.append(_absence(literal, inside, rule, repair) if inside else literal)
    for var in local:
        if not var.name.startswith("_"):  # `_` and `_name` already say that any value is meant
            place = rule.place_of(var, repair.source)
            repair.problems.append(problem("variable-only-negated", place, variable=show(var)))
    return rule._replace(body=tuple(body))


def _absence(literal: Literal, inside: list[Var], rule: Rule, repair: Repair) -> Literal:
    """Replace `not p(shared, inside)` by `not some k(shared)` with `some k(shared) <= p(shared, inside)`."""
    shared = tuple(var for var in dict.fromkeys(variables(literal.atom)) if var not in inside)
    key = (literal.atom, shared)
    name = repair._absent.get(key)
    if name is None:
        name = repair._absent[key] = f"some {len(repair._absent) + 1}"
        head: Term = (name, *shared) if shared else name
        repair.rules.append(Rule(head, (literal._replace(positive=True),), rule.node))
    return literal._replace(atom=(name, *shared) if shared else name)


def _bind_to_domain(rule: Rule, repair: Repair, rules: list[Rule]) -> Rule:
    """Give each variable that is still unsafe a literal that lists its domain (step 2)."""
    body = list(rule.body)
    for var in unsafe_variables(rule):
        place = rule.place_of(var, repair.source)
        domain = _domain(rule, var, repair, rules)
        if not domain:
            negated = any(var in variables(literal.atom) for literal in rule.body)
            where = phrase("outside-negation" if negated else "in-the-body")
            repair.problems.append(problem("unsafe-variable", place, variable=show(var), where=where))
            continue
        name = repair._listed.get(tuple(domain))
        if name is None:
            name = repair._listed[tuple(domain)] = f"domain {len(repair._listed) + 1}"
            repair.rules.extend(Rule((name, term), (), rule.node) for term in domain)
        values = " ".join(map(show, domain[:MAX_SHOWN])) + (" ..." if len(domain) > MAX_SHOWN else "")
        repair.problems.append(problem("unsafe-repaired", place, variable=show(var), values=values))
        body.append(Literal((name, var), True, rule.node.offset))
    return rule._replace(body=tuple(body))


def _domain(rule: Rule, var: Var, repair: Repair, rules: list[Rule]) -> list[Term]:
    """Return the values that a variable can take.

    A rule for a relation of the author's own answers the rules that ask for it: its variable ranges over the values
    that they ask with, and over the values in other rules of the relation. Elsewhere the result is the intersection of
    the domains of all positions of the variable that have one.
    """
    negated = [literal.atom for literal in rule.body if not literal.is_distinct]
    if any(_is_role_place(atom, var) for atom in (rule.head, *negated)):
        return list(repair.roles)
    if repair._domains is None or len(repair._listed) < FRESH:
        repair._domains = find_domains([*repair.rules, *rules])  # again: a repair may have filled a position
    known = repair._domains
    in_head = [position for position, term in positions(rule.head) if term == var]
    if rule.signature[0] not in KEYWORDS and in_head:
        values = dict.fromkeys(known.terms(in_head[0], MAX_DOMAIN) or [])
        values.update(dict.fromkeys(_asked_with(in_head[0], rules, known)))
        if values:
            return list(values)
    in_body = [position for atom in negated for position, term in positions(atom) if term == var]
    common: list[Term] = []
    for position in dict.fromkeys([*in_head, *in_body]):
        here = known.terms(position, MAX_DOMAIN) or []
        allowed = set(here)
        common = [term for term in common if term in allowed] or common or here
    return common


def _asked_with(position: Position, rules: list[Rule], known: Domains) -> list[Term]:
    """Return what stands at a position in the bodies of rules: constants, and the possible values of variables."""
    values: dict[Term, None] = {}
    for rule in rules:
        for literal in rule.body:
            for asked in (term for pos, term in positions(literal.atom) if pos == position):
                if not isinstance(asked, Var):
                    values[asked] = None
                    continue
                places = [p for lit in rule.body if lit.binds for p, t in positions(lit.atom) if t == asked]
                choices = [dict.fromkeys(known.terms(p, MAX_DOMAIN) or []) for p in places if p != position]
                if choices:
                    values.update((t, None) for t in min(choices, key=len) if all(t in c for c in choices))
    return [term for term in values if not any(variables(term))]


def _is_role_place(atom: Term, var: Var) -> bool:
    """Return whether the variable stands at the place of a role."""
    return signature(atom)[0] in ROLE_FIRST and not isinstance(atom, str) and atom[1] == var
