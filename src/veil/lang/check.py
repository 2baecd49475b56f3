"""Well-formedness as the GDL-II specification asks for it, on the level of rules.

What the rules alone cannot settle becomes a *doubt*: an error that holds only if the ground program confirms it.
`terminal` may be defined through a `sees` that depends on the state only, although other `sees` depend on moves.
"""

from __future__ import annotations

from collections.abc import Iterable

from veil.errors import Problem, problem
from veil.lang.depends import Dependencies
from veil.lang.rule import Literal, Rule
from veil.lang.rules import RuleSet
from veil.lang.source import Source
from veil.vocabulary import GIVEN, KEYWORDS, Signature, Term, Var, arguments, goal_value, show, signature, variables

INIT_FORBIDS: tuple[Signature, ...] = (*GIVEN, ("legal", 2), ("sees", 2), ("terminal", 0), ("goal", 2))
STATE_ONLY: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2))


def find_roles(source: Source, rules: Iterable[Rule]) -> tuple[tuple[Term, ...], list[Problem]]:
    """The roles in the order of the text; they must be facts, because everything else is counted by role."""
    roles: dict[Term, None] = {}
    problems = []
    for rule in rules:
        if rule.signature == ("role", 1):
            term = arguments(rule.head)[0]
            if rule.body or any(True for _ in variables(term)):
                problems.append(problem("role-not-a-fact", source.place(rule.node.at)))
            roles[term] = None
    if not roles:
        problems.append(problem("no-roles", source.place(0)))
    return tuple(roles), problems


def check_initial(
    source: Source, rules: Iterable[Rule], graph: Dependencies, spelling: dict[str, str]
) -> list[Problem]:
    """`init` describes the state before anything is true or done."""
    forbidden = graph.dependents(INIT_FORBIDS)
    return [
        problem("init-depends", source.place(literal.at), atom=show(literal.atom, spelling))
        for rule in rules
        if rule.signature == ("init", 1)
        for literal in rule.body
        if signature(literal.atom) in forbidden
    ]


def check_keywords(source: Source, rules: Iterable[Rule]) -> list[Problem]:
    """Keywords in bodies: in the right place, with the right number of arguments.

    `next` in a body goes beyond the specification, but real files use it and it has one meaning: what will be true.
    A keyword with a wrong number of arguments is never true; behind `not`, real files live with that.
    """
    problems = []
    for rule in rules:
        for literal in rule.body:
            name, given = signature(literal.atom)
            wanted, place = KEYWORDS.get(name), source.place(literal.at)
            if name == "init":
                problems.append(problem("init-in-body", place))
            elif wanted is not None and given != wanted and name not in ("base", "input"):
                code = "wrong-arity" if literal.positive else "wrong-arity-negated"
                problems.append(problem(code, place, keyword=name, wanted=wanted, given=given))
            elif name == "next":
                problems.append(problem("next-in-body", place))
    return problems


def check_goals(source: Source, rules: Iterable[Rule], spelling: dict[str, str]) -> list[Problem]:
    """Goal values are whole numbers."""
    problems = []
    for rule in rules:
        if rule.signature == ("goal", 2):
            value = arguments(rule.head)[1]
            if not isinstance(value, Var) and goal_value(value) is None:
                problems.append(problem("goal-not-a-number", source.place(rule.node.at), value=show(value, spelling)))
    return problems


def check_undefined(source: Source, rules: list[Rule], spelling: dict[str, str]) -> list[Problem]:
    """A predicate that is used and defined nowhere is never true: often a slip of spelling or of arity."""
    fluents = {
        signature(rule.head[1]) for rule in rules if rule.signature[0] in ("init", "next") if _is_term(rule.head[1])
    }
    defined = {rule.signature for rule in rules}
    arities: dict[str, list[int]] = {}
    for name, arity in sorted(defined):
        arities.setdefault(name, []).append(arity)
    problems: dict[Signature, Problem] = {}
    for rule in rules:
        for literal in rule.body:
            name, arity = sig = signature(literal.atom)
            if sig not in defined and sig not in problems and name not in KEYWORDS:
                others, spelled = arities.get(name), spelling.get(name, name)
                hint = "is it spelled as where it is defined?"
                if sig in fluents:
                    hint = f"it is part of the state: ask (true {show(literal.atom, spelling)})"
                elif others:
                    hint = f"it is defined with {' and '.join(map(str, others))} argument(s)"
                place = source.place(literal.at)
                problems[sig] = problem("undefined-predicate", place, name=spelled, arity=arity, guess=hint)
    return list(problems.values())


def _is_term(term: object) -> bool:
    return not isinstance(term, Var)


def check_capitals(source: Source, rules: list[Rule], spelling: dict[str, str]) -> list[Problem]:
    """In prefix text `C` is a constant. Used in head and body of a rule and in no fact, it was meant as `?C`."""
    facts = {word for rule in rules if not rule.body for word in _constants(rule.head)}
    suspects: dict[str, Rule] = {}
    for rule in rules:
        inside = {word for literal in rule.body for word in _constants(literal.atom)}
        for word in _constants(rule.head):
            if word in inside and word not in facts and spelling.get(word, word)[0].isupper():
                suspects.setdefault(word, rule)
    return [
        problem("capital-constant", source.place(rule.node.at), name=spelling[word]) for word, rule in suspects.items()
    ]


def check_recursion(source: Source, rules: RuleSet, spelling: dict[str, str]) -> list[Problem]:
    """The recursion restriction: what is handed to a recursive literal is ground, in the head, or bound elsewhere."""
    problems = []
    for rule in rules:
        recursive = [lit for lit in rule.body if rules.dependencies.recursive(rule.signature, signature(lit.atom))]
        if not recursive:
            continue
        allowed: set[Term] = set(arguments(rule.head))
        for literal in rule.body:
            if literal.binds and literal not in recursive:
                allowed.update(arguments(literal.atom))
        for literal in recursive:
            loose = [term for term in arguments(literal.atom) if any(variables(term)) and term not in allowed]
            if loose:
                place = source.place(literal.at)
                problems.append(
                    problem("recursion", place, term=show(loose[0], spelling), atom=show(literal.atom, spelling))
                )
    return problems


def doubt_stratified(source: Source, rules: RuleSet, spelling: dict[str, str]) -> Problem | None:
    """A predicate that depends on its own negation, unless the ground atoms do not."""
    for rule in rules:
        for literal in rule.body:
            if not literal.positive and rules.dependencies.recursive(rule.signature, signature(literal.atom)):
                atom, head = show(literal.atom, spelling), show(rule.head, spelling)
                return problem("unstratified", source.place(literal.at), atom=atom, head=head)
    return None


def doubt_does(source: Source, rules: RuleSet) -> Problem | None:
    """`legal`, `terminal` or `goal` that depends on what is being done, unless the ground atoms do not."""
    guilty = rules.dependencies.dependents([("does", 2)])
    for rule in rules:
        if rule.signature in STATE_ONLY:
            literal = next((lit for lit in rule.body if signature(lit.atom) in guilty), None)
            if literal is not None:
                via = _explain(literal)
                return problem("depends-on-does", source.place(literal.at), head=rule.signature[0], via=via)
    return None


def _explain(literal: Literal) -> str:
    return "" if signature(literal.atom) == ("does", 2) else f" through {signature(literal.atom)[0]}"


def _constants(term: Term) -> Iterable[str]:
    if isinstance(term, str):
        yield term
    elif not isinstance(term, Var):
        for part in term[1:]:
            yield from _constants(part)
