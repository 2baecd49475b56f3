"""What can be true, done, seen and gained within a number of rounds, for games in which too much could be in the end.

Some rules count further than any match can last: cards are numbered up to ninety, and a match ends long before. The
bound of `reachable` knows no end of a match. This one is found round by round:

1. Rules are relaxed as there.
2. Words with many arguments can be very many: the moves `(deal ?player ?a ?b ?c)`. Only the values of each argument
   are found (*parts*), and in the end all their combinations are listed.
3. Every relation that depends on the state gets the round as its last argument.

A state beyond the last round may have words that are not listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from veil.engine.datalog import Sizes
from veil.engine.grounding.grounder import GroundLimits, run_worker
from veil.engine.grounding.program import GroundProgram
from veil.engine.grounding.reachable import MAX_FACTS, PATIENCE, SHOWN, read_bound, relax
from veil.engine.grounding.shrink import shrink
from veil.engine.grounding.translate import Translation
from veil.lang import Literal, Rule, Rules, RuleSet
from veil.vocabulary import GIVEN, Signature, Term, Var, arguments, signature, variables

ROUNDS = 64
MANY = 100_000.0  # expected words of one rule and shape, beyond which they are taken apart
LEGAL, SEES, DOES = ("legal", 2), ("sees", 2), ("does", 2)
OUTPUTS: tuple[Signature, ...] = (("next", 1), LEGAL, SEES, ("goal", 2))
ROUND, NOW = Var("round"), "now"
CLOSURE = """
{now}(0..{rounds}). {true}(F,0) :- i(F). {true}(F,T+1) :- {next}(F,T), T < {rounds}. t(F) :- {true}(F,_).
{does}(R,M,T) :- {legal}(R,M,T), r(R). d(R,M) :- {does}(R,M,_). s(R,P) :- {sees}(R,P,_). g(R,V) :- {goal}(R,V,_).
"""
Shape = tuple[Signature, Signature]  # `legal` or `sees`, and the functor of its words


def find_reachable_in_rounds(rules: Rules, limits: GroundLimits, rounds: int = ROUNDS) -> GroundProgram:
    """Return what a game can have in its first rounds, as `find_reachable`. Raises `GroundingError` at a limit."""
    relaxed, translation = relax(rules.rule_set), Translation()
    wide = _find_wide(relaxed)
    taken = RuleSet(part for rule in relaxed for part in _take_apart(rule, wide))
    parts = RuleSet(shrink(taken, restricting=False))
    timed = _timed_relations(parts, wide)
    text = [translation.rule(_add_round(rule, timed)) for rule in parts]
    names = {sig[0]: translation.name(_in_rounds(sig)) for sig in (*GIVEN, *OUTPUTS)}
    text.append(CLOSURE.format(now=translation.name((NOW, 1)), rounds=rounds, **names))
    text += [_combine(shape, translation) for shape in wide]
    more = replace(limits, max_rules=MAX_FACTS, max_seconds=PATIENCE * limits.max_seconds)
    result = run_worker("\n".join([*text, SHOWN]), rules, more)
    return replace(read_bound(rules, translation, result), rounds=rounds)


def _find_wide(rules: RuleSet) -> list[Shape]:
    """Return the shapes of moves and percepts that are to be taken apart: never those that a rule asks for by name."""
    sizes = Sizes(rules)
    asked = {signature(literal.atom) for rule in rules for literal in rule.body if _asks_by_name(literal)}
    found = dict[Shape, None]()
    for rule in rules:
        if rule.signature in (LEGAL, SEES) and not asked & {LEGAL, DOES}:
            word = arguments(rule.head)[1]
            if not isinstance(word, str | Var) and sizes.join(rule.body) >= MANY:
                found[rule.signature, signature(word)] = None
    return list(found)


def _asks_by_name(literal: Literal) -> bool:
    """Return whether a condition is about moves as a whole."""
    sig = signature(literal.atom)
    return sig == LEGAL or (sig == DOES and isinstance(arguments(literal.atom)[1], Var))


def _part(shape: Shape, place: int) -> str:
    """Return the name of the relation between a role and the values of an argument."""
    (kind, _), (functor, size) = shape
    return f"part {kind} {functor} {size} {place}"


def _take_apart(rule: Rule, wide: list[Shape]) -> Iterator[Rule]:
    """Yield the rule with parts instead of wide words: a rule for each part of the head, in the body all of them."""
    body: list[Literal] = []
    for literal in rule.body:
        word = arguments(literal.atom)[1] if signature(literal.atom) == DOES else ""
        shape: Shape = (LEGAL, signature(word)) if not isinstance(word, Var) else (LEGAL, DOES)
        if shape in wide:
            role = arguments(literal.atom)[0]
            body += [literal._replace(atom=(_part(shape, i), role, value)) for i, value in enumerate(arguments(word))]
        else:
            body.append(literal)
    rule = rule._replace(body=tuple(body))
    if rule.signature in (LEGAL, SEES):
        role, word = arguments(rule.head)
        if not isinstance(word, Var) and (rule.signature, signature(word)) in wide:
            shape = rule.signature, signature(word)
            for place, value in enumerate(arguments(word)):
                yield _without_distinct(rule._replace(head=(_part(shape, place), role, value)))
            return
    yield rule


def _without_distinct(rule: Rule) -> Rule:
    """Return the rule without tests of values that are not in its head: one argument does not depend on others."""
    own = set(variables(rule.head))
    return rule._replace(
        body=tuple(lit for lit in rule.body if not lit.is_distinct or own.issuperset(variables(lit.atom)))
    )


def _timed_relations(rules: RuleSet, wide: list[Shape]) -> set[Signature]:
    """Return the relations that get a round."""
    parts = {(_part(shape, place), 2) for shape in wide for place in range(shape[1][1])}
    return rules.dependencies.dependents([*GIVEN, *OUTPUTS, *parts])


def _in_rounds(sig: Signature) -> Signature:
    """Return the signature of a relation with a round."""
    return f"{sig[0]} in", sig[1] + 1


def _add_round(rule: Rule, timed: set[Signature]) -> Rule:
    """Return a rule about one round; rules about no round stay."""
    if rule.signature not in timed:
        return rule

    def add(atom: Term) -> Term:
        sig = signature(atom)
        return (_in_rounds(sig)[0], *arguments(atom), ROUND) if sig in timed else atom

    body = [literal._replace(atom=add(literal.atom)) for literal in rule.body]
    return rule._replace(head=add(rule.head), body=(*body, Literal((NOW, ROUND), True, 0)))


def _combine(shape: Shape, translation: Translation) -> str:
    """Return the rules that list all combinations of the parts of a word, of all rounds."""
    (kind, _), (functor, size) = shape
    values = [Var(f"value {place}") for place in range(size)]
    names = {var: f"V{place}" for place, var in enumerate(values)}
    lines, body = [], ["r(R)"]
    for place in range(size):
        ever = translation.name((f"{_part(shape, place)} ever", 2))
        lines.append(f"{ever}(R,V) :- {translation.name(_in_rounds((_part(shape, place), 2)))}(R,V,_).")
        body.append(f"{ever}(R,V{place})")
    word = translation.term((functor, *values), names)
    return "\n".join([*lines, f"{'d' if kind == LEGAL[0] else 's'}(R,{word}) :- {', '.join(body)}."])
