"""Restriction of a relation to the rows that some rule asks for (magic sets).

`count ?a ?b ?c ?d` may be defined for all of 20^4 cells while the rules ask for two squares of the board. For every
expensive relation, this module finds the arguments that every caller binds to a constant or a bound variable. A new
predicate `asked p` lists the values of these arguments, and every rule of the relation starts with it.

The conditions that may bind a variable depend on the evaluation. For grounding, only facts bind, so that `asked p`
consists of facts too and leaves nothing in the ground program. For a single state, the state, the moves and the
conditions before the call bind as well, as in Prolog.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veil.lang import Literal, Rule, RuleSet
from veil.vocabulary import GIVEN, KEYWORDS, Signature, Term, arguments, signature, variables

Places = dict[Signature, tuple[int, ...]]  # predicate -> the arguments that are asked for
Test = Callable[[Rule], bool]
Cost = Callable[[Rule], float]


def restrict(rules: RuleSet, is_expensive: Test, cost: Cost | None = None) -> RuleSet:
    """Return equivalent rules for grounding that define expensive relations only where they are asked for.

    With a cost of rules, a relation stays as it is if the list of what is asked costs as much as the relation.
    """
    return _Demand(_fact_predicates(rules), earlier=False, cost=cost).apply(rules, is_expensive)


def restrict_for_state(rules: RuleSet, is_expensive: Test) -> RuleSet:
    """Return equivalent rules for evaluation in a given state, with expensive relations restricted to what is asked.

    If the strongest restriction is not stratified, a weaker one is used. Relations that the initial state needs are
    never restricted: there is no state yet that could ask.
    """
    given = _fact_predicates(rules).union(GIVEN)
    for_init = rules.dependencies.reachable([("init", 1)])
    for earlier in (True, False):
        restricted = _Demand(given, earlier).apply(
            rules, lambda rule: rule.signature not in for_init and is_expensive(rule)
        )
        if _is_stratified(restricted):
            return restricted
    return rules


def _is_stratified(rules: RuleSet) -> bool:
    """Return whether no predicate depends on its own negation."""
    graph = rules.dependencies
    return all(
        literal.positive or not graph.recursive(rule.signature, signature(literal.atom))
        for rule in rules
        for literal in rule.body
    )


def _fact_predicates(rules: RuleSet) -> set[Signature]:
    """Return the predicates that are defined by facts alone."""
    derived = {rule.signature for rule in rules if rule.body}
    return {rule.signature for rule in rules} - derived


@dataclass(frozen=True, slots=True)
class _Demand:
    """Search for what is asked of expensive relations, given the conditions that may bind a variable before a call."""

    given: set[Signature]  # conditions on these predicates bind variables, wherever they stand
    earlier: bool  # every condition before the call binds too; before a negation, every other condition
    cost: Cost | None = None  # of a rule; None if asking always pays

    def apply(self, rules: RuleSet, is_expensive: Test) -> RuleSet:
        """Return the rules with `asked p` in front of the bodies of expensive relations, and the rules of `asked p`."""
        candidates = [rule for rule in rules if rule.body and rule.signature[0] not in KEYWORDS]
        expensive = dict.fromkeys(rule.signature for rule in candidates if is_expensive(rule))
        places = self.asked_places(rules, expensive)
        while useless := self.useless(rules, places):
            expensive = {sig: None for sig in expensive if sig not in useless}
            places = self.asked_places(rules, expensive)
        result: list[Rule] = []
        for rule in rules:
            asked = _asked_atom(rule.head, places)
            if places:
                result += self.askers(rule, asked, places)
            if asked is not None:
                rule = rule._replace(body=(Literal(asked, True, rule.node.offset), *rule.body))
            result.append(rule)
        return rules.rewrite(result)

    def useless(self, rules: RuleSet, places: Places) -> set[Signature]:
        """Return the relations for which a rule of `asked p` costs as much as those of the relation."""
        if self.cost is None:
            return set()
        own: dict[Signature, float] = {}
        for rule in rules:
            if rule.signature in places:
                own[rule.signature] = max(own.get(rule.signature, 0.0), self.cost(rule))
        found = set()
        for rule in rules:
            if _asked_atom(rule.head, places) is not None:
                continue  # it is asked itself; how often is not known
            called = [signature(lit.atom) for lit in rule.body if signature(lit.atom) in places]
            for sig, asker in zip(called, self.askers(rule, None, places), strict=True):
                if self.cost(asker) >= own[sig]:
                    found.add(sig)
        return found

    def asked_places(self, rules: RuleSet, expensive: dict[Signature, None]) -> Places:
        """Return the asked arguments per relation: all arguments, without those that some caller leaves open."""
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
        return {sig: indices for sig, indices in places.items() if indices}

    def before(self, rule: Rule, call: int, asked: Term | None) -> list[Literal]:
        """Return the conditions that hold before a call is made."""
        before = [] if asked is None else [Literal(asked, True, rule.node.offset)]
        for i, literal in enumerate(rule.body):
            early = self.earlier and (i < call or not rule.body[call].positive)
            if literal.binds and i != call and (early or signature(literal.atom) in self.given):
                before.append(literal)
        return before

    def askers(self, rule: Rule, asked: Term | None, places: Places) -> list[Rule]:
        """Return the rules of `asked p` that the calls of one rule make, if the rule itself is asked."""
        askers = []
        for i, literal in enumerate(rule.body):
            wanted = _asked_atom(literal.atom, places)
            if wanted is not None:
                needed = set(variables(wanted))
                before = self.before(rule, i, asked)
                body = [lit for lit in before if lit.atom == asked or needed.intersection(variables(lit.atom))]
                askers.append(Rule(wanted, tuple(body), rule.node))
        return askers


def _asked_atom(atom: Term, places: Places) -> Term | None:
    """Return the atom `asked p` with the arguments of `atom` at the asked places.

    The result is None if its relation is not restricted.
    """
    name, arity = sig = signature(atom)
    if not places.get(sig):
        return None
    return (f"asked {name}/{arity}", *(arguments(atom)[i] for i in places[sig]))
