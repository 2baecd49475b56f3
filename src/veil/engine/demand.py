"""Compute of a relation only what some rule asks for (magic sets, restricted to what never changes).

`count ?a ?b ?c ?d` may be defined for all of 20^4 cells and asked for two squares of the board. For a relation that is
expensive, the places are found at which every caller has a constant, a variable bound by facts, or a variable that was
itself asked for; a new predicate `asked@p` lists the values, and every rule of the relation starts with it. It depends
on facts only, so nothing of it is left in the ground program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veil.lang import Literal, Rule
from veil.vocabulary import KEYWORDS, Signature, Term, Var, arguments, signature, variables

Places = dict[Signature, tuple[int, ...]]  # predicate -> the arguments that are asked for


def restrict(rules: Sequence[Rule], is_expensive: Callable[[Rule], bool]) -> list[Rule]:
    """Equivalent rules for the game, in which expensive relations are defined only where they are asked for."""
    facts = _fact_predicates(rules)
    expensive = dict.fromkeys(r.signature for r in rules if r.signature[0] not in KEYWORDS and r.body and is_expensive(r))
    places = _asked_places(rules, expensive, facts)
    if not places:
        return list(rules)
    result: list[Rule] = []
    for rule in rules:
        asked = _asked_atom(rule.head, places)
        result += _askers(rule, asked, places, facts)
        if asked is not None:
            rule = rule._replace(body=(Literal(asked, True, rule.node.at), *rule.body))
        result.append(rule)
    return result


def _fact_predicates(rules: Sequence[Rule]) -> set[Signature]:
    derived = {rule.signature for rule in rules if rule.body}
    return {rule.signature for rule in rules} - derived


def _asked_places(rules: Sequence[Rule], expensive: dict[Signature, None], facts: set[Signature]) -> Places:
    """Start with all arguments and drop those that some caller leaves open, until every caller agrees."""
    places: Places = {sig: tuple(range(sig[1])) for sig in expensive}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            bound = _bound(rule, _asked_atom(rule.head, places), facts)
            for literal in rule.body:
                sig = signature(literal.atom)
                if sig in places:
                    kept = tuple(i for i in places[sig] if set(variables(arguments(literal.atom)[i])) <= bound)
                    changed |= kept != places[sig]
                    places[sig] = kept
    return {sig: kept for sig, kept in places.items() if kept}


def _bound(rule: Rule, asked: Term | None, facts: set[Signature]) -> set[Var]:
    atoms = [lit.atom for lit in rule.body if lit.binds and signature(lit.atom) in facts]
    return {var for atom in (atoms if asked is None else [asked, *atoms]) for var in variables(atom)}


def _asked_atom(atom: Term, places: Places) -> Term | None:
    """`asked@p` of an atom: its arguments at the asked places."""
    name, arity = sig = signature(atom)
    if not places.get(sig):
        return None
    return (f"asked@{name}/{arity}", *(arguments(atom)[i] for i in places[sig]))


def _askers(rule: Rule, asked: Term | None, places: Places, facts: set[Signature]) -> list[Rule]:
    """What a rule asks of others, given that it is asked itself."""
    found = []
    for literal in rule.body:
        wanted = _asked_atom(literal.atom, places)
        if wanted is None:
            continue
        needed = set(variables(wanted))
        support = [lit for lit in rule.body if lit.binds and signature(lit.atom) in facts]
        body = [lit for lit in support if needed & set(variables(lit.atom))]
        if asked is not None:
            body.insert(0, Literal(asked, True, rule.node.at))
        found.append(Rule(wanted, tuple(body), rule.node))
    return found
