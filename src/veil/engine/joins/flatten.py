"""Arguments of one shape become arguments of their own: `(legal2 ?p (move ?x ?y))` has three, if all its heads do.

If every rule of a predicate has a term with the same functor at some place, no other term can hold there. The arguments
of that term take its place, in heads and in conditions, so that conditions can be looked up by them. A condition with
another shape at the place never holds.
"""

from __future__ import annotations

from itertools import count

from veil.lang import Literal, Rule, RuleSet
from veil.vocabulary import KEYWORDS, Signature, Term, Var, arguments, signature, substitute, variables

MAX_DEPTH = 8  # of terms that are taken apart; lists that grow by rules would never end


def flatten(rules: RuleSet) -> RuleSet:
    """Return rules with the same legal, next, sees, terminal and goal in every state."""
    for _ in range(MAX_DEPTH):
        place = _find_place(rules)
        if place is None:
            break
        rules = RuleSet(changed for rule in rules if (changed := _apply(rule, *place)) is not None)
    return rules


def _find_place(rules: RuleSet) -> tuple[Signature, dict[int, Signature]] | None:
    """Return a predicate and the shapes of its places that can be taken apart; None if there is none."""
    negated = {
        (signature(literal.atom), i)
        for rule in rules
        for literal in rule.body
        if not literal.positive
        for i, part in enumerate(arguments(literal.atom))
        if isinstance(part, Var)
    }
    for sig, heads in rules.by_head.items():
        if sig[0] in KEYWORDS:
            continue
        shapes = dict[int, Signature]()
        for i in range(sig[1]):
            terms = [arguments(rule.head)[i] for rule in heads]
            first = terms[0]
            if isinstance(first, str | Var) or (sig, i) in negated:
                continue
            if all(not isinstance(term, str | Var) and signature(term) == signature(first) for term in terms):
                shapes[i] = signature(first)
        if shapes:
            return sig, shapes
    return None


def _apply(rule: Rule, sig: Signature, shapes: dict[int, Signature]) -> Rule | None:
    """Return the rule with the places of one predicate taken apart; None if it can never fire."""
    fresh = (Var(f"part {number}") for number in count())
    taken = {var for atom in (rule.head, *(lit.atom for lit in rule.body)) for var in variables(atom)}
    names = (var for var in fresh if var not in taken)
    for literal in rule.body:  # a variable at such a place stands for a term of the shape
        for i, shape in shapes.items():
            if signature(literal.atom) == sig and literal.positive:
                part = arguments(literal.atom)[i]
                if isinstance(part, Var):
                    value: Term = (shape[0], *(next(names) for _ in range(shape[1])))
                    replaced = _substitute(rule, {part: value})
                    return None if replaced is None else _apply(replaced, sig, shapes)
                if signature(part) != shape:
                    return None
    body = [_spread(lit.atom, sig, shapes) for lit in rule.body]
    kept = [lit._replace(atom=atom) for lit, atom in zip(rule.body, body, strict=True) if atom is not None]
    head = _spread(rule.head, sig, shapes)
    assert head is not None
    return rule._replace(head=head, body=tuple(kept))


def _substitute(rule: Rule, values: dict[Var, Term]) -> Rule | None:
    """Return the rule with variables replaced; None if a `distinct` fails for it."""
    body: list[Literal] = []
    for literal in rule.body:
        atom = substitute(literal.atom, values)
        if literal.is_distinct and len(set(arguments(atom))) == 1:
            return None
        body.append(literal._replace(atom=atom))
    return rule._replace(head=substitute(rule.head, values), body=tuple(body))


def _spread(atom: Term, sig: Signature, shapes: dict[int, Signature]) -> Term | None:
    """Return the atom with its places taken apart; None for a condition (negated) that has another shape there."""
    if signature(atom) != sig:
        return atom
    parts: list[Term] = []
    for i, part in enumerate(arguments(atom)):
        if i not in shapes:
            parts.append(part)
        elif isinstance(part, str | Var) or signature(part) != shapes[i]:
            return None
        else:
            parts += arguments(part)
    name = f"{sig[0]} of {' '.join(f'{i}:{shape[0]}/{shape[1]}' for i, shape in shapes.items())}"
    return (name, *parts) if parts else name
