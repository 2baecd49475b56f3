"""Compute of a relation only what some rule asks for (magic sets).

`count ?a ?b ?c ?d` may be defined for all of 20^4 cells and asked for two squares of the board. For a relation that is
expensive, the places are found at which every caller has a constant or a variable that is bound before the call; a new
predicate `asked p` lists the values, and every rule of the relation starts with it.

What may bind a variable depends on who evaluates. For grounding, only facts, so that `asked p` is a matter of facts too
and nothing of it is left in the ground program. For a single state, also the state, the moves, and the conditions that
stand before the call, as the author would expect who thinks of Prolog.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from veil.lang import Literal, Rule, dependencies
from veil.vocabulary import GIVEN, KEYWORDS, Signature, Term, arguments, signature, variables

Places = dict[Signature, tuple[int, ...]]  # predicate -> the arguments that are asked for
Test = Callable[[Rule], bool]


def restrict(rules: Sequence[Rule], is_expensive: Test) -> list[Rule]:
    """Equivalent rules for grounding, in which expensive relations are defined only where they are asked for."""
    return _Demand(_fact_predicates(rules), earlier=False).apply(rules, is_expensive)


def restrict_for_state(rules: Sequence[Rule], is_expensive: Test) -> list[Rule]:
    """The same for evaluation in a given state; weaker where the stronger form would not be stratified.

    What the initial state needs is left alone: there is no state yet that could ask for it.
    """
    given = _fact_predicates(rules).union(GIVEN)
    at_first = dependencies(rules).reachable([("init", 1)])
    for earlier in (True, False):
        result = _Demand(given, earlier).apply(
            rules, lambda rule: rule.signature not in at_first and is_expensive(rule)
        )
        graph = dependencies(result)
        if all(lit.positive or not graph.recursive(r.signature, signature(lit.atom)) for r in result for lit in r.body):
            return result
    return list(rules)


def _fact_predicates(rules: Sequence[Rule]) -> set[Signature]:
    derived = {rule.signature for rule in rules if rule.body}
    return {rule.signature for rule in rules} - derived


@dataclass(slots=True)
class _Demand:
    given: set[Signature]  # conditions on these bind variables wherever they stand
    earlier: bool  # and so does every condition before the call; before a negation, all

    def apply(self, rules: Sequence[Rule], is_expensive: Test) -> list[Rule]:
        own = [rule for rule in rules if rule.body and rule.signature[0] not in KEYWORDS]
        places = self.asked_places(rules, dict.fromkeys(rule.signature for rule in own if is_expensive(rule)))
        result: list[Rule] = []
        for rule in rules:
            asked = _asked_atom(rule.head, places)
            if places:
                result += self.askers(rule, asked, places)
            if asked is not None:
                rule = rule._replace(body=(Literal(asked, True, rule.node.at), *rule.body))
            result.append(rule)
        return result

    def asked_places(self, rules: Sequence[Rule], expensive: dict[Signature, None]) -> Places:
        """Start with all arguments and drop those that some caller leaves open, until every caller agrees."""
        places: Places = {sig: tuple(range(sig[1])) for sig in expensive}
        changed = bool(places)
        while changed:
            changed = False
            for rule in rules:
                for i, literal in enumerate(rule.body):
                    sig = signature(literal.atom)
                    if not places.get(sig):
                        continue
                    before = self.before(rule, i, _asked_atom(rule.head, places))
                    bound = {var for lit in before for var in variables(lit.atom)}
                    kept = tuple(j for j in places[sig] if bound.issuperset(variables(arguments(literal.atom)[j])))
                    changed |= kept != places[sig]
                    places[sig] = kept
        return {sig: kept for sig, kept in places.items() if kept}

    def before(self, rule: Rule, call: int, asked: Term | None) -> list[Literal]:
        """The conditions that hold before a call is made."""
        found = [] if asked is None else [Literal(asked, True, rule.node.at)]
        for i, literal in enumerate(rule.body):
            early = self.earlier and (i < call or not rule.body[call].positive)
            if literal.binds and i != call and (early or signature(literal.atom) in self.given):
                found.append(literal)
        return found

    def askers(self, rule: Rule, asked: Term | None, places: Places) -> list[Rule]:
        """What a rule asks of others, given that it is asked itself."""
        found = []
        for i, literal in enumerate(rule.body):
            wanted = _asked_atom(literal.atom, places)
            if wanted is not None:
                needed = set(variables(wanted))
                before = self.before(rule, i, asked)
                body = [lit for lit in before if lit.atom == asked or needed.intersection(variables(lit.atom))]
                found.append(Rule(wanted, tuple(body), rule.node))
        return found


def _asked_atom(atom: Term, places: Places) -> Term | None:
    """`asked p` of an atom: its arguments at the asked places."""
    name, arity = sig = signature(atom)
    if not places.get(sig):
        return None
    return (f"asked {name}/{arity}", *(arguments(atom)[i] for i in places[sig]))
