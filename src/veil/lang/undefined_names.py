"""Names that nothing defines: roles, fluents, moves, relations and constants that a rule speaks of in vain.

Most of them are slips of spelling. A rule that asks for such a name never fires (or, behind `not`, is never stopped),
so the game is another one than was meant, without an error. Every name is reported once, where it first stands, with
the nearest name that exists. Domains are upper bounds (`domains`), so a name that is reported can really never be
there. For the same reason a variable in the place of a role is reported if it can be no role.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher, get_close_matches
from typing import NamedTuple

from veil.errors import Place, Problem, phrase, problem
from veil.lang.domains import Domains, Position, positions
from veil.lang.rule import Rule
from veil.lang.rules import RuleSet
from veil.lang.source import Source
from veil.lang.tree import words
from veil.vocabulary import KEYWORDS, Signature, Term, Var, arguments, show, signature

OF_A_ROLE = ("legal", "does", "sees", "goal")  # their first argument is a role
FLUENTS: Position = ("predicate", "true", 1, 0)
MOVES: Position = ("predicate", "does", 2, 1)
NEAR, NEARER = 0.65, 0.8  # likeness of two names: enough for a hint; enough to take a name for a slip
SHORT = 3  # shorter constants resemble each other too often
MOST_LISTED = 8  # names in a hint


class _Use(NamedTuple):
    """An atom of a rule: its head, or an atom of its body."""

    rule: Rule
    atom: Term
    offset: int
    in_body: bool


def find_undefined_names(
    source: Source,
    written: RuleSet,
    rule_set: RuleSet,
    roles: tuple[Term, ...],
    spelling: dict[str, str],
    marks_variables: bool,
) -> list[Problem]:
    """Return warnings of all names that nothing defines, in the order of the text.

    `written` has all rules of the text, `rule_set` those that the game depends on. `marks_variables`: a variable is
    `?x`, so `X` is none.
    """
    rules, domains = list(rule_set), rule_set.domains
    uses = [use for rule in rules for use in _uses(rule)]
    namer = _Namer(source, spelling)
    problems = namer.check_capitals(rules) if marks_variables else []
    problems += namer.check_roles(uses, roles, marks_variables)
    problems += namer.check_role_variables(rules, domains, roles)
    problems += namer.check_terms(uses, domains, ("true", 1), FLUENTS, "undefined-fluent")
    problems += namer.check_terms(uses, domains, ("does", 2), MOVES, "undefined-move")
    problems += check_undefined(source, rules, written, spelling)
    problems += namer.check_constants(uses, domains, marks_variables)
    return sorted(problems, key=lambda entry: (entry.place.line, entry.place.column) if entry.place else (0, 0))


def _uses(rule: Rule) -> Iterator[_Use]:
    yield _Use(rule, rule.head, rule.node.offset, False)
    for literal in rule.body:
        yield _Use(rule, literal.atom, literal.offset, True)


class _Namer:
    """Finds names, and the places where they stand."""

    def __init__(self, source: Source, spelling: dict[str, str]) -> None:
        self.source, self.spelling = source, spelling
        self.seen: set[tuple[str, str]] = set()  # (code, name)

    def check_capitals(self, rules: list[Rule]) -> list[Problem]:
        """Return warnings of constants such as `C`, in head and body and in no fact, that were meant as `?C`."""
        facts = {word for rule in rules if not rule.body for word in _constants(rule.head)}
        problems = []
        for rule in rules:
            inside = {word for literal in rule.body for word in _constants(literal.atom)}
            for word in _constants(rule.head):
                written = self.spelling.get(word, word)
                if (
                    word in inside
                    and word not in facts
                    and written[0].isupper()
                    and self._is_new("capital-constant", word)
                ):
                    place = self._place(_Use(rule, rule.head, rule.node.offset, False), word)
                    problems.append(problem("capital-constant", place, name=written))
        return problems

    def check_roles(self, uses: list[_Use], roles: tuple[Term, ...], marks_variables: bool) -> list[Problem]:
        """Return warnings of constants that stand where a role must stand, and are none."""
        known, problems = [show(role, self.spelling) for role in roles], []
        for use in uses:
            name, arity = signature(use.atom)
            if (name in OF_A_ROLE and arity == 2) or (name == "role" and arity == 1 and use.in_body):
                role = arguments(use.atom)[0]
                if isinstance(role, Var) or role in roles:
                    continue
                shown = show(role, self.spelling)
                if marks_variables and shown[0].isupper() and shown.lower() not in map(str.lower, known):
                    if self._is_new("capital-constant", role):
                        problems.append(problem("capital-constant", self._place(use, role), name=shown))
                elif self._is_new("undefined-role", role):
                    hint = self._guess(shown, known) or phrase("guess-roles", roles=", ".join(known), name=shown)
                    place = self._place(use, role)
                    problems.append(problem("undefined-role", place, name=shown, guess=hint))
        return problems

    def check_role_variables(self, rules: list[Rule], domains: Domains, roles: tuple[Term, ...]) -> list[Problem]:
        """Return warnings of variables in heads that stand where a role must stand, and can be none."""
        wanted, problems = {signature(role) for role in roles if not isinstance(role, Var)}, []
        for rule in rules:
            if rule.signature[0] not in OF_A_ROLE or rule.signature[1] != 2:
                continue
            variable = arguments(rule.head)[0]
            if not isinstance(variable, Var):
                continue
            possible = _values_of(variable, rule, domains)
            if possible and wanted.isdisjoint(possible) and self._is_new("undefined-audience", rule.node.offset):
                values = _list_names(sorted(self.spelling.get(name, name) for name, _ in possible))
                known = ", ".join(show(role, self.spelling) for role in roles)
                place = self.source.place(self._find_variable(rule, variable))
                problems.append(problem("undefined-audience", place, name=show(variable), values=values, roles=known))
        return problems

    def check_terms(
        self, uses: list[_Use], domains: Domains, asked: Signature, position: Position, code: str
    ) -> list[Problem]:
        """Return warnings of fluents (or moves) that a body asks for and no rule makes true (or legal)."""
        made, problems = domains.values.get(position, {}), []
        names = sorted({name for name, _ in made})
        for use in uses:
            if not use.in_body or signature(use.atom) != asked:
                continue
            term = arguments(use.atom)[-1]
            if isinstance(term, Var) or signature(term) in made or not made:
                continue
            name, arity = signature(term)
            if not self._is_new(code, term if isinstance(term, str) else (name, str(arity))):
                continue
            hint = self._guess(name, names) or self._list_known(code, names)
            if name in names:
                hint = _guess_arity(sorted({count for other, count in made if other == name}))
            shown = _show_name(self.spelling.get(name, name), arity, name in names)
            problems.append(problem(code, self._place(use, name), name=shown, guess=hint))
        return problems

    def check_constants(self, uses: list[_Use], domains: Domains, marks_variables: bool) -> list[Problem]:
        """Return warnings of constants in bodies that can never stand there and look like a slip.

        They look like one if they are written like a variable, or if a name that can stand there is very much alike.
        """
        problems = []
        for use in uses:
            name, arity = signature(use.atom)
            if (
                not use.in_body
                or name == "distinct"
                or (name in KEYWORDS and (name, arity) not in (("true", 1), ("does", 2)))
            ):
                continue
            for position, term in positions(use.atom):
                if not isinstance(term, str) or position in (FLUENTS, MOVES) or _is_role_position(position):
                    continue
                possible = domains.values.get(position, {})
                if not possible or (term, 0) in possible:
                    continue
                written = self.spelling.get(term, term)
                code, guess = "", ""
                if marks_variables and written[:1].isupper():
                    code = "capital-constant"
                elif len(term) >= SHORT and not term[-1].isdigit():
                    guess = self._guess(term, [other for other, count in possible if count == 0], NEARER)
                    code = "undefined-constant" if guess else ""
                if code and self._is_new(code, term):
                    details = {"guess": guess} if guess else {}
                    problems.append(problem(code, self._place(use, term), name=written, **details))
        return problems

    def _is_new(self, code: str, term: object) -> bool:
        key = (code, str(term))
        if key in self.seen:
            return False
        self.seen.add(key)
        return True

    def _guess(self, name: str, known: Iterable[str], likeness: float = NEAR) -> str:
        """Return the question for the nearest known name; nothing if none is near."""
        near = get_close_matches(name, known, 3, likeness)
        if not near:
            return ""
        nearest = max(near, key=lambda other: (_likeness(other, name), -abs(len(other) - len(name))))
        return phrase("guess-name", name=self.spelling.get(nearest, nearest))

    def _list_known(self, code: str, names: list[str]) -> str:
        """Return a hint with the names that exist."""
        listed = _list_names([self.spelling.get(name, name) for name in names])
        return phrase("guess-moves" if code == "undefined-move" else "guess-fluents", names=listed)

    def _find_variable(self, rule: Rule, variable: Var) -> int:
        """Return where a variable first stands in a rule."""
        shown = show(variable).lower()
        found = (word.offset for word in words(rule.node) if word.text in (shown, variable.name))
        return next(found, rule.node.offset)

    def _place(self, use: _Use, term: Term) -> Place:
        """Return where the first word of a term stands in an atom."""
        name = signature(term)[0] if not isinstance(term, str) else term
        found = (word.offset for word in words(use.rule.node) if word.text == name and word.offset >= use.offset)
        return self.source.place(next(found, use.offset))


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def _is_role_position(position: Position) -> bool:
    return position == ("predicate", "does", 2, 0)


def _values_of(variable: Var, rule: Rule, domains: Domains) -> set[Signature]:
    """Return what a variable of a rule can stand for; nothing if no condition bounds it."""
    sources = [
        domains.values.get(position, {})
        for literal in rule.body
        if literal.binds
        for position, term in positions(literal.atom)
        if term == variable
    ]
    return set.intersection(*map(set, sources)) if sources else set()


def _list_names(names: list[str]) -> str:
    more = phrase("and-more-moves", count=len(names)) if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more


def _show_name(name: str, arity: int, is_known: bool) -> str:
    """Return a name; with its number of arguments if it is known with another one."""
    return name if not is_known else phrase("with-arity-one" if arity == 1 else "with-arity", name=name, arity=arity)


def _guess_arity(arities: list[int]) -> str:
    shown = " and ".join(map(str, arities))
    return phrase("guess-arity-one" if arities == [1] else "guess-arity", arities=shown)


def check_undefined(source: Source, rules: list[Rule], written: RuleSet, spelling: dict[str, str]) -> list[Problem]:
    """Return warnings of relations that are used but not defined: often a mistake in spelling or arity."""
    states = (arguments(rule.head)[0] for rule in rules if rule.signature in (("init", 1), ("next", 1)))
    fluents = {signature(fluent) for fluent in states if not isinstance(fluent, Var)}
    defined = {rule.signature for rule in written}
    arities: dict[str, list[int]] = {}
    for name, arity in sorted(defined):
        arities.setdefault(name, []).append(arity)
    problems: dict[Signature, Problem] = {}
    for rule in rules:
        for literal in rule.body:
            name, arity = sig = signature(literal.atom)
            if sig not in defined and sig not in problems and name not in KEYWORDS:
                near = get_close_matches(name, arities.keys() - KEYWORDS.keys(), 1, NEAR)
                guess = phrase("guess-spelling")
                if sig in fluents:
                    guess = phrase("guess-fluent", atom=show(literal.atom, spelling))
                elif name in arities:
                    guess = _guess_arity(arities[name])
                elif near:
                    guess = phrase("guess-name", name=spelling.get(near[0], near[0]))
                shown = _show_name(spelling.get(name, name), arity, name in arities and sig not in fluents)
                problems[sig] = problem("undefined-predicate", source.place(literal.offset), name=shown, guess=guess)
    return list(problems.values())


def _constants(term: Term) -> Iterable[str]:
    """Yield the constants among the arguments of a term, nested ones included; a constant itself."""
    if isinstance(term, str):
        yield term
    elif not isinstance(term, Var):
        for part in term[1:]:
            yield from _constants(part)
