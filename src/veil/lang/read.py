"""From bytes or text to `Rules`: the steps of this room in order."""

from __future__ import annotations

from veil.errors import Problem, VeilError, fail, phrase, problem
from veil.lang import check, infix, prefix
from veil.lang.build import build
from veil.lang.notations import Notation, find_notation
from veil.lang.repair import make_safe
from veil.lang.rule import Rule
from veil.lang.rules import Rules, RuleSet
from veil.lang.seen_moves import find_unseen_moves
from veil.lang.source import Source, decode
from veil.lang.specialise import specialise
from veil.lang.tree import Parsed, to_term
from veil.lang.turns import find_silent_turns
from veil.lang.unasked_names import find_unasked_names
from veil.lang.undefined_names import find_undefined_names
from veil.lang.unused_rules import check_unused
from veil.vocabulary import GIVEN, OUTPUTS, Term, signature, variables

BY_HAND = ("prefix", "infix")  # notations whose rules are those of the text


def read_rules(text: str | bytes | Source, name: str = "rules") -> Rules:
    """Read, check and repair a game description. Raises `VeilError` if it is no game.

    Messages call text or bytes `name`; a source has its own name, and may be joined from several files.
    """
    source = _as_source(text, name)
    notation = find_notation(source.text)
    if source.transfer and notation.name != "pogddl":
        raise fail("bad-transfer", what=phrase("transfer-notation", notation=notation.name))
    if source.end_on_gain and notation.name != "pogddl":
        raise fail("bad-end-on-gain", what=phrase("transfer-notation", notation=notation.name))
    parsed = notation.parse(source)
    if not parsed.statements:
        raise fail("empty-text", name=source.name)
    try:
        return _check(source, parsed, notation)
    except RecursionError:
        raise fail("too-complex", name=source.name) from None


def read_statements(source: Source) -> Parsed:
    """Return the statements of a text in any notation, as unchecked syntax trees. Refuse what cannot be parsed."""
    return find_notation(source.text).parse(source)


def _as_source(text: str | bytes | Source, name: str) -> Source:
    if isinstance(text, Source):
        return text
    return decode(text, name) if isinstance(text, bytes) else Source(name, text)


def _check(source: Source, parsed: Parsed, notation: Notation) -> Rules:
    """Return the rules of a parsed text, checked and repaired."""
    builder, spelling = build(source, parsed.statements), parsed.spelling
    written = RuleSet(builder.rules)
    roles, problems = check.find_roles(source, written)
    problems = [*parsed.problems, *problems]
    # Rules that no part of the game depends on may be anything: many files use them as notes to some program.
    relevant = written.dependencies.reachable(OUTPUTS)
    rules = [rule for rule in written if rule.signature in relevant]
    problems += check.check_keywords(source, rules)
    if notation.name in BY_HAND:
        problems += check_unused(source, written, relevant, spelling)
    problems += check.check_initial(source, rules, written.dependencies, spelling)
    problems += check.check_goals(source, rules, spelling)
    silent_turns = find_silent_turns(source, parsed.statements)
    unseen_moves = None if silent_turns else find_unseen_moves(source, written, roles)
    problems += [note for note in (silent_turns, unseen_moves) if note]
    problems += find_undefined_names(source, written, written.rewrite(rules), roles, spelling, notation.marks_variables)
    problems += find_unasked_names(source, written, spelling)
    repair = make_safe(source, roles, drop_dead(rules))
    problems += repair.problems
    safe = written.rewrite(repair.rules)
    problems += check.check_recursion(source, safe, spelling)
    unstratified = check.doubt_stratified(source, safe, spelling)
    if unstratified is not None:
        parts = specialise(safe)
        if check.doubt_stratified(source, parts, spelling) is None:
            safe, unstratified = parts, None
    if builder.ignored is not None:
        problems.append(problem("sees-xml", source.place(builder.ignored.offset)))
    problems = list(dict.fromkeys(problems))  # a rule that was multiplied out repeats its problems
    _raise_errors(problems)
    doubts = (unstratified, check.doubt_does(source, safe))
    return Rules(
        source=source,
        roles=roles,
        rule_set=safe,
        spelling=spelling,
        problems=tuple(problems),
        doubts=tuple(doubt for doubt in doubts if doubt is not None),
        scale=parsed.scale,
    )


def drop_dead(rules: list[Rule]) -> list[Rule]:
    """Return the rules without those that can never fire because they ask for an undefined relation."""
    while True:
        known = {rule.signature for rule in rules} | set(GIVEN)
        alive = [rule for rule in rules if all(signature(lit.atom) in known for lit in rule.body if lit.binds)]
        if len(alive) == len(rules):
            return rules
        rules = alive


def _raise_errors(problems: list[Problem]) -> None:
    errors = [entry for entry in problems if entry.severity == "error"]
    if errors:
        raise VeilError(*errors)


def read_term(text: str) -> Term:
    """Return a ground term in the user's spelling, prefix `(mark 1 1)` or infix `mark(1, 1)`, in any case."""
    source = Source("term", text.strip())
    notation = prefix if source.text.startswith("(") or "(" not in source.text else infix
    try:
        nodes = notation.parse(source).statements
    except VeilError:
        nodes = []
    term = to_term(nodes[0]) if len(nodes) == 1 else None
    if term is None or any(True for _ in variables(term)):
        raise fail("bad-term", text=text.strip()[:60])
    return term
