"""One predicate per constant, to make negation stratified.

`(<= (goal ?r 0) (not (goal ?r 100)))` makes `goal` depend on its own negation, although only `goal 0` depends on `goal
100`. If all heads of a predicate have a constant at some place, the predicate is split: `p` becomes `p c` for every
constant c, conditions that name the constant ask for `p c`, and `p` itself holds if one of the parts does.
"""

from __future__ import annotations

from veil.lang.rule import Literal, Rule
from veil.lang.rules import RuleSet
from veil.vocabulary import Signature, Term, Var, arguments, signature

Splits = dict[Signature, tuple[int, dict[str, Rule]]]  # predicate -> place, constant -> a rule that has it


def specialise(rules: RuleSet) -> RuleSet:
    """Return equivalent rules, in which the predicates that depend on their own negation are split."""
    splits = _find_splits(rules)
    result = [_rename(rule, splits) for rule in rules]
    for sig, (_, constants) in splits.items():
        for constant, rule in constants.items():
            names: list[Term] = [Var(f"x{i}") for i in range(sig[1])]
            names[splits[sig][0]] = constant
            part = Literal((f"{sig[0]} {constant}", *names), True, rule.node.offset)
            result.append(Rule((sig[0], *names), (part,), rule.node))
    return rules.rewrite(result)


def _find_splits(rules: RuleSet) -> Splits:
    splits: Splits = {}
    for rule in rules:
        for literal in rule.body:
            sig = signature(literal.atom)
            if not literal.positive and sig not in splits and rules.dependencies.recursive(rule.signature, sig):
                heads = rules.by_head[sig]
                for place in range(sig[1]):
                    terms = {arguments(other.head)[place]: other for other in heads}
                    if len(terms) > 1 and all(isinstance(term, str) for term in terms):
                        splits[sig] = place, {str(term): other for term, other in terms.items()}
                        break
    return splits


def _rename(rule: Rule, splits: Splits) -> Rule:
    body = tuple(lit._replace(atom=_part(lit.atom, splits)) for lit in rule.body)
    return rule._replace(head=_part(rule.head, splits), body=body)


def _part(atom: Term, splits: Splits) -> Term:
    """Return the atom of the part if the atom names a constant that has one; else the atom."""
    sig = signature(atom)
    if sig not in splits:
        return atom
    place, constants = splits[sig]
    constant = arguments(atom)[place]
    return (f"{sig[0]} {constant}", *arguments(atom)) if constant in constants else atom
