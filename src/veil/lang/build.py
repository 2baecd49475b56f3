"""From the syntax tree to rules: connectives are multiplied out, equations solved, keyword shapes checked.

1. A statement is a fact or `(<= head body...)`; atoms of keywords have the number of arguments the language fixes.
2. A body is brought to disjunctive form; every alternative becomes a rule of its own. `not` goes inwards over `or`
   (De Morgan). `(not (and ...))` waits until the rest of its alternative is known: if that has all its variables, De
   Morgan again; else it becomes the negation of a new predicate, so that the variables that occur only inside it keep
   their meaning: "there is no ...".
3. `(not (distinct a b))` says a = b: it is solved by substitution, or the rule can never fire and is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, product
from typing import NamedTuple

from veil.errors import Problem, VeilError, fail, problem
from veil.lang.rule import Literal, Rule
from veil.lang.source import Source
from veil.lang.tree import Group, Node, Word, head_word, to_term, words
from veil.vocabulary import KEYWORDS, Term, Var, arguments, signature, substitute, symbols, variables

MAX_ALTERNATIVES = 4096  # of one rule, after multiplying out
ARITY_IS_FREE = ("base", "input")  # read, but not needed, and written in several ways
IGNORED = ("sees_xml",)
STRAY = ("<=", ":-", "and", "or", "not")  # words without a meaning of their own
MAX_REPORTED = 5  # errors of one text
MAX_TERM_SIZE = 2_000  # symbols of a term after equations are solved


class NotAll(NamedTuple):
    """`(not (and ...))` in an alternative, until the conditions around it are known."""

    node: Node
    offset: int


Literals = tuple[Literal, ...]
Conjunction = tuple[Literal | NotAll, ...]


class Builder:
    """Collector of the rules of one text, which numbers the auxiliary predicates that it makes."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.rules: list[Rule] = []
        self.ignored: Node | None = None  # the first statement about a display, not about the game
        self.auxiliaries = 0

    def add(self, node: Node) -> None:
        """Add one statement of the text."""
        if isinstance(node, Word) and (node.text.startswith("?") or node.text in STRAY):
            raise fail("stray-word", self.source.place(node.offset), word=node.text)
        head, body = self._split(node)
        if head_word(head) in IGNORED:
            self.ignored = self.ignored or node
            return
        self._check_head(head)
        self._add_rules(to_term(head), self._alternatives(node, body), node)

    def _add_rules(self, head: Term, alternatives: list[Conjunction], node: Node, support: Literals = ()) -> None:
        """Add a rule for every alternative; `support` binds head variables that an alternative leaves unbound."""
        count = 0
        for alternative in alternatives:
            for body in self._settle(head, alternative, node):
                count += 1
                if count > MAX_ALTERNATIVES:
                    raise fail("too-many-alternatives", self.source.place(node.offset), limit=MAX_ALTERNATIVES)
                loose = set(variables(head)) - Rule(head, body, node).bound()
                helpers = tuple(lit for lit in support if loose.intersection(variables(lit.atom)))
                rule = solve_equations(Rule(head, body + helpers, node))
                if rule is not None:
                    self.rules.append(rule)

    def _settle(self, head: Term, conjunction: Conjunction, node: Node) -> Iterator[Literals]:
        """Yield one alternative with its negated conjunctions replaced, now that the conditions around are known."""
        pending = next((part for part in conjunction if isinstance(part, NotAll)), None)
        if pending is None:
            yield tuple(part for part in conjunction if isinstance(part, Literal))
            return
        position = conjunction.index(pending)
        before, after = conjunction[:position], conjunction[position + 1 :]
        others = before + after
        known = set(variables(head)).union(*(_variables_of(part) for part in others))
        inner = list(dict.fromkeys(_variables_of(pending)))
        operands = self._operands(pending.node)
        if known.issuperset(inner):
            choices = [choice for operand in operands for choice in self._negation(operand, node)]
        else:
            self.auxiliaries += 1
            shared = tuple(sorted(var for var in inner if var in known))
            name = f"all {self.auxiliaries}"
            atom: Term = (name, *shared) if shared else name
            support = tuple(part for part in others if isinstance(part, Literal) and part.binds)
            self._add_rules(atom, self._alternatives(node, operands), pending.node, support)
            choices = [(Literal(atom, False, pending.offset),)]
        for choice in choices:
            yield from self._settle(head, before + choice + after, node)

    def _split(self, node: Node) -> tuple[Node, tuple[Node, ...]]:
        """Return head and body of a statement; a fact has an empty body."""
        if head_word(node) not in ("<=", ":-"):
            return node, ()
        assert isinstance(node, Group)
        if len(node.items) < 2:
            raise fail("rule-without-head", self.source.place(node.offset))
        return node.items[1], node.items[2:]

    def _check_head(self, head: Node) -> None:
        """Refuse a head that cannot be derived, and keywords with a wrong number of arguments."""
        word = head_word(head)
        if word.startswith("?"):
            raise fail("variable-functor", self.source.place(head.offset), name=word)
        if word in ("true", "does", "distinct", "not", "or", "and", "<="):
            raise fail("keyword-in-head", self.source.place(head.offset), keyword=word)
        wanted = KEYWORDS.get(word)
        given = len(arguments(to_term(head)))
        if wanted is not None and given != wanted and word not in ARITY_IS_FREE:
            raise fail("wrong-arity", self.source.place(head.offset), keyword=word, wanted=wanted, given=given)
        self._check_term(head)

    def _check_atom(self, node: Node) -> None:
        """Refuse an atom that cannot be a condition."""
        word = head_word(node)
        if word.startswith("?"):
            raise fail("variable-functor", self.source.place(node.offset), name=word)
        if word in ("<=", ":-"):
            raise fail("rule-in-body", self.source.place(node.offset))
        self._check_term(node)

    def _check_term(self, node: Node) -> None:
        """Refuse variables in the place of a name."""
        if isinstance(node, Group):
            if head_word(node).startswith("?"):
                raise fail("variable-functor", self.source.place(node.offset), name=head_word(node))
            for item in node.items[1:]:
                self._check_term(item)

    def _alternatives(self, rule: Node, body: tuple[Node, ...]) -> list[Conjunction]:
        """Return the alternatives of a body, each a conjunction of literals."""
        return self._join([self._formula(node, rule) for node in body], rule)

    def _join(self, parts: list[list[Conjunction]], rule: Node) -> list[Conjunction]:
        """Return the conjunction of disjunctions, multiplied out."""
        count = 1
        for part in parts:
            count *= len(part)
            if count > MAX_ALTERNATIVES:
                raise fail("too-many-alternatives", self.source.place(rule.offset), limit=MAX_ALTERNATIVES)
        return [tuple(chain.from_iterable(choice)) for choice in product(*parts)]

    def _formula(self, node: Node, rule: Node) -> list[Conjunction]:
        """Return the alternatives of a formula, each a conjunction of literals."""
        word = head_word(node)
        if word == "and":
            return self._alternatives(rule, self._operands(node))
        if word == "or":
            return [conjunction for part in self._operands(node) for conjunction in self._formula(part, rule)]
        if word == "not":
            return self._negation(self._operand(node), rule)
        self._check_atom(node)
        return [(Literal(to_term(node), True, node.offset),)]

    def _negation(self, node: Node, rule: Node) -> list[Conjunction]:
        """Return the alternatives of a negated formula."""
        word = head_word(node)
        if word == "not":
            return self._formula(self._operand(node), rule)
        if word == "or":
            return self._join([self._negation(part, rule) for part in self._operands(node)], rule)
        if word == "and":
            return [(NotAll(node, node.offset),)]
        self._check_atom(node)
        return [(Literal(to_term(node), False, node.offset),)]

    def _operand(self, node: Node) -> Node:
        """Return the only operand of a connective."""
        operands = self._operands(node)
        if len(operands) != 1:
            place, given = self.source.place(node.offset), len(operands)
            raise fail("connective-arity", place, connective=head_word(node), given=given)
        return operands[0]

    def _operands(self, node: Node) -> tuple[Node, ...]:
        """Return the operands of a connective, which must be a group."""
        if isinstance(node, Word):
            raise fail("connective-arity", self.source.place(node.offset), connective=node.text, given=0)
        return node.items[1:]


