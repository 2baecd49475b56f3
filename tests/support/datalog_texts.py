"""Rules and relations of the Datalog engine, written as text."""

from __future__ import annotations

from veil.engine.datalog.relation import Relation
from veil.lang import Rule, RuleSet, Source, prefix
from veil.lang.build import build
from veil.vocabulary import Signature, show


def rules_of(text: str) -> RuleSet:
    """The rules of a prefix text, as they stand there."""
    source = Source("text", text)
    return RuleSet(build(source, prefix.parse(source).statements).rules)


def rule_of(text: str) -> Rule:
    (rule,) = rules_of(text)
    return rule


def relations_of(text: str) -> dict[Signature, Relation]:
    """The relations that a list of facts makes."""
    relations: dict[Signature, Relation] = {}
    for rule in rules_of(text):
        row = () if isinstance(rule.head, str) else rule.head[1:]
        relations.setdefault(rule.signature, Relation()).add(row)
    return relations


def written(relations: dict[Signature, Relation], name: str) -> list[str]:
    """The rows of all relations of this name, sorted: `a b`, `(f a) b`."""
    rows = [row for (predicate, _), relation in relations.items() if predicate == name for row in relation.rows]
    return sorted(" ".join(show(term) for term in row) for row in rows)


def rules_in_words(rules: RuleSet) -> list[str]:
    """Every rule on one line: `(p ?x) <= (q ?x ?y), not (r ?y)`."""
    lines = []
    for rule in rules:
        body = ", ".join(("" if literal.positive else "not ") + show(literal.atom) for literal in rule.body)
        lines.append(show(rule.head) + (f" <= {body}" if body else ""))
    return lines