def _variables_of(part: Literal | NotAll) -> Iterator[Var]:
    """Yield every occurrence of a variable in a part of a conjunction."""
    if isinstance(part, Literal):
        yield from variables(part.atom)
    else:
        yield from (Var(word.text[1:]) for word in words(part.node) if word.text.startswith("?"))


def solve_equations(rule: Rule) -> Rule | None:
    """Remove `(not (distinct a b))` by unifying a and b; return None if they can never be equal.

    A `distinct` that holds or fails for all values of its variables is removed as well.
    """
    values: dict[Var, Term] = {}
    rest = []
    for literal in rule.body:
        if literal.is_distinct and not literal.positive:
            left, right = arguments(literal.atom)
            if not unify(left, right, values):
                return None
        else:
            rest.append(literal)
    body = []
    for literal in rest:
        atom = resolve(literal.atom, values)
        if literal.is_distinct:
            left, right = arguments(atom)
            trial: dict[Var, Term] = {}
            if left == right:
                return None
            if not unify(left, right, trial):
                continue
        body.append(literal._replace(atom=atom))
    return rule._replace(head=resolve(rule.head, values), body=tuple(body))


def unify(left: Term, right: Term, values: dict[Var, Term]) -> bool:
    """Make two terms equal by giving values to variables (changed in place); return False if that is impossible."""
    left, right = _walk(left, values), _walk(right, values)
    if left == right:
        return True
    if isinstance(left, Var):
        if left in variables(resolve(right, values)):
            return False
        values[left] = right
        return True
    if isinstance(right, Var):
        return unify(right, left, values)
    if signature(left) != signature(right):
        return False
    return all(unify(a, b, values) for a, b in zip(arguments(left), arguments(right), strict=True))


def resolve(term: Term, values: dict[Var, Term]) -> Term:
    """Substitute until nothing changes (values may contain variables that have values)."""
    while True:
        replaced = substitute(term, values)
        if replaced == term:
            return term
        if sum(1 for _ in islice(symbols(replaced), MAX_TERM_SIZE)) == MAX_TERM_SIZE:
            raise fail("term-too-large", limit=MAX_TERM_SIZE)
        term = replaced


def _walk(term: Term, values: dict[Var, Term]) -> Term:
    """Return the value of a variable, followed through the variables it is bound to."""
    while isinstance(term, Var) and term in values:
        term = values[term]
    return term


def build(source: Source, statements: list[Node]) -> Builder:
    """Return the rules of all statements. Wrong statements are reported together, the first `MAX_REPORTED` of them."""
    builder = Builder(source)
    problems: list[Problem] = []
    for node in statements:
        try:
            builder.add(node)
        except VeilError as error:
            problems.extend(error.problems)
    if problems:
        reported = problems[:MAX_REPORTED]
        if len(problems) > MAX_REPORTED:
            reported.append(problem("more-errors", count=len(problems) - MAX_REPORTED))
        raise VeilError(*reported)
    return builder
